import { setTimeout as sleep } from 'node:timers/promises';
import type { MigrationSession, SessionRow } from '../dialect/migration-support.js';

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
export const hasFewRows = async ({ query }: MigrationSession, table: string): Promise<boolean> => {
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
 * Builds the index unless it is there. One that a killed process left half built is dropped first. Returns
 * false where another index has the name: the script then says so.
 */
const buildIndex = async ({ query, script }: MigrationSession, index: NewIndex): Promise<boolean> => {
  const [existing]: readonly SessionRow[] = await query(SELECT_INDEX, [index.name]);
  if (existing?.['isValid'] === true) return hasColumns(existing['definition'], index);
  if (existing !== undefined) await script(`DROP INDEX CONCURRENTLY ${index.name}`);
  await script(createSql(index));
  return true;
};

export const withBuildLock = async <T>({ query }: MigrationSession, work: () => Promise<T>): Promise<T> => {
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
 * Builds the indexes that scripts create on tables with rows, while these are written on. Must be called
 * outside of a transaction. Returns a function that makes a script leave out what is built.
 */
export async function buildPostgresIndexes(
  session: MigrationSession,
  scripts: readonly string[],
): Promise<(script: string) => string> {
  // Neither the lock nor CONCURRENTLY works where each statement may get another session.
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
