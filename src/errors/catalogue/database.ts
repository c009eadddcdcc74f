import type { ErrorEntries } from '../galley-error.js';

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
      'To change content, use: cms content update TYPE DOCUMENT --set NAME=VALUE, or cms run. To run SQL ' +
      'that writes, open the shell of the database: cms sql',
  },
  'database/statement-failed': { kind: 'failure', message: 'The statement failed: {reason}' },
  'database/shell-missing': {
    kind: 'failure',
    message: 'The database shell {command} is not installed.',
    hint: "Install it ({installation}), or run a read-only statement: cms sql 'select 1'",
  },
  'database/read-timeout': {
    kind: 'unavailable',
    message:
      'The read took longer than {ms} ms and was canceled. Narrow the request with filters, pagination or ' +
      'fields, or populate fewer attributes.',
    hint:
      'Add an index for the attributes that the request filters and sorts by (cms field index), or raise ' +
      'database.readTimeout.',
  },
  'database/busy': {
    kind: 'unavailable',
    message: 'The server is running too many slow requests. Try again in a moment.',
    hint: 'Add an index for the attributes that they filter and sort by, or raise database.readThreads.',
  },
  'database/sqlite-driver-missing': {
    kind: 'failure',
    message: 'The SQLite driver better-sqlite3 cannot be loaded: {reason}',
    hint: 'Run: npm install better-sqlite3@{version}. Or use Node.js 24.15 or newer, which contains SQLite.',
  },
  'database/direct-url-missing': {
    kind: 'not-implemented',
    message: '{purpose} need a database session, which a pooler in transaction mode does not keep.',
    hint:
      'Set DIRECT_URL to the address of PostgreSQL itself, or add ?pgbouncer=false if the pooler keeps ' +
      'sessions.',
  },
  'database/not-openable': {
    kind: 'failure',
    message: '{database} cannot be opened.',
    hint:
      'Check that its folder exists, that this user can read and write both, and that DATABASE_URL in ' +
      '.env is correct.',
  },
  'database/read-only': {
    kind: 'failure',
    message: '{database} cannot be written: it is read-only for this user.',
    hint:
      'Give this user write permission (for SQLite, on the file and its folder), or run the command as ' +
      'its owner.',
  },
  'database/not-permitted': {
    kind: 'failure',
    message: '{database} rejected the operation: its user lacks a permission.',
    hint:
      'Grant the permission, for example with: GRANT ALL ON SCHEMA public TO …; or correct DATABASE_URL ' +
      'in .env.',
  },
  'database/full': {
    kind: 'failure',
    message: '{database} cannot be written: there is no space left.',
    hint: 'Free some space on its disk, then run the command again.',
  },
  'database/failing': {
    kind: 'failure',
    message: '{database} cannot be read or written: its disk reports an error.',
    hint: 'Check that the disk has space and works (df, dmesg), then run the command again.',
  },
  'database/locked': {
    kind: 'failure',
    message: '{database} is locked by another process.',
    hint: 'Wait until that process has finished, or stop it, then run the command again.',
  },
  'database/damaged': {
    kind: 'failure',
    message: '{database} cannot be read: it is damaged or not a database.',
    hint: 'Check DATABASE_URL in .env, or restore the database from a backup.',
  },
  'database/refused': {
    kind: 'failure',
    message: '{database} reported an error: {reason}',
    hint: 'Check that it is up to date with: cms migrate status. Set DEBUG=1 for the stack trace.',
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

/** Errors of migrations. */
export const MIGRATION_ERRORS = {
  'migration/invalid-schema': { kind: 'failure', message: 'The Prisma schema is not valid: {reason}' },
  'migration/data-loss': {
    kind: 'data-loss',
    message: 'Data would be lost: {losses}.',
    hint: 'Back up the database, then pass --accept-data-loss.',
  },
  'migration/invalid-values': {
    kind: 'data-loss',
    message: 'Stored values would not fit the new schema: {invalid}.',
    hint: 'Change them first, set new values with --map, --set or --convert, or pass --accept-invalid.',
  },
  'migration/unmanaged-data-loss': {
    kind: 'data-loss',
    message: 'Migration {name} would delete data that no content-type describes: {losses}.',
    hint: 'Drop it manually if you no longer need it, or add an attribute for it.',
  },
  'migration/constraint-violation': {
    kind: 'failure',
    message: 'The existing rows do not fit the new schema: {losses}.',
    hint: 'Change those rows first, or relax the constraint.',
  },
  'migration/invalid-rename': { kind: 'usage', message: 'Cannot rename {from} to {to}: {reason}.' },
  'migration/invalid-value': {
    kind: 'usage',
    message: 'Cannot store {value} in {attribute}: {reason}.',
    hint: 'Pass another value.',
  },
  'migration/invalid-expression': {
    kind: 'usage',
    message: 'The expression for {attribute} is not valid: {reason}.',
    hint: 'Correct it in --convert, or in the line "-- content" of the pending migration.',
  },
  'migration/conversion-failed': {
    kind: 'failure',
    message: 'The expression for {attribute} fails for the value {value}: {reason}.',
    hint: 'Correct it in --convert, or in the line "-- content" of the pending migration.',
  },
  'migration/locked': {
    kind: 'unavailable',
    message: 'Another process has been migrating this database for more than {seconds} s.',
    hint: 'Wait for it to finish, then try again.',
  },
  'migration/failed': {
    kind: 'failure',
    message: 'Migration {name} failed and was rolled back: {reason}',
    hint: 'Correct {file} and run: cms migrate deploy',
  },
  'migration/change-failed': {
    kind: 'failure',
    message: 'Changing the database failed and was rolled back: {reason}',
    hint: 'Correct the content-types, or the stored values that prevent the change, and try again.',
  },
  'migration/unfinished': {
    kind: 'pending',
    message: 'Migration {name} was started by another tool and never finished.',
    hint: 'Check for its partial changes, then run: npx prisma migrate resolve --rolled-back {name}',
  },
  'migration/draft': {
    kind: 'pending',
    message: 'Migration {name} is still a draft, so no migration is applied.',
    hint: 'Complete it and delete the line "-- draft" from its migration.sql, or delete its folder.',
  },
  'migration/invalid-code': {
    kind: 'failure',
    message: 'The code of migration {name} cannot be run: {reason}',
    hint: 'Correct {file} and run: cms migrate deploy',
  },
  'migration/code-failed': {
    kind: 'failure',
    message: 'The code of migration {name} failed at {location}: {reason}',
    hint: 'Its SQL stays applied. Correct the file or the documents and run: cms migrate deploy',
  },
  'migration/code-missing': {
    kind: 'pending',
    message: 'The code of migration {name} was interrupted, and this checkout lacks its folder.',
    hint: 'Restore prisma/migrations/{name} from version control and run: cms migrate deploy',
  },
  'migration/code-without-model': {
    kind: 'failure',
    message:
      'The code of migration {name} needs the content-types of its time, but no migration recorded them.',
    hint:
      'Revert the latest changes of the content-types, run: cms migrate deploy, then make the changes ' +
      'again.',
  },
  'migration/diverged': {
    kind: 'pending',
    message:
      'Migration {name} rebuilds {tables} from the schema of another branch and would undo later changes.',
    hint: 'Delete the folder of {name} and run: cms migrate',
  },
  'migration/unknown': {
    kind: 'pending',
    message: 'The database has {count} that this checkout lacks: {names}.',
    hint: '{remedy}',
  },
  'migration/edited': {
    kind: 'pending',
    message: 'The file of migration {names} has changed since it was applied.',
    hint: '{remedy}',
  },
  'migration/duplicate': {
    kind: 'pending',
    message: 'Migration {name} makes changes that the database has already: {changes}.',
    hint: 'Delete the folder of {name} and run: cms migrate',
  },
  'migration/snapshot-missing': {
    kind: 'failure',
    message: 'Migration {name} lacks its schema.snapshot, which is required to plan the next migration.',
    hint: 'Restore it from version control: git checkout -- {file}',
  },
  'migration/copy-failed': {
    kind: 'failure',
    message: 'The rows that the migration changes could not be backed up: {reason}.',
    hint: 'Allow the database user to create schemas: GRANT CREATE ON DATABASE … TO …',
  },
  'migration/irreversible': {
    kind: 'failure',
    message: 'Migration {name} cannot be reverted: {reason}.',
    hint: 'Write the SQL that reverts it in {file}. Or, in development, start over: cms migrate reset',
  },
  'migration/not-applied': {
    kind: 'usage',
    message: 'This database has not applied a migration {name}.',
    hint: 'See: cms migrate status',
  },
  'migration/nothing-to-undo': {
    kind: 'failure',
    message: 'No backup from before a migration exists.',
    hint: 'To revert a migration without a backup: cms migrate down',
  },
  'migration/partly-squashed': {
    kind: 'pending',
    message:
      'This database has applied only some of the migrations that {name} squashes. Missing: {lacking}.',
    hint: 'Apply those first, from a checkout before the squash: cms migrate deploy',
  },
  'migration/parent-squashed': {
    kind: 'failure',
    message: 'Migration {name} was planned after {parent}, which is now in the middle of {squash}.',
    hint: 'Delete {folder} and run: cms migrate',
  },
  'migration/not-squashable': {
    kind: 'failure',
    message: 'The migrations cannot be squashed into one: {reason}.',
    hint: '{remedy}',
  },
  'migration/reset-in-production': {
    kind: 'usage',
    message: 'This would delete all data in a production database.',
    hint: 'Pass --force to continue.',
  },
  'migration/unreadable': {
    kind: 'failure',
    message: 'The migration {name} cannot be read: {reason}',
    hint: 'Restore {file} from version control.',
  },
  'migration/wrong-database': {
    kind: 'failure',
    message: 'The migrations in {folder} are for {recorded}, but the project uses {configured}.',
    hint: 'Change DATABASE_URL back, or move the folder away and run: cms migrate',
  },
} as const satisfies ErrorEntries;
