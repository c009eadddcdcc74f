import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { FoundRows, FoundRowsOptions } from '../../search-expressions.js';
import { whereAll } from '../paths.js';
import { narrowMatch } from './match.js';
import { isRareIn, newestRows, oldestRows } from './sample.js';
import type { Sample } from './sample.js';

/** Fewer rows are looked up and sorted in no time. */
const FEW_ROWS = 500;

/** A scan reads this many rows while an index looks up one. */
const LOOKUP_COST = 4;

/** How much longer it takes to look up a row than to pass it in the index of an order. */
const PASSING_GAIN = 3;

/** How much longer it takes to look up a row than to note its id. */
const NOTING_GAIN = 2;

/** About the number of rows, without counting them. */
const lastId = ({ index }: Pick<FoundRows, 'index'>): RawBuilder<unknown> =>
  sql`(select coalesce(max(id), 0) from ${sql.id(index.table)})`;

/** Looking up so many rows that are found takes as long as reading all. */
export function lookupThreshold(found: Pick<FoundRows, 'index'>): RawBuilder<unknown> {
  return sql`${sql.lit(FEW_ROWS)} + ${lastId(found)} / ${sql.lit(LOOKUP_COST)}`;
}

/** A part of all rows that is looked at in the order: FTS5 reads a common trigram of all rows meanwhile. */
const FIRST_ROWS_SHARE = 500;

type Slice = NonNullable<FoundRowsOptions['slice']>;

/** When a page is made in which way. */
interface Thresholds {
  /** So many ids of the narrowed match are too many, which takes less time than the match itself. */
  readonly narrow: RawBuilder<unknown>;
  /** So many are more than a few. */
  readonly few: RawBuilder<unknown>;
  /** So many are no longer noted. Null: they never are. */
  readonly noted: RawBuilder<unknown> | null;
}

/**
 * With n rows, m of them found, a page is complete after n / m rows for each of its own where rows are passed
 * in its order. That takes as long as looking up the m where m is about the root of all rows that are passed.
 */
const thresholdsInOrder = (options: FoundRowsOptions, { limit, offset }: Slice): Thresholds => {
  const root = sql`sqrt((${limit} + ${offset}) * ${lastId(options)})`;
  const atLeast = (number: RawBuilder<unknown>): RawBuilder<unknown> =>
    // A page may be as large as the table.
    sql`min(max(${sql.lit(FEW_ROWS)}, cast(${number} as integer)), ${lookupThreshold(options)})`;
  return {
    narrow: atLeast(root),
    few: atLeast(sql`${root} / ${sql.lit(PASSING_GAIN)}`),
    noted: atLeast(sql`${root} * ${sql.lit(NOTING_GAIN)}`),
  };
};

const thresholdsOf = (options: FoundRowsOptions): Thresholds =>
  options.slice !== null && options.hasIndexedOrder
    ? thresholdsInOrder(options, options.slice)
    : { narrow: lookupThreshold(options), few: lookupThreshold(options), noted: null };

interface Names {
  readonly match: RawBuilder<unknown>;
  readonly narrow: RawBuilder<unknown>;
  readonly whole: RawBuilder<unknown>;
}

const namesOf = ({ alias }: FoundRowsOptions): Names => ({
  match: sql.id(`${alias}m`),
  narrow: sql.id(`${alias}n`),
  whole: sql.id(`${alias}w`),
});

/** Ids that the index finds, at most so many. */
const foundIds = (
  { index }: FoundRowsOptions,
  match: RawBuilder<unknown>,
  most: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sql`select rowid from ${sql.id(index.name)} where ${sql.id(index.name)} match ${match} limit ${most}`;

/** The ids that the narrowed match finds, if it is another one than the match itself. */
const narrowIds = (
  options: FoundRowsOptions,
  { match, narrow }: Names,
  most: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const narrowed = sql`(select narrowed from ${match})`;
  const limit = sql`iif(${narrowed} = ${options.bind(0)}, 0, ${most})`;
  return sql`${narrow}(id) as materialized (${foundIds(options, narrowed, limit)})`;
};

/** Whether the narrowed match finds all ids there are to look up. */
const isNarrowEnough = (
  { bind }: FoundRowsOptions,
  { match, narrow }: Names,
  most: RawBuilder<unknown>,
): RawBuilder<boolean> => {
  const isNarrowed = sql`(select narrowed from ${match}) <> ${bind(0)}`;
  return sql<boolean>`(${isNarrowed} and (select count(*) from ${narrow}) < ${most})`;
};

/** Limits a way of making the page: nothing is read where it is not the one. */
const limitIf = (isChosen: RawBuilder<unknown>, { slice }: FoundRowsOptions): RawBuilder<unknown> => {
  const offset = slice === null ? sql`` : sql`offset (${slice.offset} + 0)`;
  const limit = slice === null ? sql`-1` : sql`${slice.limit} + 0`;
  return sql`limit iif(${isChosen}, ${limit}, 0) ${offset}`;
};

/** Looks up rows by their ids and sorts them. */
const lookedUp = (
  { table, alias, order, where }: FoundRowsOptions,
  ids: RawBuilder<unknown>,
  limit: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const [row, found] = [sql.id(alias, 'id'), sql.id(`${alias}f`)];
  const conditions = whereAll([sql`${row} = ${found}.id`, ...where]);
  return sql`select * from (select ${row} as sorted_id from (${ids}) as ${found} cross join ${table}
    ${conditions} ${order} ${limit})`;
};

/** Passes rows in their order. */
const passed = (
  { table, alias, order }: FoundRowsOptions,
  where: readonly RawBuilder<unknown>[],
  limit: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sql`select * from (select ${sql.id(alias, 'id')} as sorted_id from ${table} ${whereAll(where)}
    ${order} ${limit})`;

/**
 * Whether both ends of a table have it in many rows. The newest come first: where the oldest have none, FTS5
 * goes on to the first one wherever it is.
 */
const isCommonAtEnds = (options: FoundRowsOptions): RawBuilder<unknown> => {
  const isCommonIn = (sample: Sample): RawBuilder<unknown> => sql`not (${isRareIn(sample, options.bind(0))})`;
  return sql`${isCommonIn(newestRows(options))} and ${isCommonIn(oldestRows(options))}`;
};

/** The ids of the rows that meet the conditions among the first ones of the order, at most so many. */
const foundAtStart = (
  options: FoundRowsOptions,
  versions: readonly RawBuilder<unknown>[],
  most: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const { table, alias, order, where } = options;
  const [row, first] = [sql.id(alias, 'id'), sql.id(`${alias}p`)];
  const number = sql`${sql.lit(FEW_ROWS)} + ${lastId(options)} / ${sql.lit(FIRST_ROWS_SHARE)}`;
  const rows = sql`select ${row} as first_id from ${table} ${whereAll(versions)} ${order} limit ${number}`;
  const conditions = whereAll([sql`${row} = ${first}.first_id`, ...where]);
  return sql`select ${row} as id from (${rows}) as ${first} cross join ${table} ${conditions} limit ${most}`;
};

/** How a page is made. */
const WAYS = { lookedUp: 0, passedByIds: 1, passed: 2, fromStart: 3 } as const;

/** What is found among the first rows of the order: the page, where that is complete. */
interface Start {
  readonly query: RawBuilder<unknown>;
  /** Whether they complete the page, or have as many as leaves no doubt about a larger one. */
  readonly isCommon: RawBuilder<unknown>;
  readonly way: RawBuilder<unknown>;
  readonly page: (isChosen: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/** Null: the order has no index, or the page begins within it. */
const startOf = (options: FoundRowsOptions, names: Names, isEnough: RawBuilder<unknown>): Start | null => {
  const { alias, slice, versions, hasIndexedOrder, bind } = options;
  if (slice === null || versions === null || !hasIndexedOrder) return null;
  const name = sql.id(`${alias}b`);
  const wanted = sql`(${slice.limit} + ${slice.offset})`;
  const enough = sql`min(${wanted}, ${sql.lit(FEW_ROWS)})`;
  const mayBeCommon = sql`(select rare = 0 or narrowed <> ${bind(0)} from ${names.match})`;
  const most = sql`iif(not ${isEnough} and ${mayBeCommon}, ${enough}, 0)`;
  return {
    query: sql`${name}(id) as materialized (${foundAtStart(options, versions, most)}),`,
    isCommon: sql`(select count(*) from ${name}) = ${enough}`,
    // A larger page is passed once more, from the beginning.
    way: sql`iif(${wanted} > ${enough}, ${sql.lit(WAYS.passed)}, ${sql.lit(WAYS.fromStart)})`,
    page: (isChosen) =>
      sql`select id as sorted_id from (select id from ${name} ${limitIf(isChosen, options)})`,
  };
};

/**
 * Looks up and sorts what is found, if it is little. Otherwise passes all rows in their order until the page
 * is complete: first by the ids that are found alone, which the index of an order has, too, and where those
 * are many, by the rows themselves. What is common is not counted: passing the rows takes less time.
 */
const inOtherOrder = (options: FoundRowsOptions): RawBuilder<unknown> => {
  const { alias, where, bind } = options;
  const names = namesOf(options);
  const { match, narrow, whole } = names;
  const [limits, way, common] = [sql.id(`${alias}l`), sql.id(`${alias}y`), sql.id(`${alias}c`)];
  const thresholds = thresholdsOf(options);
  const { few, noted } = thresholds;
  const limit = (name: keyof Thresholds): RawBuilder<unknown> => sql`(select ${sql.id(name)} from ${limits})`;
  const isEnough = isNarrowEnough(options, names, limit('narrow'));
  const start = startOf(options, names, isEnough);
  const isCommon = start?.isCommon ?? sql`(select rare from ${match}) = 0 and ${isCommonAtEnds(options)}`;
  const is = (number: number): RawBuilder<unknown> => sql`(select way from ${way}) = ${sql.lit(number)}`;
  const chosen = sql`case when (select common from ${common}) then ${start?.way ?? sql.lit(WAYS.passed)}
    when number < ${limit('few')} then ${sql.lit(WAYS.lookedUp)}
    when number < ${limit('noted')} then ${sql.lit(WAYS.passedByIds)} else ${sql.lit(WAYS.passed)} end`;
  const ids = sql`select id from ${narrow} where ${isEnough} union all select id from ${whole}`;
  // Unlike a lookup by id, the index of the order is walked through.
  const isFound = sql`+${sql.id(alias, 'id')} in (select id from ${whole})`;
  const most = sql`iif(${isEnough} or (select common from ${common}), 0, ${limit('noted')})`;
  const ways = [
    lookedUp(options, ids, limitIf(is(WAYS.lookedUp), options)),
    ...(noted === null ? [] : [passed(options, [isFound, ...where], limitIf(is(WAYS.passedByIds), options))]),
    passed(options, where, limitIf(is(WAYS.passed), options)),
    ...(start === null ? [] : [start.page(is(WAYS.fromStart))]),
  ];
  return sql`with ${match}(narrowed, rare) as materialized (${narrowMatch(options)}),
    ${limits}(narrow, few, noted) as materialized (select ${thresholds.narrow}, ${few}, ${noted ?? few}),
    ${narrowIds(options, names, limit('narrow'))},
    ${start?.query ?? sql``} ${common}(common) as materialized (select ${isCommon}),
    ${whole}(id) as materialized (${foundIds(options, bind(0), most)}),
    ${way}(way) as materialized (select ${chosen} from (select count(*) as number from ${whole}))
    ${sql.join(ways, sql` union all `)}`;
};

/** The index has rows in the order of their ids, so that it stops where the page is complete. */
const inOrderOfIds = (options: FoundRowsOptions, direction: 'asc' | 'desc'): RawBuilder<unknown> => {
  const { index, table, alias, where, bind } = options;
  const names = namesOf(options);
  const { match, narrow } = names;
  const few = sql.lit(FEW_ROWS);
  const isEnough = isNarrowEnough(options, names, few);
  const [row, found] = [sql.id(alias, 'id'), `${alias}g`];
  const rowid = sql.id(found, 'rowid');
  const conditions = whereAll([
    sql`${sql.id(found, index.name)} match ${bind(0)}`,
    sql`${row} = ${rowid}`,
    ...where,
  ]);
  const streamed = sql`select * from (select ${row} as sorted_id
    from ${sql.id(index.name)} as ${sql.id(found)} cross join ${table} ${conditions}
    order by ${rowid} ${sql.raw(direction)} ${limitIf(sql`not ${isEnough}`, options)})`;
  const ids = sql`select id from ${narrow}`;
  return sql`with ${match}(narrowed, rare) as materialized (${narrowMatch(options)}),
    ${narrowIds(options, names, few)}
    ${lookedUp(options, ids, limitIf(isEnough, options))} union all ${streamed}`;
};

/** The clauses from `FROM` on of a read of rows that an index finds, in their order. */
export function sqliteFoundRows(options: FoundRowsOptions): RawBuilder<unknown> {
  const { table, alias, idOrder } = options;
  const sorted = `${alias}s`;
  const ids = idOrder === null ? inOtherOrder(options) : inOrderOfIds(options, idOrder);
  const joined = sql`cross join ${table} on ${sql.id(alias, 'id')} = ${sql.id(sorted, 'sorted_id')}`;
  return sql`from (${ids}) as ${sql.id(sorted)} ${joined}`;
}
