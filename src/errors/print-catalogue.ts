import { HTTP_ERRORS } from './galley-error.js';
import type { ErrorKind } from './galley-error.js';

interface PrintedEntry {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint?: string;
}

const INTRODUCTION = `# Errors

Every error that Galley raises on purpose has a code. Codes are stable, messages may change between versions.
\`{name}\` is replaced by a value of the particular error.

The kind of an error decides the HTTP status of the response, or the exit code of the command. Kinds without a
status occur only in commands.
`;

/** Escapes Markdown markup and cell separators. */
const escapeCell = (text: string): string => text.replace(/[\\|<>*_`[\]]/g, '\\$&').replace(/\s*\n\s*/g, ' ');

const printRow = (code: string, { kind, message, hint }: PrintedEntry): string => {
  const status = HTTP_ERRORS[kind]?.status ?? '–';
  return `| \`${code}\` | ${kind} | ${status} | ${escapeCell(message)} | ${escapeCell(hint ?? '–')} |`;
};

/** Prints docs/errors.md: one table row per code, in catalogue order. */
export function printCatalogue(catalogue: Readonly<Record<string, PrintedEntry>>): string {
  const rows = Object.entries(catalogue).map(([code, entry]) => printRow(code, entry));
  const header = ['| Code | Kind | HTTP status | Message | Remedy |', '| --- | --- | --- | --- | --- |'];
  return `${INTRODUCTION}\n${[...header, ...rows].join('\n')}\n`;
}
