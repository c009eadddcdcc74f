import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { SqlExpressions } from '../../database/dialect/sql-expressions.js';
import { defined } from '../../lib/assert.js';
import {
  integerColumn,
  mapPrefetch,
  nullableTextColumn,
  positionColumn,
  resolvedPrefetch,
  prefetchRows,
  textColumn,
} from '../write/prefetch.js';
import type { Prefetch } from '../write/prefetch.js';
import { hasInverseOrder, singleTarget } from './relation-mapping.js';
import type { LinkEntry, RelationMapping } from './relation-mapping.js';

type Fragment = RawBuilder<unknown>;

const columnRef = (table: string, column: string): Fragment => sql`${sql.id(table)}.${sql.id(column)}`;

const SQL_NULL = sql`null`;

/** Returns SQL of the index of the target that a row links, and of the target's document id. */
const targetColumns = (
  mapping: RelationMapping,
  table: string,
): { readonly targetIndex: Fragment; readonly documentId: Fragment } => {
  const columns = mapping.targets.map(({ column }) => columnRef(table, column));
  const [singleColumn = SQL_NULL] = columns;
  if (columns.length <= 1) return { targetIndex: sql.lit(0), documentId: singleColumn };
  const cases = columns.map((column, index) => sql`when ${column} is not null then ${sql.lit(index)}`);
  return {
    targetIndex: sql`case ${sql.join(cases, sql` `)} end`,
    documentId: sql`coalesce(${sql.join(columns)})`,
  };
};

const inversePosition = ({ link }: RelationMapping): Fragment => {
  if (link.kind === 'column') return link.position === null ? SQL_NULL : columnRef('s', link.position.column);
  return hasInverseOrder(link) ? columnRef('l', 'inverse_position') : SQL_NULL;
};

/** SQL fragments for querying a link. Alias `s` is the owner's version table, `l` the link table. */
export interface EntrySource {
  /** The table, or joined tables, after `FROM`. */
  readonly tables: Fragment;
  readonly sourceId: Fragment;
  readonly sourceDocumentId: Fragment;
  /** The column that points at the link's single target. */
  readonly targetDocumentId: Fragment;
}

/** Returns the SQL fragments for querying a link. */
export function entrySource(mapping: RelationMapping): EntrySource {
  const versions = sql`${sql.id(mapping.owner.storage.version.table)} as s`;
  const shared = { sourceId: columnRef('s', 'id'), sourceDocumentId: columnRef('s', 'document_id') };
  const { column } = singleTarget(mapping);
  if (mapping.link.kind === 'column')
    return { tables: versions, targetDocumentId: columnRef('s', column), ...shared };
  return {
    tables: sql`${sql.id(mapping.link.table)} as l join ${versions} on s.id = l.source_id`,
    targetDocumentId: columnRef('l', column),
    ...shared,
  };
}

/** Selects the entries of a link that meet a condition on {@link entrySource}. */
export function prefetchEntries(mapping: RelationMapping, where: Fragment): Prefetch<readonly LinkEntry[]> {
  const isColumn = mapping.link.kind === 'column';
  const alias = isColumn ? 's' : 'l';
  const { targetIndex, documentId } = targetColumns(mapping, alias);
  const rows = prefetchRows(
    {
      rowId: integerColumn(columnRef(alias, 'id')),
      sourceId: integerColumn(columnRef('s', 'id')),
      sourceDocumentId: textColumn(columnRef('s', 'document_id')),
      sourceLocale: textColumn(columnRef('s', 'locale')),
      sourceStatus: textColumn(columnRef('s', 'status')),
      targetIndex: integerColumn(targetIndex),
      targetDocumentId: textColumn(documentId),
      targetStatus: nullableTextColumn(
        mapping.statusStoredIn === 'link' ? columnRef('l', 'target_status') : SQL_NULL,
      ),
      targetLocale: nullableTextColumn(
        mapping.localeStoredIn === 'link' ? columnRef('l', 'target_locale') : SQL_NULL,
      ),
      position: positionColumn(isColumn ? SQL_NULL : columnRef('l', 'position')),
      inversePosition: positionColumn(inversePosition(mapping)),
    },
    sql`${entrySource(mapping).tables} where ${where}`,
  );
  return mapPrefetch(rows, (found) =>
    // Members are listed by name, since spreading them takes many times as long for each link.
    found.map((row): LinkEntry => ({
      rowId: row.rowId,
      sourceId: row.sourceId,
      sourceDocumentId: row.sourceDocumentId,
      sourceLocale: row.sourceLocale,
      sourceStatus: row.sourceStatus,
      targetType: defined(mapping.targets[row.targetIndex], "A link's target").type.uid,
      targetDocumentId: row.targetDocumentId,
      targetStatus: row.targetStatus,
      targetLocale: row.targetLocale,
      position: row.position,
      inversePosition: row.inversePosition,
    })),
  );
}

/** Selects the entries of version rows in a link table. A column link has none. */
export function prefetchEntriesOfRows(
  expressions: SqlExpressions,
  mapping: RelationMapping,
  ids: readonly number[],
): Prefetch<readonly LinkEntry[]> {
  if (mapping.link.kind === 'column' || ids.length === 0) return resolvedPrefetch([]);
  return prefetchEntries(
    mapping,
    expressions.inList(sql`l.source_id`, 'integer', expressions.encodeList('integer', ids)),
  );
}
