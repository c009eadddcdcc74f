import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import {
  createAccessKey,
  hashAccessKey,
  isSameHash,
  issueJwt,
  securityStampOf,
  verifyJwt,
} from '../../../src/access/credentials.js';
import { expiryOf, LIFESPANS } from '../../../src/access/tokens.js';

const SECRET = 'k8Jq2vXw9ZpL4mNb7RtY6uHs3eDfGc1A';

describe('access keys', () => {
  it('are long, random and stored only as a keyed hash', () => {
    const [a, b] = [createAccessKey(), createAccessKey()];
    expect(a).toMatch(/^[0-9a-f]{128}$/);
    expect(a).not.toBe(b);
    expect(hashAccessKey(a, 'salt')).toMatch(/^[0-9a-f]{128}$/);
    expect(hashAccessKey(a, 'salt')).not.toBe(hashAccessKey(a, 'other salt'));
    // Computed with another implementation of HMAC-SHA-512.
    expect(hashAccessKey('key', 'salt')).toBe(
      '9c5248370e0e4cc7221612d1458e26490f75d763b24d105c061039943e802369' +
        'b56a4454bfde99691bd5125f8bb29de8b685e1fe76b2b3be781a22bad3887cd9',
    );
    expect(() => hashAccessKey(a, null)).toThrow(/API_TOKEN_SALT/);
  });

  it('are compared completely', () => {
    expect(isSameHash('abc', 'abc')).toBe(true);
    expect(isSameHash('abc', 'abd')).toBe(false);
    expect(isSameHash('abc', 'ab')).toBe(false);
  });
});

describe('lifespans', () => {
  it('end after that many days, or never', () => {
    const now = Date.parse('2026-01-01T00:00:00.000Z');
    expect(LIFESPANS.map((lifespan) => expiryOf(lifespan, now))).toEqual([
      '2026-01-08T00:00:00.000Z',
      '2026-01-31T00:00:00.000Z',
      '2026-04-01T00:00:00.000Z',
      null,
    ]);
  });
});

describe("a user's JWT", () => {
  it('identifies the user if its signature is valid', () => {
    expect(verifyJwt(issueJwt({ userId: 7, securityStamp: 's', session: null }, SECRET, 60), SECRET)).toEqual(
      {
        userId: 7,
        securityStamp: 's',
        session: null,
      },
    );
    expect(verifyJwt(issueJwt({ userId: 7, securityStamp: 's', session: 'x' }, SECRET, 60), SECRET)).toEqual({
      userId: 7,
      securityStamp: 's',
      session: 'x',
    });
  });

  it('contains a stamp of the password that does not reveal it', () => {
    expect(securityStampOf('$2b$10$hash', SECRET)).toMatch(/^[\w-]{22}$/);
    expect(securityStampOf('$2b$10$hash', SECRET)).not.toBe(securityStampOf('$2b$10$hasi', SECRET));
    expect(securityStampOf('$2b$10$hash', SECRET)).not.toBe(securityStampOf('$2b$10$hash', `${SECRET}x`));
    expect(securityStampOf(null, SECRET)).toMatch(/^[\w-]{22}$/);
  });

  it.each([
    ['another secret', jwt.sign({ id: 7, stamp: 's' }, `${SECRET}x`)],
    ['nothing about the password', jwt.sign({ id: 7 }, SECRET)],
    ['no signature', jwt.sign({ id: 7, stamp: 's' }, '', { algorithm: 'none' })],
    ['another algorithm', jwt.sign({ id: 7, stamp: 's' }, SECRET, { algorithm: 'HS512' })],
    ['an age that is over', jwt.sign({ id: 7, stamp: 's' }, SECRET, { expiresIn: -1 })],
    ['no user', jwt.sign({ sub: 'x' }, SECRET)],
    ['text for a user', jwt.sign({ id: '7 OR 1=1', stamp: 's' }, SECRET)],
    ['a fraction for a user', jwt.sign({ id: 1.5, stamp: 's' }, SECRET)],
    ['nothing of a JWT', 'a.b.c'],
  ])('is rejected with %s', (_what, token) => {
    expect(verifyJwt(token, SECRET)).toBeNull();
  });
});
