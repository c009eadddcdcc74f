import { sql } from 'kysely';
import { hasErrorCode } from '../../lib/error-code.js';
import type { MigrationSession } from '../migration-support.js';
import { SEARCH_PREFIX } from '../search-expressions.js';
import type { SearchedTable } from '../search-expressions.js';
import { quoteName } from '../sql-text.js';
import { hasFewRows, withBuildLock } from './build-indexes.js';
import { createPostgresExpressions } from './expressions.js';
import type { Folding } from './fold.js';
import { FOLDING_QUERY } from './read-connection.js';
import { createStatistics, dropOtherStatistics, statisticsOf } from './search-statistics.js';
import { searchedTexts } from './searched-texts.js';
import type { TextStatistics } from './search-statistics.js';
import { hasStatus, postgresSearchName, searchedStatuses } from './search.js';
import type { SearchedStatus } from './search.js';

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

/** A full-text index of the versions of one status. */
interface StatusIndex {
  readonly name: string;
  readonly status: SearchedStatus;
}

const indexesOf = (searched: SearchedTable, folding: Folding): readonly StatusIndex[] =>
  searchedStatuses(searched).map((status) => ({
    name: postgresSearchName(searched, folding, status),
    status,
  }));

/** What an index of a server holds, and how it finds that. */
interface IndexOptions {
  readonly folding: Folding;
  readonly operators: string;
  readonly isConcurrent: boolean;
}

const buildIndex = async (
  session: MigrationSession,
  searched: SearchedTable,
  { name, status }: StatusIndex,
  { folding, operators, isConcurrent }: IndexOptions,
): Promise<void> => {
  const { kysely } = createPostgresExpressions(folding);
  const texts = searchedTexts(searched, folding).map((text) => `(${text}) ${operators}`);
  await session.script(
    `CREATE INDEX ${isConcurrent ? 'CONCURRENTLY ' : ''}IF NOT EXISTS ${quoteName(name)}` +
      ` ON ${quoteName(searched.table)} USING gin (${texts.join(', ')})` +
      ` WHERE ${hasStatus(sql.id('status'), status).compile(kysely).sql}`,
  );
  // Those of the table are read instead.
  for (const position of texts.keys())
    await session.script(`ALTER INDEX ${quoteName(name)} ALTER COLUMN ${position + 1} SET STATISTICS 0`);
};

/** Builds what a table lacks. */
const completeTable = async (
  session: MigrationSession,
  searched: SearchedTable,
  missing: {
    readonly indexes: readonly StatusIndex[];
    readonly statistics: readonly TextStatistics[];
  },
  options: Omit<IndexOptions, 'isConcurrent'>,
): Promise<void> => {
  const table = quoteName(searched.table);
  const isLarge = !(await hasFewRows(session, table));
  const isConcurrent = isLarge && !session.isPooled;
  for (const index of missing.indexes)
    await buildIndex(session, searched, index, { ...options, isConcurrent });
  for (const each of missing.statistics) await createStatistics(session, table, each);
  // The planner knows nothing of the texts before.
  if (isLarge) await session.script(`ANALYZE ${table}`);
};

const replaceIndexes = async (
  session: MigrationSession,
  searched: readonly SearchedTable[],
): Promise<void> => {
  const [server] = await session.query(FOLDING_QUERY);
  const folding = server?.['folding'] as Folding;
  const columns = await session.columns();
  const wanted = searched.filter(isPresent(columns)).map((table) => ({
    table,
    indexes: indexesOf(table, folding),
    statistics: statisticsOf(table, folding),
  }));
  const names = new Set(wanted.flatMap(({ indexes }) => indexes.map(({ name }) => name)));
  const kept = new Set<string>();
  for (const { name, isValid } of await session.query(SELECT_INDEXES))
    if (isValid === true && names.has(String(name))) kept.add(String(name));
    else await session.script(`DROP INDEX IF EXISTS ${quoteName(String(name))}`);
  const known = await dropOtherStatistics(
    session,
    wanted.flatMap(({ statistics }) => statistics),
  );
  const isMissing = ({ name }: { readonly name: string }): boolean => !kept.has(name) && !known.has(name);
  const incomplete = wanted
    .map(({ table, indexes, statistics }) => ({
      table,
      indexes: indexes.filter(isMissing),
      statistics: statistics.filter(isMissing),
    }))
    .filter(({ indexes, statistics }) => indexes.length + statistics.length > 0);
  const operators = incomplete.length === 0 ? null : await installOperators(session);
  if (operators === null) return;
  for (const { table, ...missing } of incomplete)
    await completeTable(session, table, missing, { folding, operators });
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
