import { fail } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { ErrorKind, GalleyError } from '../../errors/galley-error.js';
import { styleFor } from './style.js';
import { wantsColor, wantsStacks, writeText } from './terminal.js';
import type { Terminal } from './terminal.js';

const EXIT_CODES: Partial<Record<ErrorKind, number>> = { usage: 2, 'data-loss': 3, pending: 4 };
const EXIT_INTERRUPTED = 130;

/** How a command asks to be reported. */
export interface ReportOptions {
  /** One JSON document on stdout instead of text on stderr. */
  readonly json: boolean;
  readonly color: boolean;
}

const hasName = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

/** Any thrown value as a catalogue error; what nobody foresaw becomes `cli/unexpected`. */
export function toGalleyError(error: unknown): GalleyError {
  if (isGalleyError(error)) return error;
  if (hasName(error, 'ExitPromptError') || hasName(error, 'AbortPromptError')) return fail('cli/interrupted');
  const reason = error instanceof Error && error.message !== '' ? error.message : String(error);
  return fail('cli/unexpected', { reason }, { cause: error });
}

/** The process's exit code for an error: 2 wrong usage, 3 data would be lost, 4 migrations pending, 130 interrupted, 1 everything else. */
export function exitCodeOf(error: GalleyError): number {
  return error.code === 'cli/interrupted' ? EXIT_INTERRUPTED : EXIT_CODES[error.kind] ?? 1;
}

const stacksOf = (error: unknown): readonly string[] => {
  if (!(error instanceof Error)) return [];
  return [error.stack ?? error.message, ...stacksOf(error.cause).map((stack) => `Caused by: ${stack}`)];
};

const printError = (error: GalleyError, terminal: Terminal, color: boolean): string => {
  const style = styleFor(color && wantsColor(terminal, terminal.stderr));
  const faults = (error.details.errors ?? []).map((fault) => `  ${fault.path.join('.')}: ${fault.message}`);
  const lines = [`${style.red(style.bold('Error:'))} ${error.message}`, ...faults];
  if (error.hint !== undefined && error.hint !== '') lines.push(`${style.cyan('Hint:')} ${error.hint}`);
  return lines.join('\n');
};

/** The document `--json` prints for an error. */
export function errorDocument(error: GalleyError): { readonly error: { readonly code: string; readonly message: string; readonly hint?: string } } {
  const hint = error.hint === undefined || error.hint === '' ? {} : { hint: error.hint };
  return { error: { code: error.code, message: error.message, ...hint } };
}

/** Tells what went wrong, in the form the caller asked for, and answers the exit code. A question left with Ctrl-C needs no words. */
export function reportError(thrown: unknown, terminal: Terminal, { json, color }: ReportOptions): number {
  const error = toGalleyError(thrown);
  if (json) writeText(terminal.stdout, JSON.stringify(errorDocument(error), null, 2));
  else if (error.code !== 'cli/interrupted') writeText(terminal.stderr, printError(error, terminal, color));
  if (wantsStacks(terminal)) writeText(terminal.stderr, stacksOf(error).join('\n'));
  return exitCodeOf(error);
}
