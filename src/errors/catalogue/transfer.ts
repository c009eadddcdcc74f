import type { ErrorEntries } from '../galley-error.js';

/** Errors of importing content from archives and other sources. */
export const TRANSFER_ERRORS = {
  'transfer/not-found': { kind: 'not-found', message: '{path} does not exist.' },
  'transfer/unknown-file': {
    kind: 'failure',
    message: '{path} is neither a Galley archive nor a Strapi export: {reason}.',
    hint: 'Create one with: cms export, or strapi export',
  },
  'transfer/incomplete-archive': {
    kind: 'failure',
    message: '{path} is incomplete or damaged: {reason}.',
    hint: 'Copy it again from its source and compare the sizes. Nothing was imported.',
  },
  'transfer/key-required': {
    kind: 'failure',
    message: '{path} is encrypted.',
    hint: 'Pass its key with --key, --key-file or the environment variable STRAPI_EXPORT_KEY.',
  },
  'transfer/wrong-key': {
    kind: 'failure',
    message: '{path} cannot be decrypted with this key.',
    hint: 'Use the key that the export was created with.',
  },
  'transfer/unsafe-entry': {
    kind: 'failure',
    message: '{path} contains {entry}, which {reason}. Nothing was imported.',
    hint: 'Exports never contain such entries: do not trust this file.',
  },
  'transfer/too-compressed': {
    kind: 'failure',
    message: '{path} unpacks to more than {ratio} times its size, unlike any export. Nothing was imported.',
    hint: 'If you trust the file, decompress it yourself (gunzip), and import the tar archive.',
  },
  'transfer/no-space': {
    kind: 'failure',
    message: '{path} needs {needed} to unpack, but {folder} has only {free} free. Nothing was imported.',
    hint: 'Free some space there, or unpack the archive on another disk and import the folder.',
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
    hint: 'Import it with the release that created it, or a later one.',
  },
  'transfer/is-backup': {
    kind: 'failure',
    message: '{path} is a backup of a database.',
    hint: 'Restore it with: cms restore {word}',
  },
  'transfer/no-backup': {
    kind: 'failure',
    message: '{path} is not a Galley backup.',
    hint: 'cms restore reads files that cms backup or cms export wrote. For Strapi exports, use: cms import',
  },
  'transfer/damaged-database': {
    kind: 'failure',
    message: 'The database is damaged: {reason}. Nothing was written.',
    hint: 'Restore an earlier backup with: cms restore FILE',
  },
  'transfer/other-database': {
    kind: 'failure',
    message: '{path} is a copy of a SQLite database, but this project uses PostgreSQL.',
    hint: 'Restore it in a project on SQLite, run cms export there, and cms import here.',
  },
  'transfer/servers-running': {
    kind: 'failure',
    message: 'Servers are using the database and might write while it is replaced ({count} connections).',
    hint: 'Stop them first, or pass --force to continue.',
  },
  'transfer/cannot-write': {
    kind: 'failure',
    message: '{path} cannot be written: {reason}.',
    hint: 'Existing files are unchanged, and no partial file was left behind.',
  },
  'transfer/invalid-record': {
    kind: 'failure',
    message: '{path}, {file}:{line}: {reason}.',
    hint: 'The export is damaged or was edited. Create it again.',
  },
  'transfer/existing-documents': {
    kind: 'failure',
    message: 'The database already contains {count} of the import: {documents}.',
    hint:
      '--existing skip keeps the existing documents. --existing replace replaces them with those of the ' +
      'import.',
  },
  'transfer/no-types': {
    kind: 'failure',
    message: 'The project has none of the content-types of {path}: {types}.',
    hint: 'Copy src/ of the Strapi project, or pass --schemas to write schema files. Then run: cms migrate',
  },
  'transfer/not-enabled': {
    kind: 'forbidden',
    message: 'Transfers are disabled on this server (transfer.enabled)',
  },
  'transfer/running': { kind: 'conflict', message: 'Another archive is being imported on this server.' },
  'transfer/not-accepted': { kind: 'application', message: '{reason}' },
  'transfer/unfinished-table': {
    kind: 'failure',
    message:
      'An import of {file} was interrupted after {rows} rows. Since then, these rows or the options have ' +
      'changed.',
    hint:
      'Run it again with the same table and options to continue, or pass --restart to import all rows of ' +
      'the table.',
  },
  'transfer/unfinished-import': {
    kind: 'failure',
    message: 'The import of {description} was interrupted. Finish it before you start another import.',
    hint: 'Run it again with the same file and options, or start over with --restart.',
  },
} as const satisfies ErrorEntries;

/** Errors of importing tables of values: CSV and JSON. */
export const TABLE_ERRORS = {
  'table/wrong-encoding': {
    kind: 'failure',
    message: '{location}: the text is not {encoding}.',
    hint: 'Pass its encoding: --encoding latin1, utf-16le, utf-16be or utf-8.',
  },
  'table/invalid-map-file': {
    kind: 'usage',
    message: '{file} is not a table map: {reason}.',
    hint: 'Write one with: cms import TABLE --type TYPE --save-map {file} --dry-run',
  },
  'table/empty': { kind: 'failure', message: '{file} is empty.' },
  'table/invalid': { kind: 'failure', message: '{location}: {reason}.' },
  'table/open-quote': {
    kind: 'failure',
    message: '{location}: a quote that was opened is never closed.',
    hint: 'Close it. Inside quotes, write " as "".',
  },
  'table/endless-row': {
    kind: 'failure',
    message: '{location}: a row is longer than {limit} characters.',
    hint: 'Look for a quote that is never closed, and check that --format is correct.',
  },
  'table/no-file': { kind: 'failure', message: '{path} is not a file.' },
} as const satisfies ErrorEntries;

/** Errors of reading an external database. */
export const EXTERNAL_DATABASE_ERRORS = {
  'transfer/unsupported-database': {
    kind: 'not-implemented',
    message: '{database} cannot be read: only SQLite and PostgreSQL are supported.',
    hint: 'Export the project with strapi export --no-encrypt, then run: cms import <archive>',
  },
  'transfer/unreadable-database': {
    kind: 'failure',
    message: '{database} cannot be read: {reason}',
    hint: 'Pass file:/path/to/data.db or postgresql://user:password@host:5432/name?schema=public',
  },
  'transfer/unknown-database': {
    kind: 'failure',
    message: '{database} is not a database of Strapi: {reason}.',
    hint: 'If the tables of PostgreSQL are not in the schema public, name their schema: …/name?schema=strapi',
  },
  'transfer/old-database': {
    kind: 'failure',
    message: '{database} was not migrated to Strapi 5: its content has no document ids yet.',
    hint: 'Upgrade that project to Strapi 5 (npx @strapi/upgrade major), start it once, then import again.',
  },
  'transfer/components-unknown': {
    kind: 'failure',
    message: '{database} has content in components that {project} does not declare: {components}.',
    hint: 'Pass the folder of the Strapi project with --project. Its database does not describe components.',
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
    message: '{name} is not a valid name for a remote.',
    hint: 'Names begin with a letter and contain letters, digits and hyphens: production, staging-2.',
  },
  'remote/invalid-address': {
    kind: 'usage',
    message: '{address} is not the address of a server: {reason}.',
    hint: 'Pass an address such as https://cms.example.com or https://cms.example.com/api.',
  },
  'remote/token-in-arguments': {
    kind: 'usage',
    message: 'Every user of this machine can see a token in the arguments.',
    hint: 'Use --token - for standard input, --token-file, or {variable}. Replace the token that you typed.',
  },
  'remote/readable-by-others': {
    kind: 'failure',
    message: '{file} contains tokens, but other users can read it.',
    hint: 'Remove their access: chmod 600 {file}',
  },
  'remote/invalid-file': {
    kind: 'failure',
    message: '{file} cannot be read: {reason}.',
    hint: 'Correct it, or remove it and add the remotes again: cms remote add NAME URL',
  },
  'remote/no-token': {
    kind: 'failure',
    message: 'There is no token for {name}.',
    hint: 'Set {variable}, or store a token with: cms remote add {name} {url} --force --token -',
  },
  'remote/unreachable': {
    kind: 'failure',
    message: '{name} cannot be reached at {url}: {reason}.',
    hint: 'Check that the address is correct and the server is running: cms remote check {name}',
  },
  'remote/unexpected-response': {
    kind: 'failure',
    message: '{name} at {url} does not respond like a Galley server: {reason}.',
    hint: 'Check that the address is that of the API, and that the server has this version or a later one.',
  },
  'remote/unauthorized': {
    kind: 'failure',
    message: '{name} rejected the token: it is unknown or expired.',
    hint:
      'Create a token there with cms token create, and store it with: cms remote add {name} {url} --force ' +
      '--token -',
  },
  'remote/forbidden': {
    kind: 'failure',
    message: '{name} does not allow the token to do that: {reason}.',
    hint:
      'Reading published content requires a token of type read-only (for types with drafts, pass --status ' +
      'published). Everything else requires a token of type full-access, or a custom token with the right ' +
      'of the command, such as plugin::cms.tokens.read.',
  },
  'remote/refused': { kind: 'failure', message: '{reason}' },
  'remote/changed': {
    kind: 'precondition-failed',
    message: '{reason}',
    hint: 'Read the document again, and apply the change to that version.',
  },
  'remote/no-revisions': {
    kind: 'failure',
    message: '{name} runs release {version}, which cannot check that a document is unchanged.',
    hint: 'Update the server, or omit --if-match.',
  },
  'remote/rejected': { kind: 'failure', message: '{name}: {reason}', hint: '{remedy}' },
  'remote/busy': {
    kind: 'failure',
    message: '{name} does not accept requests now: {reason}.',
    hint: 'Try again later.',
  },
  'remote/uncertain': {
    kind: 'failure',
    message:
      'The connection to {name} broke before its response arrived: {reason}. The server may have applied ' +
      'the request.',
    hint: 'Check its content before you run the command again: cms content list TYPE --remote {name}',
  },
  'remote/other-schema': {
    kind: 'failure',
    message: '{type} is defined differently at {name}: {reason}.',
    hint: 'Deploy the same release to both before you exchange content.',
  },
  'remote/too-many-writes': {
    kind: 'failure',
    message: '{count} writes do not fit into one transaction of {name}, which allows {limit}.',
    hint: 'Push without --atomic, push fewer types, or raise api.rest.maxBulk there.',
  },
} as const satisfies ErrorEntries;
