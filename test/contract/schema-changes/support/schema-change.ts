import { isDeepStrictEqual } from 'node:util';
import type { DecisionFlagValues } from '../../../../src/cli/flags.js';
import { defined } from '../../../../src/lib/assert.js';
import { edits } from './edits.js';
import type { Edit } from './edits.js';
import type { Effect, ExpectedChange } from './effects.js';
import type { Content } from './read-content.js';
import { SITE_SCHEMA } from './site-schema.js';

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
  /** True if the schema is then made as it was, to see that no dropped value surfaces again. */
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

type Flags = NonNullable<SchemaChange['flags']>;

const joinFlags = (left: Flags = {}, right: Flags = {}): Flags => ({
  ...left,
  ...right,
  ...(left.convert === undefined ? {} : { convert: [...left.convert, ...(right.convert ?? [])] }),
  ...(left.map === undefined ? {} : { map: [...left.map, ...(right.map ?? [])] }),
});

/** Rows for a content-type and for a component wherever it is used. One migration changes both alike. */
export const inTypeAndComponent = (
  rowsOf: (owner: string) => readonly SchemaChange[],
): readonly SchemaChange[] => {
  const ofComponent = rowsOf('parts.every');
  return rowsOf('article').map((row, index): SchemaChange => {
    const other = defined(ofComponent[index], 'the row of the component');
    return {
      ...row,
      what: row.what.replace('article', 'article and parts.every'),
      edit: edits(row.edit, other.edit),
      effects: [...(row.effects ?? []), ...(other.effects ?? [])],
      flags: joinFlags(row.flags, other.flags),
    };
  });
};

/** The attributes that an edit changes: `parts.badge label`. */
const editedAttributes = (edit: Edit): readonly string[] => {
  const before = { ...SITE_SCHEMA.types, ...SITE_SCHEMA.components };
  const edited = edit(SITE_SCHEMA);
  return Object.entries({ ...edited.types, ...edited.components }).flatMap(([owner, { attributes }]) =>
    Object.entries(attributes)
      .filter(([name, attribute]) => !isDeepStrictEqual(attribute, before[owner]?.attributes[name]))
      .map(([name]) => `${owner} ${name}`),
  );
};

const join = (left: SchemaChange, right: SchemaChange): SchemaChange => ({
  what: `${left.what}; ${right.what}`,
  edit: edits(left.edit, right.edit),
  effects: [...(left.effects ?? []), ...(right.effects ?? [])],
});

/**
 * Makes one migration of rows that change different attributes and lose no value. Rows whose changes a
 * migration has to refuse stand alone, so that each is refused for its own sake.
 */
export const joinedRows = (rows: readonly SchemaChange[]): readonly SchemaChange[] => {
  const batches: { row: SchemaChange; readonly attributes: Set<string> }[] = [];
  for (const row of rows) {
    const attributes = editedAttributes(row.edit);
    const batch = batches.find((each) => !attributes.some((name) => each.attributes.has(name)));
    if (batch === undefined) batches.push({ row, attributes: new Set(attributes) });
    else {
      batch.row = join(batch.row, row);
      for (const name of attributes) batch.attributes.add(name);
    }
  }
  return batches.map(({ row }) => row);
};
