import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { defined } from '../../../lib/defined.js';
import type { Link } from '../../../model/model.js';
import type { LinkRef } from '../../../validation/input.js';
import {
  combine,
  integerColumn,
  mapPrefetch,
  nullableIntegerColumn,
  resolvedPrefetch,
  prefetchRows,
  textColumn,
} from '../../prefetch.js';
import type { Prefetch } from '../../prefetch.js';
import { primaryRow, publishedRow } from '../../write-context.js';
import type { WriteContext } from '../../write-context.js';
import type { LinkEntry } from '../link-entry.js';
import { entrySource, prefetchEntries, prefetchEntriesOfRows } from './prefetch-entries.js';
import { hasInverseOrder, isShared, linkTable, singleTarget } from '../relation-mapping.js';
import type { RelationMapping } from '../relation-mapping.js';
import { isAppendOnly } from '../relation-write.js';
import type { RelationWrite, StoredLinks } from '../relation-write.js';
import { allRefs, linkedRefs } from '../targets/resolve-links.js';
import { matchesAnyRef } from '../targets/target-lookup.js';

type Condition = RawBuilder<unknown>;

const NO_LINKS: Prefetch<readonly LinkEntry[]> = resolvedPrefetch([]);
const noPositions = <Key>(): Prefetch<ReadonlyMap<Key, number>> => resolvedPrefetch(new Map<Key, number>());

const joinAnd = (conditions: readonly Condition[]): Condition => sql`(${sql.join(conditions, sql` and `)})`;

/** Returns the column that holds the position in the inverse side's list. */
export const inversePositionColumn = (link: Link): string =>
  link.kind === 'column'
    ? defined(link.position, "The position column of a link's inverse side").column
    : 'inverse_position';

/**
 * Selects the last position in each target's list, after which new links are appended. One subquery per
 * target uses an index. Grouping by target would read the whole lists.
 */
const prefetchLastPositionByTarget = (
  { database: { dialect } }: WriteContext,
  mapping: RelationMapping,
  refs: readonly LinkRef[],
): Prefetch<ReadonlyMap<string, number>> => {
  const { link } = mapping;
  if (!hasInverseOrder(link) || refs.length === 0) return noPositions();
  const { type, column } = singleTarget(mapping);
  const target = sql`t.document_id`;
  const position = sql.id(inversePositionColumn(link));
  const links = sql.id(linkTable(mapping));
  const documents = sql.id(type.storage.document.table);
  const rows = prefetchRows(
    {
      documentId: textColumn(target),
      position: nullableIntegerColumn(
        sql`(select max(${position}) from ${links} where ${sql.id(column)} = ${target})`,
      ),
    },
    sql`${documents} as t where ${matchesAnyRef(dialect.expressions, type, target, refs)}`,
  );
  return mapPrefetch(
    rows,
    (found) => new Map(found.map(({ documentId, position: last }) => [documentId, last ?? 0])),
  );
};

/** Returns the ids of the version rows whose links matter: all locales' if they share their links. */
export const linkingRowIds = ({ rows, locale }: WriteContext, mapping: RelationMapping): readonly number[] =>
  rows.filter((row) => isShared(mapping) || row.locale === locale).map(({ id }) => id);

/**
 * Returns the documents that the written versions point at by a column already. Publishing takes them from
 * their previous owners.
 */
export const currentTargets = (
  context: WriteContext,
  { link }: RelationMapping,
): readonly Pick<LinkRef, 'documentId' | 'id'>[] =>
  [primaryRow(context), publishedRow(context)].flatMap((row) => {
    const documentId = link.kind === 'column' ? row?.values[link.field] : undefined;
    return typeof documentId === 'string' ? [{ documentId, id: null }] : [];
  });

/** Condition that a link points at a document that this document links now, or will link. */
const pointsAtLinkedTarget = (
  context: WriteContext,
  mapping: RelationMapping,
  refs: readonly LinkRef[],
): Condition => {
  const { expressions } = context.database.dialect;
  const { targetDocumentId } = entrySource(mapping);
  const { type, column } = singleTarget(mapping);
  const byRef = matchesAnyRef(expressions, type, targetDocumentId, [
    ...refs,
    ...currentTargets(context, mapping),
  ]);
  if (mapping.link.kind === 'column') return byRef;
  const rowIds = expressions.encodeList('integer', linkingRowIds(context, mapping));
  const isOfDocument = expressions.inList(sql`source_id`, 'integer', rowIds);
  const links = sql.id(linkTable(mapping));
  const linkedTargets = sql`select ${sql.id(column)} from ${links} where ${isOfDocument}`;
  return sql`(${byRef} or ${targetDocumentId} in (${linkedTargets}))`;
};

const prefetchConflictingOwners = (
  context: WriteContext,
  mapping: RelationMapping,
  refs: readonly LinkRef[],
): Prefetch<readonly LinkEntry[]> => {
  if (!mapping.link.exclusive) return NO_LINKS;
  const conditions = [
    pointsAtLinkedTarget(context, mapping, refs),
    sql`${entrySource(mapping).sourceDocumentId} <> ${context.documentId}`,
    sql`s.locale = ${context.locale}`,
  ];
  return prefetchEntries(mapping, joinAnd(conditions));
};

const prefetchOwnerSide = (
  context: WriteContext,
  { mapping, operation }: RelationWrite,
): Prefetch<StoredLinks> => {
  const refs = operation === null ? [] : linkedRefs(operation);
  return combine<StoredLinks>({
    lastPositionByTarget: prefetchLastPositionByTarget(context, mapping, refs),
    entries: prefetchEntriesOfRows(
      context.database.dialect.expressions,
      mapping,
      linkingRowIds(context, mapping),
    ),
    conflictingLinks: prefetchConflictingOwners(context, mapping, refs),
    lastPositionByOwner: noPositions(),
    lastPosition: resolvedPrefetch(0),
  });
};

/** Conditions for the links to this document that belong to the written locale. */
const conditionsForDocument = (context: WriteContext, mapping: RelationMapping): readonly Condition[] => {
  const byDocumentId = sql`${entrySource(mapping).targetDocumentId} = ${context.documentId}`;
  if (!mapping.declaringType.localized || mapping.localeStoredIn === 'none') return [byDocumentId];
  return [
    byDocumentId,
    mapping.localeStoredIn === 'owner'
      ? sql`s.locale = ${context.locale}`
      : sql`l.target_locale = ${context.locale}`,
  ];
};

/** Selects the last position in this document's list. */
const prefetchLastPosition = (context: WriteContext, mapping: RelationMapping): Prefetch<number> => {
  const { link } = mapping;
  if (!hasInverseOrder(link)) return resolvedPrefetch(0);
  const position = sql`${sql.id(link.kind === 'column' ? 's' : 'l', inversePositionColumn(link))}`;
  const conditions = [...conditionsForDocument(context, mapping), sql`${position} is not null`];
  const { tables } = entrySource(mapping);
  const positions = sql`select ${position} as place from ${tables} where ${joinAnd(conditions)}`;
  const rows = prefetchRows(
    { position: integerColumn(sql`place`) },
    sql`(${positions} order by ${position} desc limit 1) as last_place`,
  );
  return mapPrefetch(rows, ([last]) => last?.position ?? 0);
};

/** Condition that a link belongs to one of the documents that are to link to this one. */
const belongsToOwner = (
  { database: { dialect } }: WriteContext,
  { owner }: RelationMapping,
  sourceId: RawBuilder<unknown>,
  refs: readonly LinkRef[],
): Condition => {
  const versions = sql.id(owner.storage.version.table);
  const isOwner = matchesAnyRef(dialect.expressions, owner, sql`document_id`, refs);
  return sql`${sourceId} in (select id from ${versions} where ${isOwner})`;
};

const prefetchLastPositionByOwner = (
  context: WriteContext,
  mapping: RelationMapping,
  refs: readonly LinkRef[],
): Prefetch<ReadonlyMap<number, number>> => {
  const { link } = mapping;
  if (link.kind === 'column' || !link.ownerMany || refs.length === 0) return noPositions();
  const isOwned = belongsToOwner(context, mapping, sql`source_id`, refs);
  const rows = prefetchRows(
    { sourceId: integerColumn(sql`source_id`), position: integerColumn(sql`max(position)`) },
    sql`${sql.id(link.table)} where ${isOwned} group by source_id`,
  );
  return mapPrefetch(rows, (found) => new Map(found.map(({ sourceId, position }) => [sourceId, position])));
};

/** Selects the links of owners that can have one target only. */
const prefetchPreviousTargets = (
  context: WriteContext,
  mapping: RelationMapping,
  refs: readonly LinkRef[],
): Prefetch<readonly LinkEntry[]> => {
  const { link } = mapping;
  if (link.kind === 'column' || link.ownerMany || refs.length === 0) return NO_LINKS;
  return prefetchEntries(mapping, belongsToOwner(context, mapping, sql`l.source_id`, refs));
};

/** By the rows that own links, which have an index with their targets. A target may have very many links. */
const isOfOwners = (context: WriteContext, mapping: RelationMapping, refs: readonly LinkRef[]): Condition =>
  mapping.link.kind === 'column'
    ? matchesAnyRef(
        context.database.dialect.expressions,
        mapping.owner,
        entrySource(mapping).sourceDocumentId,
        refs,
      )
    : belongsToOwner(context, mapping, sql`l.source_id`, refs);

const prefetchInverseSide = (context: WriteContext, write: RelationWrite): Prefetch<StoredLinks> => {
  const { mapping, operation } = write;
  const isAppending = operation !== null && isAppendOnly(write);
  const refs = operation === null ? [] : linkedRefs(operation);
  const conditions = [
    ...conditionsForDocument(context, mapping),
    ...(isAppending ? [isOfOwners(context, mapping, allRefs(operation))] : []),
  ];
  return combine<StoredLinks>({
    lastPosition: isAppending ? prefetchLastPosition(context, mapping) : resolvedPrefetch(0),
    entries: operation === null ? NO_LINKS : prefetchEntries(mapping, joinAnd(conditions)),
    conflictingLinks: prefetchPreviousTargets(context, mapping, refs),
    lastPositionByOwner: prefetchLastPositionByOwner(context, mapping, refs),
    lastPositionByTarget: noPositions(),
  });
};

/** Selects everything that has to be known to change one attribute's links. */
export function prefetchLinks(context: WriteContext, write: RelationWrite): Prefetch<StoredLinks> {
  return write.mapping.attribute.side === 'owner'
    ? prefetchOwnerSide(context, write)
    : prefetchInverseSide(context, write);
}
