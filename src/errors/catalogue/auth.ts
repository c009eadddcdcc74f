import type { ErrorEntries } from './error-entry.js';

/** Errors of accounts. The messages are those of Strapi, which front ends compare. */
export const AUTH_ERRORS = {
  'auth/invalid-credentials': { kind: 'validation', message: 'Invalid identifier or password' },
  'auth/account-blocked': {
    kind: 'application',
    message: 'Your account has been blocked by an administrator',
  },
  'auth/email-not-confirmed': { kind: 'application', message: 'Your account email is not confirmed' },
  'auth/registration-disabled': { kind: 'application', message: 'Register action is currently disabled' },
  'auth/email-or-username-taken': { kind: 'application', message: 'Email or Username are already taken' },
  'auth/invalid-code': { kind: 'validation', message: 'Incorrect code provided' },
  'auth/invalid-confirmation-token': { kind: 'validation', message: 'Invalid token' },
  'auth/not-signed-in': { kind: 'application', message: 'You must be authenticated to reset your password' },
  'auth/same-password': {
    kind: 'validation',
    message: 'Your new password must be different than your current password',
  },
  'auth/wrong-password': { kind: 'validation', message: 'The provided current password is invalid' },
  'auth/invalid-refresh-token': { kind: 'unauthorized', message: 'Invalid refresh token' },
} as const satisfies ErrorEntries;
