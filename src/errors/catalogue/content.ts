import type { ErrorEntries } from './error-entry.js';

/** Errors of reading and writing content by commands. */
export const CONTENT_ERRORS = {
  'content/unknown-document': {
    kind: 'not-found',
    message: '{type} has no document {documentId}{location}.',
    hint:
      'A document is named by its documentId, or by the value of a uid or a unique attribute. ' +
      'cms content list {type} lists all{locales}.',
  },
  'content/unknown-reference': {
    kind: 'failure',
    message: '{path}: {type} has no document {reference}.',
    hint: 'Name it by its documentId{names}. cms content list {type} lists all.',
  },
  'content/ambiguous-reference': {
    kind: 'failure',
    message: '{path}: {reference} names several documents of {type}: {candidates}.',
    hint: 'Name it by its documentId.',
  },
  'content/no-single-document': {
    kind: 'not-found',
    message: '{type} has no content yet.',
    hint: 'Write it with: cms content update {type} --set NAME=VALUE',
  },
  'content/invalid-file': {
    kind: 'failure',
    message: '{location}: {reason}.',
    hint: 'Files hold JSON, YAML, or Markdown with YAML front matter between lines of ---.',
  },
  'content/rejected-file': {
    kind: 'failure',
    message: '{location}: {reason}',
    hint: 'Correct the file and run the command again: what is done is not done twice.',
  },
  'content/rejected-files': {
    kind: 'failure',
    message: '{count} places in files are wrong:{list}',
    hint: 'Correct them and run the command again: what is done is not done twice.',
  },
  'content/unknown-version': {
    kind: 'not-found',
    message: 'There is no version {version} of {documentId}.',
    hint: 'See: cms content history {type} {documentId}',
  },
  'content/no-editor': {
    kind: 'usage',
    message: 'There is no editor to open.',
    hint: 'Set EDITOR, or write values with: cms content update TYPE DOCUMENT --set NAME=VALUE',
  },
  'content/changed-meanwhile': {
    kind: 'conflict',
    message: '{type} {documentId} was changed by somebody else at {time}.',
    hint:
      'What was typed is in {file}. Compare it, and write it with: ' +
      'cms content edit {type} {documentId} --overwrite',
  },
  'content/edit-refused': {
    kind: 'failure',
    message: '{reason}',
    hint: 'What was typed is in {file}. Run the command again: it goes on with it.',
  },
} as const satisfies ErrorEntries;
