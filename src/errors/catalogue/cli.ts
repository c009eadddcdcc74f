import type { ErrorEntries } from '../galley-error.js';

/** Errors of the command line. */
export const CLI_ERRORS = {
  'cli/unknown-command': { kind: 'usage', message: 'Unknown command: cms {command}', hint: '{remedy}' },
  'cli/unknown-flag': { kind: 'usage', message: 'Unknown flag {flag} for {command}.', hint: '{remedy}' },
  'cli/missing-argument': { kind: 'usage', message: 'Missing {argument}.', hint: 'Usage: {usage}' },
  'cli/nothing-to-choose': {
    kind: 'usage',
    message: 'Missing {argument}: there is no {kind} to choose.',
    hint: 'Create one with: {command}',
  },
  'cli/unexpected-argument': {
    kind: 'usage',
    message: 'Unexpected argument {argument} for cms {command}.',
    hint: 'See: cms {command} --help',
  },
  'cli/invalid-usage': { kind: 'usage', message: '{reason}', hint: '{remedy}' },
  'cli/missing-value': {
    kind: 'usage',
    message: 'Missing {label}.',
    hint: 'Pass {label}. Commands prompt only on a terminal, and not with --yes or in CI.',
  },
  'cli/not-confirmed': {
    kind: 'usage',
    message: 'Not confirmed: {question}',
    hint: 'Pass --yes to confirm.',
  },
  'cli/declined': { kind: 'failure', message: 'Cancelled; nothing was changed.' },
  'cli/data-loss': {
    kind: 'data-loss',
    message: 'Data would be lost: {losses}',
    hint: '{remedies}Pass --accept-data-loss to delete the data.',
  },
  'cli/invalid-values': {
    kind: 'data-loss',
    message: 'Stored values would not fit the new schema: {invalid}',
    hint: '{remedies}Pass --accept-invalid to keep them as they are.',
  },
  'cli/data-loss-and-invalid-values': {
    kind: 'data-loss',
    message: 'Data would be lost: {losses}; stored values would not fit the new schema: {invalid}',
    hint: '{remedies}Pass --accept-data-loss --accept-invalid to delete the data and keep the values.',
  },
  'cli/unknown-name': { kind: 'not-found', message: 'There is no {kind} {name}.', hint: '{remedy}' },
  'cli/project-not-found': {
    kind: 'failure',
    message: 'There is no cms.config.ts, .js or .mjs in {folder} or any folder above it.',
    hint: 'Change to the folder of a project, or create a project with: cms new my-site',
  },
  'cli/empty-secret': {
    kind: 'usage',
    message: 'The value of {label} is empty.',
    hint: 'Pass it on standard input with {label} -, or from a file with {label}-file.',
  },
  'cli/interrupted': { kind: 'failure', message: 'Interrupted.' },
  'cli/stopped': { kind: 'failure', message: '{work} was interrupted after {done}.', hint: '{remedy}' },
  'cli/unexpected': { kind: 'internal', message: '{reason}', hint: 'Set DEBUG=1 for the stack trace.' },
  'cli/tool-failed': { kind: 'failure', message: '{tool} failed: {reason}', hint: '{remedy}' },
} as const satisfies ErrorEntries;

/** Errors of releases, which commands, requests and servers share. */
export const RELEASE_ERRORS = {
  'release/unknown': { kind: 'not-found', message: 'There is no release {name}.', hint: '{remedy}' },
  'release/exists': {
    kind: 'conflict',
    message: 'There is already a release named {name}.',
    hint: 'Add changes to it, or delete it first with: cms release delete {word}',
  },
  'release/invalid-name': {
    kind: 'validation',
    message: '{name} is not the name of a release.',
    hint: 'Use 1 to 64 letters, digits, - and _.',
  },
  'release/unknown-document': {
    kind: 'not-found',
    message: '{type} has no draft of {documentId}{location} to release.',
    hint: 'List drafts with: cms content list {type}',
  },
  'release/empty': {
    kind: 'conflict',
    message: 'The release {name} has no changes.',
    hint: 'Add one with: cms release add {word} <type> <document>',
  },
  'release/published': {
    kind: 'conflict',
    message: 'The release {name} is already published.',
    hint: 'Create another release, or revert this one first with: cms release revert {word}',
  },
  'release/not-published': {
    kind: 'conflict',
    message: 'The release {name} is not published.',
    hint: 'Publish it with: cms release publish {word}',
  },
  'release/invalid': {
    kind: 'application',
    message:
      'The release {name} was not published: {failed} of {total} changes would fail, first that of {item}: ' +
      '{reason}',
    hint: 'List all of them with: cms release check {word}',
  },
  'release/not-reverted': {
    kind: 'application',
    message: 'The release {name} was not reverted: {item}: {reason}',
    hint: 'Restore the document with cms content restore, or remove the cause and try again.',
  },
  'release/changed': {
    kind: 'conflict',
    message:
      'The release {name} was not reverted: {count} of its documents were changed since, first {item}.',
    hint: 'Pass --force to overwrite those changes.',
  },
} as const satisfies ErrorEntries;

/** Errors of reading and writing content by commands. */
export const CONTENT_ERRORS = {
  'content/unknown-document': {
    kind: 'not-found',
    message: '{type} has no document {documentId}{location}.',
    hint:
      'Identify a document by its documentId, or by the value of a uid or a unique attribute. cms content ' +
      'list {type} lists all{locales}.',
  },
  'content/unknown-reference': {
    kind: 'failure',
    message: '{path}: {type} has no document {reference}.',
    hint: 'Use its documentId{names}. cms content list {type} lists all.',
  },
  'content/ambiguous-reference': {
    kind: 'failure',
    message: '{path}: {reference} matches several documents of {type}: {candidates}.',
    hint: 'Use the documentId instead.',
  },
  'content/no-single-document': {
    kind: 'not-found',
    message: '{type} has no content yet.',
    hint: 'Create it with: cms content update {type} --set NAME=VALUE',
  },
  'content/invalid-file': {
    kind: 'failure',
    message: '{location}: {reason}.',
    hint: 'Files contain JSON, YAML, or Markdown with YAML front matter between lines of ---.',
  },
  'content/rejected-file': {
    kind: 'failure',
    message: '{location}: {reason}',
    hint: 'Correct the file and run the command again. It does not repeat completed writes.',
  },
  'content/locked-files': {
    kind: 'conflict',
    message: 'Another pull or push is writing the files of {root}.',
    hint: 'Run the command again when it has ended. If none runs, delete {file}.',
  },
  'content/rejected-files': {
    kind: 'failure',
    message: 'Files contain {count} errors:{list}',
    hint: 'Correct them and run the command again. It does not repeat completed writes.',
  },
  'content/conflict': {
    kind: 'conflict',
    message: 'Conflicts between files and database: {count}{list}',
    hint: '{remedy} --ours keeps the values of the files, --theirs those of the database.',
  },
  'content/changed-during-push': {
    kind: 'conflict',
    message: '{location}: {type} {documentId} was changed in the database during the push.',
    hint: 'Nothing of this file was written. Run the command again to merge the change.',
  },
  'content/not-localized': {
    kind: 'failure',
    message: '{type} is not localized, so its documents have no translations.',
    hint: 'Set pluginOptions.i18n.localized in its schema file, or name other types.',
  },
  'content/invalid-xliff': {
    kind: 'failure',
    message: '{file} is not XLIFF 2.0 as cms content export writes it: {reason}.',
    hint: 'Export it again, and translate the elements target as plain text.',
  },
  'content/invalid-translation': { kind: 'failure', message: '{path}: {reason}.' },
  'content/unknown-version': {
    kind: 'not-found',
    message: 'There is no version {version} of {documentId}.',
    hint: 'See: cms content history {type} {documentId}',
  },
  'content/no-editor': {
    kind: 'usage',
    message: 'No editor is configured.',
    hint: 'Set EDITOR, or change values with: cms content update TYPE DOCUMENT --set NAME=VALUE',
  },
  'content/changed-meanwhile': {
    kind: 'conflict',
    message: 'Another user changed {type} {documentId} at {time}.',
    hint:
      'Your text is saved in {file}. Compare it, then write it with: cms content edit {type} {documentId} ' +
      '--overwrite',
  },
  'content/edit-refused': {
    kind: 'failure',
    message: '{reason}',
    hint: 'Your text is saved in {file}. Run the command again to continue editing it.',
  },
} as const satisfies ErrorEntries;

/** Errors of the file system. */
export const FILE_ERRORS = {
  'file/not-permitted': {
    kind: 'failure',
    message: '{path} cannot be {action}: this user lacks the permission.',
    hint: 'Let this user {verb} {target}, or run the command as its owner.',
  },
  'file/read-only': {
    kind: 'failure',
    message: '{path} cannot be written: its disk is mounted read-only.',
    hint: 'Run the command where the project can be written.',
  },
  'file/no-space': {
    kind: 'failure',
    message: '{path} cannot be written: there is no space left.',
    hint: 'Free some space on its disk, then run the command again.',
  },
  'file/failing': {
    kind: 'failure',
    message: '{path} cannot be read or written: its disk reports an error.',
    hint: 'Check the system log (dmesg), and the disk or the network that stores the file.',
  },
  'file/too-many-open': {
    kind: 'failure',
    message: '{path} cannot be opened: too many files are open.',
    hint: 'Raise the limit (ulimit -n) or stop other processes, then run the command again.',
  },
  'file/missing': { kind: 'failure', message: '{path} does not exist.', hint: 'Check the path.' },
  'file/is-folder': { kind: 'failure', message: '{path} is a folder.', hint: 'Pass the path of a file.' },
} as const satisfies ErrorEntries;
