import { sql } from 'kysely';
import {
  combine,
  integerColumn,
  mapPrefetch,
  nullableIntegerColumn,
  prefetchRows,
  resolvedPrefetch,
  textColumn,
} from '../../prefetch.js';
import type { Prefetch } from '../../prefetch.js';
import type { WriteContext } from '../../write-context.js';
import { groupBySource } from '../link-entry.js';
import type { LinkEntry } from '../link-entry.js';
import { hasInverseOrder, linkTable, singleTarget } from '../relation-mapping.js';
import type { RelationMapping } from '../relation-mapping.js';
import type { RelationWrite } from '../relation-write.js';
import { linkedRefs } from '../targets/resolve-links.js';
import { matchesAnyRef } from '../targets/target-lookup.js';
import { entrySource, prefetchEntriesOfRows } from './prefetch-entries.js';
import { currentTargets, inversePositionColumn, linkingRowIds } from './prefetch-links.js';

/** One document's write of the owner side of a relation. */
export interface OwnerWrite {
  readonly context: WriteContext;
  readonly write: RelationWrite;
}

/** What the database contains about the links of one relation that several documents write. */
export interface LinksTogether {
  /** The links of the versions that are written, by the version's `id`. */
  readonly entries: ReadonlyMap<number, readonly LinkEntry[]>;
  /** The last position in the inverse list of each target, among the links of other versions. */
  readonly lastPositions: ReadonlyMap<string, number>;
  /** Whether other documents link targets that can have one owner only. */
  readonly hasConflicts: boolean;
}

const prefetchLastPositions = (
  { database: { dialect } }: WriteContext,
  mapping: RelationMapping,
  writes: readonly OwnerWrite[],
  rowIds: readonly number[],
): Prefetch<ReadonlyMap<string, number>> => {
  const { link } = mapping;
  const refs = writes.flatMap(({ write }) => (write.operation === null ? [] : linkedRefs(write.operation)));
  if (!hasInverseOrder(link) || refs.length === 0) return resolvedPrefetch(new Map());
  const { expressions } = dialect;
  const { type, column } = singleTarget(mapping);
  const target = sql`t.document_id`;
  const position = sql.id(inversePositionColumn(link));
  const owner = link.kind === 'column' ? sql`id` : sql`source_id`;
  const isWritten = expressions.inList(owner, 'integer', expressions.encodeList('integer', rowIds));
  const lastPosition = sql`(select ${position} from ${sql.id(linkTable(mapping))}
    where ${sql.id(column)} = ${target} and ${position} is not null and not ${isWritten}
    order by ${position} desc limit 1)`;
  const rows = prefetchRows(
    { documentId: textColumn(target), position: nullableIntegerColumn(lastPosition) },
    sql`${sql.id(type.storage.document.table)} as t where ${matchesAnyRef(expressions, type, target, refs)}`,
  );
  return mapPrefetch(
    rows,
    (found) => new Map(found.map(({ documentId, position: last }) => [documentId, last ?? 0])),
  );
};

/** Finds out whether documents that are not written link the targets, in the same locale. */
const prefetchConflicts = (
  { database: { dialect }, locale }: WriteContext,
  mapping: RelationMapping,
  writes: readonly OwnerWrite[],
  rowIds: readonly number[],
): Prefetch<boolean> => {
  if (!mapping.link.exclusive) return resolvedPrefetch(false);
  const { expressions } = dialect;
  const source = entrySource(mapping);
  const documentIds = writes.map(({ context }) => context.documentId);
  const listed = (value: typeof source.tables, list: readonly string[]) =>
    expressions.inList(value, 'text', expressions.encodeList('text', list));
  const current = writes.flatMap(({ context }) =>
    currentTargets(context, mapping).flatMap(({ documentId }) => documentId ?? []),
  );
  const isOfRows = expressions.inList(sql`source_id`, 'integer', expressions.encodeList('integer', rowIds));
  const isTarget =
    mapping.link.kind === 'column'
      ? listed(source.targetDocumentId, current)
      : sql`${source.targetDocumentId} in (select ${sql.id(singleTarget(mapping).column)}
          from ${sql.id(linkTable(mapping))} where ${isOfRows})`;
  const rows = prefetchRows(
    { id: integerColumn(source.sourceId) },
    sql`${source.tables} where ${isTarget} and not ${listed(source.sourceDocumentId, documentIds)}
      and s.locale = ${locale}`,
  );
  return mapPrefetch(rows, (found) => found.length > 0);
};

/** Selects everything that has to be known to change one attribute's links in several documents. */
export function prefetchLinksTogether(
  mapping: RelationMapping,
  writes: readonly [OwnerWrite, ...OwnerWrite[]],
): Prefetch<LinksTogether> {
  const [{ context }] = writes;
  const { expressions } = context.database.dialect;
  const rowIds = writes.flatMap((each) => linkingRowIds(each.context, mapping));
  return combine<LinksTogether>({
    entries: mapPrefetch(prefetchEntriesOfRows(expressions, mapping, rowIds), groupBySource),
    lastPositions: prefetchLastPositions(context, mapping, writes, rowIds),
    hasConflicts: prefetchConflicts(context, mapping, writes, rowIds),
  });
}
