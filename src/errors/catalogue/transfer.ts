import type { ErrorEntries } from './error-entry.js';

/** Errors of importing content from elsewhere. */
export const TRANSFER_ERRORS = {
  'transfer/not-found': { kind: 'not-found', message: '{path} does not exist.' },
  'transfer/foreign-file': {
    kind: 'failure',
    message: '{path} is neither an archive of Galley nor an export of Strapi: {reason}.',
    hint: 'Make one with: cms export, or strapi export',
  },
  'transfer/incomplete-archive': {
    kind: 'failure',
    message: '{path} is incomplete or damaged: {reason}.',
    hint: 'Copy it again from where it was made, and compare the sizes. Nothing was imported.',
  },
  'transfer/key-required': {
    kind: 'failure',
    message: '{path} is encrypted.',
    hint: 'Give its key with --key, --key-file or the environment variable STRAPI_EXPORT_KEY.',
  },
  'transfer/wrong-key': {
    kind: 'failure',
    message: '{path} cannot be decrypted with this key.',
    hint: 'The key is the one that the export was given or asked for.',
  },
  'transfer/unsafe-entry': {
    kind: 'failure',
    message: '{path} holds {entry}, which {reason}. Nothing was imported.',
    hint: 'Exports hold no such entries: do not trust this file.',
  },
  'transfer/too-compressed': {
    kind: 'failure',
    message: '{path} unpacks to more than {ratio} times its size, as no export does. Nothing was imported.',
    hint: 'If you trust the file, decompress it yourself (gunzip), and import the tar archive.',
  },
  'transfer/no-space': {
    kind: 'failure',
    message: '{path} takes {needed} to unpack, and {folder} has {free} free. Nothing was imported.',
    hint: 'Make room there, or unpack the archive where there is room, and import the folder.',
  },
  'transfer/unsupported-version': {
    kind: 'failure',
    message: '{path} was made by Strapi {version}; only content of Strapi 5 can be imported.',
    hint:
      'Content of Strapi 4 has no document ids. Upgrade that project to Strapi 5 first, then export it ' +
      'again.',
  },
  'transfer/unsupported-format': {
    kind: 'failure',
    message: '{path} has version {version} of the archive format; this release reads version {known}.',
    hint: 'Import it with the release that has made it, or a later one.',
  },
  'transfer/is-backup': {
    kind: 'failure',
    message: '{path} is a backup of a database.',
    hint: 'Restore it with: cms restore {word}',
  },
  'transfer/no-backup': {
    kind: 'failure',
    message: '{path} is no backup of Galley.',
    hint: 'cms restore takes what cms backup or cms export has written. For Strapi: cms import',
  },
  'transfer/damaged-database': {
    kind: 'failure',
    message: 'The database is damaged: {reason}. Nothing was written.',
    hint: 'Restore an earlier backup with: cms restore FILE',
  },
  'transfer/other-database': {
    kind: 'failure',
    message: '{path} is a copy of a SQLite database, and this project is on PostgreSQL.',
    hint: 'Restore it in a project on SQLite, run cms export there, and cms import here.',
  },
  'transfer/servers-running': {
    kind: 'failure',
    message:
      'The database is in use by servers, which might write while it is replaced ({count} connections).',
    hint: 'Stop them first, or go ahead with --force.',
  },
  'transfer/cannot-write': {
    kind: 'failure',
    message: '{path} cannot be written: {reason}.',
    hint: 'What was there before is unchanged, and nothing else is left behind.',
  },
  'transfer/invalid-record': {
    kind: 'failure',
    message: '{path}, {file}:{line}: {reason}.',
    hint: 'The export is damaged, or was changed by hand. Make it again.',
  },
  'transfer/existing-documents': {
    kind: 'failure',
    message: '{count} to import are in the database already: {documents}.',
    hint:
      '--existing skip leaves them as they are, --existing replace puts those of the import in their ' +
      'place.',
  },
  'transfer/no-types': {
    kind: 'failure',
    message: 'The project has none of the content-types of {path}: {types}.',
    hint: 'Copy src/ of the Strapi project, or let --schemas write the schema files, and migrate.',
  },
  'transfer/not-enabled': {
    kind: 'forbidden',
    message: 'Transfers are switched off here (transfer.enabled)',
  },
  'transfer/running': { kind: 'conflict', message: 'Another archive is being imported here.' },
  'transfer/not-accepted': { kind: 'application', message: '{reason}' },
  'transfer/unfinished-table': {
    kind: 'failure',
    message:
      'An import of {file} was interrupted after {rows} rows. These rows, or the options, are others now.',
    hint:
      'Run it again with the same table and options to go on, or begin anew with --restart, which imports ' +
      'all rows of the table.',
  },
  'transfer/unfinished-import': {
    kind: 'failure',
    message: 'The import of {description} was interrupted, and is to go on before another begins.',
    hint: 'Run it again with the same file and options, or begin anew with --restart.',
  },
} as const satisfies ErrorEntries;
