import { sql } from 'kysely';
import { chunksOf } from '../../lib/chunks.js';
import { defined } from '../../lib/defined.js';
import { getOrCreate } from '../../lib/memoize.js';
import { hasPendingLinks, pendingTargets, isVersion, placeColumn } from '../links/apply/place-published.js';
import { linkTable, singleTarget } from '../links/relation-mapping.js';
import type { RelationMapping } from '../links/relation-mapping.js';
import type { LoadedRelationWrite } from '../links/relation-write.js';
import { primaryRow, publishedRow } from '../write-context.js';
import type { WriteContext } from '../write-context.js';
import type { VersionRow } from '../rows/version-statements.js';
import { DependentWrites } from './dependent-writes.js';
import { createPublishedList } from './published-list.js';
import type { PublishedList, Surroundings } from './published-list.js';
import { loadSurroundings } from './surroundings.js';
import type { PendingLink, RemovedLink } from './surroundings.js';

/** A document, and what it writes to one relation. */
interface PublishedWrite {
  /** Its number in the order of the writes. */
  readonly turn: number;
  readonly context: WriteContext;
  readonly write: LoadedRelationWrite;
}

/** The places of links in lists of published versions, by document and target. */
type PlacesOfLinks = ReadonlyMap<string, ReadonlyMap<string, number>>;
export type PublishedPlaces = ReadonlyMap<RelationMapping, PlacesOfLinks>;

/** Parts of lists that one statement moves. */
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

/** Places in a list whose links all move by the same number. */
interface Shift {
  readonly target: string;
  readonly first: number;
  /** The place after the last one. */
  readonly end: number;
  readonly by: number;
}

const shiftsOf = (target: string, list: PublishedList): readonly Shift[] => {
  const rooms = list.rooms();
  return rooms.flatMap((first, index) => {
    const end = rooms[index + 1] ?? Number.MAX_SAFE_INTEGER;
    return end === first ? [] : [{ target, first, end, by: index + 1 }];
  });
};

/** Has the links of other documents make room for those that are published. */
const makeRooms = async (
  { tx, database, locale }: WriteContext,
  mapping: RelationMapping,
  lists: ReadonlyMap<string, PublishedList>,
): Promise<void> => {
  const { expressions } = database.dialect;
  const shifts = [...lists].flatMap(([target, list]) => shiftsOf(target, list));
  const table = sql.id(linkTable(mapping));
  const place = sql.id(placeColumn(mapping));
  const isPublished = isVersion(expressions, 'y', {
    status: sql`'published'`,
    locale: expressions.parameter('text', locale),
  });
  const version = mapping.link.kind === 'column' ? sql`y.id = x.id` : sql`y.id = x.source_id`;
  for (const chunk of chunksOf(shifts, CHUNK_SIZE)) {
    const values = chunk.map(({ target, first, end, by }) => {
      const numbers = [first, end, by].map((number) => sql.lit(number));
      return sql`(${sql.join([expressions.parameter('text', target), ...numbers])})`;
    });
    const rows = expressions.rowsOfEach({
      outer: sql`shifts as s`,
      alias: 'x',
      from: sql`${table} as x cross join ${sql.id(mapping.owner.storage.version.table)} as y`,
      where: sql`x.${sql.id(singleTarget(mapping).column)} = s.target and x.${place} >= s.first
        and x.${place} < s.beyond and ${version} and ${isPublished}`,
    });
    // Found first, or SQLite would look through the whole table for each part of a list.
    const statement = sql`with shifts (target, first, beyond, distance) as (values ${sql.join(values)}),
      moved as materialized (select x.id, s.distance from ${rows})
      update ${table} set ${place} = ${table}.${place} + moved.distance
      from moved where ${table}.id = moved.id`;
    const { sql: text, parameters } = statement.compile(expressions.kysely);
    await tx.execute(text, parameters);
  }
};

/** Returns the lists of published versions with the links placed. */
const placeInLists = (
  links: readonly PendingLink[],
  surroundings: ReadonlyMap<PendingLink, Surroundings>,
  removed: readonly RemovedLink[],
): ReadonlyMap<string, PublishedList> => {
  const lists = new Map<string, PublishedList>();
  const removedByTarget = new Map<string, RemovedLink[]>();
  for (const link of removed) getOrCreate(removedByTarget, link.target, () => []).push(link);
  for (const link of links) {
    const { turn, target, place } = link;
    const leaving = (removedByTarget.get(target) ?? []).flatMap((other) =>
      other.turn > turn && other.place !== null ? [other.place] : [],
    );
    getOrCreate(lists, target, createPublishedList).place(
      place,
      defined(surroundings.get(link), 'What surrounds a link'),
      leaving,
    );
  }
  return lists;
};

const placeLinks = async (
  mapping: RelationMapping,
  published: readonly PublishedWrite[],
): Promise<PlacesOfLinks> => {
  const links = published.flatMap(pendingLinks);
  const places = new Map<string, Map<string, number>>();
  const [first] = published;
  if (first === undefined || links.length === 0) return places;
  assertIndependent(mapping, published, links);
  const { context } = first;
  const removed = published.flatMap(removedLinks);
  const lists = placeInLists(links, await loadSurroundings(context, mapping, links, removed), removed);
  await makeRooms(context, mapping, lists);
  for (const { documentId, target, place } of links)
    getOrCreate(places, documentId, () => new Map()).set(
      target,
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
  const places = new Map<RelationMapping, PlacesOfLinks>();
  for (const [mapping, published] of byMapping) {
    if (!published.some(({ context, write }) => hasPendingLinks(context, write))) continue;
    places.set(mapping, await placeLinks(mapping, published));
  }
  return places;
}
