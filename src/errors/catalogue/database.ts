import type { ErrorEntries } from './error-entry.js';

/** Errors of the database connection and the generated client. */
export const DATABASE_ERRORS = {
  'database/unsupported-encoding': {
    kind: 'failure',
    message: 'The database stores text as {encoding}, but UTF8 is required.',
    hint: "Create it again with: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0",
  },
  'database/unreachable': {
    kind: 'unavailable',
    message: 'The database {url} cannot be reached: {reason}',
    hint: 'Check that it is running and that DATABASE_URL in .env is correct. See: cms doctor',
  },
  'database/statement-refused': {
    kind: 'failure',
    message: 'The statement would write, or returns no rows. cms sql only reads.',
    hint:
      'Write through the content: cms content update TYPE DOCUMENT --set NAME=VALUE, or cms run. ' +
      "The database's own shell, which may write: cms sql",
  },
  'database/statement-failed': { kind: 'failure', message: 'The statement failed: {reason}' },
  'database/shell-missing': {
    kind: 'failure',
    message: "{command}, the database's shell, is not installed.",
    hint: "Install it ({installation}), or run a statement that reads: cms sql 'select 1'",
  },
  'database/read-timeout': {
    kind: 'unavailable',
    message:
      'Reading this took longer than {ms} ms, and was ended. Request less at once: narrow it with filters, ' +
      'pagination or fields, or populate fewer attributes.',
    hint:
      'Declare an index for what the request filters and sorts by (cms field index), or raise ' +
      'database.readTimeout.',
  },
  'database/busy': {
    kind: 'unavailable',
    message: 'Too many requests that take long are being served. Try again in a moment.',
    hint: 'Declare an index for what they filter and sort by, or raise database.readThreads.',
  },
  'database/sqlite-driver-missing': {
    kind: 'failure',
    message: 'The SQLite driver better-sqlite3 cannot be loaded: {reason}',
    hint: 'Run: npm install better-sqlite3. Where no binary fits, that takes Python and a C++ compiler.',
  },
  'database/direct-url-missing': {
    kind: 'not-implemented',
    message: '{purpose} need a session of the database, which a pooler in transaction mode does not keep.',
    hint: 'Set DIRECT_URL to PostgreSQL itself, or add ?pgbouncer=false where the pooler keeps sessions.',
  },
  'database/not-openable': {
    kind: 'failure',
    message: '{database} cannot be opened.',
    hint: 'Check that its folder exists, that this user may read and write both, and DATABASE_URL in .env.',
  },
  'database/read-only': {
    kind: 'failure',
    message: '{database} cannot be written: it is read-only for this user.',
    hint: 'Let this user write it (of SQLite the file and its folder), or run the command as its owner.',
  },
  'database/not-permitted': {
    kind: 'failure',
    message: '{database} refused: its user lacks a permission.',
    hint: 'Grant it, for example with: GRANT ALL ON SCHEMA public TO …; or correct DATABASE_URL in .env.',
  },
  'database/full': {
    kind: 'failure',
    message: '{database} cannot be written: there is no space left.',
    hint: 'Free some space on its disk, then run the command again.',
  },
  'database/failing': {
    kind: 'failure',
    message: '{database} cannot be read or written: its disk reports an error.',
    hint: 'Check that the disk has space and works: df, dmesg. Then run the command again.',
  },
  'database/locked': {
    kind: 'failure',
    message: '{database} is locked by another process.',
    hint: 'Wait until that process has written, or end it, then run the command again.',
  },
  'database/damaged': {
    kind: 'failure',
    message: '{database} cannot be read: it is damaged, or no database.',
    hint: 'Check DATABASE_URL in .env, or restore the database from a backup.',
  },
  'database/refused': {
    kind: 'failure',
    message: '{database} refused: {reason}',
    hint: 'Check that it is up to date with: cms migrate status. DEBUG=1 shows the stack trace.',
  },
  'client/generation-failed': {
    kind: 'failure',
    message: 'The database client could not be generated: {reason}',
  },
  'client/outdated': {
    kind: 'failure',
    message: 'The generated client in {folder} is missing or does not match the schema.',
    hint: 'Run: cms generate',
  },
} as const satisfies ErrorEntries;
