import { fail } from '../../errors/catalogue.js';
import type { Terminal } from './terminal.js';

export type Prompts = typeof import('@inquirer/prompts');
/** Goes to every prompt as its second argument, so that questions are drawn on stderr. */
export interface PromptScreen {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}
/** Asks one question. @example (prompts, screen) => prompts.input({ message: 'Name' }, screen) */
export type Ask<T> = (prompts: Prompts, screen: PromptScreen) => Promise<T>;

/** Loads the prompt library, which costs as much as the rest of the start, only now that there is something to ask. */
export async function ask<T>(terminal: Terminal, question: Ask<T>): Promise<T> {
  const prompts = await import('@inquirer/prompts');
  return question(prompts, { input: terminal.stdin, output: terminal.stderr });
}

/** Flags are named as they are typed; `<dir>` stays, being an argument. */
export function valueLabel(name: string): string {
  return name.startsWith('<') ? name : `--${name}`;
}

export interface PromptSource<T> {
  /** The flag's name (`template`) or the argument's in angle brackets (`<dir>`); named in the error. */
  readonly name: string;
  /** What the caller passed; wins. */
  readonly value: T | undefined;
  readonly ask: Ask<T>;
  /** Taken where nobody can be asked; without one the missing value is an error. */
  readonly fallback?: T;
}

/** The value passed, else the answer to a question where questions may be asked, else the fallback, else an error naming the flag. Never hangs. */
export async function promptOr<T>(terminal: Terminal, canPrompt: boolean, source: PromptSource<T>): Promise<T> {
  if (source.value !== undefined) return source.value;
  if (canPrompt) return ask(terminal, source.ask);
  if (source.fallback !== undefined) return source.fallback;
  throw fail('cli/missing-value', { label: valueLabel(source.name) });
}
