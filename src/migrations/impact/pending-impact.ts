import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { assertSameDatabase, loadMigrations } from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import { historyError } from '../apply/check-history.js';
import { inspect } from './data-impact.js';
import type { DataImpact } from './data-impact.js';
import { quoteName } from '../migration-dialect.js';
import type { MigrationDialect } from '../migration-dialect.js';
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
  /** The first pending migration that does not only add, where it has an impact. Otherwise null. */
  readonly counted: CountedMigration | null;
  /** The pending migrations whose impact can be counted only when it is their turn. */
  readonly uncounted: readonly string[];
}

/** Error of an inspection that reads tables or columns of an earlier pending migration. */
class NotYetCreated extends Error {
  override readonly name = 'NotYetCreated';
}

/** The tables and columns that a migration starts from. */
const columnsBefore = async (
  { snapshot }: Migration,
  migrations: readonly Migration[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const parent = migrations.find(({ name }) => name === snapshot?.parent)?.snapshot;
  const tables = parent === undefined || parent === null ? [] : (await parseTables(parent.text)).values();
  return new Map([...tables].map(({ name, columns }) => [name, new Set(columns.keys())]));
};

/**
 * A session on which the tables and columns that a migration starts from seem to exist. Otherwise an
 * inspection would find nothing in those that are missing, although they may not fit once they exist. Queries
 * that name a missing one throw.
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
 * True if a migration of another branch, which this one was planned without, has changed what the database
 * has. Then this one may not even start from the columns that it was planned for.
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

/** Returns the impact of a migration on the rows as they are. Null where that cannot be counted yet. */
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

const namesOfChanging = async (
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
    namesOfChanging(migrations, queue.slice(index));
  // Their code may still change any row.
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
 * Counts the impact of the pending migrations on this database. Changes nothing. Counts for the first
 * migration that does more than add, which starts from the rows as they are. The impact of later ones depends
 * on the rows that it leaves, and is counted right before each runs. Counts nothing if the records of the
 * database contradict the folders, or if a migration has failed.
 *
 * @throws `migration/wrong-database`, `migration/unreadable`
 */
export async function inspectPending(target: MigrationTarget): Promise<PendingImpact> {
  await assertSameDatabase(target.folder, target.dialect.schema.provider);
  const migrations = await loadMigrations(target.folder);
  return withSession(target, false, async (session) => {
    const status = compareHistory(migrations, await readHistory(session));
    return historyError(status) === null
      ? inspectQueue(session, migrations, status, target.dialect)
      : { counted: null, uncounted: [] };
  });
}
