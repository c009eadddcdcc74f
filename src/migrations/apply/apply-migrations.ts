import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MigrationLockTimeout } from '../../dialects/migration-support.js';
import type { MigrationSession } from '../../dialects/migration-support.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { messageOf } from '../../lib/source-location.js';
import { assertNotDiverged } from './assert-not-diverged.js';
import { assertContentAccepted } from '../content/assert-content-accepted.js';
import { assertNotDuplicate } from '../history/assert-not-duplicate.js';
import { runRecorded } from '../history/run-recorded.js';
import { historyError } from '../history/history-problems.js';
import { assertNoLoss } from '../losses/assert-no-loss.js';
import { describeLoss } from '../losses/destructive-change.js';
import type { DestructiveChange } from '../losses/destructive-change.js';
import { insertMigrationRecord, readHistory } from './migration-history.js';
import { listPending } from './pending-migrations.js';
import type { PendingMigration } from './pending-migrations.js';
import { runCodeOf } from './run-code.js';
import type { CodeOptions } from './run-code.js';
import { countLosses } from '../losses/count-losses.js';
import { assertSameDatabase, loadMigrations } from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import { DEFAULT_WAIT_MS, compareHistory, withSession } from './migration-status.js';
import type { MigrationTarget } from './migration-status.js';
import { parseTables } from '../schema/schema-tables.js';
import { surveyMigration } from './survey-pending.js';
import { findUndeclaredChanges } from './undeclared-changes.js';

export interface ApplyOptions extends MigrationTarget, CodeOptions {
  /** Accepts the data losses of all pending migrations. A migration may also accept its own. */
  readonly acceptsDataLoss?: boolean;
  /** Accepts values that do not fit the new schemas, as `acceptsDataLoss` does losses. */
  readonly acceptsMisfits?: boolean;
  /** Told where the database was copied to, before a migration that changes or drops rows. */
  readonly onCopy?: (path: string) => void;
  /** Whether the database may have been migrated by a newer release, where nothing is pending. */
  readonly allowsAhead?: boolean;
}

interface PreparedOptions extends ApplyOptions {
  /** Makes a script leave out what has been done before. */
  readonly prepareScript?: (sql: string) => string;
}

export interface ApplyResult {
  /** What this process applied, oldest first. Another process may have applied others. */
  readonly applied: readonly string[];
  /** How the folder differs from the database, where this release can do with it all the same. */
  readonly warning: string | null;
}

/** Whether the error names a file that was only a draft and is gone, so that nobody can correct it. */
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

/** Refuses undeclared changes that would delete data. */
const assertNoUndeclaredLoss = async (
  session: MigrationSession,
  undeclared: readonly DestructiveChange[],
  { name, snapshot }: Migration,
  isDataLossAccepted: boolean,
): Promise<void> => {
  const losses = await countLosses(session, undeclared);
  // A script written by hand may drop anything that is accepted. The losses of a generated script were shown
  // to the user before, without these.
  if (snapshot === null) assertNoLoss(losses, isDataLossAccepted);
  else if (losses.length > 0)
    throw createError(
      'migration/unmanaged-data-loss',
      { name, losses: losses.map(describeLoss).join('; ') },
      { details: { losses } },
    );
};

/**
 * Runs the script. Where that drops something the migration has not declared, rolls it back, asserts that no
 * row is affected, and runs it again.
 */
export const runScript = async (
  session: MigrationSession,
  migration: Migration,
  isDataLossAccepted: boolean,
): Promise<void> => {
  const before = await session.columns();
  await session.script(`SAVEPOINT ${SAVEPOINT}`);
  await session.script(migration.sql);
  const undeclared = findUndeclaredChanges(before, await session.columns(), migration);
  if (undeclared.length > 0) {
    await session.script(`ROLLBACK TO SAVEPOINT ${SAVEPOINT}`);
    await assertNoUndeclaredLoss(session, undeclared, migration, isDataLossAccepted);
    await session.script(migration.sql);
  }
  await session.script(`RELEASE SAVEPOINT ${SAVEPOINT}`);
};

/** Counts what the migration does to stored values, and asserts that the user has accepted that. */
const surveyContent = async (
  session: MigrationSession,
  migration: Migration,
  previous: readonly Migration[],
  options: ApplyOptions,
): Promise<void> => {
  assertContentAccepted(await surveyMigration(session, migration, previous, options.dialect), {
    acceptsDataLoss: options.acceptsDataLoss === true || migration.isDataLossAccepted,
    acceptsMisfits: options.acceptsMisfits === true || migration.areMisfitsAccepted,
  });
};

/**
 * Runs one migration and records it, while no other process migrates. Losses are counted right before it
 * runs, since an earlier migration may have changed the rows.
 *
 * @param previous the migrations before it, oldest first
 */
export const runMigration = async (
  session: MigrationSession,
  migration: Migration,
  previous: readonly Migration[],
  options: PreparedOptions,
): Promise<void> => {
  const startedAt = new Date();
  const isDataLossAccepted = options.acceptsDataLoss === true || migration.isDataLossAccepted;
  try {
    assertNoLoss(await countLosses(session, migration.destructiveChanges), isDataLossAccepted);
    await surveyContent(session, migration, previous, options);
    const sql = options.prepareScript?.(migration.sql) ?? migration.sql;
    await runRecorded(session, migration, previous, {
      dialect: options.dialect,
      run: () => runScript(session, { ...migration, sql }, isDataLossAccepted),
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

interface Stretch {
  readonly applied: readonly string[];
  /** The migration after which the stretch ends, since its code is to be run. */
  readonly codeOf: Migration | null;
  /** How many migrations this run applies. */
  readonly total: number;
}

interface Situation {
  /** Whether a lock is held that outlives transactions. */
  readonly isAlone: boolean;
  /** How many migrations this run has applied. */
  readonly completed: number;
}

const needsCode = ({ migration, isSqlApplied }: PendingMigration): boolean =>
  isSqlApplied || migration.codeFile !== null;

/**
 * Applies pending migrations in one transaction, up to the SQL of the first that has code. Where no lock is
 * held that outlives the transaction, stops before it.
 */
const applyStretch = (
  session: MigrationSession,
  migrations: readonly Migration[],
  options: PreparedOptions,
  { isAlone, completed }: Situation,
): Promise<Stretch> =>
  session.runExclusive(async () => {
    // Listed again under the lock: another process may have applied some meanwhile.
    const pending = await listPending(session, migrations, options);
    const codeIndex = pending.findIndex(needsCode);
    const scripts = codeIndex === -1 ? pending : pending.slice(0, codeIndex + (isAlone ? 1 : 0));
    if (scripts.length > 0) await session.script(options.dialect.migrations.createHistoryTableSql);
    const total = completed + pending.length;
    const applied: string[] = [];
    for (const [index, { migration, isSqlApplied }] of scripts.entries()) {
      const notYetApplied = pending.slice(index).map((entry) => entry.migration);
      if (isSqlApplied) continue;
      const previous = migrations.filter((candidate) => !notYetApplied.includes(candidate));
      await assertNotDuplicate(session, migration, previous);
      assertNotDiverged(migration, previous);
      await runMigration(session, migration, previous, options);
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

/** Applies stretch after stretch. Takes the lock that outlives transactions where some code is to be run. */
const applyStretches = async (
  session: MigrationSession,
  migrations: readonly Migration[],
  options: PreparedOptions,
  situation: Situation,
): Promise<readonly string[]> => {
  const applied: string[] = [];
  for (;;) {
    const completed = situation.completed + applied.length;
    const stretch = await applyStretch(session, migrations, options, { ...situation, completed });
    applied.push(...stretch.applied);
    if (stretch.codeOf === null) return applied;
    const position = { completed: situation.completed + applied.length, total: stretch.total };
    if (!situation.isAlone) {
      const next = { isAlone: true, completed: position.completed };
      const rest = await session.runAlone(() => applyStretches(session, migrations, options, next));
      return [...applied, ...rest];
    }
    await runCodeOf(session, stretch.codeOf, migrations, options, position);
    applied.push(stretch.codeOf.name);
  }
};

/** Applies pending migrations on an open session. Returns their names, oldest first. */
export const applyPending = async (
  session: MigrationSession,
  migrations: readonly Migration[],
  options: ApplyOptions,
): Promise<readonly string[]> => {
  // Where nothing is pending, which is the common case, the lock is not needed.
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
    return await applyStretches(session, migrations, prepared, { isAlone: false, completed: 0 });
  } catch (error) {
    throw toMigrationError(error, last.migration.name, options);
  }
};

/**
 * Applies pending migrations and records them, in one transaction, while no other process migrates. Instances
 * that start at the same time apply each migration once. Where a migration is refused, fails or is killed,
 * the database stays as it was. The code of a migration runs between transactions. Where it fails or is
 * killed, what came before stays applied, and the next run goes on with that code.
 *
 * The schema engine's own `applyMigrations` is not used. On PostgreSQL its adapter splits the script at every
 * semicolon and runs the parts outside of a transaction. On SQLite it locks the file until the process ends.
 * The records are the same, so that `prisma migrate deploy` and `prisma migrate status` agree.
 *
 * @throws `migration/data-loss`, `migration/constraint-violation`, `migration/unmanaged-data-loss`,
 *   `migration/diverged`, `migration/failed` with nothing changed
 * @throws `migration/locked`, `migration/unfinished`, `migration/code-missing`, `migration/draft`,
 *   `migration/code-failed`, `migration/wrong-database`, `migration/unreadable`
 * @throws `migration/unknown`, `migration/edited` where the records of the database contradict the folders
 */
export async function applyMigrations(options: ApplyOptions): Promise<ApplyResult> {
  await assertSameDatabase(options.folder, options.dialect.schema.provider);
  const migrations = await loadMigrations(options.folder);
  // Without migrations no database is created, but one that has some is told of.
  return withSession(options, migrations.length > 0, async (session) => ({
    applied: await applyPending(session, migrations, { ...options, allowsAhead: true }),
    warning: historyError(compareHistory(migrations, await readHistory(session)))?.message ?? null,
  }));
}
