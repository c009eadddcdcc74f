import { createError } from '../../errors/catalogue.js';
import type { Terminal } from '../terminal/terminal.js';
import type { PickListConfig } from './pick-list.js';

type Prompts = typeof import('@inquirer/prompts');
/** The second argument of every prompt. It makes prompts draw on stderr. */
export interface PromptScreen {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  /** Leaves the question without an answer. */
  readonly signal?: AbortSignal;
  /** Removes the question from the screen when it is left. Read at that time. */
  readonly clearPromptOnDone?: boolean;
}
/**
 * Asks one question.
 *
 * @example
 *   (prompts, screen) => prompts.input({ message: 'Name' }, screen);
 */
export type Question<T> = (prompts: Prompts, screen: PromptScreen) => Promise<T>;

/** Asks a question. Loads the prompt library only now: it takes as long to load as everything else. */
export async function prompt<T>(
  terminal: Terminal,
  question: Question<T>,
  screen: PromptScreen = { input: terminal.stdin, output: terminal.stderr },
): Promise<T> {
  return question(await import('@inquirer/prompts'), screen);
}

/** Returns a flag as it is typed (`--name`), and an argument (`<dir>`) as it is. */
function valueLabel(name: string): string {
  return name.startsWith('<') ? name : `--${name}`;
}

export interface PromptSource<T> {
  /** The flag's name (`template`) or the argument's in angle brackets (`<dir>`), for the error. */
  readonly name: string;
  /** The given value. Undefined to ask. */
  readonly value: T | undefined;
  readonly question: Question<T>;
  /** The value to use without a terminal. If there is no value either, the command fails. */
  readonly fallback?: T;
}

/**
 * Returns the given value. Otherwise asks where there is a prompter, else returns the fallback.
 *
 * @throws `cli/missing-value` where there is no fallback either
 */
export async function promptIfMissing<T>(prompter: Prompter | null, source: PromptSource<T>): Promise<T> {
  if (source.value !== undefined) return source.value;
  if (prompter !== null) return prompter(source.question);
  if (source.fallback !== undefined) return source.fallback;
  throw createError('cli/missing-value', { label: valueLabel(source.name) });
}

/** Asks one question on the terminal. */
export type Prompter = <T>(question: Question<T>) => Promise<T>;

export function createPrompter(terminal: Terminal): Prompter {
  return (question) => prompt(terminal, question);
}

/** Asks for a text that may be left empty. Returns undefined where it is. */
export async function promptOptionalText(
  prompter: Prompter,
  message: string,
  validate?: (text: string) => true | string,
): Promise<string | undefined> {
  const text = await prompter((prompts, screen) =>
    prompts.input(
      { message, validate: (typed) => typed.trim() === '' || (validate?.(typed.trim()) ?? true) },
      screen,
    ),
  );
  return text.trim() === '' ? undefined : text.trim();
}

/** Asks a yes-or-no question. */
export function promptConfirm(prompter: Prompter, message: string, defaultValue: boolean): Promise<boolean> {
  return prompter((prompts, screen) => prompts.confirm({ message, default: defaultValue }, screen));
}

/** Asks for one of a list, which is searched by typing. Loads the list only when it is shown. */
export function promptPick(prompter: Prompter, config: PickListConfig): Promise<string> {
  return prompter(async (_prompts, screen) => {
    const { pickList } = await import('./pick-list.js');
    return pickList(config, screen);
  });
}
