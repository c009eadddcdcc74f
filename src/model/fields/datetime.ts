import { defineMomentField } from './date-value.js';

/** A date and time in UTC, to the millisecond. */
export const datetimeField = defineMomentField({
  name: 'datetime',
  input: 'string',
  jsonSchema: () => {
    const schema = { type: 'string', format: 'date-time' };
    return { output: schema, input: schema };
  },
});
