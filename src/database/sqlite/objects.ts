import { sql } from 'kysely';
import type { AnalyzeTables } from '../dialect/database-driver.js';
import type { DatabaseObject, DatabaseObjectSupport } from '../dialect/migration-support.js';
import type { SearchedTable } from '../dialect/search-expressions.js';
import { quoteName } from '../dialect/sql-text.js';
import { SQLITE_EXPRESSIONS } from './expressions.js';

export const SQLITE_OBJECTS = Object.freeze<DatabaseObjectSupport>({
  partsSql: `
    SELECT CASE "type" WHEN 'trigger' THEN "tbl_name" || '.' || "name" ELSE "name" END AS "part"
    FROM sqlite_master`,
  retired: { totals: 'DROP TABLE IF EXISTS cms_totals' },
  // SQLite has no roles.
  isDenied: () => false,
});

/**
 * The number of rows that ANALYZE reads of each index. It is enough to distinguish status and locale, which
 * nearly all rows share, from values that few rows have.
 */
export const ANALYSIS_LIMIT = 10_000;

/**
 * Returns the statement that corrects the statistics of a schema after ANALYZE. The limit makes every larger
 * number of rows 10,001. In large tables the planner would then expect fewer rows of a status than of a range
 * of ids, and sort half of a table for each page. Such values are expected in half of the rows.
 */
export const correctStatistics = (schema: 'main' | 'temp'): string => `
  UPDATE ${schema}.sqlite_stat1 SET "stat" = (
    SELECT group_concat(
      iif("value" = ${ANALYSIS_LIMIT + 1}, max("value", CAST("stat" AS INTEGER) / 2), "value"), ' ')
    FROM json_each('[' || replace("stat", ' ', ',') || ']'))
  WHERE "stat" LIKE '% ${ANALYSIS_LIMIT + 1} %' AND "stat" NOT GLOB '*[^0-9 ]*'`;

/** Changes the schema and changes it back, since connections read the statistics when the schema changes. */
const CHANGE_SCHEMA = ['CREATE VIEW cms_analyzed AS SELECT 1', 'DROP VIEW cms_analyzed'];

const ANALYZE = [
  `PRAGMA analysis_limit = ${ANALYSIS_LIMIT}`,
  ...CHANGE_SCHEMA,
  'ANALYZE',
  `${correctStatistics('main')};`,
].join('; ');

/**
 * The average number of rows for each value of an index, rebuilt after migrations. Without it, the planner
 * expects ten rows for each value of a first column, though a status has half of the table.
 */
export const SQLITE_STATISTICS: DatabaseObject = Object.freeze({
  name: 'statistics',
  requires: [],
  create: ANALYZE,
  drop: '',
  afterMigration: ANALYZE,
  parts: ['sqlite_stat1'],
});

export const analyzeSqliteTables: AnalyzeTables = async (tx, tables, rows) => {
  const known = await tx.query(
    `SELECT "tbl" AS "table", max(CAST("stat" AS INTEGER)) AS "rows" FROM sqlite_stat1 GROUP BY "tbl"`,
    [],
  );
  const rowsOf = new Map(known.map((row) => [row['table'], Number(row['rows'])]));
  const outdated = tables.filter((table) => (rowsOf.get(table) ?? 0) < rows);
  if (outdated.length === 0) return;
  for (const statement of CHANGE_SCHEMA) await tx.execute(statement, []);
  for (const table of outdated) await tx.execute(`ANALYZE ${quoteName(table)}`, []);
  await tx.execute(correctStatistics('main'), []);
};

/** Returns one text of a row (`new`, `old` or a table), with a line break between its values. */
const searchTextOf = (values: SearchedTable['texts'][number], row: string): string => {
  const { asText, kysely } = SQLITE_EXPRESSIONS;
  const texts = values.map(
    ({ column, kind }) => sql`${asText(kind, sql.id(row, column))}`.compile(kysely).sql,
  );
  return texts.length === 1
    ? texts.join()
    : texts.map((text) => `coalesce(${text}, '')`).join(` || char(10) || `);
};

/**
 * Returns a full-text index of trigrams that stores no texts. Its triggers use only built-in functions of
 * SQLite, so that other tools can write to the table.
 */
export function searchObject({ name, table, texts }: SearchedTable): DatabaseObject {
  const [index, rows] = [quoteName(name), quoteName(table)];
  const columns = texts.map((_values, position) => `c${position}`).join(', ');
  const rowValues = (row: string): string =>
    [`${quoteName(row)}."id"`, ...texts.map((values) => searchTextOf(values, row))].join(', ');
  const add = `INSERT INTO ${index} (rowid, ${columns}) VALUES (${rowValues('new')});`;
  const remove = `INSERT INTO ${index} (${index}, rowid, ${columns}) VALUES ('delete', ${rowValues('old')});`;
  const searched = [...new Set(['id', ...texts.flat().map(({ column }) => column)])];
  const quoted = searched.map(quoteName);
  const isChanged = quoted.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ');
  const triggers: Readonly<Record<string, string>> = {
    insert: `AFTER INSERT ON ${rows} BEGIN ${add} END`,
    update: `AFTER UPDATE OF ${quoted.join(', ')} ON ${rows} WHEN ${isChanged} BEGIN ${remove} ${add} END`,
    delete: `AFTER DELETE ON ${rows} BEGIN ${remove} END`,
  };
  const triggerName = (event: string): string => `${name}_${event}`;
  return {
    name,
    requires: [{ table, columns: searched }],
    create: [
      `CREATE VIRTUAL TABLE ${index} USING fts5(${columns}, content = '', tokenize = 'trigram');`,
      // In the order of rowids: FTS5 flushes its buffer when a rowid is lower than the last one.
      `INSERT INTO ${index} (rowid, ${columns}) SELECT ${rowValues(table)} FROM ${rows} ORDER BY "id";`,
      ...Object.entries(triggers).map(
        ([event, body]) => `CREATE TRIGGER ${quoteName(triggerName(event))} ${body};`,
      ),
    ].join('\n'),
    drop: [
      ...Object.keys(triggers).map((event) => `DROP TRIGGER IF EXISTS ${quoteName(triggerName(event))};`),
      `DROP TABLE IF EXISTS ${index};`,
    ].join('\n'),
    parts: [name, ...Object.keys(triggers).map((event) => `${table}.${triggerName(event)}`)],
  };
}
