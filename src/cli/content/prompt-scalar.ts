import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseBlocks } from '../../content-store/blocks/parse-blocks.js';
import type { ContentStore } from '../../content-store/content-store.js';
import { OWNER_ONLY_FOLDER } from '../../lib/private-file.js';
import type { ScalarAttribute } from '../../model/model.js';
import { promptConfirm } from '../prompts/prompt.js';
import type { Prompter } from '../prompts/prompt.js';
import type { Terminal } from '../terminal/terminal.js';
import { openEditor } from './open-editor.js';
import { valueOfText } from '../../content-store/value-of-text.js';

/** What questions for values need to know. */
export interface DataPromptContext {
  readonly store: ContentStore;
  readonly terminal: Terminal;
  /** The folder of the project. */
  readonly root: string;
  /** Whether required values have to be there. */
  readonly publishes: boolean;
  /** Where the value stands: `seo.metaTitle`. */
  readonly label: string;
}

const LONG_TEXTS: ReadonlySet<string> = new Set(['text', 'richtext', 'blocks']);
const HINTS: Readonly<Record<string, string>> = {
  date: '2024-12-31',
  time: '10:30:00.000',
  datetime: '2024-12-31T10:30:00.000Z',
  json: '{"a": 1}',
};

const isNeeded = (attribute: ScalarAttribute, { publishes }: DataPromptContext): boolean =>
  publishes && attribute.required && attribute.default === undefined && attribute.type !== 'uid';

const parseAnswer = (attribute: ScalarAttribute, text: string): unknown => {
  if (attribute.type !== 'blocks') return valueOfText(attribute, text);
  const parsed = parseBlocks(text, {});
  if ('blocks' in parsed) return parsed.blocks;
  throw new TypeError(`Line ${parsed.line}: ${parsed.reason}.`);
};

/** Returns true for an answer that can be written, otherwise what is wrong. */
const checkAnswer = (attribute: ScalarAttribute, text: string, context: DataPromptContext): true | string => {
  if (text === '') return !isNeeded(attribute, context) || 'A value is needed.';
  try {
    const parsed = attribute.field.parse(parseAnswer(attribute, text), attribute.constraints, 'full');
    if (parsed.ok) return true;
    return parsed.issues.map(({ message }) => message).join(', ');
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

/** Lets a long text be written in the editor, again until it can be written. */
const promptLongText = async (
  prompter: Prompter,
  attribute: ScalarAttribute,
  context: DataPromptContext,
): Promise<unknown> => {
  const { label } = context;
  const isEdited = await promptConfirm(prompter, `${label}: open the editor?`, isNeeded(attribute, context));
  if (!isEdited) return undefined;
  let text = '';
  for (;;) {
    text = await editText(context, text);
    const problem = checkAnswer(attribute, text, context);
    if (problem === true) return text === '' ? undefined : parseAnswer(attribute, text);
    if (!(await promptConfirm(prompter, `${label}: ${problem} Open the editor again?`, true)))
      return undefined;
  }
};

const promptChoice = (
  prompter: Prompter,
  attribute: ScalarAttribute,
  context: DataPromptContext,
): Promise<unknown> =>
  prompter((prompts, screen) =>
    prompts.select<string | undefined>(
      {
        message: context.label,
        default: typeof attribute.default === 'string' ? attribute.default : undefined,
        choices: [
          ...(isNeeded(attribute, context) ? [] : [{ value: undefined, name: 'None' }]),
          ...(attribute.constraints.enum ?? []).map((value) => ({ value, name: value })),
        ],
      },
      screen,
    ),
  );

/** Asks for one value. Undefined: there is none. */
export async function promptScalar(
  prompter: Prompter,
  attribute: ScalarAttribute,
  context: DataPromptContext,
): Promise<unknown> {
  const { type } = attribute;
  const { label } = context;
  if (type === 'enumeration') return promptChoice(prompter, attribute, context);
  if (type === 'boolean') return promptConfirm(prompter, label, attribute.default === true);
  if (LONG_TEXTS.has(type)) return promptLongText(prompter, attribute, context);
  const validate = (text: string): true | string => checkAnswer(attribute, text.trim(), context);
  const hint = HINTS[type];
  const message = hint === undefined ? label : `${label} (${hint})`;
  const answer = await prompter((prompts, screen) =>
    type === 'password'
      ? prompts.password({ message, mask: true, validate }, screen)
      : prompts.input({ message, validate }, screen),
  );
  return answer.trim() === '' ? undefined : parseAnswer(attribute, answer.trim());
}
