import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { chunksOf } from '../../lib/chunks.js';
import { defined } from '../../lib/defined.js';
import { getOrCreate } from '../../lib/memoize.js';
import { isVersion, placeColumn } from '../links/apply/place-published.js';
import { linkTable, singleTarget } from '../links/relation-mapping.js';
import type { RelationMapping } from '../links/relation-mapping.js';
import type { WriteContext } from '../write-context.js';
import type { CommonLink, Surroundings } from './published-list.js';

/** A link of a draft that is published, and its place in the drafts' list. */
export interface PendingLink {
  readonly turn: number;
  readonly documentId: string;
  readonly target: string;
  readonly place: number;
}

/** A link of a published version that its draft does not have. */
export interface RemovedLink {
  readonly turn: number;
  /** The `id` of the row that is the link. */
  readonly rowId: number;
  readonly target: string;
  readonly place: number | null;
}

/** Links of one list that lie close to one another, so that all between them can be read at once. */
interface Run {
  readonly target: string;
  readonly first: number;
  readonly last: number;
  /** In the order of their places. */
  readonly links: readonly PendingLink[];
}

/** Places between links of one run. */
const MAX_GAP = 50;

/** Runs that one statement looks at. */
const CHUNK_SIZE = 200;

type Fragment = RawBuilder<unknown>;

/** Links `x` of a run's list in drafts, and the place of each in the list of published versions. */
interface DraftLinks {
  readonly from: Fragment;
  readonly where: Fragment;
  /** Null: the document has no such link there. It is looked up for one link after the other. */
  readonly publishedPlace: Fragment;
}

const draftLinks = (mapping: RelationMapping, { database, locale }: WriteContext): DraftLinks => {
  const { expressions } = database.dialect;
  const versions = sql.id(mapping.owner.storage.version.table);
  const table = sql.id(linkTable(mapping));
  const { column } = singleTarget(mapping);
  const place = sql.id('y', placeColumn(mapping));
  const ofLocale = expressions.parameter('text', locale);
  const isDraft = (alias: string): Fragment =>
    isVersion(expressions, alias, { status: sql`'draft'`, locale: ofLocale });
  const isPublished = (alias: string): Fragment =>
    isVersion(expressions, alias, { status: sql`'published'`, locale: ofLocale });
  const isInList = sql`${expressions.unindexed(sql.id('y', column))} = p.target`;
  const from = sql`${table} as x`;
  const isOfTarget = sql`${sql.id('x', column)} = p.target`;
  if (mapping.link.kind === 'column')
    return {
      from,
      where: sql`${isOfTarget} and ${isDraft('x')}`,
      publishedPlace: sql`(select ${place} from ${versions} as y where y.document_id = x.document_id
        and ${isPublished('y')} and ${isInList})`,
    };
  return {
    from,
    where: isOfTarget,
    publishedPlace: sql`(select ${place}
      from ${versions} as v cross join ${versions} as w cross join ${table} as y
      where v.id = x.source_id and ${isDraft('v')} and w.document_id = v.document_id
        and ${isPublished('w')} and y.source_id = w.id and ${isInList} limit 1)`,
  };
};

const neighbour = (mapping: RelationMapping, context: WriteContext, side: 'previous' | 'next'): Fragment => {
  const { from, where, publishedPlace } = draftLinks(mapping, context);
  const place = sql.id('x', placeColumn(mapping));
  const [beyond, end, order] =
    side === 'previous' ? [sql`<`, sql`p.first`, sql`desc`] : [sql`>`, sql`p.last`, sql`asc`];
  return sql`(select cast(${place} as text) || ' ' || cast(${publishedPlace} as text) from ${from}
    where ${where} and ${place} ${beyond} ${end} and ${publishedPlace} is not null
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
  const isPublished = isVersion(expressions, owner, {
    status: sql`'published'`,
    locale: expressions.parameter('text', locale),
  });
  const rowIds = expressions.encodeList(
    'integer',
    removed.map(({ rowId }) => rowId),
  );
  return sql`(select ${place} from ${from} y.${target} = p.target and ${place} is not null
    and ${isPublished}
    and not ${expressions.inList(sql`y.id`, 'integer', rowIds)}
    order by ${place} desc limit 1)`;
};

const parseNeighbour = (value: unknown): CommonLink | null => {
  if (typeof value !== 'string') return null;
  const [draft, published] = value.split(' ').map(Number);
  return { draft: defined(draft, 'A place'), published: defined(published, 'A place') };
};

const runsOf = (links: readonly PendingLink[]): readonly Run[] => {
  const byTarget = new Map<string, PendingLink[]>();
  for (const link of links) getOrCreate(byTarget, link.target, () => []).push(link);
  return [...byTarget].flatMap(([target, all]) => {
    const runs: PendingLink[][] = [];
    for (const link of all.toSorted((one, other) => one.place - other.place)) {
      const run = runs.at(-1);
      const before = run?.at(-1);
      if (run !== undefined && before !== undefined && link.place - before.place <= MAX_GAP) run.push(link);
      else runs.push([link]);
    }
    return runs.map((run) => ({
      target,
      first: defined(run[0], 'A link').place,
      last: defined(run.at(-1), 'A link').place,
      links: run,
    }));
  });
};

type Row = Readonly<Record<string, unknown>>;

/** Runs a query on the runs as `p`. Returns the rows with the run that each is of. */
const selectOfRuns = async (
  { tx, database }: WriteContext,
  runs: readonly Run[],
  columns: Fragment,
  from: Fragment = sql`pairs as p`,
): Promise<readonly { readonly run: Run; readonly row: Row }[]> => {
  const { expressions } = database.dialect;
  const found: { readonly run: Run; readonly row: Row }[] = [];
  for (const chunk of chunksOf(runs, CHUNK_SIZE)) {
    const rows = chunk.map(({ target, first, last }, index) => {
      const values = [sql.lit(index), expressions.parameter('text', target), sql.lit(first), sql.lit(last)];
      return sql`(${sql.join(values)})`;
    });
    const statement = sql`with pairs (pair, target, first, last) as (values ${sql.join(rows)})
      select p.pair as pair, ${columns} from ${from}`.compile(expressions.kysely);
    for (const row of await tx.query(statement.sql, statement.parameters))
      found.push({ run: defined(chunk[Number(row['pair'])], 'A run of links'), row });
  }
  return found;
};

/** The links between the first and the last of each run that are published, in the order of their places. */
const loadInner = async (
  context: WriteContext,
  mapping: RelationMapping,
  runs: readonly Run[],
): Promise<ReadonlyMap<Run, readonly CommonLink[]>> => {
  const place = sql.id('x', placeColumn(mapping));
  const { from, where, publishedPlace } = draftLinks(mapping, context);
  const columns = sql`${place} as draft, ${publishedPlace} as published`;
  const rows = context.database.dialect.expressions.rowsOfEach({
    outer: sql`pairs as p`,
    alias: 'x',
    from,
    where: sql`${where} and ${place} > p.first and ${place} < p.last`,
  });
  const wide = runs.filter(({ first, last }) => last - first > 1);
  const inner = new Map<Run, CommonLink[]>();
  for (const { run, row } of await selectOfRuns(context, wide, columns, rows))
    if (row['published'] !== null)
      getOrCreate(inner, run, () => []).push({
        draft: Number(row['draft']),
        published: Number(row['published']),
      });
  for (const common of inner.values()) common.sort((one, other) => one.draft - other.draft);
  return inner;
};

/** Returns what is stored around each link in the lists of published versions. */
export async function loadSurroundings(
  context: WriteContext,
  mapping: RelationMapping,
  links: readonly PendingLink[],
  removed: readonly RemovedLink[],
): Promise<ReadonlyMap<PendingLink, Surroundings>> {
  const runs = runsOf(links);
  const columns = sql`${neighbour(mapping, context, 'previous')} as previous,
    ${lastPublished(mapping, context, removed)} as last`;
  const ends = await selectOfRuns(context, runs, columns);
  const first = ends.flatMap(({ run, row }) =>
    row['previous'] === null && row['last'] !== null ? [run] : [],
  );
  const nexts = await selectOfRuns(context, first, sql`${neighbour(mapping, context, 'next')} as next`);
  const nextOf = new Map(nexts.map(({ run, row }) => [run, parseNeighbour(row['next'])]));
  const inner = await loadInner(context, mapping, runs);
  const surroundings = new Map<PendingLink, Surroundings>();
  for (const { run, row } of ends) {
    const common = inner.get(run) ?? [];
    const last = row['last'] === null ? null : Number(row['last']);
    let passed = 0;
    for (const link of run.links) {
      while ((common[passed]?.draft ?? Infinity) < link.place) passed += 1;
      surroundings.set(link, {
        previous: common[passed - 1] ?? parseNeighbour(row['previous']),
        next: common[passed] ?? nextOf.get(run) ?? null,
        last,
      });
    }
  }
  return surroundings;
}
