import type { ContentDecisions } from '../../../../src/migrations/content/content-decisions.js';
import type { Rename } from '../../../../src/migrations/schema/rename-in-schema.js';
import type { Edit } from './edits.js';
import type { Effect, ExpectedChange } from './effects.js';
import type { Content } from './read-content.js';

/** One row of the tables: a change of the schema files, and all that happens to the content. */
export interface SchemaChange {
  readonly what: string;
  readonly edit: Edit;
  readonly renames?: readonly Rename[];
  readonly decisions?: Partial<ContentDecisions>;
  /** As the user gives them to the command: `notes=memos`. */
  readonly renameFlags?: readonly string[];
  /** Losses of whole rows: `pages would have no drafts (2 were …)`. */
  readonly losses?: readonly string[];
  /** What becomes of values. Whatever is not stated stays as it is, and is not told. */
  readonly effects?: readonly Effect[];
  /** Changes to be told besides those of the effects. */
  readonly changes?: readonly ExpectedChange[];
  /** What becomes of whole documents, after the effects. */
  readonly content?: (content: Content) => Content;
  /** Whether the schema is then made as it was, to see that no dropped value surfaces again. */
  readonly isAddedBack?: boolean;
}

/** A row of a table. */
export const change = (
  what: string,
  edit: Edit,
  effects: readonly Effect[] = [],
  more: Omit<SchemaChange, 'what' | 'edit' | 'effects'> = {},
): SchemaChange => ({ what, edit, effects, ...more });
