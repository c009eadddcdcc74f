import { expect, it } from 'vitest';
import { printGalleyError } from '../../../../../src/api/graphql/http/print-errors.js';
import { CATALOGUE, createError } from '../../../../../src/errors/catalogue.js';
import type { ErrorCode } from '../../../../../src/errors/catalogue.js';
import { HTTP_ERRORS } from '../../../../../src/errors/galley-error.js';

it('no mistake of a client has the code of a failure of the server', () => {
  const mistakes = (Object.keys(CATALOGUE) as ErrorCode[])
    .map((code) => createError(code))
    .filter(({ kind }) => (HTTP_ERRORS[kind]?.status ?? 500) < 500);
  expect(mistakes.map(({ kind }) => kind)).toContain('precondition-failed');
  for (const error of mistakes)
    expect([error.code, printGalleyError(error).extensions.code]).not.toContain('INTERNAL_SERVER_ERROR');
});
