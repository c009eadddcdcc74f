import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { SEARCH_PREFIX } from '../../search-expressions.js';
import type {
  FoundRows,
  FoundRowsOptions,
  SearchedTable,
  SearchExpressions,
} from '../../search-expressions.js';
import { whereAll } from '../paths.js';
import { printMatch } from './match.js';
import { pairsColumn, PAIRS_PREFIX } from './pairs.js';
import { lookupThreshold, sqliteFoundRows } from './order.js';
import { searchableParts } from './terms.js';

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

/** Whether the index finds fewer rows than a number. Looks at no more. */
const findsFewerThan = ({ index, bind }: FoundRows, number: RawBuilder<unknown>): RawBuilder<boolean> => {
  const name = sql.id(index.name);
  const found = sql`select 1 from ${name} where ${name} match ${bind(0)} limit ${number}`;
  return sql<boolean>`(select count(*) from (${found})) < ${number}`;
};

/** An index, and which pairs it has: it may be of an older release, or of a type as it was before. */
const nameOf = (index: SearchedTable): string => `${index.name} ${pairsColumn(index)}`;

/** Triggers are gone where another tool has replaced the table. */
const INDEXES_SQL = `
  SELECT i.name || ' ' || substr(i.sql, place + 2, instr(substr(i.sql, place + 2), ',') - 1)
  FROM (SELECT name, sql, instr(sql, ', ${PAIRS_PREFIX}') AS place
    FROM sqlite_master WHERE type = 'table') AS i
  WHERE substr(i.name, 1, ${SEARCH_PREFIX.length}) = '${SEARCH_PREFIX}'
    AND i.sql LIKE 'CREATE VIRTUAL%' AND place > 0 AND 3 = (
      SELECT count(*) FROM sqlite_master AS t WHERE t.type = 'trigger'
        AND t.name IN (i.name || '_insert', i.name || '_update', i.name || '_delete'))`;

const MISSING = [`no such table: ${SEARCH_PREFIX}`, `no such column: ${PAIRS_PREFIX}`];

/**
 * Full-text indexes of trigrams. The tokenizer has no statistics, so each statement looks at how many it
 * finds.
 */
export const SQLITE_SEARCH: SearchExpressions = Object.freeze({
  indexesSql: INDEXES_SQL,
  isIndexMissing: (error) =>
    error instanceof Error && MISSING.some((message) => error.message.includes(message)),
  nameOf,
  canFind: (term, { isFolded }) => searchableParts(term, isFolded).length > 0,
  shapeOf: () => '~',
  valuesOf: printMatch,
  orderedRows: sqliteFoundRows,
  count: ({ table, alias, where, ...rows }) => {
    const found = foundRows(rows, { table, alias });
    const lookedUp = sql`select count(*) from ${found.from} ${whereAll([...found.where, ...where])}`;
    const scanned = sql`select count(*) from ${table} ${whereAll(where)}`;
    return sql`select iif(${findsFewerThan(rows, lookupThreshold(rows))}, (${lookedUp}), (${scanned}))`;
  },
} satisfies SearchExpressions);
