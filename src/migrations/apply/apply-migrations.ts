import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MigrationLockTimeout } from '../../database/dialect/migration-support.js';
import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { quoteName } from '../../database/dialect/sql-text.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { messageOf } from '../../lib/caught-errors.js';
import {
  assertSameDatabase,
  lastMigrationWithSnapshot,
  loadMigrations,
  schemaAfterMigrations,
} from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import { assertAccepted, describeImpact, inspect } from '../impact/data-impact.js';
import type { AcceptedImpact } from '../impact/data-impact.js';
import { inspectTables } from '../impact/table-changes.js';
import type { Drop, TableChange } from '../impact/table-changes.js';
import { effectsOf } from '../plan/compare-states.js';
import type { MigrationEffects } from '../plan/compare-states.js';
import type { MigrationStep } from '../plan/compare-tables.js';
import { renamedColumn, renamedTable } from '../schema/renames.js';
import { parseTables } from '../schema/schema-tables.js';
import { tablesChangedByBoth } from '../schema/schema-text.js';
import { runRecorded } from '../undo/run-recorded.js';
import { historyError, listPending } from './check-history.js';
import type { PendingMigration } from './check-history.js';
import {
  DEFAULT_WAIT_MS,
  HISTORY_TABLE,
  compareHistory,
  insertMigrationRecord,
  readHistory,
  withSession,
} from './migration-history.js';
import type { MigrationTarget } from './migration-history.js';
import { runCodeOf } from './run-code.js';
import type { CodeOptions } from './run-code.js';

/*
 * Applies pending migrations and records them in Prisma's table. Start with `applyMigrations` at the end.
 * check-history compares the records with the folders; auxiliary-objects builds triggers and indexes
 * outside the Prisma schema; fold-migrations merges a change into the last unpublished migration.
 */

/** Options of applying migrations. The header of a migration may accept its impact, too. */
export interface ApplyOptions extends MigrationTarget, CodeOptions, AcceptedImpact {
  /** Receives the path of the copy that is made before a migration changes or drops rows. */
  readonly onCopy?: (path: string) => void;
  /** True if the database may have been migrated by a newer release, where nothing is pending. */
  readonly allowsAhead?: boolean;
}

/** The columns of the database, by table. */
type DatabaseColumns = ReadonlyMap<string, ReadonlySet<string>>;

interface PreparedOptions extends ApplyOptions {
  /** Returns a script without the statements that have already run. */
  readonly prepareScript?: (sql: string) => string;
}

export interface ApplyResult {
  /** The migrations that this process applied, oldest first. Another process may have applied others. */
  readonly applied: readonly string[];
  /** Message about a tolerated difference between the folder and the database; null if there is none. */
  readonly warning: string | null;
}

interface Batch {
  readonly applied: readonly string[];
  /** The migration after which the batch ends, since its code runs next. */
  readonly codeOf: Migration | null;
  /** The number of migrations that this run applies. */
  readonly total: number;
}

interface RunState {
  /** True if a lock is held that outlives transactions. */
  readonly holdsLock: boolean;
  /** The number of migrations that this run has applied. */
  readonly completed: number;
}

const printStep = ({ action, table, column }: MigrationStep): string =>
  `${action.startsWith('drop') ? 'without ' : ''}${column === undefined ? table : `${table}.${column}`}`;

/** True if the database is already as the step would make it. */
const isDone = ({ action, table, column = '' }: MigrationStep, columns: DatabaseColumns): boolean => {
  const existing = columns.get(table);
  switch (action) {
    case 'create-table':
      return existing !== undefined;
    case 'drop-table':
      return existing === undefined;
    case 'add-column':
      return existing?.has(column) === true;
    case 'drop-column':
      return existing?.has(column) !== true;
    default:
      return false;
  }
};

/**
 * Rejects a migration of another branch whose change this database already has, since both branches made it.
 * Its SQL would fail.
 *
 * @param previous the migrations that are applied before it, oldest first
 * @throws `migration/duplicate`
 */
async function assertNotDuplicate(
  session: MigrationSession,
  { name, snapshot }: Migration,
  previous: readonly Migration[],
  effects: MigrationEffects | null,
): Promise<void> {
  if (snapshot === null || effects === null || snapshot.parent === lastMigrationWithSnapshot(previous))
    return;
  const columns = await session.columns();
  const done = effects.tableSteps.filter((step) => isDone(step, columns));
  if (done.length > 0)
    throw createError('migration/duplicate', { name, changes: done.map(printStep).join(', ') });
}

/**
 * Rejects a migration from another branch that rebuilds a table without columns that were added meanwhile,
 * and would so drop them. Tables that are changed in place have no such risk.
 *
 * @param applied the migrations that are applied before it, oldest first
 * @throws `migration/diverged`
 */
function assertNotDiverged(migration: Migration, applied: readonly Migration[]): void {
  const { name, sql, snapshot } = migration;
  if (snapshot === null || snapshot.parent === lastMigrationWithSnapshot(applied)) return;
  const baseSchema =
    snapshot.parent === null
      ? ''
      : applied.find((candidate) => candidate.name === snapshot.parent)?.snapshot?.text;
  const currentSchema = schemaAfterMigrations(applied);
  if (baseSchema === undefined || currentSchema === null) return;
  const conflictingTables = tablesChangedByBoth(baseSchema, currentSchema, snapshot.text).filter((table) =>
    sql.includes(`DROP TABLE ${quoteName(table)};`),
  );
  if (conflictingTables.length > 0)
    throw createError('migration/diverged', { name, tables: conflictingTables.join(', ') });
}

/** True if the error names the file of a draft that was deleted, so that nobody can correct it. */
const isDiscarded = ({ code, details: { file } }: GalleyError): boolean =>
  code === 'migration/failed' && typeof file === 'string' && !existsSync(file);

const changeError = (cause: unknown): GalleyError =>
  createError('migration/change-failed', { reason: messageOf(cause) }, { cause });

/** Returns the error of the catalogue for an error that stopped a migration. */
export const toMigrationError = (
  error: unknown,
  name: string,
  { folder, waitMs = DEFAULT_WAIT_MS }: MigrationTarget,
): unknown => {
  if (isGalleyError(error)) return isDiscarded(error) ? changeError(error.cause) : error;
  if (error instanceof MigrationLockTimeout)
    return createError('migration/locked', { seconds: Math.round(waitMs / 1000) }, { cause: error });
  const file = join(folder, name, 'migration.sql');
  if (!existsSync(file)) return changeError(error);
  return createError(
    'migration/failed',
    { name, reason: messageOf(error), file },
    { cause: error, details: { file } },
  );
};

const SAVEPOINT = 'galley_migration';

/** Finds tables and columns that a script has dropped, but that its plan does not drop. */
const findUndeclared = (
  before: DatabaseColumns,
  after: DatabaseColumns,
  { renames }: Pick<Migration, 'renames'>,
  drops: readonly Drop[],
): readonly TableChange[] => {
  const isDeclared = (table: string, column: string | null): boolean =>
    drops.some((drop) => drop.table === table && (drop.column === null || drop.column === column));
  return [...before].flatMap(([table, columns]): readonly TableChange[] => {
    if (table === HISTORY_TABLE || isDeclared(table, null)) return [];
    const remaining = after.get(renamedTable(table, renames));
    if (remaining === undefined) return [{ kind: 'table', table }];
    return [...columns]
      .filter((column) => !remaining.has(renamedColumn(table, column, renames)) && !isDeclared(table, column))
      .map((column) => ({ kind: 'column', table, column }));
  });
};

/** Rejects undeclared changes that would delete data. */
const assertNoUndeclaredLoss = async (
  session: MigrationSession,
  undeclared: readonly TableChange[],
  { name, snapshot }: Migration,
  accepted: AcceptedImpact,
): Promise<void> => {
  const impact = await inspect(session, [inspectTables(undeclared, null)]);
  // A script written by hand may drop anything that is accepted. The impact of a generated script was shown
  // to the user before, without this.
  if (snapshot === null) assertAccepted(impact, accepted);
  else if (impact.length > 0)
    throw createError(
      'migration/unmanaged-data-loss',
      { name, losses: impact.map(describeImpact).join('; ') },
      { details: { changes: impact } },
    );
};

/**
 * Runs the script. If the script drops something that its plan does not declare, rolls it back, asserts that
 * no row is affected, and runs it again.
 *
 * @param effects the planned effects of the script; null if it was written by hand
 */
export const runScript = async (
  session: MigrationSession,
  migration: Migration,
  effects: MigrationEffects | null,
  accepted: AcceptedImpact,
): Promise<void> => {
  const before = await session.columns();
  await session.script(`SAVEPOINT ${SAVEPOINT}`);
  await session.script(migration.sql);
  const undeclared = findUndeclared(before, await session.columns(), migration, effects?.drops ?? []);
  if (undeclared.length > 0) {
    await session.script(`ROLLBACK TO SAVEPOINT ${SAVEPOINT}`);
    await assertNoUndeclaredLoss(session, undeclared, migration, accepted);
    await session.script(migration.sql);
  }
  await session.script(`RELEASE SAVEPOINT ${SAVEPOINT}`);
};

/**
 * Runs one migration and records it, while no other process migrates. Its impact is counted right before it
 * runs, since an earlier migration may have changed the rows.
 *
 * @param previous the migrations before it, oldest first
 * @param effects its planned effects; null if it was written by hand
 */
export const runMigration = async (
  session: MigrationSession,
  migration: Migration,
  previous: readonly Migration[],
  options: PreparedOptions,
  effects: MigrationEffects | null,
): Promise<void> => {
  const startedAt = new Date();
  const accepted: AcceptedImpact = {
    acceptsDataLoss: options.acceptsDataLoss === true || migration.isDataLossAccepted,
    acceptsInvalid: options.acceptsInvalid === true || migration.isInvalidAccepted,
  };
  try {
    assertAccepted(await inspect(session, effects?.inspections ?? []), accepted);
    const sql = options.prepareScript?.(migration.sql) ?? migration.sql;
    await runRecorded(session, migration, previous, {
      dialect: options.dialect,
      steps: effects?.tableSteps ?? null,
      run: () => runScript(session, { ...migration, sql }, effects, accepted),
      onCopy: options.onCopy,
    });
    await insertMigrationRecord(session, {
      name: migration.name,
      checksum: migration.checksum,
      startedAt,
      isFinished: migration.codeFile === null,
    });
  } catch (error) {
    throw toMigrationError(error, migration.name, options);
  }
};

const needsCode = ({ migration, isSqlApplied }: PendingMigration): boolean =>
  isSqlApplied || migration.codeFile !== null;

/**
 * Applies pending migrations in one transaction, up to the SQL of the first that has code. If no lock
 * outlives the transaction, stops before it.
 */
const applyBatch = (
  session: MigrationSession,
  migrations: readonly Migration[],
  options: PreparedOptions,
  { holdsLock, completed }: RunState,
): Promise<Batch> =>
  session.runExclusive(async () => {
    // Listed again under the lock: another process may have applied some meanwhile.
    const pending = await listPending(session, migrations, options);
    const codeIndex = pending.findIndex(needsCode);
    const scripts = codeIndex === -1 ? pending : pending.slice(0, codeIndex + (holdsLock ? 1 : 0));
    if (scripts.length > 0) await session.script(options.dialect.migrations.createHistoryTableSql);
    const total = completed + pending.length;
    const applied: string[] = [];
    for (const [index, { migration, isSqlApplied }] of scripts.entries()) {
      const notYetApplied = pending.slice(index).map((entry) => entry.migration);
      if (isSqlApplied) continue;
      const previous = migrations.filter((candidate) => !notYetApplied.includes(candidate));
      const effects = await effectsOf(migration, previous, options.dialect);
      await assertNotDuplicate(session, migration, previous, effects);
      assertNotDiverged(migration, previous);
      await runMigration(session, migration, previous, options, effects);
      if (migration.codeFile !== null) continue;
      applied.push(migration.name);
      options.onProgress?.({ name: migration.name, completed: completed + index + 1, total });
    }
    return {
      applied,
      codeOf: pending[codeIndex]?.migration ?? null,
      total,
    };
  });

/** Applies batch after batch. Takes the lock that outlives transactions if a migration has code. */
const applyBatches = async (
  session: MigrationSession,
  migrations: readonly Migration[],
  options: PreparedOptions,
  state: RunState,
): Promise<readonly string[]> => {
  const applied: string[] = [];
  for (;;) {
    const completed = state.completed + applied.length;
    const batch = await applyBatch(session, migrations, options, { ...state, completed });
    applied.push(...batch.applied);
    if (batch.codeOf === null) return applied;
    const position = { completed: state.completed + applied.length, total: batch.total };
    if (!state.holdsLock) {
      const next = { holdsLock: true, completed: position.completed };
      const rest = await session.runAlone(() => applyBatches(session, migrations, options, next));
      return [...applied, ...rest];
    }
    await runCodeOf(session, batch.codeOf, migrations, options, position);
    applied.push(batch.codeOf.name);
  }
};

/** Applies pending migrations on an open session. Returns their names, oldest first. */
export const applyPending = async (
  session: MigrationSession,
  migrations: readonly Migration[],
  options: ApplyOptions,
): Promise<readonly string[]> => {
  // In the common case nothing is pending, and the lock is not needed.
  const pending = await listPending(session, migrations, options);
  const last = pending.at(-1);
  if (last === undefined) return [];
  // Loads the parser before the lock, under which nothing may wait for a file.
  const { snapshot } = last.migration;
  if (snapshot !== null) await parseTables(snapshot.text);
  try {
    const scripts = pending.flatMap(({ migration, isSqlApplied }) => (isSqlApplied ? [] : [migration.sql]));
    const prepareScript = await options.dialect.migrations.buildIndexes?.(session, scripts);
    const prepared = prepareScript === undefined ? options : { ...options, prepareScript };
    return await applyBatches(session, migrations, prepared, { holdsLock: false, completed: 0 });
  } catch (error) {
    throw toMigrationError(error, last.migration.name, options);
  }
};

/**
 * Applies pending migrations and records them, in one transaction, while no other process migrates. Instances
 * that start at the same time apply each migration once. If a migration is rejected, fails or is killed, the
 * database stays as it was. The code of a migration runs between transactions. If it fails or is killed, the
 * steps before it stay applied, and the next run continues with that code.
 *
 * The schema engine's `applyMigrations` is not used. On PostgreSQL its adapter splits the script at every
 * semicolon and runs the parts outside of a transaction. On SQLite it locks the file until the process ends.
 * The records are the same, so that `prisma migrate deploy` and `prisma migrate status` agree.
 *
 * @throws `migration/data-loss`, `migration/constraint-violation`, `migration/unmanaged-data-loss`,
 *   `migration/diverged`, `migration/failed` with nothing changed
 * @throws `migration/locked`, `migration/unfinished`, `migration/code-missing`, `migration/draft`,
 *   `migration/code-failed`, `migration/wrong-database`, `migration/unreadable`
 * @throws `migration/unknown`, `migration/edited` if the records of the database contradict the folders
 */
export async function applyMigrations(options: ApplyOptions): Promise<ApplyResult> {
  await assertSameDatabase(options.folder, options.dialect.schema.provider);
  const migrations = await loadMigrations(options.folder);
  // Without migrations no database is created, but the records of one that exists are compared.
  return withSession(options, migrations.length > 0, async (session) => ({
    applied: await applyPending(session, migrations, { ...options, allowsAhead: true }),
    warning: historyError(compareHistory(migrations, await readHistory(session)))?.message ?? null,
  }));
}
