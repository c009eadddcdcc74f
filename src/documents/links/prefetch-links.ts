import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { defined } from '../../lib/assert.js';
import type { Link } from '../../model/model.js';
import type { LinkOperation, LinkRef } from '../validation/input.js';
import {
  combine,
  combineList,
  mapPrefetch,
  positionColumn,
  resolvedPrefetch,
  prefetchRows,
  textColumn,
} from '../write/prefetch.js';
import type { Prefetch } from '../write/prefetch.js';
import { primaryRow, publishedRow } from '../write/write-context.js';
import type { WriteContext } from '../write/write-context.js';
import { entrySource, prefetchEntries, prefetchEntriesOfRows } from './prefetch-entries.js';
import {
  groupBySource,
  hasInverseOrder,
  isPartial,
  isShared,
  linkTable,
  positionCounter,
  singleTarget,
} from './relation-mapping.js';
import type { LinkEntry, RelationMapping, RelationWrite, StoredLinks } from './relation-mapping.js';
import { allRefs, linkedRefs, matchesAnyRef } from './resolve-targets.js';

type Condition = RawBuilder<unknown>;

const NO_LINKS: Prefetch<readonly LinkEntry[]> = resolvedPrefetch([]);

const joinAnd = (conditions: readonly Condition[]): Condition => sql`(${sql.join(conditions, sql` and `)})`;

/** Returns the column that holds the position in the inverse side's list. */
const inversePositionColumn = (link: Link): string =>
  link.kind === 'column'
    ? defined(link.position, "The position column of a link's inverse side").column
    : 'inverse_position';

/**
 * Selects the last position in each target's list, after which new links are appended. One subquery per
 * target uses an index. Grouping by target would read the whole lists.
 */
function prefetchNextPositions(
  { database: { dialect } }: WriteContext,
  mapping: RelationMapping,
  refs: readonly LinkRef[],
): Prefetch<StoredLinks['nextPosition']> {
  const { link } = mapping;
  if (!hasInverseOrder(link) || refs.length === 0) return resolvedPrefetch(positionCounter(new Map()));
  const { type, column } = singleTarget(mapping);
  const target = sql`t.document_id`;
  const position = sql.id(inversePositionColumn(link));
  const rows = prefetchRows(
    {
      documentId: textColumn(target),
      position: positionColumn(
        sql`(select max(${position}) from ${sql.id(linkTable(mapping))} where ${sql.id(column)} = ${target})`,
      ),
    },
    sql`${sql.id(type.storage.document.table)} as t
      where ${matchesAnyRef(dialect.expressions, type, target, refs)}`,
  );
  return mapPrefetch(rows, (found) =>
    positionCounter(new Map(found.map(({ documentId, position: last }) => [documentId, last ?? 0]))),
  );
}

/** Returns the ids of the version rows of the written locale, or of all locales if they share their links. */
export const linkingRowIds = ({ rows, locale }: WriteContext, mapping: RelationMapping): readonly number[] =>
  rows.filter((row) => isShared(mapping) || row.locale === locale).map(({ id }) => id);

/**
 * Returns the documents that columns of the written versions already link. Publishing removes them from their
 * previous owners.
 */
const currentTargets = (
  context: WriteContext,
  { link }: RelationMapping,
): readonly Pick<LinkRef, 'documentId' | 'id'>[] =>
  [primaryRow(context), publishedRow(context)].flatMap((row) => {
    const documentId = link.kind === 'column' ? row?.values[link.field] : undefined;
    return typeof documentId === 'string' ? [{ documentId, id: null }] : [];
  });

/** One document's write of a relation. */
export interface OwnerWrite {
  readonly context: WriteContext;
  readonly write: RelationWrite;
}

/** The writes of one relation of one type in one locale, at least one. */
interface OwnerWrites {
  readonly mapping: RelationMapping;
  readonly context: WriteContext;
  readonly documentIds: readonly string[];
  /** The ids of {@link linkingRowIds}. */
  readonly rowIds: readonly number[];
  /** The documents that the writes link. */
  readonly refs: readonly LinkRef[];
  readonly current: ReturnType<typeof currentTargets>;
}

/** Returns the condition that a link points at a document that the written ones link, or will link. */
const pointsAtLinkedTarget = ({ mapping, context, rowIds, refs, current }: OwnerWrites): Condition => {
  const { expressions } = context.database.dialect;
  const { targetDocumentId } = entrySource(mapping);
  const { type, column } = singleTarget(mapping);
  const byRef = matchesAnyRef(expressions, type, targetDocumentId, [...refs, ...current]);
  if (mapping.link.kind === 'column') return byRef;
  const isOfDocument = expressions.inList(
    sql`source_id`,
    'integer',
    expressions.encodeList('integer', rowIds),
  );
  const links = sql.id(linkTable(mapping));
  const linkedTargets = sql`select ${sql.id(column)} from ${links} where ${isOfDocument}`;
  return sql`(${byRef} or ${targetDocumentId} in (${linkedTargets}))`;
};

const prefetchConflictingOwners = (writes: OwnerWrites): Prefetch<readonly LinkEntry[]> => {
  const { mapping, context, documentIds } = writes;
  if (!mapping.link.exclusive) return NO_LINKS;
  const { expressions } = context.database.dialect;
  const isWritten = expressions.inList(
    entrySource(mapping).sourceDocumentId,
    'text',
    expressions.encodeList('text', documentIds),
  );
  const conditions = [pointsAtLinkedTarget(writes), sql`not ${isWritten}`, sql`s.locale = ${context.locale}`];
  return prefetchEntries(mapping, joinAnd(conditions));
};

const prefetchOwnerSide = (
  mapping: RelationMapping,
  writes: readonly OwnerWrite[],
): Prefetch<readonly StoredLinks[]> => {
  const { context } = defined(writes[0], 'A write');
  const owners: OwnerWrites = {
    mapping,
    context,
    documentIds: writes.map((each) => each.context.documentId),
    rowIds: writes.flatMap((each) => linkingRowIds(each.context, mapping)),
    refs: writes.flatMap(({ write }) => (write.operation === null ? [] : linkedRefs(write.operation))),
    current: writes.flatMap((each) => currentTargets(each.context, mapping)),
  };
  const parts = combine({
    nextPosition: prefetchNextPositions(context, mapping, owners.refs),
    entries: prefetchEntriesOfRows(context.database.dialect.expressions, mapping, owners.rowIds),
    conflictingLinks: prefetchConflictingOwners(owners),
  });
  return mapPrefetch(parts, ({ nextPosition, entries, conflictingLinks }) => {
    const bySource = groupBySource(entries);
    return writes.map((each) => ({
      entries: linkingRowIds(each.context, mapping).flatMap((id) => bySource.get(id) ?? []),
      conflictingLinks,
      nextPosition,
      neighbourPositions: [],
    }));
  });
};

/** Returns the conditions for the links to this document in the written locale. */
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

/** Returns the condition that a link belongs to one of the referenced owners. */
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

/** Selects the last position in the list of each owner, in any of its versions. */
const prefetchNextOwnerPositions = (
  { database: { dialect } }: WriteContext,
  { link, owner }: RelationMapping,
  refs: readonly LinkRef[],
): Prefetch<StoredLinks['nextPosition']> => {
  if (link.kind === 'column' || !link.ownerMany || refs.length === 0)
    return resolvedPrefetch(positionCounter(new Map()));
  const documentId = sql`v.document_id`;
  const rows = prefetchRows(
    {
      documentId: textColumn(documentId),
      position: positionColumn(sql`(select max(position) from ${sql.id(link.table)} where source_id = v.id)`),
    },
    sql`${sql.id(owner.storage.version.table)} as v
      where ${matchesAnyRef(dialect.expressions, owner, documentId, refs)}`,
  );
  return mapPrefetch(rows, (versions) => {
    const last = new Map<string, number>();
    for (const version of versions)
      last.set(version.documentId, Math.max(last.get(version.documentId) ?? 0, version.position ?? 0));
    return positionCounter(last);
  });
};

/** Selects the links of owners that can have only one target. */
const prefetchPreviousTargets = (
  context: WriteContext,
  mapping: RelationMapping,
  refs: readonly LinkRef[],
): Prefetch<readonly LinkEntry[]> => {
  const { link } = mapping;
  if (link.kind === 'column' || link.ownerMany || refs.length === 0) return NO_LINKS;
  return prefetchEntries(mapping, belongsToOwner(context, mapping, sql`l.source_id`, refs));
};

/**
 * Returns the condition for the links of owners. It uses the index of owners, since a target may have many
 * links.
 */
const isOfOwners = (context: WriteContext, mapping: RelationMapping, refs: readonly LinkRef[]): Condition =>
  mapping.link.kind === 'column'
    ? matchesAnyRef(
        context.database.dialect.expressions,
        mapping.owner,
        entrySource(mapping).sourceDocumentId,
        refs,
      )
    : belongsToOwner(context, mapping, sql`l.source_id`, refs);

/**
 * Selects the first and the last position in this document's list, and those before and after each document
 * that a position refers to. The lists of all versions count, so that no two versions use a position for
 * different links.
 */
const prefetchNeighbourPositions = (
  context: WriteContext,
  mapping: RelationMapping,
  operation: LinkOperation & { readonly kind: 'change' },
): Prefetch<readonly number[]> => {
  const { link } = mapping;
  if (!hasInverseOrder(link)) return resolvedPrefetch([]);
  const name = inversePositionColumn(link);
  const position = sql.id('x', name);
  const nearest = (end: 'min' | 'max', condition: Condition): Condition =>
    sql`(select ${sql.raw(end)}(${position}) from ${sql.id(linkTable(mapping))} as x
      where ${sql.id('x', singleTarget(mapping).column)} = ${context.documentId}${condition})`;
  const ends = prefetchRows(
    { first: positionColumn(nearest('min', sql``)), last: positionColumn(nearest('max', sql``)) },
    sql`${sql.id(context.type.storage.document.table)} where document_id = ${context.documentId}`,
  );
  const named = sql.id(link.kind === 'column' ? 's' : 'l', name);
  const references = operation.connect.flatMap(({ position: at }) => ('ref' in at ? [at.ref] : []));
  const around =
    references.length === 0
      ? resolvedPrefetch([])
      : prefetchRows(
          {
            previous: positionColumn(nearest('max', sql` and ${position} < ${named}`)),
            next: positionColumn(nearest('min', sql` and ${position} > ${named}`)),
          },
          sql`${entrySource(mapping).tables} where ${joinAnd([
            ...conditionsForDocument(context, mapping),
            isOfOwners(context, mapping, references),
          ])}`,
        );
  return mapPrefetch(combine({ ends, around }), (found) =>
    [...found.ends, ...found.around].flatMap((row) => Object.values(row)).filter((value) => value !== null),
  );
};

const prefetchInverseSide = (context: WriteContext, write: RelationWrite): Prefetch<StoredLinks> => {
  const { mapping, operation } = write;
  const named = operation?.kind === 'change' && isPartial(write) ? operation : null;
  const refs = operation === null ? [] : linkedRefs(operation);
  const conditions = [
    ...conditionsForDocument(context, mapping),
    ...(named === null ? [] : [isOfOwners(context, mapping, allRefs(named))]),
  ];
  return combine<StoredLinks>({
    entries: operation === null ? NO_LINKS : prefetchEntries(mapping, joinAnd(conditions)),
    conflictingLinks: prefetchPreviousTargets(context, mapping, refs),
    nextPosition: prefetchNextOwnerPositions(context, mapping, refs),
    neighbourPositions:
      named === null ? resolvedPrefetch([]) : prefetchNeighbourPositions(context, mapping, named),
  });
};

/**
 * Selects everything required to change the links of one attribute. Returns the stored links in the order of
 * the writes.
 *
 * @param writes at least one, all of one locale
 */
export function prefetchLinks(
  mapping: RelationMapping,
  writes: readonly OwnerWrite[],
): Prefetch<readonly StoredLinks[]> {
  return mapping.attribute.side === 'owner'
    ? prefetchOwnerSide(mapping, writes)
    : combineList(writes.map(({ context, write }) => prefetchInverseSide(context, write)));
}
