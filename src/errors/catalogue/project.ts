import type { ErrorEntries } from './error-entry.js';

/** Errors of a project's configuration, schema files and content. */
export const PROJECT_ERRORS = {
  'project/undefined-condition': {
    kind: 'failure',
    message: '{path} is undefined.',
    hint: 'A condition without a value would match everything. Leave it out, or compare with null.',
  },
  'project/missing-document-id': {
    kind: 'failure',
    message: "documents('{type}').{method} takes { documentId } with a text.",
    hint: 'Check the id before the call. Without one, no document is meant.',
  },
  'project/unknown-service': {
    kind: 'failure',
    message: 'There is no service {name}.',
    hint: 'Available: {available}. docs/strapi.md says what each offers.',
  },
  'project/unknown-property': {
    kind: 'failure',
    message: 'There is no {name}.',
    hint: '{remedy} docs/strapi.md says what each offers.',
  },
  'project/no-strapi-project': {
    kind: 'failure',
    message: '{folder} is no project: it has neither src nor package.json.',
    hint: 'Name the folder of a Strapi project, as in: cms import shop --check',
  },
  'project/unknown-handler': {
    kind: 'failure',
    message: 'There is no handler {name}.',
    hint: 'A handler is a function or `controller.action`; controllers are the files of `controllers/`.',
  },
  'project/unknown-policy': {
    kind: 'failure',
    message: 'There is no policy {name}.',
    hint: 'Policies are the files of src/policies (`global::name`) and of `policies/` of an API.',
  },
  'project/unknown-middleware': {
    kind: 'failure',
    message: 'There is no middleware {name}.',
    hint: 'Middlewares are the files of src/middlewares (`global::name`) and of `middlewares/` of an API.',
  },
  'project/code-failed': {
    kind: 'failure',
    message: '{name} failed at {location}: {reason}',
    hint: 'Set DEBUG=1 for the stack trace.',
  },
  'project/unknown-content-type': {
    kind: 'failure',
    message: 'documents: there is no content-type {uid}.',
    hint: 'Allowed: {allowed}.',
  },
  'config/load-failed': { kind: 'failure', message: '{file} could not be loaded: {reason}' },
  'config/invalid': { kind: 'failure', message: '{file}: {summary}' },
  'config/invalid-variable': {
    kind: 'failure',
    message: 'The variable {name} of the environment is not {expected}.',
    hint: 'A file in config/ reads it by env; correct it in .env or the environment.',
  },
  'config/unsafe-secrets': {
    kind: 'failure',
    message: '{problems}.',
    hint:
      'Put random values of at least {minimum} characters into .env, for example from: openssl rand ' +
      '-base64 32',
  },
  'project/invalid-schemas': { kind: 'failure', message: 'The schema files have {count}:\n{problems}' },
  'project/module-load-failed': { kind: 'failure', message: '{file} could not be loaded: {reason}' },
  'project/pending-migrations': {
    kind: 'pending',
    message: 'The database is not up to date: {reason}.',
    hint: '{remedy}',
  },
  'project/seed-import-failed': {
    kind: 'failure',
    message: '{file} cannot be imported: {reason}',
    hint: 'Correct it and run the command again, or delete the folder.',
  },
  'project/endless-hooks': {
    kind: 'failure',
    message: 'Hooks write documents whose hooks write documents, more than {limit} levels deep.',
    hint: 'Write only what differs, or leave out the content-types that the hook itself writes.',
  },
  'project/application-error': { kind: 'application', message: '{message}' },
  'project/validation-error': { kind: 'validation', message: '{message}' },
  'project/pagination-error': { kind: 'pagination', message: '{message}' },
  'project/not-found-error': { kind: 'not-found', message: '{message}' },
  'project/forbidden-error': { kind: 'forbidden', message: '{message}' },
  'project/unauthorized-error': { kind: 'unauthorized', message: '{message}' },
  'project/payload-too-large-error': { kind: 'payload-too-large', message: '{message}' },
  'project/policy-error': { kind: 'policy', message: '{message}' },
  'project/rate-limit-error': { kind: 'rate-limited', message: '{message}' },
  'project/not-implemented-error': { kind: 'not-implemented', message: '{message}' },
} as const satisfies ErrorEntries;
