import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { SEARCH_PREFIX } from '../search-expressions.js';
import type { FoundRows, FoundRowsOptions, SearchExpressions } from '../search-expressions.js';
import { narrowMatch, printMatch } from './search-match.js';
import { searchableParts } from './search-terms.js';

/** Fewer rows are looked up and sorted in no time. */
const FEW_ROWS = 500;

/** A scan reads this many rows while an index looks up one. */
const LOOKUP_COST = 4;

interface Found {
  readonly from: RawBuilder<unknown>;
  readonly where: readonly RawBuilder<unknown>[];
}

/** SQLite never reorders a cross join. */
const foundRows = (
  { index, bind }: FoundRows,
  { table, alias }: Pick<FoundRowsOptions, 'table' | 'alias'>,
): Found => {
  const search = `${alias}f`;
  return {
    from: sql`${sql.id(index.name)} as ${sql.id(search)} cross join ${table}`,
    where: [
      sql`${sql.id(search, index.name)} match ${bind(0)}`,
      sql`${sql.id(alias, 'id')} = ${sql.id(search, 'rowid')}`,
    ],
  };
};

const whereAll = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`where ${sql.join(conditions, sql` and `)}`;

/** About the number of rows, without counting them. */
const lastId = ({ index }: FoundRows): RawBuilder<unknown> =>
  sql`(select coalesce(max(id), 0) from ${sql.id(index.table)})`;

/** Whether the index finds fewer rows than a number. Looks at no more. */
const findsFewerThan = ({ index, bind }: FoundRows, number: RawBuilder<unknown>): RawBuilder<boolean> => {
  const name = sql.id(index.name);
  const found = sql`select 1 from ${name} where ${name} match ${bind(0)} limit ${number}`;
  return sql<boolean>`(select count(*) from (${found})) < ${number}`;
};

/** Looking up so many rows that are found takes as long as reading all. */
const lookupThreshold = (found: FoundRows): RawBuilder<unknown> =>
  sql`${sql.lit(FEW_ROWS)} + ${lastId(found)} / ${sql.lit(LOOKUP_COST)}`;

/**
 * The number of rows found from which on a page is complete sooner when rows are read in order. With n rows,
 * m of them found, that reads n / m rows for each row of the page.
 */
const pageThreshold = (options: FoundRowsOptions): RawBuilder<unknown> => {
  const { slice } = options;
  if (slice === null || !(options.isById || options.hasIndexedOrder)) return lookupThreshold(options);
  const rows = sql`(${slice.limit} + ${slice.offset}) * ${lastId(options)}`;
  const most = sql`max(${sql.lit(FEW_ROWS)}, cast(sqrt(${rows}) as integer))`;
  // A page may be as large as the table.
  return sql`min(${most}, ${lookupThreshold(options)})`;
};

/**
 * The ids that are found, unless they are many: by the narrowed match, which takes less time, and where it
 * finds too many, by the match itself. `most` is the number from which on they are many.
 */
const foundIds = (options: FoundRowsOptions, names: FoundNames): RawBuilder<unknown> => {
  const { index, bind } = options;
  const { match, narrow, whole } = names;
  const name = sql.id(index.name);
  const ids = (text: RawBuilder<unknown>, most: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`select rowid from ${name} where ${name} match ${text} limit ${most}`;
  const [narrowed, most] = [sql`(select narrowed from ${match})`, sql`(select most from ${match})`];
  const isEnough = sql`(select count(*) from ${narrow}) < ${most} or ${narrowed} = ${bind(0)}`;
  const matched = sql`select ${narrowMatch(options)}, ${pageThreshold(options)}`;
  return sql`${match}(narrowed, most) as materialized (${matched}),
    ${narrow}(id) as materialized (${ids(narrowed, most)}),
    ${whole}(id) as materialized (${ids(bind(0), sql`iif(${isEnough}, 0, ${most})`)})`;
};

interface FoundNames {
  readonly match: RawBuilder<unknown>;
  readonly narrow: RawBuilder<unknown>;
  readonly whole: RawBuilder<unknown>;
}

/** Sorts the ids that are found, or walks through all in their order, whichever is less work. */
const sortedIds = (options: FoundRowsOptions): RawBuilder<unknown> => {
  const { table, alias, order, slice, where } = options;
  const [match, narrow, whole] = [sql.id(`${alias}m`), sql.id(`${alias}n`), sql.id(`${alias}w`)];
  const [row, found] = [sql.id(alias, 'id'), sql.id(`${alias}f`)];
  const isFewOf = (ids: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`(select count(*) from ${ids}) < (select most from ${match})`;
  const isNarrowed = sql`(select narrowed from ${match}) <> ${options.bind(0)}`;
  const isRare = sql`${isFewOf(narrow)} or ${isNarrowed} and ${isFewOf(whole)}`;
  const limit = slice === null ? sql`-1` : sql`${slice.limit} + 0`;
  const offset = slice === null ? sql`` : sql`offset (${slice.offset} + 0)`;
  const few = sql`select id from ${narrow} where ${isFewOf(narrow)} union all select id from ${whole}`;
  const lookedUp = sql`select ${row} as sorted_id from (${few}) as ${found} cross join ${table}
    ${whereAll([sql`${row} = ${found}.id`, ...where])}`;
  const walked = sql`select ${row} as sorted_id from ${table} ${whereAll(where)}`;
  return sql`with ${foundIds(options, { match, narrow, whole })}
    select * from (${lookedUp} ${order} limit iif(${isRare}, ${limit}, 0) ${offset}) union all
    select * from (${walked} ${order} limit iif(${isRare}, 0, ${limit}) ${offset})`;
};

const orderedRows = (options: FoundRowsOptions): RawBuilder<unknown> => {
  const { table, alias } = options;
  const sorted = `${alias}s`;
  const joined = sql`cross join ${table} on ${sql.id(alias, 'id')} = ${sql.id(sorted, 'sorted_id')}`;
  return sql`from (${sortedIds(options)}) as ${sql.id(sorted)} ${joined}`;
};

/** Triggers are gone where another tool has replaced the table. */
const INDEXES_SQL = `
  SELECT i.name FROM sqlite_master AS i
  WHERE i.type = 'table' AND substr(i.name, 1, ${SEARCH_PREFIX.length}) = '${SEARCH_PREFIX}'
    AND i.sql LIKE 'CREATE VIRTUAL%' AND 3 = (
      SELECT count(*) FROM sqlite_master AS t WHERE t.type = 'trigger'
        AND t.name IN (i.name || '_insert', i.name || '_update', i.name || '_delete'))`;

/**
 * Full-text indexes of trigrams. The tokenizer has no statistics, so each statement looks at how many it
 * finds.
 */
export const SQLITE_SEARCH: SearchExpressions = Object.freeze({
  indexesSql: INDEXES_SQL,
  isIndexMissing: (error) =>
    error instanceof Error && error.message.includes(`no such table: ${SEARCH_PREFIX}`),
  nameOf: ({ name }) => name,
  canFind: (term, { isFolded }) => searchableParts(term, isFolded).length > 0,
  shapeOf: () => '~',
  valuesOf: printMatch,
  orderedRows,
  count: ({ table, alias, where, ...rows }) => {
    const found = foundRows(rows, { table, alias });
    const lookedUp = sql`select count(*) from ${found.from} ${whereAll([...found.where, ...where])}`;
    const scanned = sql`select count(*) from ${table} ${whereAll(where)}`;
    return sql`select iif(${findsFewerThan(rows, lookupThreshold(rows))}, (${lookedUp}), (${scanned}))`;
  },
} satisfies SearchExpressions);
