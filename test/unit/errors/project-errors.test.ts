import { describe, expect, it } from 'vitest';
import * as errors from '../../../src/errors/project-errors.js';
import { createError } from '../../../src/errors/catalogue.js';
import { GalleyError, HTTP_ERRORS } from '../../../src/errors/galley-error.js';
import { toPublicError } from '../../../src/errors/project-errors.js';

const CASES = [
  [errors.ApplicationError, 400, 'An application error occurred'],
  [errors.ValidationError, 400, 'Validation error'],
  [errors.PaginationError, 400, 'Invalid pagination'],
  [errors.NotFoundError, 404, 'Entity not found'],
  [errors.ForbiddenError, 403, 'Forbidden access'],
  [errors.UnauthorizedError, 401, 'Unauthorized'],
  [errors.PayloadTooLargeError, 413, 'Entity too large'],
  [errors.PolicyError, 403, 'Policy Failed'],
  [errors.RateLimitError, 429, 'Too many requests, please try again later.'],
  [errors.NotImplementedError, 501, 'This feature is not implemented yet'],
] as const;

class Own extends errors.ValidationError {}

/** Status, name, message and details as sent to a client. Null if the error is not public. */
const sent = (error: unknown): unknown => {
  const publicError = toPublicError(error);
  if (publicError === null) return null;
  const { message, details, kind } = publicError;
  return { ...HTTP_ERRORS[kind], message, details };
};

describe('errors of project code', () => {
  it.each(CASES)('%o keeps its status, name, message and details', (ProjectError, status, message) => {
    const { name } = ProjectError;
    expect(sent(new ProjectError())).toEqual({ status, name, message, details: {} });
    expect(sent(new ProjectError('Closed', { until: 8 }))).toEqual({
      status,
      name,
      message: 'Closed',
      details: { until: 8 },
    });
    expect(new ProjectError()).toBeInstanceOf(errors.ApplicationError);
  });

  it.each([
    ['request/invalid-values', [errors.ValidationError, errors.ApplicationError]],
    ['request/not-found', [errors.NotFoundError, errors.ApplicationError]],
    ['request/forbidden', [errors.ForbiddenError, errors.ApplicationError]],
    ['project/policy-error', [errors.PolicyError, errors.ForbiddenError, errors.ApplicationError]],
    ['server/internal', []],
  ] as const)('%s of Galley is an instance of what a project would throw', (code, classes) => {
    const error = createError(code, { summary: 'x', message: 'x' });
    const found = [...CASES.map(([ProjectError]) => ProjectError), Own].filter(
      (ProjectError) => error instanceof ProjectError,
    );
    expect(new Set(found)).toEqual(new Set(classes));
    expect(error).toBeInstanceOf(GalleyError);
    expect(Object.assign(new Error('x'), { name: 'ValidationError' })).not.toBeInstanceOf(
      errors.ValidationError,
    );
  });

  it.each(CASES)('%o is recognised when it comes from another copy of the class', ({ name }, status) => {
    expect(sent(Object.assign(new Error('Closed'), { name, details: { until: 8 } }))).toEqual({
      status,
      name,
      message: 'Closed',
      details: { until: 8 },
    });
  });

  it('lose details that are not JSON', () => {
    const details: Record<string, unknown> = {};
    details['self'] = details;
    expect(sent(new errors.ApplicationError('Closed', details))).toMatchObject({ details: {} });
  });

  it('of the package http-errors are public if they expose their message', () => {
    const httpError = (statusCode: number, expose: boolean): Error =>
      Object.assign(new Error('Gone'), { name: 'SomeError', statusCode, expose });
    expect(sent(httpError(404, true))).toMatchObject({ status: 404, name: 'NotFoundError', message: 'Gone' });
    expect(sent(httpError(404, false))).toBeNull();
    const hidden = Object.assign(new Error('x'), { name: 'NotImplementedError', expose: false });
    expect(sent(hidden)).toBeNull();
  });

  it('of other classes are not public', () => {
    expect(sent(new Error('secret'))).toBeNull();
    expect(sent(new TypeError('secret'))).toBeNull();
    expect(sent('ApplicationError')).toBeNull();
    expect(sent({ name: 'ApplicationError', message: 'not an error' })).toBeNull();
  });
});
