import { ask } from '../prompts.js';
import type { Ask } from '../prompts.js';
import type { Terminal } from '../terminal.js';

/** Asks one question on the terminal at hand. */
export type Asker = <T>(question: Ask<T>) => Promise<T>;

export function createAsker(terminal: Terminal): Asker {
  return (question) => ask(terminal, question);
}

/** A text that may be left empty; undefined then. */
export async function askOptionalText(asker: Asker, message: string, validate?: (text: string) => true | string): Promise<string | undefined> {
  const text = await asker((prompts, screen) => prompts.input({ message, validate: (typed) => typed.trim() === '' || (validate?.(typed.trim()) ?? true) }, screen));
  return text.trim() === '' ? undefined : text.trim();
}

export function askConfirm(asker: Asker, message: string, byDefault: boolean): Promise<boolean> {
  return asker((prompts, screen) => prompts.confirm({ message, default: byDefault }, screen));
}
