import { defineMomentField, readMoment } from './date-value.js';

const MILLISECONDS = /^-?\d{1,15}$/;

const readMilliseconds = (input: unknown): Date | null => {
  const milliseconds = typeof input === 'string' && MILLISECONDS.test(input) ? Number(input) : input;
  return typeof milliseconds === 'number' && Number.isInteger(milliseconds)
    ? readMoment(new Date(milliseconds))
    : null;
};

/**
 * A date and time like `datetime`, which may also be sent as milliseconds since 1970. REST prints those as
 * text, as Strapi does; GraphQL has ISO 8601, where its type demands it.
 */
export const timestampField = defineMomentField({
  name: 'timestamp',
  readAlternativeForm: readMilliseconds,
  alternativeHint: ', or milliseconds since 1970',
  input: 'string | number',
  jsonSchema: () => ({
    output: { type: 'string', pattern: '^-?[0-9]+$' },
    input: { type: ['string', 'integer'] },
  }),
  printsMilliseconds: true,
});
