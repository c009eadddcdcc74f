import { basename } from 'node:path';
import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { createError } from '../../errors/catalogue.js';
import { toMigrationError } from '../apply/apply-migrations.js';
import { rollBackRecord, withSession } from '../apply/migration-history.js';
import type { MigrationTarget } from '../apply/migration-history.js';
import { loadMigrations } from '../files/load-migrations.js';
import { copyDatabase, listCopies, restoreCopy } from './database-copies.js';
import { planRevert, readAppliedNames } from './revert-migrations.js';
import type { RevertStep } from './revert-migrations.js';
import { deleteRecord, dropCopies, knownRecords, readRecords } from './migration-record.js';
import { restoreRows } from './restore-rows.js';

/** The last migration with a copy made before it, and all later ones. They are undone in one step. */
export interface Undo {
  /** The names of these migrations, newest first. */
  readonly undone: readonly string[];
  /** The copy of the whole database. Null if the rows of the changed tables were copied instead. */
  readonly path: string | null;
}

const since = (history: readonly string[], name: string): readonly string[] =>
  history.slice(history.indexOf(name)).toReversed();

const locateUndo = async (
  session: MigrationSession,
  { url, folder, dialect }: MigrationTarget,
): Promise<Undo> => {
  const { undo } = dialect.migrations;
  const history = await readAppliedNames(session);
  if (undo.kind === 'database') {
    const [path] = listCopies(undo.path(url));
    const name = history.find((candidate) => path !== undefined && basename(path).includes(candidate));
    if (path !== undefined) return { undone: name === undefined ? [] : since(history, name), path };
  } else {
    const records = await knownRecords(session, await loadMigrations(folder));
    const name = history.findLast((candidate) => (records.get(candidate)?.kept.length ?? 0) > 0);
    if (name !== undefined) return { undone: since(history, name), path: null };
  }
  throw createError('migration/nothing-to-undo', {});
};

/**
 * Finds the migrations that {@link undoMigration} would undo. Changes nothing.
 *
 * @throws `migration/nothing-to-undo` if no copy is left
 */
export async function findUndo(target: MigrationTarget): Promise<Undo> {
  return withSession(target, false, (session) => locateUndo(session, target));
}

/** Reverts the tables of one step. The rows of the oldest step are replaced by their copies. */
const undoStep = async (session: MigrationSession, step: RevertStep, isOldest: boolean): Promise<void> => {
  const { name, plan, rows } = step;
  const { undo, copyLocation } = rows.dialect.migrations;
  if (plan.sql !== '') await session.script(plan.sql);
  if (!isOldest) await restoreRows(session, rows);
  else if (undo.kind === 'rows') {
    const location = await copyLocation(session, { creates: false });
    await undo.replace(
      session,
      rows.kept.map(({ table, copy }) => ({
        table,
        copy: copy === null ? null : location(copy),
        columns: [...(rows.before.get(table)?.columns.keys() ?? [])],
      })),
    );
  }
  await rollBackRecord(session, name);
  await dropCopies(session, rows);
  await deleteRecord(session, name);
};

const undoRows = async (
  session: MigrationSession,
  undone: readonly string[],
  target: MigrationTarget,
): Promise<void> => {
  const records = await knownRecords(session, await loadMigrations(target.folder));
  const steps: RevertStep[] = [];
  for (const name of undone) {
    const record = records.get(name);
    if (record !== undefined) steps.push(await planRevert(record, target));
  }
  await session.runExclusive(async () => {
    for (const step of steps) await undoStep(session, step, step === steps.at(-1));
  });
};

/**
 * Restores the database to its state before the last migration that has a copy. On SQLite, restores the whole
 * file; on PostgreSQL, the structure, and the rows of the tables that the migration changed. Newer writes to
 * them are lost.
 *
 * @throws `migration/nothing-to-undo`, `migration/irreversible`, `migration/failed`, `migration/locked`
 */
export async function undoMigration(target: MigrationTarget): Promise<Undo> {
  return withSession(target, true, async (session) => {
    const found = await locateUndo(session, target);
    const { undo } = target.dialect.migrations;
    try {
      if (undo.kind === 'database' && found.path !== null) await restoreCopy(session, undo, found.path);
      else await undoRows(session, found.undone, target);
    } catch (error) {
      throw toMigrationError(error, found.undone.at(-1) ?? '', target);
    }
    return found;
  });
}

/**
 * Drops everything in the database, in one transaction. If the database is a file, keeps a copy next to it
 * and returns the path of the copy.
 *
 * @throws `migration/locked`, `migration/failed`
 */
export async function emptyDatabase(target: MigrationTarget): Promise<string | null> {
  const { dialect } = target;
  return withSession(target, true, async (session) => {
    try {
      return await session.runExclusive(async () => {
        const hasTables = (await session.columns()).size > 0;
        const path = hasTables ? copyDatabase(session, 'reset') : null;
        for (const { kept } of (await readRecords(session)).values())
          await dropCopies(session, { kept, dialect });
        await dialect.migrations.dropEverything(session);
        return path;
      });
    } catch (error) {
      throw toMigrationError(error, 'reset', target);
    }
  });
}
