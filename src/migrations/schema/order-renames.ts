import type { Rename } from './rename-in-schema.js';
import type { Tables } from './schema-tables.js';
import { sequenceRenames } from './sequence-renames.js';

/**
 * Returns the renames in an order in which each new name is free. If that is not the given order, two columns
 * or two tables swap names, and all names are those before and after the renames as a whole.
 */
export function orderRenames(tables: Tables, renames: readonly Rename[]): readonly Rename[] {
  const columns = new Map([...tables].map(([name, table]) => [name, new Set(table.columns.keys())]));
  for (const rename of renames) {
    const taken = rename.kind === 'table' ? columns : columns.get(rename.table);
    if (taken?.has(rename.to) === true) return sequenceRenames(renames);
    if (rename.kind === 'table') {
      columns.set(rename.to, columns.get(rename.from) ?? new Set());
      columns.delete(rename.from);
    } else columns.get(rename.table)?.add(rename.to).delete(rename.from);
  }
  return renames;
}
