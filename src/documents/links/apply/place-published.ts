import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import {
  combineList,
  integerColumn,
  mapPrefetch,
  nullableTextColumn,
  prefetchRows,
  runPrefetch,
  textColumn,
} from '../../prefetch.js';
import type { Prefetch, PrefetchRow } from '../../prefetch.js';
import { primaryRow, publishedRow } from '../../write-context.js';
import type { WriteContext } from '../../write-context.js';
import type { VersionRow } from '../../rows/version-statements.js';
import type { SqlExpressions } from '../../../dialects/sql-expressions.js';
import type { WrittenVersionIds } from '../plan/plan-owner-list.js';
import type { LinkEntry } from '../link-entry.js';
import { hasInverseOrder, linkTable, singleTarget } from '../relation-mapping.js';
import type { RelationMapping } from '../relation-mapping.js';
import type { LoadedRelationWrite } from '../relation-write.js';
import { createLinkChanges } from './link-changes.js';
import { findPlace, makeRoom, neighbourColumns } from './place-links.js';
import type { ListQuery, NeighbourColumns } from './place-links.js';

type Fragment = RawBuilder<unknown>;

interface PlacedLinks {
  readonly mapping: RelationMapping;
  readonly links: readonly PublishedLink[];
}

/** A list of the inverse side: the links to one document in one version. */
interface InverseList {
  readonly target: Fragment;
  readonly targetLocale: Fragment;
  readonly status: Fragment;
  readonly locale: Fragment;
}

export const placeColumn = ({ link }: RelationMapping): string =>
  link.kind === 'column' ? (link.position?.column ?? '') : 'inverse_position';

/** Selects links with their version, target and place. The row that is the link is `x`, its version `y`. */
const selectLinks = (mapping: RelationMapping, condition: Fragment): Fragment => {
  const table = sql.id(linkTable(mapping));
  const versions = sql.id(mapping.owner.storage.version.table);
  const targetLocale = mapping.localeStoredIn === 'link' ? sql`x.target_locale` : sql`''`;
  const version = mapping.link.kind === 'column' ? sql`y.id = x.id` : sql`y.id = x.source_id`;
  return sql`(select x.id, y.id as version_id, y.document_id as member,
      ${sql.id('x', singleTarget(mapping).column)} as target, ${targetLocale} as target_locale,
      ${sql.id('x', placeColumn(mapping))} as place
    from ${table} as x join ${versions} as y on ${version} where ${condition})`;
};

/**
 * Condition on the version of a link that is looked up by its target or document. Indexes that begin with the
 * status or the locale find far more, which the planner cannot know of new rows.
 */
export const isVersion = (
  { unselectiveEqual }: Pick<SqlExpressions, 'unselectiveEqual'>,
  alias: string,
  { status, locale }: Readonly<Record<'status' | 'locale', Fragment>>,
): Fragment =>
  sql.join(
    [
      unselectiveEqual({ column: sql.id(alias, 'status'), value: status }),
      unselectiveEqual({ column: sql.id(alias, 'locale'), value: locale }),
    ],
    sql` and `,
  );

const inverseList = (
  { database }: Pick<WriteContext, 'database'>,
  mapping: RelationMapping,
  { target, targetLocale, ...version }: InverseList,
): ListQuery => {
  const ofLocale = mapping.localeStoredIn === 'link' ? sql` and x.target_locale = ${targetLocale}` : sql``;
  return selectLinks(
    mapping,
    sql`${sql.id('x', singleTarget(mapping).column)} = ${target}${ofLocale}
      and ${isVersion(database.dialect.expressions, 'y', version)}`,
  );
};

const publishedColumns = (neighbours: NeighbourColumns) => ({
  rowId: integerColumn(sql`l.id`),
  target: textColumn(sql`l.target`),
  targetLocale: nullableTextColumn(sql`l.target_locale`),
  ...neighbours,
});

type PublishedLink = PrefetchRow<ReturnType<typeof publishedColumns>>;

/** The links of the published version that the draft has, too: `l` and `m`. */
const prefetchPublished = (
  { locale, database }: WriteContext,
  mapping: RelationMapping,
  { primary, published }: WrittenVersionIds,
): Prefetch<readonly PublishedLink[]> => {
  const listIn = (status: string): ListQuery =>
    inverseList({ database }, mapping, {
      target: sql`l.target`,
      targetLocale: sql`l.target_locale`,
      status: sql`${status}`,
      locale: sql`${locale}`,
    });
  const linksOf = (version: number | null): Fragment => selectLinks(mapping, sql`y.id = ${version}`);
  return prefetchRows(
    publishedColumns(
      neighbourColumns({
        from: listIn('draft'),
        to: listIn('published'),
        member: sql`l.member`,
        place: sql`m.place`,
      }),
    ),
    sql`${linksOf(published)} as l join ${linksOf(primary)} as m
      on m.target = l.target and m.target_locale = l.target_locale`,
  );
};

/** The documents that the draft linked before this write, and the published version does not. */
export const pendingTargets = (
  context: WriteContext,
  { link }: RelationMapping,
  stored: readonly LinkEntry[],
): ReadonlySet<string> => {
  const targetsOf = (row: VersionRow | undefined): readonly string[] => {
    if (row === undefined) return [];
    if (link.kind !== 'column')
      return stored.filter(({ sourceId }) => sourceId === row.id).map((entry) => entry.targetDocumentId);
    const target = row.values[link.field];
    return typeof target === 'string' ? [target] : [];
  };
  const published = new Set(targetsOf(publishedRow(context)));
  return new Set(targetsOf(primaryRow(context)).filter((target) => !published.has(target)));
};

/** Whether the document has links in its draft whose place in a list of published versions is to be found. */
export const hasPendingLinks = (
  context: WriteContext,
  { mapping, stored }: Pick<LoadedRelationWrite, 'mapping' | 'stored'>,
): boolean =>
  mapping.attribute.side === 'owner' &&
  mapping.statusStoredIn === 'owner' &&
  hasInverseOrder(mapping.link) &&
  pendingTargets(context, mapping, stored.entries).size > 0;

/** The inverse sides' lists of published versions into which the document gets with links of its draft. */
const prefetchPlaces = (
  context: WriteContext,
  { mapping, stored }: LoadedRelationWrite,
  versionIds: WrittenVersionIds,
): readonly Prefetch<PlacedLinks>[] => {
  if (!hasPendingLinks(context, { mapping, stored })) return [];
  const targets = pendingTargets(context, mapping, stored.entries);
  return [
    mapPrefetch(prefetchPublished(context, mapping, versionIds), (links) => ({
      mapping,
      links: links.filter(({ target }) => targets.has(target)),
    })),
  ];
};

/**
 * Moves the links that were published with this document to where the draft of each list has them. Those that
 * both versions got in this write are at the end of both.
 */
export async function placePublished(
  context: WriteContext,
  writes: readonly LoadedRelationWrite[],
  versionIds: WrittenVersionIds,
): Promise<void> {
  if (versionIds.published === null) return;
  const places = writes.flatMap((write) => prefetchPlaces(context, write, versionIds));
  if (places.length === 0) return;
  const found = await runPrefetch(context.tx, context.database.dialect.expressions, combineList(places));
  const changes = createLinkChanges();
  for (const { mapping, links } of found)
    for (const { rowId, target, targetLocale, ...neighbours } of links) {
      const { position, isTaken } = findPlace(neighbours);
      changes.move(mapping, rowId, 'inverse', position);
      if (!isTaken) continue;
      const list = inverseList(context, mapping, {
        target: sql`${target}`,
        targetLocale: sql`${targetLocale}`,
        status: sql`${'published'}`,
        locale: sql`${context.locale}`,
      });
      await makeRoom(context, { table: linkTable(mapping), column: placeColumn(mapping), list, position });
    }
  await changes.apply(context);
}
