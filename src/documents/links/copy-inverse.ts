import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { defined } from '../../lib/assert.js';
import type { ColumnLink, VersionStatus } from '../../model/model.js';
import type { ParsedWrite } from '../write/parse-writes.js';
import {
  combine,
  combineList,
  integerColumn,
  mapPrefetch,
  nullableIntegerColumn,
  positionColumn,
  prefetchRows,
  runPrefetch,
} from '../write/prefetch.js';
import type { Prefetch, PrefetchRow } from '../write/prefetch.js';
import { BatchConflict, hasPendingEdits, primaryRow } from '../write/write-context.js';
import type { WriteContext } from '../write/write-context.js';
import { assertMayLink } from '../write/write-limits.js';
import { applyLinkChanges } from './link-changes.js';
import type { LinkChange } from './link-changes.js';
import { hasInverseOrder, singleTarget } from './relation-mapping.js';
import type { RelationMapping } from './relation-mapping.js';

/** A copy of the links to one document, from one status to the other. */
interface InverseCopy {
  readonly from: VersionStatus;
  readonly to: VersionStatus;
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
  /** Null if the source lacks the link. */
  sourceRowId: nullableIntegerColumn(sourceRowId),
  inversePosition: positionColumn(position),
});

/** A link in the source that the destination does not have. */
const missingColumns = (
  ownerId: Fragment,
  columns: {
    readonly position: Fragment;
    readonly inversePosition: Fragment;
    readonly conflict: Fragment;
  },
) => ({
  /** The owner's version that gets the link. */
  ownerId: integerColumn(ownerId),
  position: positionColumn(columns.position),
  inversePosition: positionColumn(columns.inversePosition),
  /** The link that the new one replaces, if the owner can have only one target. */
  conflictingRowId: nullableIntegerColumn(columns.conflict),
});

interface Differences {
  readonly outdated: readonly PrefetchRow<ReturnType<typeof outdatedColumns>>[];
  readonly missing: readonly PrefetchRow<ReturnType<typeof missingColumns>>[];
}

/**
 * Returns the condition that the owner's links may change. A link of a two-way relation is published with
 * either end. Other links change only if the owner has no unpublished edits, which may have changed the link.
 */
const mayChange = ({ to, mapping }: InverseCopy): Fragment => {
  if (to === 'draft') return sql`o.updated_at >= s.updated_at`;
  return mapping.link.kind === 'morph' ? sql`s.updated_at >= o.updated_at` : sql`1 = 1`;
};

const isSameDocument = sql`o.document_id = s.document_id and o.locale = s.locale`;

/**
 * Returns the condition on the status of both versions. One version is looked up by its link. A planner
 * without statistics would use the status, which nearly all versions of a table share.
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
  const pointsToDocument = (alias: string): Fragment => sql`${foreignKey(alias)} = ${documentId}`;
  const pointsToOther = (alias: string): Fragment =>
    sql`(${foreignKey(alias)} is null or ${foreignKey(alias)} <> ${documentId})`;
  const position = (alias: string): Fragment =>
    link.position === null ? sql`0` : sql`coalesce(${sql.id(alias, link.position.column)}, 0)`;
  const joined = sql`${versions} as s join ${versions} as o on ${isSameDocument}`;
  const condition = (byLink: 's' | 'o'): Fragment =>
    sql`${statusPair(copy, byLink)} and ${mayChange(copy)}${ownerLocale(copy)}`;
  const isMoved = sql`${position('o')} <> ${position('s')}`;
  return combine<Differences>({
    outdated: prefetchRows(
      outdatedColumns(sql`s.id`, sql`case when ${pointsToDocument('o')} then o.id end`, position('o')),
      sql`${joined} where ${pointsToDocument('s')} and (${pointsToOther('o')} or ${isMoved})
        and ${condition('s')}`,
    ),
    missing: prefetchRows(
      missingColumns(sql`s.id`, {
        inversePosition: position('o'),
        position: sql`null`,
        conflict: sql`null`,
      }),
      sql`${joined} where ${pointsToDocument('o')} and ${pointsToOther('s')} and ${condition('o')}`,
    ),
  });
};

/** SQL fragments that pair the destination's and the source's links. */
interface TablePair {
  /** Starts at the destination's link. `m` is null if the source has no such link. */
  readonly fromDestination: Fragment;
  /** Starts at the source's link. `l` is null if the destination has no such link. */
  readonly fromSource: Fragment;
  /** The condition on both versions. `byLink` is the one that is looked up by its link. */
  readonly condition: (byLink: 's' | 'o') => Fragment;
  /** The owner's version that gets a missing link. */
  readonly ownerId: Fragment;
}

/** Pairs links that store a status. Both belong to the same version of the owner. */
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

/** Pairs links whose status is that of the owner's version. They belong to different versions. */
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

const prefetchTableLinks = (copy: InverseCopy, tableName: string): Prefetch<Differences> => {
  const { context, mapping, from, to } = copy;
  const table = sql.id(tableName);
  const isLinkStatus = mapping.statusStoredIn === 'link';
  const isLinkLocale = mapping.localeStoredIn === 'link';
  const pointsToDocument = (alias: string): Fragment =>
    sql`${sql.id(alias, singleTarget(mapping).column)} = ${context.documentId}`;
  const isSameLocale = isLinkLocale ? sql` and l.target_locale = m.target_locale` : sql``;
  const isSameLink = sql`${pointsToDocument('l')} and ${pointsToDocument('m')}${isSameLocale}`;
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
        where ${pointsToDocument('l')}${belongsTo('l', to)}
          and (m.id is null or ${position('m')} <> ${position('l')}) and ${pair.condition('s')}`,
    ),
    missing: prefetchRows(
      missingColumns(pair.ownerId, {
        position: sql`m.position`,
        inversePosition: position('m'),
        conflict: isSingleTarget ? conflictingLink : sql`null`,
      }),
      sql`${pair.fromSource}
        where ${pointsToDocument('m')}${belongsTo('m', from)} and l.id is null
          and ${pair.condition('o')}`,
    ),
  });
};

const changesOf = (copy: InverseCopy, { outdated, missing }: Differences): readonly LinkChange[] => {
  const {
    context: { documentId, locale },
    mapping,
    to,
  } = copy;
  const changed = outdated.map(({ rowId, sourceRowId, inversePosition }): LinkChange =>
    sourceRowId === null
      ? { kind: 'remove', mapping, rowId }
      : { kind: 'move', mapping, rowId, side: 'inverse', position: inversePosition ?? 0 },
  );
  const added = missing.flatMap(
    ({ ownerId, position, inversePosition, conflictingRowId }): readonly LinkChange[] => {
      if (mapping.link.kind === 'column')
        return [{ kind: 'assign', mapping, rowId: ownerId, documentId, inversePosition }];
      const entry = {
        sourceId: ownerId,
        position: position ?? 0,
        inversePosition: hasInverseOrder(mapping.link) ? inversePosition : null,
        targetType: mapping.declaringType.uid,
        targetDocumentId: documentId,
        targetStatus: mapping.statusStoredIn === 'link' ? to : null,
        targetLocale: mapping.localeStoredIn === 'link' ? locale : null,
      };
      return [
        ...(conflictingRowId === null ? [] : [{ kind: 'remove', mapping, rowId: conflictingRowId } as const]),
        { kind: 'insert', mapping, entry },
      ];
    },
  );
  return [...changed, ...added];
};

const prefetchCopy = (copy: InverseCopy): Prefetch<readonly LinkChange[]> => {
  const { link } = copy.mapping;
  const differences =
    link.kind === 'column' ? prefetchColumnLinks(copy, link) : prefetchTableLinks(copy, link.table);
  return mapPrefetch(differences, (found) => changesOf(copy, found));
};

/**
 * Returns the inverse sides to publish with a document that was saved before: those of two-way relations, and
 * those of polymorphic ones if this draft has edits. A list that this write sets as a whole is already the
 * same in both versions.
 */
const publishedMappings = ({ context, parsed }: ParsedWrite): readonly RelationMapping[] =>
  context.publish && primaryRow(context) !== undefined
    ? context
        .relationsOf(context.type)
        .filter(
          ({ attribute, link }) =>
            parsed.links.get(attribute.name)?.kind !== 'set' &&
            (link.kind !== 'morph' || hasPendingEdits(context)),
        )
    : [];

/**
 * Copies the links to drafts to their published versions, or back. This publishes edits of inverse sides
 * with their document. Only links that differ are loaded.
 *
 * @param from the status whose links are copied
 * @throws BatchConflict if the links of one document of a batch differ
 */
export async function copyInverse(writes: readonly ParsedWrite[], from: VersionStatus): Promise<void> {
  const { context } = defined(writes[0], 'A write');
  if (!context.type.draftAndPublish) return;
  const to = from === 'draft' ? 'published' : 'draft';
  const copies = writes.flatMap((write) =>
    (from === 'draft' ? publishedMappings(write) : write.context.relationsOf(write.context.type))
      .filter(({ attribute, statusStoredIn }) => attribute.side === 'inverse' && statusStoredIn !== 'none')
      .map((mapping) => prefetchCopy({ context: write.context, mapping, from, to })),
  );
  const found = await runPrefetch(context.tx, context.database.dialect.expressions, combineList(copies));
  const changes = found.flat();
  if (changes.length > 0 && writes.length > 1) throw new BatchConflict();
  await assertMayLink(context, changes);
  await applyLinkChanges(context, changes);
}
