import type { MigrationSession } from '../../dialects/migration-support.js';
import type { ContentModel } from '../../model/model.js';
import type { ContentChange } from '../content/content-plan.js';
import { planContent } from '../content/plan-content.js';
import { runSurveys } from '../content/run-surveys.js';
import { transitionOf } from '../files/content-transition.js';
import { assertSameDatabase, loadMigrations } from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import { historyError } from '../history/history-problems.js';
import { countLosses } from '../losses/count-losses.js';
import type { Loss } from '../losses/destructive-change.js';
import { quoteName } from '../migration-dialect.js';
import type { MigrationDialect } from '../migration-dialect.js';
import { areSafeWhileRunning, hasStatements } from '../plan/additive.js';
import { parseTables } from '../schema/schema-tables.js';
import { readHistory } from './migration-history.js';
import { compareHistory, withSession } from './migration-status.js';
import type { MigrationStatus, MigrationTarget } from './migration-status.js';

/** What a pending migration would do to the rows of one database. */
export interface MigrationFindings {
  readonly migration: Pick<Migration, 'name' | 'isDataLossAccepted' | 'areMisfitsAccepted'>;
  /** The content model before the migration. Null where it is not known. */
  readonly before: ContentModel | null;
  readonly losses: readonly Loss[];
  readonly contentChanges: readonly ContentChange[];
}

export interface PendingSurvey {
  /** Those of the first pending migration that does not only add. Null where it has none. */
  readonly findings: MigrationFindings | null;
  /** The pending migrations that may have findings, which can be counted only when it is their turn. */
  readonly uncounted: readonly string[];
}

/**
 * Counts what a migration does to the stored values of a database. Only reads.
 *
 * @param migrations those that it may have been planned after
 */
export function surveyMigration(
  session: MigrationSession,
  migration: Migration,
  migrations: readonly Migration[],
  dialect: MigrationDialect,
): Promise<readonly ContentChange[]> {
  const { surveys } = planContent(transitionOf(migration, migrations), migration.renames, dialect);
  return runSurveys(session, surveys);
}

/** What is asked of the rows concerns what an earlier pending migration has yet to create. */
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
 * A session on which the tables and columns that a migration starts from seem to exist. Otherwise a survey
 * would find nothing in those that are missing, although they may not fit once they exist. Queries that name
 * a missing one throw.
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
 * Whether a migration of another branch, which this one was planned without, has changed what the database
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

/** Returns what a migration would do to the rows as they are. Null where that cannot be told yet. */
const findingsOf = async (
  session: MigrationSession,
  migration: Migration,
  migrations: readonly Migration[],
  dialect: MigrationDialect,
): Promise<MigrationFindings | null> => {
  if (migration.isDraft || (migration.snapshot === null && hasStatements(migration.sql))) return null;
  const assuming = await assumeColumns(session, await columnsBefore(migration, migrations));
  try {
    return {
      migration,
      before: transitionOf(migration, migrations)?.before ?? null,
      losses: await countLosses(assuming, migration.destructiveChanges),
      contentChanges: await surveyMigration(assuming, migration, migrations, dialect),
    };
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

const survey = async (
  session: MigrationSession,
  migrations: readonly Migration[],
  { pending, unfinished, failed }: MigrationStatus,
  dialect: MigrationDialect,
): Promise<PendingSurvey> => {
  if (failed.length > 0) return { findings: null, uncounted: [] };
  const queue = migrations.filter(({ name }) => pending.includes(name));
  const uncountedFrom = (index: number): Promise<readonly string[]> =>
    namesOfChanging(migrations, queue.slice(index));
  // Their code may still change any row.
  if (unfinished.length > 0) return { findings: null, uncounted: await uncountedFrom(0) };
  for (const [index, migration] of queue.entries()) {
    const { isDraft, codeFile } = migration;
    if (!isDraft && (await isAdditive(migrations, migration))) {
      if (codeFile !== null) return { findings: null, uncounted: await uncountedFrom(index + 1) };
      continue;
    }
    const findings = (await isOvertaken(migration, migrations, pending))
      ? null
      : await findingsOf(session, migration, migrations, dialect);
    if (findings === null) return { findings, uncounted: await uncountedFrom(index) };
    const isEmpty = findings.losses.length + findings.contentChanges.length === 0;
    return { findings: isEmpty ? null : findings, uncounted: await uncountedFrom(index + 1) };
  }
  return { findings: null, uncounted: [] };
};

/**
 * Counts what stands in the way of the pending migrations in this database. Changes nothing. Counts for
 * the first that does not only add, which starts from the rows as they are. What comes later depends on the
 * rows that it leaves, and is counted right before it runs. Counts nothing where the records of the database
 * contradict the folders, or a migration has failed.
 *
 * @throws `migration/wrong-database`, `migration/unreadable`
 */
export async function surveyPending(target: MigrationTarget): Promise<PendingSurvey> {
  await assertSameDatabase(target.folder, target.dialect.schema.provider);
  const migrations = await loadMigrations(target.folder);
  return withSession(target, false, async (session) => {
    const status = compareHistory(migrations, await readHistory(session));
    return historyError(status) === null
      ? survey(session, migrations, status, target.dialect)
      : { findings: null, uncounted: [] };
  });
}
