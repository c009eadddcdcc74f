import { readDatetime, readMoment } from './date-value.js';
import type { FieldType, Parsed } from './field-type.js';
import { accept, refuse } from './parsed.js';

const toMoment = (input: unknown): Date | null => {
  if (input instanceof Date) return readMoment(input);
  return typeof input === 'string' ? readDatetime(input) : null;
};

const parse = (input: unknown): Parsed<Date> => {
  const moment = toMoment(input);
  return moment === null ? refuse('must be a date and time like 2026-02-28T13:45:00.000Z') : accept(moment);
};

/** A moment, to the millisecond, in UTC. */
export const datetimeField: FieldType = {
  name: 'datetime',
  column: 'datetime',
  options: [],
  parse,
  parseFilter: parse,
  filterable: true,
  sortable: true,
  typescript: () => ({ output: 'string', input: 'string' }),
  graphql: { output: 'DateTime', input: 'DateTime', filter: 'DateTimeFilterInput' },
  jsonSchema: () => ({ type: 'string', format: 'date-time' }),
};
