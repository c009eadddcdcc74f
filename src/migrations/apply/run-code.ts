import type { MigrationSession } from '../../database/dialect/migration-support.js';
import type { Migration } from '../files/load-migrations.js';
import { finishMigrationRecord } from './migration-history.js';

/** The table of the system state. It is missing until a migration creates it. */
const STATE_TABLE = 'cms_state';

/** Returns the prefix of the keys in the system state that hold the progress of a migration's code. */
export function codeStatePrefix(name: string): string {
  return `migration/${name}/`;
}

/** Deletes the progress of a migration's code. */
async function clearCodeState(session: MigrationSession, name: string): Promise<void> {
  if (!(await session.columns()).has(STATE_TABLE)) return;
  const prefix = codeStatePrefix(name);
  await session.query(`DELETE FROM "${STATE_TABLE}" WHERE substr("key", 1, ${prefix.length}) = $1`, [prefix]);
}

export interface CodeRun {
  readonly migration: Migration;
  /** The migrations that are applied now, this one included, oldest first. */
  readonly migrations: readonly Migration[];
  readonly onProgress: (detail: string) => void;
}

export type RunCode = (run: CodeRun) => Promise<void>;

export interface CodeOptions {
  readonly onProgress?: (event: {
    readonly name: string;
    readonly completed: number;
    readonly total: number;
    /** Current progress of this migration's code: `400 of 1200 documents`. */
    readonly detail?: string;
  }) => void;
  /** Runs the code of a migration. Required if a pending migration has code. */
  readonly runCode?: RunCode;
}

/** Runs the code of a migration whose SQL is applied, and records that the migration has ended. */
export const runCodeOf = async (
  session: MigrationSession,
  migration: Migration,
  migrations: readonly Migration[],
  options: CodeOptions,
  position: { readonly completed: number; readonly total: number },
): Promise<void> => {
  const { name, codeFile } = migration;
  const report = (event: { readonly completed: number; readonly detail?: string }): void =>
    options.onProgress?.({ name, total: position.total, ...event });
  // Code that was deleted after it had been interrupted has nothing left to do.
  if (codeFile !== null) {
    if (options.runCode === undefined) throw new TypeError(`Nothing runs the code of ${name}`);
    await options.runCode({
      migration,
      migrations: migrations.slice(0, migrations.indexOf(migration) + 1),
      onProgress: (detail) => report({ completed: position.completed, detail }),
    });
  }
  await session.runExclusive(async () => {
    await finishMigrationRecord(session, name);
    await clearCodeState(session, name);
  });
  report({ completed: position.completed + 1 });
};
