import type { Attribute, Link } from '../../model/model.js';

/**
 * The names an attribute owns in the database: columns of its type's table, and its link table. Columns are
 * in the same order before and after a rename.
 */
export interface AttributeStorage {
  readonly columns: readonly string[];
  readonly linkTable: string | null;
}

const NO_STORAGE: AttributeStorage = Object.freeze({ columns: [], linkTable: null });

const storageOfLink = (link: Link): AttributeStorage =>
  link.kind === 'column'
    ? { columns: [link.column, ...(link.position === null ? [] : [link.position.column])], linkTable: null }
    : { columns: [], linkTable: link.table };

/** Returns what an attribute owns in the database. The inverse side of a relation owns nothing. */
export function storageOf(attribute: Attribute | undefined): AttributeStorage {
  if (attribute === undefined) return NO_STORAGE;
  if ('column' in attribute) return { columns: [attribute.column.name], linkTable: null };
  return attribute.link === null || attribute.side === 'inverse' ? NO_STORAGE : storageOfLink(attribute.link);
}
