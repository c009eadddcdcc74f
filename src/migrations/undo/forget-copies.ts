import { rmSync } from 'node:fs';
import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { withSession } from '../apply/migration-status.js';
import type { MigrationTarget } from '../apply/migration-status.js';
import { listCopies } from './database-copies.js';
import { dropCopies } from './drop-copies.js';
import { readRecords, writeRecord } from './migration-record.js';
import type { MigrationRecord } from './migration-record.js';

/** Copies for reverting or undoing migrations that are deleted, or that a dry run lists. */
export interface Forgotten {
  /** Migrations whose copied rows are dropped, with the number of rows. */
  readonly migrations: readonly { readonly name: string; readonly rows: number }[];
  /** Copies of the whole database that are removed. */
  readonly files: readonly string[];
}

const copiedRows = ({ kept }: MigrationRecord): number =>
  kept.reduce((sum, { copy, rows }) => (copy === null ? sum : sum + rows), 0);

const recordsWithCopies = async (session: MigrationSession): Promise<readonly MigrationRecord[]> =>
  [...(await readRecords(session)).values()].filter(({ kept }) => kept.length > 0);

/**
 * Drops the rows that were copied before migrations, and the copies of the database. With `isDryRun`, only
 * tells of them. The migrations can be taken back all the same, without what they dropped.
 */
export async function forgetCopies(
  target: MigrationTarget,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<Forgotten> {
  const { dialect, url } = target;
  const { undo } = dialect.migrations;
  return withSession(target, !isDryRun, async (session) => {
    const records = await recordsWithCopies(session);
    const files = undo.kind === 'database' ? listCopies(undo.path(url)) : [];
    const migrations = records.map((record) => ({ name: record.name, rows: copiedRows(record) }));
    if (isDryRun || records.length + files.length === 0) return { migrations, files };
    await session.runExclusive(async () => {
      for (const record of records) {
        await dropCopies(session, { kept: record.kept, dialect });
        await writeRecord(session, { ...record, kept: [] });
      }
    });
    for (const file of files) rmSync(file, { force: true });
    return { migrations, files };
  });
}
