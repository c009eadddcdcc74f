import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { hasErrorCode } from '../../lib/error-code.js';
import type { MigrationSession } from '../migration-support.js';
import { SEARCH_PREFIX } from '../search-expressions.js';
import type { SearchedTable } from '../search-expressions.js';
import { quoteName } from '../sql-text.js';
import { hasFewRows, withBuildLock } from './build-indexes.js';
import { createPostgresExpressions } from './expressions.js';
import type { Folding } from './fold.js';
import { FOLDING_QUERY } from './read-connection.js';
import { postgresSearchName, searchedText } from './search.js';

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * How many texts PostgreSQL keeps of each to estimate how many a search finds. With its default of a hundred,
 * one that few in a thousand have counts as none or as one in a hundred, by chance.
 */
const STATISTICS = 400;

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

const indexedTexts = (folding: Folding, { texts }: SearchedTable, operators: string): string => {
  const { fold, kysely } = createPostgresExpressions(folding);
  const columnOf = (name: string): RawBuilder<unknown> => sql.id(name);
  return texts
    .map((values) => `(${searchedText(fold, values, columnOf).compile(kysely).sql}) ${operators}`)
    .join(', ');
};

const buildIndex = async (
  session: MigrationSession,
  searched: SearchedTable,
  { folding, operators }: { readonly folding: Folding; readonly operators: string },
): Promise<void> => {
  const table = quoteName(searched.table);
  const isConcurrent = !session.isPooled && !(await hasFewRows(session, table));
  const name = quoteName(postgresSearchName(searched, folding));
  await session.script(
    `CREATE INDEX ${isConcurrent ? 'CONCURRENTLY ' : ''}IF NOT EXISTS ${name} ON ${table}` +
      ` USING gin (${indexedTexts(folding, searched, operators)})`,
  );
  for (const position of searched.texts.keys())
    await session.script(`ALTER INDEX ${name} ALTER COLUMN ${position + 1} SET STATISTICS ${STATISTICS}`);
  // The planner knows nothing of the texts that an index computes before.
  if (isConcurrent) await session.script(`ANALYZE ${table}`);
};

const replaceIndexes = async (
  session: MigrationSession,
  searched: readonly SearchedTable[],
): Promise<void> => {
  const [server] = await session.query(FOLDING_QUERY);
  const folding = server?.['folding'] as Folding;
  const existing = await session.query(SELECT_INDEXES);
  const possible = searched.filter(isPresent(await session.columns()));
  const names = new Set(possible.map((table) => postgresSearchName(table, folding)));
  const kept = new Set<string>();
  for (const { name, isValid } of existing)
    if (isValid === true && names.has(String(name))) kept.add(String(name));
    else await session.script(`DROP INDEX IF EXISTS ${quoteName(String(name))}`);
  const missing = possible.filter((table) => !kept.has(postgresSearchName(table, folding)));
  const operators = missing.length === 0 ? null : await installOperators(session);
  if (operators === null) return;
  for (const table of missing) await buildIndex(session, table, { folding, operators });
};

/**
 * Builds the full-text indexes of tables, and drops others. Must be called outside of a transaction: other
 * sessions write while the indexes of large tables are built. Where the role may not, searches scan.
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
