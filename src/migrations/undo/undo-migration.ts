import { basename } from 'node:path';
import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { createError } from '../../errors/catalogue.js';
import { toMigrationError } from '../apply/apply-migrations.js';
import { readHistory, rollBackRecord, withSession } from '../apply/migration-history.js';
import type { MigrationTarget } from '../apply/migration-history.js';
import { loadMigrations } from '../files/load-migrations.js';
import { copyDatabase, listCopies, restoreCopy } from './database-copies.js';
import { planDown } from './migrate-down.js';
import type { DownStep } from './migrate-down.js';
import { deleteRecord, dropCopies, knownRecords, readRecords } from './migration-record.js';
import { restoreRows } from './restore-rows.js';

/** The migrations that can be undone: the last one with a copy made before it, and those after it. */
export interface Undo {
  /** The migrations that are undone with it, newest first. */
  readonly undone: readonly string[];
  /** The copy of the whole database. Null if the rows of the changed tables were copied instead. */
  readonly path: string | null;
}

const readNames = async (session: MigrationSession): Promise<readonly string[]> =>
  (await readHistory(session)).map(({ name }) => name);

const since = (history: readonly string[], name: string): readonly string[] =>
  history.slice(history.indexOf(name)).toReversed();

const locateUndo = async (
  session: MigrationSession,
  { url, folder, dialect }: MigrationTarget,
): Promise<Undo> => {
  const { undo } = dialect.migrations;
  const history = await readNames(session);
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
 * Finds what {@link undoMigration} would undo. Changes nothing.
 *
 * @throws `migration/nothing-to-undo` where no copy is left
 */
export async function findUndo(target: MigrationTarget): Promise<Undo> {
  return withSession(target, false, (session) => locateUndo(session, target));
}

/** Takes the tables back to what they were before the step. The rows of the oldest step become the copies. */
const undoStep = async (session: MigrationSession, step: DownStep, isOldest: boolean): Promise<void> => {
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
  const steps: DownStep[] = [];
  for (const name of undone) {
    const record = records.get(name);
    if (record !== undefined) steps.push(await planDown(record, target));
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
