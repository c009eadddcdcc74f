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
  'auth/provider-disabled': {
    kind: 'application',
    message: 'This provider is disabled',
    hint: 'See: cms provider list',
  },
  'auth/provider-unsupported': {
    kind: 'application',
    message: 'The provider {provider} is not supported: {reason}.',
    hint: 'Services that speak OpenID Connect take the setting "issuer": cms provider set NAME --issuer URL',
  },
  'auth/unknown-provider': {
    kind: 'not-found',
    message: 'There is no provider {name}.',
    hint: '{remedy}',
  },
  'auth/provider-declared': {
    kind: 'failure',
    message: 'The provider {name} is declared in {file}, and can only be changed there.',
  },
  'auth/provider-without-key': {
    kind: 'failure',
    message: 'The provider {name} has no key yet.',
    hint: 'Give the one that the service has for this server: cms provider set {name} --key … --secret -',
  },
  'auth/provider-refused': {
    kind: 'application',
    message: 'The sign-in with {provider} has failed: {reason}.',
    hint: 'Compare the key, the secret and the redirect address with those at the service: cms provider list',
  },
  'auth/provider-without-token': { kind: 'application', message: 'No access_token.' },
  'auth/provider-without-email': {
    kind: 'application',
    message: 'Email was not available.',
    hint: 'The service tells no address that it has verified, or the scope does not ask for it.',
  },
  'auth/provider-registration-disabled': {
    kind: 'application',
    message: 'Register action is actually not available.',
  },
  'auth/provider-email-taken': {
    kind: 'application',
    message: 'Email is already taken.',
    hint: 'Another user has this address, who signs in otherwise.',
  },
  'auth/provider-lost': {
    kind: 'validation',
    message: 'The sign-in was not begun in this browser, or has taken too long',
    hint: 'Begin again at /connect/{provider} of the API.',
  },
  'auth/invalid-callback': { kind: 'validation', message: 'Invalid callback URL provided' },
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
