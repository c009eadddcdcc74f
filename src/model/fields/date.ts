import { readDate, readDatetime, readMoment } from './date-value.js';
import type { FieldType, ParseResult } from './field-type.js';
import { accept, reject } from './field-type.js';

/** Returns the written calendar date of an ISO datetime, regardless of its offset. */
const toDate = (input: unknown): string | null => {
  if (input instanceof Date) return readMoment(input)?.toISOString().slice(0, 10) ?? null;
  if (typeof input !== 'string') return null;
  return readDate(input) ?? (readDatetime(input) === null ? null : input.slice(0, 10));
};

const parse = (input: unknown): ParseResult<string> => {
  const date = toDate(input);
  return date === null ? reject('must be a date like 2026-02-28') : accept(date);
};

/** A calendar date, stored as ISO text, which has the same order. */
export const dateField: FieldType = {
  name: 'date',
  column: 'text',
  options: [],
  parse,
  parseFilter: parse,
  filterable: true,
  sortable: true,
  indexable: true,
  typescript: () => ({ output: 'string', input: 'string' }),
  jsonSchema: () => ({
    output: { type: 'string', format: 'date' },
    input: { type: 'string', format: 'date' },
  }),
  graphql: { output: 'Date', input: 'Date', filter: 'DateFilterInput' },
};
