import type { MigrationSession } from '../../database/dialect/migration-support.js';

/** The table of the system state. Missing where no migration has created it yet. */
const STATE_TABLE = 'cms_state';

/** Returns how the keys of the system state begin that the code of a migration keeps until it has ended. */
export function codeStatePrefix(name: string): string {
  return `migration/${name}/`;
}

/** Deletes what the code of a migration has kept. */
export async function clearCodeState(session: MigrationSession, name: string): Promise<void> {
  if (!(await session.columns()).has(STATE_TABLE)) return;
  const prefix = codeStatePrefix(name);
  await session.query(`DELETE FROM "${STATE_TABLE}" WHERE substr("key", 1, ${prefix.length}) = $1`, [prefix]);
}
