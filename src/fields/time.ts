import { readTime } from './date-value.js';
import type { FieldType, Parsed } from './field-type.js';
import { accept, refuse } from './parsed.js';

const parse = (input: unknown): Parsed<string> => {
  const time = typeof input === 'string' ? readTime(input) : null;
  return time === null ? refuse('must be a time like 13:45:00 or 13:45:00.000') : accept(time);
};

/** A time of day; kept as `HH:mm:ss.SSS`, whose order is that of the times. */
export const timeField: FieldType = {
  name: 'time',
  column: 'text',
  options: [],
  parse,
  parseFilter: parse,
  filterable: true,
  sortable: true,
  typescript: () => ({ output: 'string', input: 'string' }),
  graphql: { output: 'Time', input: 'Time', filter: 'TimeFilterInput' },
  jsonSchema: () => ({ type: 'string', pattern: '^[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}$' }),
};
