import { expect, it } from 'vitest';
import { boundDetails, boundErrors, boundMessage, printError } from '../../../src/errors/error-envelope.js';
import { createError } from '../../../src/errors/catalogue.js';

const LONG = 'x'.repeat(1_000_000);

const issue = { path: ['title'], message: 'title is wrong', name: 'ValidationError' as const };

it('messages and lists of errors are bounded', () => {
  expect(boundMessage('short')).toBe('short');
  expect(boundMessage(LONG)).toHaveLength(2001);
  expect(boundErrors([1, 2])).toEqual({ listed: [1, 2], omitted: 0 });
  expect(boundErrors(Array.from({ length: 150 }, () => 1))).toMatchObject({ omitted: 50 });
});

it('details keep what is short, and count what they omit', () => {
  const details = { errors: [{ ...issue, value: 1 }], other: { key: 'a' } };
  expect(boundDetails(details)).toEqual(details);
  const bounded = boundDetails({ errors: Array.from({ length: 1000 }, () => ({ ...issue, value: LONG })) });
  expect(bounded.errors).toHaveLength(100);
  expect(bounded.errors?.[0]).toEqual(issue);
  expect(bounded['omittedErrors']).toBe(900);
});

it('project code may list anything as an error', () => {
  const errors = ['text', null, { message: 3 }, { message: LONG }] as never;
  expect(JSON.stringify(boundDetails({ errors })).length).toBeLessThan(3000);
});

it('a response to a request that failed is never long', () => {
  const errors = Array.from({ length: 300_000 }, () => ({ ...issue, message: LONG.slice(0, 3000) }));
  const body = printError(createError('graphql/invalid-request', { reason: LONG }, { details: { errors } }));
  expect(body.length).toBeLessThan(250_000);
});
