import type { DecisionFlagValues } from '../../../../src/cli/arguments/flags.js';
import type { Edit } from './edits.js';
import type { Effect, ExpectedChange } from './effects.js';
import type { Content } from './read-content.js';

/** One row of the tables: a change of the schema files, and all that happens to the content. */
export interface SchemaChange {
  readonly what: string;
  readonly edit: Edit;
  /** What the user decides, as given to the command. */
  readonly flags?: DecisionFlagValues & { readonly rename?: readonly string[] };
  /** What becomes of values. Whatever is not stated stays as it is, and is not told. */
  readonly effects?: readonly Effect[];
  /** Changes to be told besides those of the effects. */
  readonly changes?: readonly ExpectedChange[] | ((content: Content) => readonly ExpectedChange[]);
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

/** A row whose values are dropped, and must not surface again when the schema is as it was. */
export const removal = (
  what: string,
  edit: Edit,
  effects: readonly Effect[],
  more: Omit<SchemaChange, 'what' | 'edit' | 'effects'> = {},
): SchemaChange => ({ what, edit, effects, isAddedBack: true, ...more });
