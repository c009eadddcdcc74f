import type { ErrorKind } from './galley-error.js';
import { HTTP_ERRORS } from './http-status.js';

interface PrintedEntry {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint?: string;
}

const INTRODUCTION = `# Errors

Every error the toolkit raises on purpose has a code that stays the same, whatever its message. \`{name}\` stands for what differs from
case to case.

The kind decides what becomes of an error: an HTTP status where a request is answered, an exit code where a command ends. Kinds without
a status only ever end commands.
`;

/** What Markdown would read as markup or as the end of a cell. */
const escapeCell = (text: string): string => text.replace(/[\\|<>*_`[\]]/g, '\\$&').replace(/\s*\n\s*/g, ' ');

const printRow = (code: string, { kind, message, hint }: PrintedEntry): string => {
  const status = HTTP_ERRORS[kind]?.status ?? '–';
  return `| \`${code}\` | ${kind} | ${status} | ${escapeCell(message)} | ${escapeCell(hint ?? '–')} |`;
};

/** The reference page of all errors, in the catalogue's order: one table row per code. */
export function printCatalogue(catalogue: Readonly<Record<string, PrintedEntry>>): string {
  const rows = Object.entries(catalogue).map(([code, entry]) => printRow(code, entry));
  const header = ['| Code | Kind | HTTP status | Message | Remedy |', '| --- | --- | --- | --- | --- |'];
  return `${INTRODUCTION}\n${[...header, ...rows].join('\n')}\n`;
}
