import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { quoteName } from '../../sql-text.js';
import type { SearchedStatus, SearchedTable } from '../../search-expressions.js';

/** The name of a full-text index. Another one than that of indexes whose rowids were the ids. */
export const searchName = ({ name }: Pick<SearchedTable, 'name'>): string => `${name}_s`;

/**
 * The rowid that stands for a row: the id of what is published, the negative id of a draft, so that a search
 * in one of the two skips the other.
 *
 * @param row `new`, `old` or a table
 */
export function rowidOf(row: string): string {
  const [id, status] = [`${quoteName(row)}."id"`, `${quoteName(row)}."status"`];
  return `CASE ${status} WHEN 'draft' THEN -${id} ELSE ${id} END`;
}

/** The id of the row that a rowid stands for. Null: of either status. */
export function idOf(rowid: RawBuilder<unknown>, status: SearchedStatus): RawBuilder<unknown> {
  if (status === null) return sql`abs(${rowid})`;
  return status === 'draft' ? sql`-${rowid}` : rowid;
}

/** Selects the rowids of a status. */
export function ofStatus(rowid: RawBuilder<unknown>, status: SearchedStatus): readonly RawBuilder<unknown>[] {
  if (status === null) return [];
  return [status === 'draft' ? sql`${rowid} < 0` : sql`${rowid} > 0`];
}
