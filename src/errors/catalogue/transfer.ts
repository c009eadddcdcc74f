import type { ErrorEntries } from '../error-kind.js';

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

/** Errors of importing tables of values: CSV and JSON. */
export const TABLE_ERRORS = {
  'table/wrong-encoding': {
    kind: 'failure',
    message: '{location}: the text is not {encoding}.',
    hint: 'Name its encoding: --encoding latin1, utf-16le, utf-16be or utf-8.',
  },
  'table/empty': { kind: 'failure', message: '{file} is empty.' },
  'table/invalid': { kind: 'failure', message: '{location}: {reason}.' },
  'table/open-quote': {
    kind: 'failure',
    message: '{location}: a quote that was opened is never closed.',
    hint: 'Correct it. A " within quotes is written "".',
  },
  'table/endless-row': {
    kind: 'failure',
    message: '{location}: a row is longer than {limit} characters.',
    hint: 'Look for a quote that is opened and never closed, and for the right --format.',
  },
  'table/no-file': { kind: 'failure', message: '{path} is no file.' },
} as const satisfies ErrorEntries;

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

/** Errors of commands that work with a remote server. */
export const REMOTE_ERRORS = {
  'remote/unknown': { kind: 'not-found', message: 'There is no remote {name}.', hint: '{remedy}' },
  'remote/exists': {
    kind: 'conflict',
    message: 'There is already a remote {name}: {url}',
    hint: 'Replace it with --force.',
  },
  'remote/invalid-name': {
    kind: 'usage',
    message: '{name} is no name for a remote.',
    hint: 'Names begin with a letter and hold letters, digits and hyphens: production, staging-2.',
  },
  'remote/invalid-address': {
    kind: 'usage',
    message: '{address} is no address of a server: {reason}.',
    hint: 'Addresses look like https://cms.example.com, or https://cms.example.com/api.',
  },
  'remote/token-in-arguments': {
    kind: 'usage',
    message: 'A token in the arguments is seen by everybody on this machine.',
    hint: 'Use --token - for standard input, --token-file, or {variable}. Replace the token that was typed.',
  },
  'remote/readable-by-others': {
    kind: 'failure',
    message: '{file} holds tokens, and others may read it.',
    hint: 'Take their rights away: chmod 600 {file}',
  },
  'remote/invalid-file': {
    kind: 'failure',
    message: '{file} cannot be read: {reason}.',
    hint: 'Correct it, or remove it and add the remotes again: cms remote add NAME URL',
  },
  'remote/no-token': {
    kind: 'failure',
    message: 'There is no token for {name}.',
    hint: 'Set {variable}, or keep one with: cms remote add {name} {url} --force --token -',
  },
  'remote/unreachable': {
    kind: 'failure',
    message: '{name} cannot be reached at {url}: {reason}.',
    hint: 'See whether the address is right and the server runs: cms remote check {name}',
  },
  'remote/unexpected-answer': {
    kind: 'failure',
    message: '{name} does not answer at {url} as a server of the same kind does: {reason}.',
    hint: 'See whether the address is that of the API, and the server of this version or a later one.',
  },
  'remote/unauthorized': {
    kind: 'failure',
    message: '{name} does not know the token, or it has expired.',
    hint:
      'Make one there with cms token create, and keep it with: ' +
      'cms remote add {name} {url} --force --token -',
  },
  'remote/forbidden': {
    kind: 'failure',
    message: '{name} does not let the token do that: {reason}.',
    hint:
      'Reading what is published takes a token of type read-only (of types with drafts with --status ' +
      'published), everything else one of type full-access.',
  },
  'remote/refused': { kind: 'failure', message: '{reason}' },
  'remote/busy': {
    kind: 'failure',
    message: '{name} takes no requests now: {reason}.',
    hint: 'Try again later.',
  },
  'remote/uncertain': {
    kind: 'failure',
    message:
      'The connection to {name} broke before it answered: {reason}. It may have written what was sent.',
    hint: 'See what is there before you run the command again: cms content list TYPE --remote {name}',
  },
  'remote/other-schema': {
    kind: 'failure',
    message: '{type} is another type at {name}: {reason}.',
    hint: 'Bring both to the same release before content is exchanged.',
  },
  'remote/too-many-writes': {
    kind: 'failure',
    message: '{count} writes do not fit into one transaction of {name}, which takes {limit}.',
    hint: 'Push without --atomic or fewer types at once, or raise api.rest.maxBulk there.',
  },
} as const satisfies ErrorEntries;
