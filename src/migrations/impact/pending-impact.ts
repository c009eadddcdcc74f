import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { assertSameDatabase, loadMigrations } from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import { historyError } from '../apply/check-history.js';
import { inspect } from './data-impact.js';
import type { DataImpact } from './data-impact.js';
import { quoteName } from '../../database/dialect/sql-text.js';
import type { MigrationDialect } from '../../database/dialect/dialect.js';
import { areSafeWhileRunning, hasStatements } from '../plan/additive.js';
import { effectsOf } from '../plan/compare-states.js';
import { parseTables } from '../schema/schema-tables.js';
import { compareHistory, readHistory, withSession } from '../apply/migration-history.js';
import type { MigrationStatus, MigrationTarget } from '../apply/migration-history.js';

/** The impact of a pending migration on one database. */
interface CountedMigration {
  readonly migration: Pick<Migration, 'name' | 'isDataLossAccepted' | 'isInvalidAccepted'>;
  readonly impact: readonly DataImpact[];
}

export interface PendingImpact {
  /** The first pending migration that is not additive; null if it has no impact, or if there is none. */
  readonly counted: CountedMigration | null;
  /** The pending migrations whose impact can be counted only right before they run. */
  readonly uncounted: readonly string[];
}

/** Error of an inspection that reads tables or columns of an earlier pending migration. */
class NotYetCreated extends Error {
  override readonly name = 'NotYetCreated';
}

/** Returns the tables and columns that a migration starts from. */
const columnsBefore = async (
  { snapshot }: Migration,
  migrations: readonly Migration[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const parent = migrations.find(({ name }) => name === snapshot?.parent)?.snapshot;
  const tables = parent === undefined || parent === null ? [] : (await parseTables(parent.text)).values();
  return new Map([...tables].map(({ name, columns }) => [name, new Set(columns.keys())]));
};

/**
 * Returns a session that reports the tables and columns that a migration starts from as existing. Otherwise
 * an inspection would skip missing ones, although their rows may be affected once they exist. Queries that
 * name a missing one throw `NotYetCreated`.
 */
const assumeColumns = async (
  session: MigrationSession,
  assumed: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<MigrationSession> => {
  const existing = await session.columns();
  const missing = [...assumed].flatMap(([table, columns]) => {
    const present = existing.get(table);
    return present === undefined ? [table] : [...columns].filter((column) => !present.has(column));
  });
  const missingNames = missing.map(quoteName);
  return {
    ...session,
    columns: async () => new Map([...existing, ...assumed]),
    query: async (sql, parameters) => {
      if (missingNames.some((name) => sql.includes(name))) throw new NotYetCreated();
      return session.query(sql, parameters);
    },
  };
};

/**
 * True if a migration of another branch, unknown when this one was planned, has changed the database. The
 * columns that this one starts from may then be missing.
 */
const isOvertaken = async (
  { name, snapshot }: Migration,
  migrations: readonly Migration[],
  pending: readonly string[],
): Promise<boolean> => {
  const isOther = (other: Migration): boolean =>
    other.name !== name && other.snapshot !== null && !pending.includes(other.name);
  const others = migrations.filter((other) => isOther(other) && other.name > (snapshot?.parent ?? ''));
  return !(await areSafeWhileRunning(
    migrations,
    others.map((other) => other.name),
  ));
};

/** Returns the impact of a migration on the current rows. Null if it cannot be counted yet. */
const countImpact = async (
  session: MigrationSession,
  migration: Migration,
  migrations: readonly Migration[],
  dialect: MigrationDialect,
): Promise<CountedMigration | null> => {
  if (migration.isDraft || (migration.snapshot === null && hasStatements(migration.sql))) return null;
  const assuming = await assumeColumns(session, await columnsBefore(migration, migrations));
  const effects = await effectsOf(migration, migrations, dialect);
  try {
    return { migration, impact: await inspect(assuming, effects?.inspections ?? []) };
  } catch (error) {
    if (error instanceof NotYetCreated) return null;
    throw error;
  }
};

const isAdditive = (migrations: readonly Migration[], { name }: Migration): Promise<boolean> =>
  areSafeWhileRunning(migrations, [name]);

const namesOfNonAdditive = async (
  migrations: readonly Migration[],
  pending: readonly Migration[],
): Promise<readonly string[]> => {
  const names: string[] = [];
  for (const migration of pending) if (!(await isAdditive(migrations, migration))) names.push(migration.name);
  return names;
};

const inspectQueue = async (
  session: MigrationSession,
  migrations: readonly Migration[],
  { pending, unfinished, failed }: MigrationStatus,
  dialect: MigrationDialect,
): Promise<PendingImpact> => {
  if (failed.length > 0) return { counted: null, uncounted: [] };
  const queue = migrations.filter(({ name }) => pending.includes(name));
  const uncountedFrom = (index: number): Promise<readonly string[]> =>
    namesOfNonAdditive(migrations, queue.slice(index));
  // The code of an unfinished migration may still change any row.
  if (unfinished.length > 0) return { counted: null, uncounted: await uncountedFrom(0) };
  for (const [index, migration] of queue.entries()) {
    const { isDraft, codeFile } = migration;
    if (!isDraft && (await isAdditive(migrations, migration))) {
      if (codeFile !== null) return { counted: null, uncounted: await uncountedFrom(index + 1) };
      continue;
    }
    const counted = (await isOvertaken(migration, migrations, pending))
      ? null
      : await countImpact(session, migration, migrations, dialect);
    if (counted === null) return { counted, uncounted: await uncountedFrom(index) };
    const isEmpty = counted.impact.length === 0;
    return { counted: isEmpty ? null : counted, uncounted: await uncountedFrom(index + 1) };
  }
  return { counted: null, uncounted: [] };
};

/**
 * Counts the impact of the first pending migration that is not additive. Changes nothing. The impact of later
 * migrations depends on the rows that it leaves, and is counted right before each of them runs. Counts
 * nothing if the records of the database contradict the folders, or if a migration has failed.
 *
 * @throws `migration/wrong-database`, `migration/unreadable`
 */
export async function inspectPending(target: MigrationTarget): Promise<PendingImpact> {
  await assertSameDatabase(target.folder, target.dialect.schema.provider);
  return withSession(target, false, async (session) => {
    // Before the folder: what another process writes and applies meanwhile is pending, and not missing.
    const history = await readHistory(session);
    const migrations = await loadMigrations(target.folder);
    const status = compareHistory(migrations, history);
    return historyError(status) === null
      ? inspectQueue(session, migrations, status, target.dialect)
      : { counted: null, uncounted: [] };
  });
}
