import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { hasErrorCode } from '../../lib/caught-errors.js';
import type { MigrationSession, SessionRow } from '../dialect/migration-support.js';
import { SEARCH_PREFIX } from '../dialect/search-expressions.js';
import type { SearchedTable } from '../dialect/search-expressions.js';
import { quoteName } from '../dialect/sql-text.js';
import { createPostgresExpressions } from './expressions.js';
import { FOLDING_QUERY } from './read-connection.js';
import { postgresSearchName, searchedText } from './search.js';
import type { Folding } from './search.js';

/** Held while indexes are built. Never waited for inside of a transaction, which a build would wait for. */
const BUILD_LOCK = 72_707_370;
const POLL_MS = 100;

/** A table with fewer rows is indexed in no time. */
const FEW_ROWS = 1000;

const CREATE_INDEX = /^CREATE INDEX ("[^"]+") ON ("[^"]+")\((.+)\);$/gm;

const SELECT_INDEX = `
  SELECT i.indisvalid AS "isValid", pg_get_indexdef(i.indexrelid) AS "definition"
  FROM pg_index AS i
  WHERE i.indexrelid = to_regclass($1)`;

interface NewIndex {
  /** Quoted. */
  readonly name: string;
  readonly table: string;
  readonly columns: string;
}

/** The indexes that scripts create, by the forms in which the schema engine writes them. */
const newIndexes = (scripts: readonly string[]): readonly NewIndex[] =>
  scripts.flatMap((script) =>
    [...script.matchAll(CREATE_INDEX)].map(([, name = '', table = '', columns = '']) => ({
      name,
      table,
      columns,
    })),
  );

/** The columns of an index with their order, as PostgreSQL prints them and as scripts write them. */
const unquoted = (columns: string): string => columns.replaceAll('"', '');

const hasColumns = (definition: unknown, { columns }: NewIndex): boolean =>
  unquoted(String(definition)).endsWith(` USING btree (${unquoted(columns)})`);

const columnNames = (columns: string): readonly string[] =>
  [...columns.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name).filter((name) => name !== 'C');

/** @param table quoted */
const hasFewRows = async ({ query }: MigrationSession, table: string): Promise<boolean> => {
  const [row] = await query(`SELECT count(*)::int AS n FROM (SELECT FROM ${table} LIMIT ${FEW_ROWS}) AS t`);
  return row?.['n'] !== FEW_ROWS;
};

/** True if the table has the columns already, and so many rows that indexing them takes a while. */
const isWorthBuilding = async (
  session: MigrationSession,
  columns: ReadonlyMap<string, ReadonlySet<string>>,
  index: NewIndex,
): Promise<boolean> => {
  const existing = columns.get(index.table.slice(1, -1));
  if (existing === undefined || !columnNames(index.columns).every((name) => existing.has(name))) return false;
  return !(await hasFewRows(session, index.table));
};

const createSql = ({ name, table, columns }: NewIndex): string =>
  `CREATE INDEX CONCURRENTLY ${name} ON ${table}(${columns})`;

/**
 * Builds the index unless it exists. Drops it first if a killed process left it half built. Returns false if
 * another index has the name; the script then reports the conflict.
 */
const buildIndex = async ({ query, script }: MigrationSession, index: NewIndex): Promise<boolean> => {
  const [existing]: readonly SessionRow[] = await query(SELECT_INDEX, [index.name]);
  if (existing?.['isValid'] === true) return hasColumns(existing['definition'], index);
  if (existing !== undefined) await script(`DROP INDEX CONCURRENTLY ${index.name}`);
  await script(createSql(index));
  return true;
};

const withBuildLock = async <T>({ query }: MigrationSession, work: () => Promise<T>): Promise<T> => {
  const isLocked = async (): Promise<boolean> => {
    const [row] = await query(`SELECT pg_try_advisory_lock(${BUILD_LOCK}) AS "isLocked"`);
    return row?.['isLocked'] === true;
  };
  while (!(await isLocked())) await sleep(POLL_MS);
  try {
    return await work();
  } finally {
    await query(`SELECT pg_advisory_unlock(${BUILD_LOCK})`).catch(() => undefined);
  }
};

/**
 * Builds the indexes that scripts create on tables with rows, while other sessions write to these. Must be
 * called outside of a transaction. Returns a function that removes the built indexes from a script.
 */
export async function buildPostgresIndexes(
  session: MigrationSession,
  scripts: readonly string[],
): Promise<(script: string) => string> {
  // Neither the lock nor CONCURRENTLY works if each statement may run in another session.
  if (session.isPooled) return (script) => script;
  const columns = await session.columns();
  const built = new Set<string>();
  for (const index of newIndexes(scripts)) {
    if (!(await isWorthBuilding(session, columns, index))) continue;
    if (await withBuildLock(session, () => buildIndex(session, index))) built.add(index.name);
  }
  return (script) =>
    script.replaceAll(CREATE_INDEX, (statement, name: string) =>
      built.has(name) ? statement.replace('CREATE INDEX', 'CREATE INDEX IF NOT EXISTS') : statement,
    );
}

/**
 * The number of texts that PostgreSQL keeps of each column to estimate the rows of a search. With its default
 * of 100, it estimates a term that one row in a thousand contains at none or at one row in a hundred.
 */
const STATISTICS_TARGET = 400;

const INSUFFICIENT_PRIVILEGE = '42501';

const SELECT_OPERATORS = `
  SELECT quote_ident(n.nspname) || '.gin_trgm_ops' AS "operators"
  FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'pg_trgm'`;

const SELECT_INDEXES = `
  SELECT c.relname::text AS "name", i.indisvalid AS "isValid"
  FROM pg_class AS c JOIN pg_index AS i ON i.indexrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND starts_with(c.relname::text, '${SEARCH_PREFIX}')`;

const findOperators = async ({ query }: MigrationSession): Promise<string | null> => {
  const [row] = await query(SELECT_OPERATORS);
  return row === undefined ? null : String(row['operators']);
};

/** Returns the operators of trigrams. Null where the server has none, or the role may not install them. */
const installOperators = async (session: MigrationSession): Promise<string | null> => {
  const installed = await findOperators(session);
  if (installed !== null) return installed;
  await session.script('CREATE EXTENSION IF NOT EXISTS pg_trgm').catch(() => undefined);
  return findOperators(session);
};

const isPresent =
  (columns: ReadonlyMap<string, ReadonlySet<string>>) =>
  ({ table, texts }: SearchedTable): boolean =>
    texts.flat().every(({ column }) => columns.get(table)?.has(column) === true);

/** Statistics objects that older releases created for each text. */
const SELECT_STATISTICS = `
  SELECT s.stxname::text AS "name" FROM pg_statistic_ext AS s
  WHERE s.stxnamespace = current_schema()::regnamespace AND starts_with(s.stxname::text, '${SEARCH_PREFIX}')`;

const buildSearchIndex = async (
  session: MigrationSession,
  { name, table, texts }: SearchedTable,
  folding: Folding,
  operators: string,
): Promise<void> => {
  const { fold, kysely } = createPostgresExpressions(folding);
  const columns = texts.map((values) => {
    const text = searchedText(fold, values, (column) => sql.id(column)).compile(kysely).sql;
    return `(${text}) ${operators}`;
  });
  const isLarge = !(await hasFewRows(session, quoteName(table)));
  await session.script(
    `CREATE INDEX ${isLarge && !session.isPooled ? 'CONCURRENTLY ' : ''}IF NOT EXISTS ${quoteName(name)}` +
      ` ON ${quoteName(table)} USING gin (${columns.join(', ')})`,
  );
  for (const position of columns.keys())
    await session.script(
      `ALTER INDEX ${quoteName(name)} ALTER COLUMN ${position + 1} SET STATISTICS ${STATISTICS_TARGET}`,
    );
  // The planner has no statistics of the texts before.
  if (isLarge) await session.script(`ANALYZE ${quoteName(table)}`);
};

const replaceIndexes = async (
  session: MigrationSession,
  searched: readonly SearchedTable[],
): Promise<void> => {
  const [server] = await session.query(FOLDING_QUERY);
  const folding = server?.['folding'] as Folding;
  const columns = await session.columns();
  const wanted = searched
    .filter(isPresent(columns))
    .map((table) => ({ ...table, name: postgresSearchName(table, folding) }));
  const names = new Set(wanted.map(({ name }) => name));
  const kept = new Set<string>();
  for (const { name, isValid } of await session.query(SELECT_INDEXES))
    if (isValid === true && names.has(String(name))) kept.add(String(name));
    else await session.script(`DROP INDEX IF EXISTS ${quoteName(String(name))}`);
  for (const { name } of await session.query(SELECT_STATISTICS))
    await session.script(`DROP STATISTICS IF EXISTS ${quoteName(String(name))}`);
  const missing = wanted.filter(({ name }) => !kept.has(name));
  const operators = missing.length === 0 ? null : await installOperators(session);
  if (operators === null) return;
  for (const table of missing) await buildSearchIndex(session, table, folding, operators);
};

/**
 * Builds the full-text indexes of tables, and drops others. Must be called outside of a transaction: other
 * sessions write while the indexes of large tables are built. If the role lacks the privileges, searches scan
 * tables instead.
 */
export async function buildPostgresSearch(
  session: MigrationSession,
  searched: readonly SearchedTable[],
): Promise<void> {
  const existing = await session.query(SELECT_INDEXES);
  if (existing.length + searched.length === 0) return;
  const replace = (): Promise<void> => replaceIndexes(session, searched);
  await (session.isPooled ? replace() : withBuildLock(session, replace)).catch((error: unknown) => {
    if (!hasErrorCode(error, INSUFFICIENT_PRIVILEGE)) throw error;
  });
}
