import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { chunksOf } from '../../lib/chunks.js';
import { defined } from '../../lib/defined.js';
import { getOrCreate } from '../../lib/memoize.js';
import { hasPendingLinks, pendingTargets, placeColumn, selectLinks } from '../links/apply/place-published.js';
import { linkTable, singleTarget } from '../links/relation-mapping.js';
import type { RelationMapping } from '../links/relation-mapping.js';
import type { LoadedRelationWrite } from '../links/relation-write.js';
import { primaryRow, publishedRow } from '../write-context.js';
import type { WriteContext } from '../write-context.js';
import type { VersionRow } from '../rows/version-statements.js';
import { DependentWrites } from './dependent-writes.js';
import { createPublishedList } from './published-list.js';
import type { CommonLink, PublishedList, Surroundings } from './published-list.js';

/** A document, and what it writes to one relation. */
interface PublishedWrite {
  /** Its number in the order of the writes. */
  readonly turn: number;
  readonly context: WriteContext;
  readonly write: LoadedRelationWrite;
}

/** A link of a draft that is published, and its place in the drafts' list. */
interface PendingLink {
  readonly turn: number;
  readonly documentId: string;
  readonly target: string;
  readonly place: number;
}

/** A link of a published version that its draft does not have. */
interface RemovedLink {
  readonly turn: number;
  /** The `id` of the row that is the link. */
  readonly rowId: number;
  readonly target: string;
  readonly place: number | null;
}

/** The places of links in lists of published versions, by document and target. */
export type PublishedPlaces = ReadonlyMap<RelationMapping, ReadonlyMap<string, number>>;

export function placeKey(documentId: string, target: string): string {
  return `${documentId} ${target}`;
}

/** Links that one statement looks at. */
const CHUNK_SIZE = 200;

const linksOf = (
  { write: { mapping, stored } }: PublishedWrite,
  row: VersionRow | undefined,
): readonly Pick<RemovedLink, 'rowId' | 'target' | 'place'>[] => {
  const { link } = mapping;
  if (row === undefined) return [];
  if (link.kind !== 'column')
    return stored.entries
      .filter(({ sourceId }) => sourceId === row.id)
      .map(({ rowId, targetDocumentId, inversePosition }) => ({
        rowId,
        target: targetDocumentId,
        place: inversePosition,
      }));
  const target = row.values[link.field];
  const place = link.position === null ? null : row.values[link.position.field];
  if (typeof target !== 'string') return [];
  return [{ rowId: row.id, target, place: typeof place === 'number' ? place : null }];
};

const pendingLinks = (published: PublishedWrite): readonly PendingLink[] => {
  const { context, turn, write } = published;
  const pending = pendingTargets(context, write.mapping, write.stored.entries);
  return linksOf(published, primaryRow(context))
    .filter(({ target }) => pending.has(target))
    .map(({ target, place }) => {
      if (place === null) throw new DependentWrites();
      return { turn, documentId: context.documentId, target, place };
    });
};

const removedLinks = (published: PublishedWrite): readonly RemovedLink[] => {
  const { context, turn } = published;
  const kept = new Set(linksOf(published, primaryRow(context)).map(({ target }) => target));
  return linksOf(published, publishedRow(context)).flatMap((link) =>
    kept.has(link.target) ? [] : [{ turn, ...link }],
  );
};

type Fragment = RawBuilder<unknown>;

/** Rows `x` in the drafts' list and `y` in the published one, of the same documents. */
const commonLinks = (mapping: RelationMapping, { database, locale }: WriteContext): Fragment => {
  const { expressions } = database.dialect;
  const versions = sql.id(mapping.owner.storage.version.table);
  const table = sql.id(linkTable(mapping));
  const target = sql.id(singleTarget(mapping).column);
  const isDraft = (alias: string): Fragment =>
    sql`${expressions.unindexed(sql.ref(`${alias}.status`))} = 'draft'
      and ${expressions.unindexed(sql.ref(`${alias}.locale`))} = ${expressions.parameter('text', locale)}`;
  if (mapping.link.kind === 'column')
    return sql`${versions} as x cross join ${versions} as y
      where x.${target} = p.target and ${isDraft('x')} and y.document_id = x.document_id
        and y.locale = x.locale and y.status = 'published' and y.${target} = p.target`;
  return sql`${table} as x cross join ${versions} as v cross join ${versions} as w cross join ${table} as y
    where x.${target} = p.target and v.id = x.source_id and ${isDraft('v')} and w.document_id = v.document_id
      and w.locale = v.locale and w.status = 'published' and y.source_id = w.id and y.${target} = p.target`;
};

const neighbour = (mapping: RelationMapping, context: WriteContext, side: 'previous' | 'next'): Fragment => {
  const place = sql.id('x', placeColumn(mapping));
  const pair = sql`cast(${place} as text) || ' ' || cast(${sql.id('y', placeColumn(mapping))} as text)`;
  const [beyond, order] = side === 'previous' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  return sql`(select ${pair} from ${commonLinks(mapping, context)} and ${place} ${beyond} p.place
    order by ${place} ${order} limit 1)`;
};

const lastPublished = (
  mapping: RelationMapping,
  { database, locale }: WriteContext,
  removed: readonly RemovedLink[],
): Fragment => {
  const { expressions } = database.dialect;
  const versions = sql.id(mapping.owner.storage.version.table);
  const target = sql.id(singleTarget(mapping).column);
  const place = sql.id('y', placeColumn(mapping));
  const isColumn = mapping.link.kind === 'column';
  const owner = isColumn ? 'y' : 'w';
  const from = isColumn
    ? sql`${versions} as y where`
    : sql`${sql.id(linkTable(mapping))} as y cross join ${versions} as w where w.id = y.source_id and`;
  const rowIds = expressions.encodeList(
    'integer',
    removed.map(({ rowId }) => rowId),
  );
  return sql`(select ${place} from ${from} y.${target} = p.target and ${place} is not null
    and ${expressions.unindexed(sql.ref(`${owner}.status`))} = 'published'
    and ${expressions.unindexed(sql.ref(`${owner}.locale`))} = ${expressions.parameter('text', locale)}
    and not ${expressions.inList(sql`y.id`, 'integer', rowIds)}
    order by ${place} desc limit 1)`;
};

const parseNeighbour = (value: unknown): CommonLink | null => {
  if (typeof value !== 'string') return null;
  const [draft, published] = value.split(' ').map(Number);
  return { draft: defined(draft, 'A place'), published: defined(published, 'A place') };
};

/** Runs a query on the links as `p`. Returns the row of each. */
const selectOfLinks = async (
  { tx, database }: WriteContext,
  links: readonly PendingLink[],
  columns: Fragment,
): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const { expressions } = database.dialect;
  const found: Readonly<Record<string, unknown>>[] = [];
  for (const chunk of chunksOf(links, CHUNK_SIZE)) {
    const rows = chunk.map(
      ({ target, place }, index) =>
        sql`(${sql.lit(index)}, ${expressions.parameter('text', target)}, ${sql.lit(place)})`,
    );
    const statement = sql`with pairs (pair, target, place) as (values ${sql.join(rows)})
      select p.pair as pair, ${columns} from pairs as p order by p.pair`.compile(expressions.kysely);
    found.push(...(await tx.query(statement.sql, statement.parameters)));
  }
  return found;
};

const loadSurroundings = async (
  context: WriteContext,
  mapping: RelationMapping,
  links: readonly PendingLink[],
  removed: readonly RemovedLink[],
): Promise<readonly Surroundings[]> => {
  const columns = sql`${neighbour(mapping, context, 'previous')} as previous,
    ${lastPublished(mapping, context, removed)} as last`;
  const found = (await selectOfLinks(context, links, columns)).map(({ previous, last }) => ({
    previous: parseNeighbour(previous),
    last: last === null ? null : Number(last),
  }));
  const first = links.filter((_link, index) => found[index]?.previous === null && found[index].last !== null);
  const nexts = await selectOfLinks(context, first, sql`${neighbour(mapping, context, 'next')} as next`);
  const nextOf = new Map(first.map((link, index) => [link, parseNeighbour(nexts[index]?.['next'])]));
  return links.map((link, index) => ({
    ...defined(found[index], 'What surrounds a link'),
    next: nextOf.get(link) ?? null,
  }));
};

const assertIndependent = (
  mapping: RelationMapping,
  published: readonly PublishedWrite[],
  links: readonly PendingLink[],
): void => {
  const places = new Set(links.map(({ target, place }) => `${place} ${target}`));
  const isDependent =
    mapping.localeStoredIn === 'link' ||
    places.size < links.length ||
    published.some(({ write }) => write.operation !== null);
  if (isDependent) throw new DependentWrites();
};

/** Has the links of other documents make room for those that are published. */
const makeRooms = async (
  { tx, database, locale }: WriteContext,
  mapping: RelationMapping,
  lists: ReadonlyMap<string, PublishedList>,
): Promise<void> => {
  const { expressions } = database.dialect;
  const rooms = [...lists].flatMap(([target, list]) => list.rooms().map((place) => ({ target, place })));
  const table = sql.id(linkTable(mapping));
  const place = sql.id(placeColumn(mapping));
  const target = sql.id(singleTarget(mapping).column);
  for (const chunk of chunksOf(rooms, CHUNK_SIZE)) {
    const values = chunk.map(
      (room) => sql`(${expressions.parameter('text', room.target)}, ${sql.lit(room.place)})`,
    );
    const links = selectLinks(
      mapping,
      sql`x.${target} in (select target from rooms) and y.status = 'published'
        and y.locale = ${expressions.parameter('text', locale)}`,
    );
    const statement = sql`with rooms (target, place) as (values ${sql.join(values)})
      update ${table} set ${place} = ${place} + (
        select count(*) from rooms as r where r.target = ${table}.${target} and r.place <= ${table}.${place}
      ) where id in (select t.id from ${links} as t
        where t.place >= (select min(r.place) from rooms as r where r.target = t.target))`;
    const { sql: text, parameters } = statement.compile(expressions.kysely);
    await tx.execute(text, parameters);
  }
};

/** Returns the lists of published versions with the links placed. */
const placeInLists = (
  links: readonly PendingLink[],
  surroundings: readonly Surroundings[],
  removed: readonly RemovedLink[],
): ReadonlyMap<string, PublishedList> => {
  const lists = new Map<string, PublishedList>();
  for (const [index, { turn, target, place }] of links.entries()) {
    const leaving = removed.flatMap((other) =>
      other.target === target && other.turn > turn && other.place !== null ? [other.place] : [],
    );
    getOrCreate(lists, target, createPublishedList).place(
      place,
      defined(surroundings[index], 'What surrounds a link'),
      leaving,
    );
  }
  return lists;
};

const placeLinks = async (
  mapping: RelationMapping,
  published: readonly PublishedWrite[],
): Promise<ReadonlyMap<string, number>> => {
  const links = published.flatMap(pendingLinks);
  const places = new Map<string, number>();
  const [first] = published;
  if (first === undefined || links.length === 0) return places;
  assertIndependent(mapping, published, links);
  const { context } = first;
  const removed = published.flatMap(removedLinks);
  const lists = placeInLists(links, await loadSurroundings(context, mapping, links, removed), removed);
  await makeRooms(context, mapping, lists);
  for (const { documentId, target, place } of links)
    places.set(
      placeKey(documentId, target),
      defined(lists.get(target)?.placeOf(place), 'The place of a link'),
    );
  return places;
};

/**
 * Finds the places of links that are published with these documents in the lists of published versions, as if
 * they got there one after the other, and makes room for them. Called before the versions are written.
 *
 * @throws DependentWrites if the same lists change otherwise, too
 */
export async function placeTogether(
  documents: readonly {
    readonly context: WriteContext;
    readonly writes: readonly LoadedRelationWrite[];
  }[],
): Promise<PublishedPlaces> {
  const byMapping = new Map<RelationMapping, PublishedWrite[]>();
  for (const [turn, { context, writes }] of documents.entries())
    for (const write of writes)
      if (context.publish) getOrCreate(byMapping, write.mapping, () => []).push({ turn, context, write });
  const places = new Map<RelationMapping, ReadonlyMap<string, number>>();
  for (const [mapping, published] of byMapping) {
    if (!published.some(({ context, write }) => hasPendingLinks(context, write))) continue;
    places.set(mapping, await placeLinks(mapping, published));
  }
  return places;
}
