import { hasErrorName } from '../../lib/caught-errors.js';
import { styleFor, wantsColor, writeText } from '../terminal/terminal.js';
import type { Terminal } from '../terminal/terminal.js';
import { wrapParagraphs } from '../terminal/text-layout.js';
import { askPick, missingValue, prompt, validateWith } from './prompt.js';
import type { PromptScreen, Prompter, Question, Validity } from './prompt.js';

/** The dependencies of the questions of a wizard. */
export interface Wizard {
  readonly prompter: Prompter;
  /** Prints a message, unless answers are replayed. */
  readonly info: (text: string) => void;
  /**
   * Sets the name of the draft that the answers so far form and that Ctrl-C discards: `the content-type
   * recipe`.
   */
  readonly setDraft: (draft: string) => void;
}

const ERASE_LINE_ABOVE = '\u001B[1A\r\u001B[2K';
const KEYS =
  'Esc goes back one question. Ctrl-C cancels; nothing is written before the end. * marks required values.';

/** Thrown to go back to the previous question. */
class StepBack extends Error {}

const isEscape = (key: unknown): boolean =>
  typeof key === 'object' && key !== null && 'name' in key && key.name === 'escape';

/** @throws `StepBack` if the user presses Escape */
const askOrStepBack = async <T>(terminal: Terminal, question: Question<T>, previous: unknown): Promise<T> => {
  const controller = new AbortController();
  const { signal } = controller;
  const screen: PromptScreen & { clearPromptOnDone: boolean } = {
    input: terminal.stdin,
    output: terminal.stderr,
    signal,
    clearPromptOnDone: false,
    previous,
  };
  const onKey = (_text: unknown, key: unknown): void => {
    if (!isEscape(key)) return;
    screen.clearPromptOnDone = true;
    controller.abort();
  };
  terminal.stdin.on('keypress', onKey);
  try {
    return await prompt(terminal, question, screen);
  } catch (error) {
    throw hasErrorName(error, 'AbortPromptError') ? new StepBack() : error;
  } finally {
    terminal.stdin.off('keypress', onKey);
  }
};

interface WizardOptions {
  /** The answers of earlier questions, which `flow` asks first. New answers are appended. */
  readonly answers?: unknown[];
  /** True to neither explain the keys nor comment on Ctrl-C, for commands that only show something. */
  readonly isQuiet?: boolean;
}

/**
 * Asks the questions of `flow`. Escape goes back: it runs the flow again without the last answer. The flow
 * must ask the same questions for the same answers, and must not change anything outside of it. Ctrl-C prints
 * the discarded draft.
 */
export async function runWizard<T>(
  terminal: Terminal,
  flow: (wizard: Wizard) => Promise<T>,
  { answers = [], isQuiet = false }: WizardOptions = {},
): Promise<T> {
  const style = styleFor(wantsColor(terminal, terminal.stderr));
  const printUnlessQuiet = (text: string): void => {
    if (!isQuiet) writeText(terminal.stderr, style.dim(text));
  };
  let reverted: unknown;
  let hasExplained = false;
  let draft: string | null = null;
  /** True if there is output below the last answer. */
  let hasPrinted = answers.length > 0;

  const runOnce = (): Promise<T> => {
    let position = 0;
    const prompter: Prompter = async <Answer>(question: Question<Answer>): Promise<Answer> => {
      if (position === answers.length) {
        if (!hasExplained) printUnlessQuiet(KEYS);
        hasExplained = true;
        answers.push(await askOrStepBack(terminal, question, reverted));
        reverted = undefined;
        hasPrinted = false;
      }
      return answers[position++] as Answer;
    };
    const info = (text: string): void => {
      if (position !== answers.length) return;
      hasPrinted = true;
      writeText(terminal.stderr, wrapParagraphs(text, terminal.stderr.columns));
    };
    return flow({ prompter, info, setDraft: (text) => (draft = text) });
  };

  for (;;) {
    try {
      return await runOnce();
    } catch (error) {
      if (hasErrorName(error, 'ExitPromptError'))
        printUnlessQuiet(`Nothing was written.${draft === null ? '' : ` Discarded: ${String(draft)}.`}`);
      if (!(error instanceof StepBack)) throw error;
      if (answers.length > 0 && !hasPrinted) terminal.stderr.write(ERASE_LINE_ABOVE);
      reverted = answers.pop();
      draft = null;
      hasPrinted = true;
    }
  }
}

/** The default answer and the validation of a question of a form. */
interface FieldQuestion<T> {
  /** The present value, which is the default answer. */
  readonly initial: T | undefined;
  /** Validates an answer with the field's assertion. */
  readonly validate: (value: T) => Promise<Validity>;
}

/** One question of a form. */
export interface FormField<T, Values = never> {
  /** The flag's name (`plural`) or the argument's in angle brackets (`<name>`). */
  readonly name: string;
  /** The value in the review. */
  readonly label: string;
  /** The default answer. */
  readonly initial?: T | undefined;
  /** The value of the command line. Undefined to ask. */
  readonly given?: T | undefined;
  /** Returns the value without a terminal. Absent if the value is required. */
  readonly fallback?: (values: Partial<Values>) => T;
  /** True if the question applies. */
  readonly when?: (values: Partial<Values>) => boolean;
  /** Throws for an invalid value: at the question, or immediately if it is given. */
  readonly assert?: (value: T, values: Partial<Values>) => unknown;
  readonly ask: (prompter: Prompter, question: FieldQuestion<T>, values: Partial<Values>) => Promise<T>;
  /** Prints the value for the review. Null to omit it. */
  readonly print?: (value: T) => string | null;
}

/** The fields of a form by name. Optional values are those whose question does not always apply. */
export type FormFields<Values> = {
  readonly [Key in keyof Values]-?: FormField<Required<Values>[Key], Values>;
};

/** An action of a review, in addition to saving. */
export interface ReviewAction {
  readonly name: string;
  readonly run: () => Promise<void>;
}

export interface Review {
  /** The text of the values to write. */
  readonly summary: string;
  readonly actions: readonly ReviewAction[];
}

/**
 * Shows the result of `describe`, and runs the chosen actions on it until the user saves. If `check` finds an
 * error, the review shows it and continues.
 */
export async function review(
  { prompter, info }: Wizard,
  describe: () => Review,
  check: () => Validity | Promise<Validity> = () => true,
): Promise<void> {
  for (;;) {
    const { summary, actions } = describe();
    if (summary !== '') info(summary);
    const choices = actions.map(({ name }, index) => ({ value: String(index), name }));
    const chosen = await askPick(prompter, {
      message: 'Review',
      choices: [{ value: 'save', name: 'Save' }, ...choices],
    });
    const action = actions[Number(chosen)];
    if (action !== undefined) await action.run();
    else {
      const validity = await check();
      if (validity === true) return;
      info(validity);
    }
  }
}

/** A form, with questions in a fixed order and edits in a review. */
export interface Form<Values> {
  /** Asks the open questions. */
  readonly fill: () => Promise<void>;
  /** The present values. Complete after `fill`. */
  readonly values: () => Values;
  /** One line for each value. */
  readonly summary: () => string;
  readonly edits: () => readonly ReviewAction[];
  /** True if the form has asked a question. */
  readonly hasAsked: () => boolean;
}

/**
 * Creates a form. Without a wizard it asks no questions, and a value that is neither given nor has a fallback
 * is an error.
 *
 * @param draftOf names the draft that Ctrl-C discards; null if there is none yet
 */
export function createForm<Values extends object>(
  wizard: Wizard | null,
  fields: FormFields<Values>,
  draftOf: (values: Partial<Values>) => string | null,
): Form<Values> {
  type Key = keyof Values;
  const keys = Object.keys(fields) as Key[];
  const values: Partial<Values> = {};
  let isAsked = false;

  const applies = (key: Key): boolean => fields[key].when?.(values) ?? true;
  const updateDraft = (): void => {
    const draft = draftOf(values);
    if (draft !== null) wizard?.setDraft(draft);
  };
  const ask = async ({ prompter }: Wizard, key: Key): Promise<void> => {
    const field = fields[key];
    const validate = (value: Values[Key]): Promise<Validity> =>
      validateWith(() => field.assert?.(value, values));
    isAsked = true;
    values[key] = await field.ask(prompter, { initial: values[key] ?? field.initial, validate }, values);
    updateDraft();
  };
  const fill = async (): Promise<void> => {
    for (const key of keys) {
      const field = fields[key];
      if (!applies(key)) delete values[key];
      else if (Object.hasOwn(values, key)) continue;
      else if (wizard !== null) await ask(wizard, key);
      else if (field.fallback === undefined) throw missingValue(field.name);
      else values[key] = field.fallback(values);
    }
  };
  return {
    fill: async () => {
      const given = keys.filter((key) => fields[key].given !== undefined && !Object.hasOwn(values, key));
      for (const key of given) values[key] = fields[key].given;
      for (const key of given) await fields[key].assert?.(values[key] as Values[Key], values);
      updateDraft();
      await fill();
    },
    values: () => values as Values,
    summary: () =>
      keys
        .filter((key) => Object.hasOwn(values, key))
        .flatMap((key) => {
          const { label, print = String } = fields[key];
          const text = print(values[key] as Values[Key]);
          return text === null ? [] : [`  ${label}: ${text}`];
        })
        .join('\n'),
    edits: () =>
      wizard === null
        ? []
        : keys
            .filter((key) => applies(key) && fields[key].given === undefined)
            .map((key) => ({
              name: `Edit ${fields[key].label}`,
              run: async () => {
                await ask(wizard, key);
                await fill();
              },
            })),
    hasAsked: () => isAsked,
  };
}

/** Fills in a form and, if it asked a question, shows it for review. `check` is that of {@link review}. */
export async function runForm<Values extends object>(
  wizard: Wizard | null,
  fields: FormFields<Values>,
  draftOf: (values: Partial<Values>) => string | null,
  check?: (values: Values) => Promise<Validity>,
): Promise<Values> {
  const form = createForm(wizard, fields, draftOf);
  await form.fill();
  const describe = (): Review => ({ summary: form.summary(), actions: form.edits() });
  if (wizard !== null && form.hasAsked())
    await review(wizard, describe, () => check?.(form.values()) ?? true);
  return form.values();
}
