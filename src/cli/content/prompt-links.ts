import { namingAttributes } from '../../content-store/references.js';
import { typeOf } from '../../model/lookup.js';
import type { LinkAttribute, Uid } from '../../model/model.js';
import type { Prompter } from '../prompts/prompt.js';
import type { DataPromptContext } from './prompt-scalar.js';

/** The most documents that one search shows. */
const FOUND = 10;

interface LinkChoice {
  readonly value: string;
  readonly name: string;
  readonly description?: string;
}

/** Finds documents whose texts contain what was typed. */
const findTargets = async (
  { store }: DataPromptContext,
  uid: Uid,
  typed: string,
): Promise<readonly LinkChoice[]> => {
  const type = typeOf(store.model, uid);
  const isText = (name: string): boolean =>
    type.attributes[name]?.type === 'string' && type.attributes[name]?.private !== true;
  const title = Object.keys(type.attributes).find(isText);
  const fields = [
    ...new Set(['documentId', ...namingAttributes(type), ...(title === undefined ? [] : [title])]),
  ];
  const documents = await store.find(uid, {
    fields,
    sort: ['documentId'],
    limit: FOUND,
    ...(typed === '' ? {} : { _q: typed }),
  });
  return documents.map((document) => {
    const names = fields
      .filter((name) => name !== 'documentId')
      .flatMap((name) => (typeof document[name] === 'string' ? [document[name]] : []));
    const shown = title === undefined ? undefined : document[title];
    return {
      value: document.documentId,
      name: typeof shown === 'string' && shown !== '' ? shown : (names[0] ?? document.documentId),
      description: `${type.singularName} ${document.documentId}`,
    };
  });
};

const promptLink = (
  prompter: Prompter,
  {
    target,
    context,
    chosen,
  }: {
    readonly target: Uid;
    readonly context: DataPromptContext;
    readonly chosen: readonly string[];
  },
): Promise<string> =>
  prompter((prompts, screen) =>
    prompts.search(
      {
        message: `${context.label}: type to search`,
        source: async (typed = '') => {
          const found = await findTargets(context, target, typed.trim());
          const none = { value: '', name: chosen.length === 0 ? 'None' : 'No more' };
          return [...(typed === '' ? [none] : []), ...found.filter(({ value }) => !chosen.includes(value))];
        },
      },
      screen,
    ),
  );

/** Asks for linked documents or files, which are searched by typing. Undefined: there are none. */
export async function promptLinks(
  prompter: Prompter,
  { target, many }: LinkAttribute,
  context: DataPromptContext,
): Promise<unknown> {
  // Documents of any type are given with --set.
  if (target === null) return undefined;
  const chosen: string[] = [];
  for (;;) {
    const documentId = await promptLink(prompter, { target, context, chosen });
    if (documentId === '') return chosen.length === 0 ? undefined : chosen;
    if (!many) return documentId;
    chosen.push(documentId);
  }
}
