import { styleFor, wantsColor, writeText } from '../terminal/terminal.js';
import type { Terminal } from '../terminal/terminal.js';
import { wrapParagraphs } from '../terminal/text-layout.js';
import { askPick, missingValue, prompt, validateWith } from './prompt.js';
import type { PromptScreen, Prompter, Question, Validity } from './prompt.js';

/** The argument of a wizard's questions. */
export interface Wizard {
  readonly prompter: Prompter;
  /** Prints a message. Not again where answers are replayed. */
  readonly info: (text: string) => void;
  /**
   * Sets the name of the draft that the answers so far form and that Ctrl-C discards: `the content-type
   * recipe`.
   */
  readonly setDraft: (draft: string) => void;
}

const ERASE_LINE_ABOVE = '\u001B[1A\r\u001B[2K';
const KEYS =
  'Esc goes back a question. Ctrl-C stops: nothing is written before the end. * marks what needs a value.';

/** Thrown to leave a question for the one before it. */
class StepBack extends Error {}

const hasName = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

const isEscape = (key: unknown): boolean =>
  typeof key === 'object' && key !== null && 'name' in key && key.name === 'escape';

/** @throws `StepBack` where Escape is typed */
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
    throw hasName(error, 'AbortPromptError') ? new StepBack() : error;
  } finally {
    terminal.stdin.off('keypress', onKey);
  }
};

interface WizardOptions {
  /** The answers of questions that were asked before and that `flow` asks first. New ones are added. */
  readonly answers?: unknown[];
  /** Neither explains the keys nor comments on Ctrl-C: questions that choose what to show. */
  readonly isQuiet?: boolean;
}

/**
 * Asks the questions of `flow`, which may be taken back: the flow is then run again with the answers before
 * the last one. It must ask the same questions for the same answers, and must change nothing but what it
 * creates. Ctrl-C says what is thrown away.
 */
export async function runWizard<T>(
  terminal: Terminal,
  flow: (wizard: Wizard) => Promise<T>,
  { answers = [], isQuiet = false }: WizardOptions = {},
): Promise<T> {
  const style = styleFor(wantsColor(terminal, terminal.stderr));
  const tell = (text: string): void => {
    if (!isQuiet) writeText(terminal.stderr, style.dim(text));
  };
  let withdrawn: unknown;
  let hasExplained = false;
  let draft: string | null = null;
  /** True if something stands below the last answer. */
  let hasPrinted = answers.length > 0;

  const runOnce = (): Promise<T> => {
    let position = 0;
    const prompter: Prompter = async <Answer>(question: Question<Answer>): Promise<Answer> => {
      if (position === answers.length) {
        if (!hasExplained) tell(KEYS);
        hasExplained = true;
        answers.push(await askOrStepBack(terminal, question, withdrawn));
        withdrawn = undefined;
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
      if (hasName(error, 'ExitPromptError'))
        tell(`Nothing was written.${draft === null ? '' : ` Thrown away: ${String(draft)}.`}`);
      if (!(error instanceof StepBack)) throw error;
      if (answers.length > 0 && !hasPrinted) terminal.stderr.write(ERASE_LINE_ABOVE);
      withdrawn = answers.pop();
      draft = null;
      hasPrinted = true;
    }
  }
}

/** The proposal and the check of a question of a form. */
interface FieldQuestion<T> {
  /** The present value, which the question proposes. */
  readonly initial: T | undefined;
  /** Checks an answer with the field's assertion. */
  readonly validate: (value: T) => Promise<Validity>;
}

/** One question of a form. */
export interface FormField<T, Values = never> {
  /** The flag's name (`plural`) or the argument's in angle brackets (`<name>`). */
  readonly name: string;
  /** The value in the review. */
  readonly label: string;
  /** The value that is proposed. */
  readonly initial?: T | undefined;
  /** The value of the command line, which is not asked for. */
  readonly given?: T | undefined;
  /** Returns the value that is used without a terminal. Absent: the value is required. */
  readonly fallback?: (values: Partial<Values>) => T;
  /** True if the question applies. */
  readonly when?: (values: Partial<Values>) => boolean;
  /** Throws for a value that cannot be used: at the question, or at once where it is given. */
  readonly assert?: (value: T, values: Partial<Values>) => unknown;
  readonly ask: (prompter: Prompter, question: FieldQuestion<T>, values: Partial<Values>) => Promise<T>;
  /** Prints the value for the review. Null leaves it out. */
  readonly print?: (value: T) => string | null;
}

/** Values that may be missing are those whose question does not always apply. */
export type FormFields<Values> = {
  readonly [Key in keyof Values]-?: FormField<Required<Values>[Key], Values>;
};

/** An action that a review offers besides saving. */
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
 * Shows the values to write until they are to be saved: each time the result of `describe`, which the actions
 * change. If `check` finds an error, it is shown, and the review continues.
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

/** A form whose questions are asked in their order, and again in a review. */
export interface Form<Values> {
  /** Asks what is neither given nor answered. */
  readonly fill: () => Promise<void>;
  /** The values as they are; all of them once the form is filled in. */
  readonly values: () => Values;
  /** One line for each value. */
  readonly summary: () => string;
  readonly edits: () => readonly ReviewAction[];
  /** True if something has been asked. */
  readonly hasAsked: () => boolean;
}

/**
 * Creates a form. Without a wizard nothing is asked: a value that is neither given nor has a fallback is an
 * error.
 *
 * @param draftOf what Ctrl-C throws away; null where that is nothing yet
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
  const tellDraft = (): void => {
    const draft = draftOf(values);
    if (draft !== null) wizard?.setDraft(draft);
  };
  const ask = async ({ prompter }: Wizard, key: Key): Promise<void> => {
    const field = fields[key];
    const validate = (value: Values[Key]): Promise<Validity> =>
      validateWith(() => field.assert?.(value, values));
    isAsked = true;
    values[key] = await field.ask(prompter, { initial: values[key] ?? field.initial, validate }, values);
    tellDraft();
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
      tellDraft();
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

/** Fills in a form and, where something was asked, shows it for review. `check` is that of {@link review}. */
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
