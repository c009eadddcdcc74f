import { readMoment, readTime } from './date-value.js';
import type { FieldType, ParseResult } from './field-type.js';
import { accept, reject } from './field-type.js';

const TIME_START = '2026-02-28T'.length;

/** Returns a time with milliseconds; of a date, its time in UTC. */
const toTime = (input: unknown): string | null => {
  if (input instanceof Date) return readMoment(input)?.toISOString().slice(TIME_START, -1) ?? null;
  return typeof input === 'string' ? readTime(input) : null;
};

const parse = (input: unknown): ParseResult<string> => {
  const time = toTime(input);
  return time === null ? reject('must be a time like 13:45:00 or 13:45:00.000') : accept(time);
};

/** A time of day, stored as `HH:mm:ss.SSS`, which has the same order. */
export const timeField: FieldType = {
  name: 'time',
  column: 'text',
  options: [],
  parse,
  parseFilter: parse,
  filterable: true,
  sortable: true,
  indexable: true,
  typescript: () => ({ output: 'string', input: 'string' }),
  jsonSchema: () => ({
    output: { type: 'string', pattern: String.raw`^\d{2}:\d{2}:\d{2}\.\d{3}$` },
    input: { type: 'string', pattern: String.raw`^\d{2}:\d{2}:\d{2}(\.\d{1,3})?$` },
  }),
  graphql: { output: 'Time', input: 'Time', filter: 'TimeFilterInput' },
};
