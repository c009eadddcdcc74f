/** This folder asks questions on the terminal: single ones here, several with a review in wizard.ts. */
import { createError } from '../../errors/catalogue.js';
import { messageOf } from '../../lib/caught-errors.js';
import { isRecord } from '../../lib/records.js';
import type { Terminal } from '../terminal/terminal.js';
import type { PickListConfig } from './pick-list.js';

type Prompts = typeof import('@inquirer/prompts');
/** The second argument of every prompt. It makes prompts draw on stderr. */
export interface PromptScreen {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Aborts the question. */
  readonly signal?: AbortSignal;
  /** True to remove the question from the screen when it ends. Read at that time. */
  readonly clearPromptOnDone?: boolean;
  /** The reverted answer, which is the default answer. */
  readonly previous?: unknown;
}
/**
 * Asks one question.
 *
 * @example
 *   (prompts, screen) => prompts.input({ message: 'Name' }, screen);
 */
export type Question<T> = (prompts: Prompts, screen: PromptScreen) => Promise<T>;

const isCtrlD = (key: unknown): boolean => isRecord(key) && key['ctrl'] === true && key['name'] === 'd';

/**
 * Calls back when Ctrl-D on an empty line, or the end of the input, closes the line of a question. The prompt
 * library ignores that, and the question would never end. Returns a function that stops watching.
 */
const onClosedInput = (input: NodeJS.ReadableStream, callback: () => void): (() => void) => {
  const onKey = (_text: unknown, key: unknown): void => {
    // Readline pauses the input when it closes.
    if (isCtrlD(key)) setImmediate(() => input.isPaused() && callback());
  };
  input.on('keypress', onKey).on('end', callback);
  return () => input.off('keypress', onKey).off('end', callback);
};

/**
 * Asks a question. Loads the prompt library only now, since that takes as long as loading all other code.
 *
 * @throws `ExitPromptError` of the library for Ctrl-C and Ctrl-D
 */
export async function prompt<T>(
  terminal: Terminal,
  question: Question<T>,
  screen: PromptScreen = { input: terminal.stdin, output: terminal.stderr },
): Promise<T> {
  const closed = new AbortController();
  const signals = screen.signal === undefined ? [] : [screen.signal];
  const watched: PromptScreen = {
    ...screen,
    signal: AbortSignal.any([closed.signal, ...signals]),
    get clearPromptOnDone() {
      return screen.clearPromptOnDone === true;
    },
  };
  const prompts = await import('@inquirer/prompts');
  const stopWatching = onClosedInput(screen.input, () => closed.abort());
  try {
    return await question(prompts, watched);
  } catch (error) {
    if (!closed.signal.aborted) throw error;
    const { ExitPromptError } = await import('@inquirer/core');
    throw new ExitPromptError('The input was closed', { cause: error });
  } finally {
    stopWatching();
  }
}

/** Returns a flag in its typed form (`--name`), and an argument (`<dir>`) unchanged. */
function valueLabel(name: string): string {
  return name.startsWith('<') ? name : `--${name}`;
}

/**
 * Creates the error of a missing value.
 *
 * @param name the flag's name (`template`) or the argument's in angle brackets (`<dir>`)
 */
export function missingValue(name: string): Error {
  return createError('cli/missing-value', { label: valueLabel(name) });
}

interface PromptSource<T> {
  /** The flag's name (`template`) or the argument's in angle brackets (`<dir>`), for the error. */
  readonly name: string;
  /** The given value. Undefined to ask. */
  readonly value: T | undefined;
  readonly question: Question<T>;
  /** The value without a terminal. Without a fallback, the command fails. */
  readonly fallback?: T;
}

/**
 * Returns the given value, otherwise the answer to the question or, without a prompter, the fallback.
 *
 * @throws `cli/missing-value` if there is no fallback
 */
export async function promptIfMissing<T>(prompter: Prompter | null, source: PromptSource<T>): Promise<T> {
  if (source.value !== undefined) return source.value;
  if (prompter !== null) return prompter(source.question);
  if (source.fallback !== undefined) return source.fallback;
  throw missingValue(source.name);
}

/** Asks one question on the terminal. */
export type Prompter = <T>(question: Question<T>) => Promise<T>;

export function createPrompter(terminal: Terminal): Prompter {
  return (question) => prompt(terminal, question);
}

/** True for a valid answer, otherwise the reason why it is not valid. */
export type Validity = true | string;
export type Validate = (text: string) => Validity | Promise<Validity>;

interface TextQuestion {
  readonly message: string;
  /** Marks the question, and rejects an empty answer. */
  readonly isRequired?: boolean;
  /** The default answer, which Enter accepts. */
  readonly initial?: string | undefined;
  /** Validates a trimmed answer that is not empty. */
  readonly validate?: Validate | undefined;
  /** Masks the typed text. */
  readonly isSecret?: boolean;
  /** Called with the typed text whenever the line is drawn. */
  readonly onTyped?: (text: string) => void;
}

export const VALUE_NEEDED = 'A value is needed.';

const required = (message: string, isRequired: boolean): string => (isRequired ? `${message} *` : message);

/** Asks for a line of text. Returns it trimmed. It may be empty if it is optional. */
export function textQuestion({
  message,
  isRequired = false,
  initial,
  validate,
  isSecret = false,
  onTyped,
}: TextQuestion): Question<string> {
  const check = (text: string): Validity | Promise<Validity> => {
    const typed = isSecret ? text : text.trim();
    if (typed === '') return isRequired ? VALUE_NEEDED : true;
    return validate?.(typed) ?? true;
  };
  return async (prompts, screen) => {
    const question = { message: required(message, isRequired), validate: check };
    if (isSecret) return prompts.password({ ...question, mask: '*' }, screen);
    const proposed = typeof screen.previous === 'string' ? screen.previous : initial;
    const answer = await prompts.input(
      {
        ...question,
        ...(proposed === undefined || proposed === '' ? {} : { default: proposed }),
        ...(onTyped === undefined
          ? {}
          : {
              transformer: (text) => {
                onTyped(text);
                return text;
              },
            }),
      },
      screen,
    );
    return answer.trim();
  };
}

export function askText(prompter: Prompter, question: TextQuestion): Promise<string> {
  return prompter(textQuestion(question));
}

/** Asks for an optional text. Returns undefined if it is empty. */
export async function askOptionalText(
  prompter: Prompter,
  question: Omit<TextQuestion, 'isRequired'>,
): Promise<string | undefined> {
  const text = await askText(prompter, question);
  return text === '' ? undefined : text;
}

/** Asks a yes-or-no question. */
export function askConfirm(prompter: Prompter, message: string, initial: boolean): Promise<boolean> {
  return prompter((prompts, screen) => {
    const proposed = typeof screen.previous === 'boolean' ? screen.previous : initial;
    return prompts.confirm({ message, default: proposed }, screen);
  });
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly name?: string;
  readonly description?: string;
}

interface SelectQuestion<T extends string> {
  readonly message: string;
  readonly choices: readonly Choice<T>[];
  readonly initial?: T | undefined;
}

const PAGE_SIZE = 12;

/** Asks for one item of a short list. */
export function askSelect<T extends string>(
  prompter: Prompter,
  { message, choices, initial }: SelectQuestion<T>,
): Promise<T> {
  return prompter((prompts, screen) => {
    const proposed = choices.find(({ value }) => value === screen.previous)?.value ?? initial;
    return prompts.select<T>(
      { message, choices, pageSize: PAGE_SIZE, ...(proposed === undefined ? {} : { default: proposed }) },
      screen,
    );
  });
}

interface SeveralQuestion<T extends string> {
  readonly message: string;
  readonly choices: readonly Choice<T>[];
  /** The initially ticked values. */
  readonly initial?: readonly T[];
  readonly isRequired?: boolean;
}

/** Asks for any number of items of a list. Returns them in the order of the list. */
export function askSeveral<T extends string>(
  prompter: Prompter,
  { message, choices, initial = [], isRequired = false }: SeveralQuestion<T>,
): Promise<readonly T[]> {
  return prompter((prompts, screen) => {
    const ticked: readonly unknown[] = Array.isArray(screen.previous) ? screen.previous : initial;
    return prompts.checkbox<T>(
      {
        message: required(message, isRequired),
        choices: choices.map((choice) => ({ ...choice, checked: ticked.includes(choice.value) })),
        required: isRequired,
        pageSize: PAGE_SIZE,
      },
      screen,
    );
  });
}

/** Asks for one item of a list, which the user searches by typing. Loads the list when it is shown. */
export function askPick(prompter: Prompter, config: PickListConfig): Promise<string> {
  return prompter(async (_prompts, screen) => {
    const { pickList } = await import('./pick-list.js');
    const proposed = typeof screen.previous === 'string' ? screen.previous : config.default;
    return pickList({ ...config, default: proposed }, screen);
  });
}

/** Asks for one of the results of `find` for the typed text. */
export function searchQuestion<T extends string>(
  message: string,
  find: (typed: string) => Promise<readonly Choice<T>[]>,
): Question<T> {
  return (prompts, screen) =>
    prompts.search<T>({ message, source: (typed = '') => find(typed.trim()), pageSize: PAGE_SIZE }, screen);
}

/** Converts an assertion to the validation of a prompt: true, or the message of the error. */
export async function validateWith(assertion: () => unknown): Promise<Validity> {
  try {
    await assertion();
    return true;
  } catch (error) {
    return messageOf(error);
  }
}
