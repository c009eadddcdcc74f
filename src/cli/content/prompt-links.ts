import type { ContentStore } from '../../transfer/store/content-store.js';
import { nameDocuments, namingAttributes } from '../../transfer/store/references.js';
import { typeOf } from '../../model/lookup.js';
import type { LinkAttribute, Uid } from '../../model/model.js';
import { searchQuestion } from '../prompts/prompt.js';
import type { Choice, Prompter } from '../prompts/prompt.js';
import type { DataPromptContext } from './prompt-scalar.js';

/** The maximum number of documents that one search shows. */
const FOUND = 10;

/** Finds documents whose texts contain the typed text. */
export async function findTargets(
  store: ContentStore,
  uid: Uid,
  typed: string,
): Promise<readonly Choice<string>[]> {
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
}

/** Returns the chosen documents with their names. */
const nameChosen = async (
  store: ContentStore,
  uid: Uid,
  documentIds: readonly string[],
): Promise<readonly Choice<string>[]> => {
  const named = await nameDocuments(store, uid, documentIds);
  return documentIds.map((value) => ({ value, name: named.get(value) ?? value }));
};

const promptLink = (prompter: Prompter, { context, target, chosen }: LinkQuestion): Promise<string> => {
  const { store, label, isRequired } = context;
  const question = searchQuestion(`${label}${isRequired ? ' *' : ''}: type to search`, async (typed) => {
    const found = await findTargets(store, target, typed);
    const isNeeded = isRequired && chosen.length === 0;
    const none = { value: '', name: chosen.length === 0 ? 'None' : 'No more' };
    const others = found.filter(({ value }) => !chosen.includes(value));
    const present = (await nameChosen(store, target, chosen)).map(({ value, name }) => ({
      value: `-${value}`,
      name: `Remove ${String(name)}`,
    }));
    return typed === '' ? [...(isNeeded ? [] : [none]), ...others, ...present] : others;
  });
  return prompter(question);
};

interface LinkQuestion {
  readonly target: Uid;
  readonly context: DataPromptContext;
  /** The documentIds so far. */
  readonly chosen: readonly string[];
}

/**
 * Asks for linked documents or files, which the user searches by typing. Returns undefined if there are none.
 *
 * @param present the documentIds that are linked so far
 */
export async function promptLinks(
  prompter: Prompter,
  { target, many }: LinkAttribute,
  context: DataPromptContext,
  present: unknown,
): Promise<unknown> {
  // Documents of any type can only be set with --set.
  if (target === null) return undefined;
  let chosen: readonly string[] = [present].flat().filter((value) => typeof value === 'string');
  for (;;) {
    const answer = await promptLink(prompter, { target, context, chosen });
    if (answer === '' && !many) return chosen.length === 0 ? undefined : chosen[0];
    if (answer === '') return chosen.length === 0 ? undefined : chosen;
    if (answer.startsWith('-')) chosen = chosen.filter((value) => value !== answer.slice(1));
    else if (!many) return answer;
    else chosen = [...chosen, answer];
  }
}
