import type { ErrorEntries } from './error-entry.js';

/** Errors of importing tables of values: CSV and JSON. */
export const TABLE_ERRORS = {
  'table/wrong-encoding': {
    kind: 'failure',
    message: '{location}: the text is not {encoding}.',
    hint: 'Name its encoding: --encoding latin1, utf-16le, utf-16be or utf-8.',
  },
  'table/empty': { kind: 'failure', message: '{file} is empty.' },
  'table/invalid': { kind: 'failure', message: '{location}: {reason}.' },
  'table/open-quote': {
    kind: 'failure',
    message: '{location}: a quote that was opened is never closed.',
    hint: 'Correct it. A " within quotes is written "".',
  },
  'table/endless-row': {
    kind: 'failure',
    message: '{location}: a row is longer than {limit} characters.',
    hint: 'Look for a quote that is opened and never closed, and for the right --format.',
  },
  'table/no-file': { kind: 'failure', message: '{path} is no file.' },
} as const satisfies ErrorEntries;
