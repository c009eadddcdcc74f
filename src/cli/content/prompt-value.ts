import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseBlocks } from '../../transfer/store/parse-blocks.js';
import { printBlocks } from '../../transfer/store/print-blocks.js';
import type { ContentStore } from '../../transfer/store/content-store.js';
import { parseAttributeText } from '../../transfer/store/document-text.js';
import { isRecord } from '../../lib/records.js';
import { OWNER_ONLY_FOLDER } from '../../lib/files.js';
import type { ContentType, ScalarAttribute, LinkAttribute, Uid } from '../../model/model.js';
import { isUnique } from '../../documents/validation/parse-scalar.js';
import { nameDocuments, namingAttributes } from '../../transfer/store/references.js';
import { typeOf } from '../../model/lookup.js';
import { askConfirm, askSelect, textQuestion, VALUE_NEEDED, searchQuestion } from '../prompts/prompt.js';
import type { Prompter, Question, Validity, Choice } from '../prompts/prompt.js';
import type { Terminal } from '../terminal/terminal.js';
import { openEditor } from '../terminal/run-program.js';

/** The context of the questions for values. */
export interface DataPromptContext {
  readonly store: ContentStore;
  /** The type of the document. */
  readonly type: ContentType;
  /** Undefined for the default locale. */
  readonly locale: string | undefined;
  readonly terminal: Terminal;
  /** The folder of the project. */
  readonly root: string;
  /** True if required values are mandatory. */
  readonly publishes: boolean;
  /** The path of the value: `seo.metaTitle`. */
  readonly label: string;
  /** True if the attribute needs a value. */
  readonly isRequired: boolean;
}

const HINTS: Readonly<Record<string, string>> = {
  text: 'Ctrl-O: editor',
  date: '2024-12-31',
  time: '10:30',
  datetime: '2024-12-31T10:30:00.000Z',
  json: '{"a": 1}',
};

const EDITED_TYPES: ReadonlySet<string> = new Set(['richtext', 'blocks']);

const parseAnswer = (attribute: ScalarAttribute, text: string): unknown => {
  if (attribute.type !== 'blocks') return parseAttributeText(attribute, text);
  const parsed = parseBlocks(text, {});
  if ('blocks' in parsed) return parsed.blocks;
  throw new TypeError(`Line ${parsed.line}: ${parsed.reason}.`);
};

/** Returns the present value as the user would type it. Empty if there is none. */
const typedText = (attribute: ScalarAttribute, value: unknown): string => {
  if (value === undefined || value === null || attribute.type === 'password') return '';
  if (attribute.type === 'blocks') return printBlocks(value)?.markdown ?? '';
  return typeof value === 'string' && attribute.type !== 'json' ? value : JSON.stringify(value);
};

/** True if another published document has the value. False if the store cannot read the attribute. */
const isTaken = async (
  attribute: ScalarAttribute,
  value: unknown,
  { store, type, locale, label }: DataPromptContext,
): Promise<boolean> => {
  if (!isUnique(attribute) || label !== attribute.name || attribute.type === 'password') return false;
  const find = attribute.private ? store.findPrivate : store.find;
  const found = await find?.(type.uid, {
    filters: { [attribute.name]: { $eq: value } },
    fields: ['documentId'],
    limit: 1,
    ...(type.draftAndPublish ? { status: 'published' } : {}),
    ...(type.localized && attribute.localized && locale !== undefined ? { locale } : {}),
  });
  return found !== undefined && found.length > 0;
};

/** Returns true if the answer can be written, otherwise the reason. */
const checkAnswer = async (
  attribute: ScalarAttribute,
  text: string,
  context: DataPromptContext,
): Promise<Validity> => {
  if (text === '') return context.isRequired ? VALUE_NEEDED : true;
  try {
    const value = parseAnswer(attribute, text);
    const parsed = attribute.field.parse(value, attribute.constraints, 'full');
    if (!parsed.ok) return parsed.issues.map(({ message }) => message).join(', ');
    return (await isTaken(attribute, value, context))
      ? 'must be unique: another document has this value'
      : true;
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    return error.message;
  }
};

const editText = async ({ terminal, root, label }: DataPromptContext, text: string): Promise<string> => {
  const parent = join(root, '.galley', 'edits');
  await mkdir(parent, { recursive: true, mode: OWNER_ONLY_FOLDER });
  const folder = await mkdtemp(join(parent, 'new-'));
  const file = join(folder, `${label}.md`);
  try {
    await writeFile(file, text);
    await openEditor(terminal, file);
    return (await readFile(file, 'utf8')).replace(/\n$/, '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Asks for a long text in the editor, until it is valid. */
const editorQuestion =
  (attribute: ScalarAttribute, context: DataPromptContext, present: string): Question<string> =>
  async (prompts, screen) => {
    const { label, isRequired } = context;
    let [text, offer, isProposed] = [present, 'open the editor?', isRequired];
    for (;;) {
      const message = `${label}${isRequired ? ' *' : ''}: ${offer}`;
      const isOpened = await prompts.confirm({ message, default: isProposed }, screen);
      const isLeft = !isOpened && (present !== '' || !isRequired);
      if (isLeft) return present;
      if (isOpened) text = await editText(context, text);
      const validity = await checkAnswer(attribute, text, context);
      if (validity === true) return text;
      [offer, isProposed] = [`${validity} Open the editor again?`, true];
    }
  };

const isEditorKey = (key: unknown): boolean => isRecord(key) && key['ctrl'] === true && key['name'] === 'o';

/** Asks for a text in one line, or in the editor if its key is pressed, with the typed text. */
const lineOrEditorQuestion =
  (attribute: ScalarAttribute, context: DataPromptContext, present: string): Question<string> =>
  async (prompts, screen) => {
    const isLine = !present.includes('\n');
    let typed = '';
    const question = lineQuestion(attribute, context, isLine ? present : '', (text) => (typed = text));
    for (;;) {
      const opened = new AbortController();
      const onKey = (_text: unknown, key: unknown): void => {
        if (isEditorKey(key)) opened.abort();
      };
      const signals = screen.signal === undefined ? [] : [screen.signal];
      const signal = AbortSignal.any([...signals, opened.signal]);
      context.terminal.stdin.on('keypress', onKey);
      try {
        const line = await question(prompts, {
          ...screen,
          signal,
          get clearPromptOnDone() {
            return screen.clearPromptOnDone === true;
          },
        });
        return line === '' && !isLine ? present : line;
      } catch (error) {
        if (!opened.signal.aborted) throw error;
      } finally {
        context.terminal.stdin.off('keypress', onKey);
      }
      const text = await editText(context, typed === '' ? present : typed);
      if ((await checkAnswer(attribute, text, context)) === true) return text;
    }
  };

const lineQuestion = (
  attribute: ScalarAttribute,
  context: DataPromptContext,
  present: string,
  onTyped?: (text: string) => void,
): Question<string> => {
  const { label, isRequired } = context;
  const hint = HINTS[attribute.type];
  return textQuestion({
    message: hint === undefined ? label : `${label} (${hint})`,
    isRequired,
    initial: present,
    isSecret: attribute.type === 'password',
    validate: (text) => checkAnswer(attribute, text, context),
    ...(onTyped === undefined ? {} : { onTyped }),
  });
};

const NONE = '';

const promptChoice = async (
  prompter: Prompter,
  attribute: ScalarAttribute,
  { label, isRequired }: DataPromptContext,
  present: unknown,
): Promise<unknown> => {
  const { enum: values = [] } = attribute.constraints;
  const proposed = present ?? attribute.default;
  const chosen = await askSelect(prompter, {
    message: isRequired ? `${label} *` : label,
    choices: [
      ...(isRequired ? [] : [{ value: NONE, name: 'None' }]),
      ...values.map((value) => ({ value, name: value })),
    ],
    initial: typeof proposed === 'string' ? proposed : undefined,
  });
  return chosen === NONE ? undefined : chosen;
};

/**
 * Asks for one value. Returns undefined if there is none.
 *
 * @param present the present value, which is the default answer
 */
export async function promptScalar(
  prompter: Prompter,
  attribute: ScalarAttribute,
  context: DataPromptContext,
  present: unknown,
): Promise<unknown> {
  const { type } = attribute;
  if (type === 'enumeration') return promptChoice(prompter, attribute, context, present);
  if (type === 'boolean') return askConfirm(prompter, context.label, (present ?? attribute.default) === true);
  const text = typedText(attribute, present);
  const question = EDITED_TYPES.has(type)
    ? editorQuestion
    : type === 'text'
      ? lineOrEditorQuestion
      : lineQuestion;
  const answer = await prompter(question(attribute, context, text));
  return answer === '' ? undefined : parseAnswer(attribute, answer);
}

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
