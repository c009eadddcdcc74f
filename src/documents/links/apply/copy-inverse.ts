import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ColumnLink, VersionStatus } from '../../../model/model.js';
import {
  combine,
  combineList,
  integerColumn,
  mapPrefetch,
  nullableIntegerColumn,
  prefetchRows,
  runPrefetch,
} from '../../prefetch.js';
import type { Prefetch, PrefetchRow } from '../../prefetch.js';
import type { WriteContext } from '../../write-context.js';
import { createLinkChanges } from './link-changes.js';
import type { LinkChanges } from './link-changes.js';
import { findPlace, makeRoom, neighbourColumns, NO_NEIGHBOURS } from './place-links.js';
import type { ListQuery, MadeRoom, NeighbourColumns } from './place-links.js';
import { hasInverseOrder, linkTable, singleTarget } from '../relation-mapping.js';
import type { RelationMapping } from '../relation-mapping.js';

/** The status whose links are copied, and the status they are copied to. */
export interface CopyDirection {
  readonly from: VersionStatus;
  readonly to: VersionStatus;
}

interface InverseCopy extends CopyDirection {
  readonly context: Pick<WriteContext, 'documentId' | 'locale' | 'type' | 'database'>;
  readonly mapping: RelationMapping;
}

type Fragment = RawBuilder<unknown>;

/*
 * Aliases: `s` is the owner's version that is copied to and `o` the one that is copied from. `l` and `m` are
 * the rows of the link table that belong to them.
 */

/** A link in the destination that the source does not have, or has in another position. */
const outdatedColumns = (rowId: Fragment, sourceRowId: Fragment, position: Fragment) => ({
  rowId: integerColumn(rowId),
  /** Null: the source has no such link. */
  sourceRowId: nullableIntegerColumn(sourceRowId),
  inversePosition: integerColumn(position),
});

/** A link in the source that the destination does not have. */
const missingColumns = (
  ownerId: Fragment,
  columns: {
    readonly inversePosition: Fragment;
    readonly conflict: Fragment;
    /** Where the link belongs in the owner's list. */
    readonly neighbours: NeighbourColumns;
  },
) => ({
  /** The owner's version that gets the link. */
  ownerId: integerColumn(ownerId),
  inversePosition: integerColumn(columns.inversePosition),
  ...columns.neighbours,
  /** The link that the new one replaces, if the owner can have one target only. */
  conflictingRowId: nullableIntegerColumn(columns.conflict),
});

interface Differences {
  readonly outdated: readonly PrefetchRow<ReturnType<typeof outdatedColumns>>[];
  readonly missing: readonly PrefetchRow<ReturnType<typeof missingColumns>>[];
}

/**
 * Condition that the owner's links may change. A link of a two-way relation is published with either end.
 * Other links change only where the owner has no unpublished edits, which may have changed the link itself.
 */
const mayChange = ({ to, mapping }: InverseCopy): Fragment => {
  if (to === 'draft') return sql`o.updated_at >= s.updated_at`;
  return mapping.link.kind === 'morph' ? sql`s.updated_at >= o.updated_at` : sql`1 = 1`;
};

const isSameDocument = sql`o.document_id = s.document_id and o.locale = s.locale`;

/**
 * Condition on the status of both versions. One is found by its link, and not by its status, as a planner
 * without statistics would: nearly all versions of a table have it.
 */
const statusPair = ({ context, from, to }: InverseCopy, byLink: 's' | 'o'): Fragment => {
  const isStatus = (alias: 's' | 'o', status: VersionStatus): Fragment => {
    const column = sql.id(alias, 'status');
    return alias === byLink
      ? context.database.dialect.expressions.unselectiveEqual({ column, value: sql`${status}` })
      : sql`${column} = ${status}`;
  };
  return sql`${isStatus('s', to)} and ${isStatus('o', from)}`;
};

const ownerLocale = ({ context, mapping }: InverseCopy): Fragment =>
  context.type.localized && mapping.localeStoredIn === 'owner'
    ? sql` and s.locale = ${context.locale}`
    : sql``;

const prefetchColumnLinks = (copy: InverseCopy, link: ColumnLink): Prefetch<Differences> => {
  const { context, mapping } = copy;
  const { documentId } = context;
  const versions = sql.id(mapping.owner.storage.version.table);
  const foreignKey = (alias: string): Fragment => sql.id(alias, link.column);
  const pointsHere = (alias: string): Fragment => sql`${foreignKey(alias)} = ${documentId}`;
  const pointsElsewhere = (alias: string): Fragment =>
    sql`(${foreignKey(alias)} is null or ${foreignKey(alias)} <> ${documentId})`;
  const position = (alias: string): Fragment =>
    link.position === null ? sql`0` : sql`coalesce(${sql.id(alias, link.position.column)}, 0)`;
  const joined = sql`${versions} as s join ${versions} as o on ${isSameDocument}`;
  const condition = (byLink: 's' | 'o'): Fragment =>
    sql`${statusPair(copy, byLink)} and ${mayChange(copy)}${ownerLocale(copy)}`;
  const isMoved = sql`${position('o')} <> ${position('s')}`;
  return combine<Differences>({
    outdated: prefetchRows(
      outdatedColumns(sql`s.id`, sql`case when ${pointsHere('o')} then o.id end`, position('o')),
      sql`${joined} where ${pointsHere('s')} and (${pointsElsewhere('o')} or ${isMoved})
        and ${condition('s')}`,
    ),
    missing: prefetchRows(
      missingColumns(sql`s.id`, {
        inversePosition: position('o'),
        conflict: sql`null`,
        neighbours: NO_NEIGHBOURS,
      }),
      sql`${joined} where ${pointsHere('o')} and ${pointsElsewhere('s')} and ${condition('o')}`,
    ),
  });
};

/** How the destination's and the source's links are paired. */
interface TablePair {
  /** Starts at the destination's link. `m` is null if the source has no such link. */
  readonly fromDestination: Fragment;
  /** Starts at the source's link. `l` is null if the destination has no such link. */
  readonly fromSource: Fragment;
  /** Of the version whose link is looked up, and of the other one. */
  readonly condition: (byLink: 's' | 'o') => Fragment;
  /** The owner's version that gets a missing link. */
  readonly ownerId: Fragment;
}

/** Pairs links that store their status themselves: both belong to the same version of the owner. */
const linkStatusPair = (copy: InverseCopy, table: Fragment, isSameLink: Fragment): TablePair => {
  const versions = sql.id(copy.mapping.owner.storage.version.table);
  const isSource = sql`m.target_status = ${copy.from} and ${isSameLink}`;
  const isDestination = sql`l.target_status = ${copy.to} and ${isSameLink}`;
  return {
    fromDestination: sql`${table} as l
      join ${versions} as s on s.id = l.source_id
      left join ${table} as m on m.source_id = l.source_id and ${isSource}`,
    fromSource: sql`${table} as m
      join ${versions} as s on s.id = m.source_id
      left join ${table} as l on l.source_id = m.source_id and ${isDestination}`,
    condition: () => sql`1 = 1${ownerLocale(copy)}`,
    ownerId: sql`m.source_id`,
  };
};

/** Pairs links whose status is that of the owner's version: they belong to different versions. */
const ownerStatusPair = (copy: InverseCopy, table: Fragment, isSameLink: Fragment): TablePair => {
  const versions = sql.id(copy.mapping.owner.storage.version.table);
  return {
    fromDestination: sql`${table} as l
      join ${versions} as s on s.id = l.source_id
      join ${versions} as o on ${isSameDocument}
      left join ${table} as m on m.source_id = o.id and ${isSameLink}`,
    fromSource: sql`${table} as m
      join ${versions} as o on o.id = m.source_id
      join ${versions} as s on ${isSameDocument}
      left join ${table} as l on l.source_id = s.id and ${isSameLink}`,
    condition: (byLink) => sql`${statusPair(copy, byLink)} and ${mayChange(copy)}${ownerLocale(copy)}`,
    ownerId: sql`s.id`,
  };
};

/** The list of an owner's version. Documents of several types have ids of their own. */
const ownerList = (
  { context, mapping }: InverseCopy,
  ownerId: Fragment,
  status: VersionStatus,
): ListQuery => {
  const { link } = mapping;
  const columns =
    link.kind === 'morph' ? link.targets.map(({ column }) => column) : [singleTarget(mapping).column];
  const [column = '', ...others] = columns;
  const member =
    others.length === 0
      ? sql.id('x', column)
      : sql`coalesce(${sql.join(columns.map((name) => sql.id('x', name)))})`;
  const ofStatus = mapping.statusStoredIn === 'link' ? sql` and x.target_status = ${status}` : sql``;
  const ofLocale = mapping.localeStoredIn === 'link' ? sql` and x.target_locale = ${context.locale}` : sql``;
  return sql`(select x.id, ${member} as member, x.position as place from ${sql.id(linkTable(mapping))} as x
    where x.source_id = ${ownerId}${ofStatus}${ofLocale})`;
};

const prefetchTableLinks = (copy: InverseCopy, tableName: string): Prefetch<Differences> => {
  const { context, mapping, from, to } = copy;
  const table = sql.id(tableName);
  const isLinkStatus = mapping.statusStoredIn === 'link';
  const isLinkLocale = mapping.localeStoredIn === 'link';
  const pointsHere = (alias: string): Fragment =>
    sql`${sql.id(alias, singleTarget(mapping).column)} = ${context.documentId}`;
  const isSameLocale = isLinkLocale ? sql` and l.target_locale = m.target_locale` : sql``;
  const isSameLink = sql`${pointsHere('l')} and ${pointsHere('m')}${isSameLocale}`;
  const pair = (isLinkStatus ? linkStatusPair : ownerStatusPair)(copy, table, isSameLink);
  /** Condition on the status and locale that the link stores. */
  const belongsTo = (alias: string, status: VersionStatus): Fragment => {
    const ofStatus = isLinkStatus ? sql` and ${sql.id(alias, 'target_status')} = ${status}` : sql``;
    const ofLocale = isLinkLocale ? sql` and ${sql.id(alias, 'target_locale')} = ${context.locale}` : sql``;
    return sql`${ofStatus}${ofLocale}`;
  };
  const position = (alias: string): Fragment =>
    hasInverseOrder(mapping.link) ? sql`coalesce(${sql.id(alias, 'inverse_position')}, 0)` : sql`0`;
  const isSingleTarget = mapping.link.kind !== 'column' && !mapping.link.ownerMany;
  const conflictingLink = sql`(
    select min(z.id) from ${table} as z where z.source_id = ${pair.ownerId}${belongsTo('z', to)}
  )`;
  return combine<Differences>({
    outdated: prefetchRows(
      outdatedColumns(sql`l.id`, sql`m.id`, position('m')),
      sql`${pair.fromDestination}
        where ${pointsHere('l')}${belongsTo('l', to)}
          and (m.id is null or ${position('m')} <> ${position('l')}) and ${pair.condition('s')}`,
    ),
    missing: prefetchRows(
      missingColumns(pair.ownerId, {
        inversePosition: position('m'),
        conflict: isSingleTarget ? conflictingLink : sql`null`,
        neighbours: isSingleTarget
          ? NO_NEIGHBOURS
          : neighbourColumns({
              from: ownerList(copy, sql`m.source_id`, from),
              to: ownerList(copy, pair.ownerId, to),
              member: sql`${context.documentId}`,
              place: sql`m.position`,
            }),
      }),
      sql`${pair.fromSource}
        where ${pointsHere('m')}${belongsTo('m', from)} and l.id is null
          and ${pair.condition('o')}`,
    ),
  });
};

/** Adds the changes, and returns the lists in which links have to make room. */
const addChanges = (
  copy: InverseCopy,
  { outdated, missing }: Differences,
  changes: LinkChanges,
): readonly MadeRoom[] => {
  const {
    context: { documentId, locale },
    mapping,
    to,
  } = copy;
  const rooms: MadeRoom[] = [];
  for (const { rowId, sourceRowId, inversePosition } of outdated) {
    if (sourceRowId === null) changes.remove(mapping, { rowId });
    else changes.move(mapping, rowId, 'inverse', inversePosition);
  }
  for (const { ownerId, inversePosition, conflictingRowId, ...neighbours } of missing) {
    if (mapping.link.kind === 'column') {
      changes.assign(mapping, { rowId: ownerId, documentId, inversePosition });
      continue;
    }
    if (conflictingRowId !== null) changes.remove(mapping, { rowId: conflictingRowId });
    const { position, isTaken } = findPlace(neighbours);
    if (isTaken)
      rooms.push({
        table: linkTable(mapping),
        column: 'position',
        list: ownerList(copy, sql.lit(ownerId), to),
        position,
      });
    changes.insert(mapping, {
      sourceId: ownerId,
      position,
      inversePosition: hasInverseOrder(mapping.link) ? inversePosition : null,
      targetType: mapping.declaringType.uid,
      targetDocumentId: documentId,
      targetStatus: mapping.statusStoredIn === 'link' ? to : null,
      targetLocale: mapping.localeStoredIn === 'link' ? locale : null,
    });
  }
  return rooms;
};

const prefetchCopy = (copy: InverseCopy): Prefetch<readonly [InverseCopy, Differences]> => {
  const { link } = copy.mapping;
  const differences =
    link.kind === 'column' ? prefetchColumnLinks(copy, link) : prefetchTableLinks(copy, link.table);
  return mapPrefetch(differences, (found) => [copy, found]);
};

const prefetchCopies = (
  context: WriteContext,
  mappings: readonly RelationMapping[],
  direction: CopyDirection,
): readonly Prefetch<readonly [InverseCopy, Differences]>[] =>
  mappings
    .filter(({ attribute, statusStoredIn }) => attribute.side === 'inverse' && statusStoredIn !== 'none')
    .map((mapping) => prefetchCopy({ ...direction, context, mapping }));

/** Whether {@link copyInverse} would change nothing in any of the documents. */
export async function areInversesEqual(
  documents: readonly { readonly context: WriteContext; readonly mappings: readonly RelationMapping[] }[],
  direction: CopyDirection,
): Promise<boolean> {
  const [first] = documents;
  if (first === undefined || !first.context.type.draftAndPublish) return true;
  const copies = documents.flatMap(({ context, mappings }) => prefetchCopies(context, mappings, direction));
  const { tx, database } = first.context;
  const found = await runPrefetch(tx, database.dialect.expressions, combineList(copies));
  return found.every(([, { outdated, missing }]) => outdated.length === 0 && missing.length === 0);
}

/**
 * Copies the links to a document's draft to its published version, or back. That publishes edits of inverse
 * sides together with the document on which they were made. Only links that differ are loaded.
 */
export async function copyInverse(
  context: WriteContext,
  mappings: readonly RelationMapping[],
  direction: CopyDirection,
): Promise<void> {
  if (!context.type.draftAndPublish) return;
  const copies = prefetchCopies(context, mappings, direction);
  const changes = createLinkChanges();
  const found = await runPrefetch(context.tx, context.database.dialect.expressions, combineList(copies));
  const rooms = found.flatMap(([copy, differences]) => addChanges(copy, differences, changes));
  for (const room of rooms) await makeRoom(context, room);
  await changes.apply(context);
}
