import type { ErrorEntries } from '../galley-error.js';

/** Errors of tokens, roles, permissions, locales and users. */
export const ACCESS_ERRORS = {
  'access/missing-token-salt': {
    kind: 'failure',
    message: 'API_TOKEN_SALT is not set, so tokens can be neither created nor verified.',
    hint: 'Put a long random value into .env, for example from: openssl rand -base64 32',
  },
  'access/invalid-token': { kind: 'usage', message: '{reason}', hint: '{remedy}' },
  'access/token-exists': {
    kind: 'conflict',
    message: 'There is already a token named {name}.',
    hint: 'Replace it with --force, or generate a new key with: cms token regenerate {word}',
  },
  'access/unknown-token': { kind: 'not-found', message: 'There is no token named {name}.', hint: '{remedy}' },
  'access/token-expired': {
    kind: 'failure',
    message: 'The token {name} expired on {date}.',
    hint: 'Set a new lifespan with --lifespan, or remove it with: cms token revoke {word}',
  },
  'access/token-exceeds-rights': {
    kind: 'forbidden',
    message: 'A token can issue only tokens whose rights it has itself.',
    hint: 'Use a token of type full-access.',
  },
  'access/operation-rejected': { kind: 'application', message: '{reason}' },
  'access/unknown-action': {
    kind: 'not-found',
    message: 'There is no permission {action}.',
    hint: '{remedy}',
  },
  'access/unknown-role': { kind: 'not-found', message: 'There is no role {role}.', hint: '{remedy}' },
  'access/invalid-locale': {
    kind: 'usage',
    message: '{code} is not a known locale code.',
    hint: 'Codes look like en, fr or pt-BR. For a custom code, also pass its name with --name.',
  },
  'access/locale-exists': {
    kind: 'conflict',
    message: 'The locale {code} already exists.',
    hint: 'See: cms locale list',
  },
  'access/unknown-locale': { kind: 'not-found', message: 'There is no locale {code}.', hint: '{remedy}' },
  'access/default-locale-not-removable': {
    kind: 'failure',
    message: 'The locale {code} is the default locale and cannot be removed.',
    hint: 'Make another locale the default first: cms locale add CODE --default',
  },
  'access/locale-in-use': {
    kind: 'data-loss',
    message: 'Removing the locale {code} would delete content: {losses}.',
    hint: 'Export it first with cms export, or pass --accept-data-loss to delete it.',
  },
  'access/invalid-locales-file': {
    kind: 'usage',
    message: '{file} is not a locales file: {reason}',
    hint: 'Create one with: cms locale export {file}',
  },
  'access/invalid-impersonation': {
    kind: 'usage',
    message: '{text} is not a caller.',
    hint: 'Callers are public, role:<role>, user:<name> and token:<name>.',
  },
  'access/missing-jwt-secret': {
    kind: 'failure',
    message: 'JWT_SECRET is not set, so users cannot sign in.',
    hint: 'Put a long random value into .env, for example from: openssl rand -base64 32',
  },
  'access/unknown-user': {
    kind: 'not-found',
    message: 'There is no user {user}.',
    hint: 'See: cms user list',
  },
  'access/invalid-role': { kind: 'validation', message: '{reason}', hint: '{remedy}' },
  'access/role-exists': {
    kind: 'conflict',
    message: 'There is already a role {role}.',
    hint: 'See: cms role list',
  },
  'access/role-in-use': {
    kind: 'data-loss',
    message: 'Removing the role {role} would take it from {users}.',
    hint: 'Assign another role first: cms user set-role NAME ROLE. Or pass --accept-data-loss.',
  },
  'access/builtin-role-not-removable': {
    kind: 'application',
    message: 'The role {role} is built in and cannot be removed.',
  },
  'access/invalid-permission-rule': {
    kind: 'usage',
    message: 'The rule for {action} is not valid: {reason}',
    hint: '{remedy}',
  },
  'access/invalid-permissions-file': {
    kind: 'usage',
    message: '{file} is not a permissions file: {reason}',
    hint: 'Create one with: cms permissions export {file}',
  },
} as const satisfies ErrorEntries;

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
    hint: 'If the service supports OpenID Connect, set its issuer: cms provider set NAME --issuer URL',
  },
  'auth/unknown-provider': {
    kind: 'not-found',
    message: 'There is no provider {name}.',
    hint: '{remedy}',
  },
  'auth/provider-declared': {
    kind: 'failure',
    message: 'The provider {name} is declared in {file}. Commands cannot change it.',
    hint: 'Change it in {file}.',
  },
  'auth/provider-without-key': {
    kind: 'failure',
    message: 'The provider {name} has no key yet.',
    hint: 'Set the key that the service issued for this server: cms provider set {name} --key … --secret -',
  },
  'auth/provider-refused': {
    kind: 'application',
    message: 'The sign-in with {provider} failed: {reason}.',
    hint: 'Compare the key, the secret and the redirect URL with those at the service: cms provider list',
  },
  'auth/provider-without-token': { kind: 'application', message: 'No access_token.' },
  'auth/provider-without-email': {
    kind: 'application',
    message: 'Email was not available.',
    hint: 'The service returned no verified address, or the requested scope does not include it.',
  },
  'auth/provider-registration-disabled': {
    kind: 'application',
    message: 'Register action is actually not available.',
  },
  'auth/provider-email-taken': {
    kind: 'application',
    message: 'Email is already taken.',
    hint: 'Another user has this address and signs in with another method.',
  },
  'auth/provider-lost': {
    kind: 'validation',
    message: 'The sign-in was not started in this browser, or it took too long',
    hint: 'Start again at /connect/{provider} of the API.',
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

/** Errors of e-mail. */
export const MAIL_ERRORS = {
  'mail/transport-not-configured': {
    kind: 'failure',
    message: 'A message to {to} could not be sent: no e-mail transport is configured.',
    hint: 'Set plugins.email.config.providerOptions in cms.config.ts to a nodemailer transport.',
  },
  'mail/send-failed': {
    kind: 'failure',
    message: 'A message to {to} could not be sent: {reason}',
    hint: 'Check plugins.email.config.providerOptions in cms.config.ts and the log of the mail server.',
  },
  'mail/invalid-template': { kind: 'failure', message: '{file} cannot be used: {reason}' },
} as const satisfies ErrorEntries;
