import { join } from 'node:path';
import { MigrationLockTimeout } from '../dialects/migration-support.js';
import type { MigrationSession } from '../dialects/migration-support.js';
import { fail } from '../errors/catalogue.js';
import { isGalleyError } from '../errors/galley-error.js';
import { assertMadeTogether } from './assert-made-together.js';
import { assertNoLoss } from './assert-no-loss.js';
import { describeLoss } from './at-stake.js';
import type { AtStake } from './at-stake.js';
import { readHistory, recordMigration } from './history.js';
import { measureLosses } from './measure-losses.js';
import { assertSameDatabase, loadMigrations } from './migration-files.js';
import type { Migration } from './migration-files.js';
import { DEFAULT_WAIT_MS, compareHistory, withSession } from './status.js';
import type { DatabaseAddress } from './status.js';
import { findUnforeseen } from './unforeseen-losses.js';

export interface ApplyOptions extends DatabaseAddress {
  /** The explicit word, for everything that is pending. A migration may carry the word itself. */
  readonly acceptsDataLoss?: boolean;
  readonly onProgress?: (event: { readonly name: string; readonly done: number; readonly total: number }) => void;
}

export interface ApplyResult {
  /** What this process applied, oldest first; another one may have applied the rest. */
  readonly applied: readonly string[];
}

const pendingIn = async (session: MigrationSession, migrations: readonly Migration[]): Promise<readonly Migration[]> => {
  const { pending, failed } = compareHistory(migrations, await readHistory(session));
  const [begun] = failed;
  if (begun !== undefined) throw fail('migration/failed-before', { name: begun });
  return migrations.filter(({ name }) => pending.includes(name));
};

/** The catalogue's error for whatever stopped a migration. */
export const asFailure = (error: unknown, name: string, { folder, waitMs = DEFAULT_WAIT_MS }: DatabaseAddress): unknown => {
  if (isGalleyError(error)) return error;
  if (error instanceof MigrationLockTimeout) return fail('migration/locked', { seconds: Math.round(waitMs / 1000) }, { cause: error });
  const reason = error instanceof Error ? error.message : String(error);
  return fail('migration/failed', { name, reason, file: join(folder, name, 'migration.sql') }, { cause: error });
};

const SAVEPOINT = 'galley_migration';

/** Refuses what a migration takes away without saying so, where rows hold it. */
const assertUnforeseen = async (session: MigrationSession, unforeseen: readonly AtStake[], { name, snapshot }: Migration, isAccepted: boolean): Promise<void> => {
  const losses = await measureLosses(session, unforeseen);
  // What a person writes, that person accepts; a generated script's losses were told one by one, and these were not among them.
  if (snapshot === null) assertNoLoss(losses, isAccepted);
  else if (losses.length > 0) throw fail('migration/unknown-columns', { name, losses: losses.map(describeLoss).join('; ') }, { details: { losses } });
};

/** Runs the script; where that takes away something the migration does not speak of, looks first whether rows held it, and runs it again. */
const runScript = async (session: MigrationSession, migration: Migration, isAccepted: boolean): Promise<void> => {
  const before = await session.columns();
  await session.script(`SAVEPOINT ${SAVEPOINT}`);
  await session.script(migration.sql);
  const unforeseen = findUnforeseen(before, await session.columns(), migration);
  if (unforeseen.length > 0) {
    await session.script(`ROLLBACK TO SAVEPOINT ${SAVEPOINT}`);
    await assertUnforeseen(session, unforeseen, migration, isAccepted);
    await session.script(migration.sql);
  }
  await session.script(`RELEASE SAVEPOINT ${SAVEPOINT}`);
};

/** Runs one migration with its record, inside a turn. Judged right before it runs, since an earlier one may have moved the rows in its way. */
export const runMigration = async (session: MigrationSession, migration: Migration, options: ApplyOptions): Promise<void> => {
  const startedAt = new Date();
  const isAccepted = options.acceptsDataLoss === true || migration.isAccepted;
  try {
    assertNoLoss(await measureLosses(session, migration.stakes), isAccepted);
    await runScript(session, migration, isAccepted);
    await recordMigration(session, { name: migration.name, checksum: migration.checksum, startedAt });
  } catch (error) {
    throw asFailure(error, migration.name, options);
  }
};

const runPending = async (session: MigrationSession, migrations: readonly Migration[], options: ApplyOptions): Promise<readonly string[]> => {
  // Asked again, now that nobody else migrates: another process may have been faster.
  const pending = await pendingIn(session, migrations);
  if (pending.length > 0) await session.script(options.dialect.migrations.createHistory);
  for (const [index, migration] of pending.entries()) {
    const later = pending.slice(index);
    assertMadeTogether(migration, migrations.filter((candidate) => !later.includes(candidate)));
    await runMigration(session, migration, options);
    options.onProgress?.({ name: migration.name, done: index + 1, total: pending.length });
  }
  return pending.map(({ name }) => name);
};

/** Applies what is pending over an open session; names, oldest first. */
export const applyPending = async (session: MigrationSession, migrations: readonly Migration[], options: ApplyOptions): Promise<readonly string[]> => {
  // Most starts find nothing to do, and need not wait for anybody to learn that.
  const last = (await pendingIn(session, migrations)).at(-1);
  if (last === undefined) return [];
  try {
    return await session.exclusively(() => runPending(session, migrations, options));
  } catch (error) {
    throw asFailure(error, last.name, options);
  }
};

/**
 * Applies what is pending in one transaction together with its records, alone among all processes that migrate this database. So
 * instances that start together apply each migration once; one that is refused, fails or is killed leaves the database as it was; and
 * running again does the whole job.
 *
 * The schema engine's own `applyMigrations` is not used: on PostgreSQL its adapter cuts the script at every semicolon and runs the pieces
 * outside a transaction, and on SQLite it holds the file locked until the process ends. The records are the same, so that
 * `prisma migrate deploy` and `status` agree.
 *
 * @throws `migration/data-loss`, `migration/rows-in-the-way`, `migration/unknown-columns`, `migration/made-apart`, `migration/failed`
 *   with nothing changed
 * @throws `migration/locked`, `migration/failed-before`, `migration/wrong-database`, `migration/unreadable`
 */
export async function applyMigrations(options: ApplyOptions): Promise<ApplyResult> {
  await assertSameDatabase(options.folder, options.dialect.prismaProvider);
  const migrations = await loadMigrations(options.folder);
  if (migrations.length === 0) return { applied: [] };
  return withSession(options, true, async (session) => ({ applied: await applyPending(session, migrations, options) }));
}
