import type { ErrorEntries } from './error-entry.js';

/** Errors of code written for Strapi that calls what is not there, or calls it wrongly. */
export const STRAPI_ERRORS = {
  'strapi/invalid-call': { kind: 'failure', message: '{call}: {reason}.' },
  'strapi/unknown-parameter': {
    kind: 'validation',
    message: '{call} does not take the parameter {name}.',
    hint: '{remedy}',
  },
  'strapi/unavailable-call': {
    kind: 'failure',
    message: '{call} does not exist here.',
    hint: '{remedy}',
  },
  'strapi/unapplied-options': {
    kind: 'failure',
    message: 'The project restricts access by what cannot be applied here:\n{options}',
    hint: 'Correct it, or remove it and restrict access in another way. See docs/strapi.md.',
  },
  'strapi/knex-missing': {
    kind: 'failure',
    message: '{call} needs the package knex, which is not installed.',
    hint: 'Install it: npm install knex',
  },
  'strapi/unknown-table': {
    kind: 'failure',
    message: "{call}: there is no table {table}. Tables differ from Strapi's.",
    hint: '{remedy}',
  },
} as const satisfies ErrorEntries;
