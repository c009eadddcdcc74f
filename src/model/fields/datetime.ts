import { defineMomentField, readDatetime, readMilliseconds } from './date-value.js';

const YEAR_OR_DAY = /^(\d{4})(?:(\d{2})(\d{2}))?$/;

/**
 * Reads digits as Strapi does: `2026` is the start of a year and `20260228` the start of a day. All others
 * are milliseconds since 1970, which JavaScript clients send.
 */
const readDigits = (digits: string): Date | null => {
  const [, year, month = '01', day = '01'] = YEAR_OR_DAY.exec(digits) ?? [];
  const start = year === undefined ? null : readDatetime(`${year}-${month}-${day}`);
  return start ?? readMilliseconds(digits);
};

/** A date and time in UTC, to the millisecond. */
export const datetimeField = defineMomentField({
  name: 'datetime',
  readDigits,
  input: 'string',
  jsonSchema: () => {
    const schema = { type: 'string', format: 'date-time' };
    return { output: schema, input: schema };
  },
});
