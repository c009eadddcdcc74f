import { findProjectRoot } from '../../config/project-root.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { ErrorKind, FileIssue, GalleyError, ValidationIssue } from '../../errors/galley-error.js';
import { findSource, hasErrorName, messageOf } from '../../lib/caught-errors.js';
import { styleFor, wantsColor, wantsStackTraces, writeText } from './terminal.js';
import type { Terminal } from './terminal.js';
import { spellCommands, wrapMessage } from './text-layout.js';

const EXIT_CODES: Partial<Record<ErrorKind, number>> = { usage: 2, 'data-loss': 3, pending: 4 };
/** The exit code of shells for programs ended by Ctrl-C. */
export const EXIT_INTERRUPTED = 130;
const INTERRUPTIONS: ReadonlySet<string> = new Set(['cli/interrupted', 'cli/stopped']);

/** The options of an error report. */
export interface ReportOptions {
  /** Prints one JSON document to stdout instead of text to stderr. */
  readonly json: boolean;
  readonly color: boolean;
}

/** Returns the source line of an error in the project in `cwd`, as a suffix of its message. */
const printSource = (error: unknown, cwd: string | undefined): string => {
  const root = cwd === undefined ? undefined : findProjectRoot(cwd);
  const source = root === undefined ? undefined : findSource(root, error);
  return source === undefined ? '' : ` (${source})`;
};

/**
 * Converts any thrown value to an error of the catalogue. Unexpected ones become `cli/unexpected`, with their
 * source line in the project in `cwd`.
 */
export function toGalleyError(error: unknown, cwd?: string): GalleyError {
  if (isGalleyError(error)) return error;
  if (hasErrorName(error, 'ExitPromptError') || hasErrorName(error, 'AbortPromptError'))
    return createError('cli/interrupted');
  const reason = messageOf(error) + printSource(error, cwd);
  return createError('cli/unexpected', { reason }, { cause: error });
}

/**
 * Returns the exit code for an error: 2 wrong usage, 3 data would be lost, 4 migrations pending, 130
 * interrupted, otherwise 1.
 */
function exitCodeOf(error: GalleyError): number {
  return INTERRUPTIONS.has(error.code) ? EXIT_INTERRUPTED : (EXIT_CODES[error.kind] ?? 1);
}

const stackTraces = (error: unknown): readonly string[] => {
  if (!(error instanceof Error)) return [];
  return [error.stack ?? error.message, ...stackTraces(error.cause).map((stack) => `Caused by: ${stack}`)];
};

const REST_COUNT = / \(and (?<count>\d+) more\)$/;

/** Returns the message of an error, without the count of other issues if its details list them. */
const messageWithIssues = ({ message, details: { errors = [] } }: GalleyError): string =>
  Number(REST_COUNT.exec(message)?.groups?.['count']) === errors.length - 1
    ? message.replace(REST_COUNT, '')
    : message;

/** Prints the message of an error, and below each issue that the message does not contain. */
export function printIssues(error: GalleyError): string {
  const message = messageWithIssues(error);
  const issues = (error.details.errors ?? []).filter(
    (issue) => ![' ', ': '].some((gap) => message.includes(`${issue.path.join('.')}${gap}${issue.message}`)),
  );
  return [message, ...issues.map(({ path, message: text }) => `  ${path.join('.')}: ${text}`)].join('\n');
}

const printError = (error: GalleyError, terminal: Terminal, color: boolean): string => {
  const style = styleFor(color && wantsColor(terminal, terminal.stderr));
  const lines = [`${style.red(style.bold('Error:'))} ${printIssues(error)}`];
  if (error.hint !== undefined && error.hint !== '')
    lines.push(`${style.cyan('Hint:')} ${spellCommands(error.hint, terminal)}`);
  return wrapMessage(terminal.stderr, lines.join('\n'));
};

/** The document that `--json` prints for an error. */
export interface ErrorDocument {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    /** All issues, in order. */
    readonly issues?: readonly (Pick<ValidationIssue, 'path' | 'message'> | FileIssue)[];
    readonly changes?: unknown;
    readonly losses?: unknown;
  };
}

/** Returns the document that `--json` prints for an error. */
export function errorDocument(error: GalleyError): ErrorDocument {
  const hint = error.hint === undefined || error.hint === '' ? {} : { hint: error.hint };
  const { errors = [], fileIssues = [] } = error.details;
  const issues = [...errors.map(({ path, message }) => ({ path, message })), ...fileIssues];
  // The effects of a rejected change on stored values: by type and attribute, or by table and column.
  const { changes, losses } = error.details;
  return {
    error: {
      code: error.code,
      message: messageWithIssues(error),
      ...hint,
      ...(issues.length === 0 ? {} : { issues }),
      ...(changes === undefined ? {} : { changes }),
      ...(losses === undefined ? {} : { losses }),
    },
  };
}

const spelledDocument = (thrown: GalleyError, terminal: Terminal): ReturnType<typeof errorDocument> => {
  const { error } = errorDocument(thrown);
  const hint = error.hint === undefined ? {} : { hint: spellCommands(error.hint, terminal) };
  return { error: { ...error, ...hint } };
};

/**
 * Prints an error as text or JSON and returns the exit code. Prints no text for a prompt that the user left
 * with Ctrl-C.
 */
export function reportError(thrown: unknown, terminal: Terminal, { json, color }: ReportOptions): number {
  const error = toGalleyError(thrown, terminal.cwd);
  if (json) writeText(terminal.stdout, JSON.stringify(spelledDocument(error, terminal), null, 2));
  else if (error.code !== 'cli/interrupted') writeText(terminal.stderr, printError(error, terminal, color));
  if (wantsStackTraces(terminal)) writeText(terminal.stderr, stackTraces(error).join('\n'));
  return exitCodeOf(error);
}
