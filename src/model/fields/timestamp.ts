import { defineMomentField, readMilliseconds } from './date-value.js';

/**
 * A date and time like `datetime`. REST prints milliseconds since 1970 as text, as Strapi does; GraphQL has
 * ISO 8601, where its type demands it.
 */
export const timestampField = defineMomentField({
  name: 'timestamp',
  readDigits: readMilliseconds,
  input: 'string | number',
  jsonSchema: () => ({
    output: { type: 'string', pattern: '^-?[0-9]+$' },
    input: { type: ['string', 'integer'] },
  }),
  printsMilliseconds: true,
});
