import { readDate, readDatetime, readMoment } from './date-value.js';
import type { FieldType, Parsed } from './field-type.js';
import { accept, refuse } from './parsed.js';

/** The calendar date of an ISO datetime is the one it is written with, whatever its offset. */
const toDate = (input: unknown): string | null => {
  if (input instanceof Date) return readMoment(input)?.toISOString().slice(0, 10) ?? null;
  if (typeof input !== 'string') return null;
  return readDate(input) ?? (readDatetime(input) === null ? null : input.slice(0, 10));
};

const parse = (input: unknown): Parsed<string> => {
  const date = toDate(input);
  return date === null ? refuse('must be a date like 2026-02-28') : accept(date);
};

/** A calendar date; kept as ISO text, whose order is that of the dates. */
export const dateField: FieldType = {
  name: 'date',
  column: 'text',
  options: [],
  parse,
  parseFilter: parse,
  filterable: true,
  sortable: true,
  typescript: () => ({ output: 'string', input: 'string' }),
  graphql: { output: 'Date', input: 'Date', filter: 'DateFilterInput' },
  jsonSchema: () => ({ type: 'string', format: 'date' }),
};
