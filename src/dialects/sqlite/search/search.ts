import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { SEARCH_PREFIX } from '../../search-expressions.js';
import type { FoundRows, FoundRowsOptions, SearchExpressions } from '../../search-expressions.js';
import { whereAll } from '../paths.js';
import { printMatch } from './match.js';
import { lookupThreshold, sqliteFoundRows } from './order.js';
import { idOf, ofStatus, searchName } from './rowids.js';
import { searchableParts } from './terms.js';

interface Found {
  readonly from: RawBuilder<unknown>;
  readonly where: readonly RawBuilder<unknown>[];
}

/** SQLite never reorders a cross join. */
const foundRows = (
  { index, status, bind }: FoundRows,
  { table, alias }: Pick<FoundRowsOptions, 'table' | 'alias'>,
): Found => {
  const [name, search] = [searchName(index), `${alias}f`];
  const rowid = sql.id(search, 'rowid');
  return {
    from: sql`${sql.id(name)} as ${sql.id(search)} cross join ${table}`,
    where: [
      sql`${sql.id(search, name)} match ${bind(0)}`,
      ...ofStatus(rowid, status),
      sql`${sql.id(alias, 'id')} = ${idOf(rowid, status)}`,
    ],
  };
};

/** Whether the index finds fewer rows than a number. Looks at no more. */
const findsFewerThan = (
  { index, status, bind }: FoundRows,
  number: RawBuilder<unknown>,
): RawBuilder<boolean> => {
  const name = sql.id(searchName(index));
  const conditions = whereAll([sql`${name} match ${bind(0)}`, ...ofStatus(sql.ref('rowid'), status)]);
  const found = sql`select 1 from ${name} ${conditions} limit ${number}`;
  return sql<boolean>`(select count(*) from (${found})) < ${number}`;
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
  nameOf: searchName,
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
