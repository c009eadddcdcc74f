import type { ErrorEntries } from './error-entry.js';

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
    hint: 'Give it a new lifespan with --lifespan, or remove it with: cms token revoke {word}',
  },
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
    message: 'Refused, because content in {code} would be lost: {losses}.',
    hint: 'Export it first with cms export, or pass --accept-data-loss to delete it.',
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
    message: 'Refused, because {users} would lose the role {role}.',
    hint: 'Give them another role first: cms user set-role NAME ROLE. Or pass --accept-data-loss.',
  },
  'access/builtin-role-not-removable': {
    kind: 'application',
    message: 'The role {role} is built in and cannot be removed.',
  },
  'access/invalid-permission-rule': {
    kind: 'usage',
    message: 'The rule for {action} cannot be used: {reason}',
    hint: '{remedy}',
  },
  'access/invalid-permissions-file': {
    kind: 'usage',
    message: '{file} is not a permissions file: {reason}',
    hint: 'Create one with: cms permissions export {file}',
  },
} as const satisfies ErrorEntries;
