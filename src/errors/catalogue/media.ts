import type { ErrorEntries } from './error-entry.js';

/** Errors of commands about the media library. */
export const MEDIA_ERRORS = {
  'media/unknown-file': {
    kind: 'not-found',
    message: 'The media library has no file {name}.',
    hint: 'Name it by its name, id, documentId, hash or URL. cms media list lists all.',
  },
  'media/not-regenerated': { kind: 'validation', message: '{reason}' },
} as const satisfies ErrorEntries;
