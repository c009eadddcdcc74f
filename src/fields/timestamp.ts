import { readDatetime, readMoment } from './date-value.js';
import type { FieldType, Parsed } from './field-type.js';
import { accept, refuse } from './parsed.js';

const MILLISECONDS = /^-?\d{1,15}$/;

const toMoment = (input: unknown): Date | null => {
  if (input instanceof Date) return readMoment(input);
  if (typeof input === 'number') return Number.isInteger(input) ? readMoment(new Date(input)) : null;
  if (typeof input !== 'string') return null;
  return MILLISECONDS.test(input) ? readMoment(new Date(Number(input))) : readDatetime(input);
};

const parse = (input: unknown): Parsed<Date> => {
  const moment = toMoment(input);
  return moment === null ? refuse('must be a date and time like 2026-02-28T13:45:00.000Z, or milliseconds since 1970') : accept(moment);
};

/** A moment as `datetime` has it, also read from milliseconds since 1970. */
export const timestampField: FieldType = {
  name: 'timestamp',
  column: 'datetime',
  options: [],
  parse,
  parseFilter: parse,
  filterable: true,
  sortable: true,
  typescript: () => ({ output: 'string', input: 'string | number' }),
  graphql: { output: 'DateTime', input: 'DateTime', filter: 'DateTimeFilterInput' },
  jsonSchema: () => ({ type: 'string', format: 'date-time' }),
};
