import { expect, it } from 'vitest';
import { assertShortNames } from '../../../../../src/api/graphql/http/parse-request.js';

const LONG = 'a'.repeat(300);

it.each([`{ ${LONG} }`, `query($x: ${LONG}) { tags { name } }`, `{ tags(${LONG}: 1) { name } }`])(
  'names that would take long to correct are refused: %s',
  (query) => {
    expect(() => assertShortNames(query)).toThrow('A name is longer than 255 characters.');
  },
);

it.each([
  '{ tags { name } }',
  `{ tags(filters: { name: { eq: "${LONG}" } }) { name } }`,
  `mutation { create(text: """${LONG}""") { id } }`,
  `# ${LONG}\n{ tags { name } }`,
  `{ ${'a'.repeat(255)} }`,
  `{ "unterminated ${LONG}`,
])('long texts are none of them: %s', (query) => {
  expect(() => assertShortNames(query)).not.toThrow();
});
