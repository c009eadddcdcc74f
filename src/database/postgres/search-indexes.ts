import { sql } from 'kysely';
import { hasErrorCode } from '../../lib/error-code.js';
import type { MigrationSession } from '../dialect/migration-support.js';
import { SEARCH_PREFIX } from '../dialect/search-expressions.js';
import type { SearchedTable } from '../dialect/search-expressions.js';
import { quoteName } from '../dialect/sql-text.js';
import { hasFewRows, withBuildLock } from './build-indexes.js';
import { createPostgresExpressions } from './expressions.js';
import type { Folding } from './fold.js';
import { FOLDING_QUERY } from './read-connection.js';
import { postgresSearchName, searchedText } from './search.js';

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

const buildIndex = async (
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
  for (const table of missing) await buildIndex(session, table, folding, operators);
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
