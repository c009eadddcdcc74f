import type { ErrorEntries } from './error-entry.js';

/** Errors of reading another system's database. */
export const FOREIGN_DATABASE_ERRORS = {
  'transfer/unsupported-database': {
    kind: 'not-implemented',
    message: '{database} is of a kind that cannot be read: SQLite and PostgreSQL can.',
    hint: 'Make an archive of the project with strapi export --no-encrypt, and run: cms import <archive>',
  },
  'transfer/unreadable-database': {
    kind: 'failure',
    message: '{database} cannot be read: {reason}',
    hint: 'Give file:/path/to/data.db or postgresql://user:password@host:5432/name?schema=public',
  },
  'transfer/foreign-database': {
    kind: 'failure',
    message: '{database} is not a database of Strapi: {reason}.',
    hint: 'Of PostgreSQL, name the schema of the tables if it is not public: …/name?schema=strapi',
  },
  'transfer/old-database': {
    kind: 'failure',
    message: '{database} was not migrated to Strapi 5: its content has no document ids yet.',
    hint: 'Upgrade that project to Strapi 5 (npx @strapi/upgrade major), start it once, then import again.',
  },
  'transfer/components-unknown': {
    kind: 'failure',
    message: '{database} has content in components that {project} does not declare: {components}.',
    hint: "Name the Strapi project's folder with --project, since its database does not describe components.",
  },
} as const satisfies ErrorEntries;
