/** What is done to a note whose state is the end of the case before. */
type Step =
  | 'create draft'
  | 'create published'
  | 'update draft'
  | 'update published'
  | 'publish'
  | 'unpublish'
  | 'discardDraft'
  | 'clone'
  | 'delete';

/**
 * The events of rows that Strapi 5.44.0 has for operations on documents: an event, and the status of its row.
 * Each operation follows the one above it, on the same document unless it creates another one.
 */
export const LIFECYCLES: readonly (readonly [Step, readonly string[]])[] = [
  ['create draft', ['Create draft']],
  ['update draft', ['Update draft']],
  ['publish', ['Create published']],
  ['update published', ['Update draft', 'Delete published', 'Create published']],
  ['publish', ['Delete published', 'Create published']],
  ['discardDraft', ['Delete draft', 'Create draft']],
  ['unpublish', ['Delete published']],
  ['unpublish', []],
  ['discardDraft', []],
  ['create published', ['Create draft', 'Create published']],
  ['clone', ['Create draft']],
  ['delete', ['Delete draft', 'Delete published']],
  ['delete', []],
  ['update draft', []],
  ['publish', []],
];
