import type { MigrationSession } from '../../database/dialect/migration-support.js';
import type { MigrationDialect } from '../migration-dialect.js';
import type { KeptTable } from './migration-record.js';

/** Drops copies of rows. */
export async function dropCopies(
  session: MigrationSession,
  { kept, dialect }: { readonly kept: readonly KeptTable[]; readonly dialect: MigrationDialect },
): Promise<void> {
  const location = await dialect.migrations.copyLocation(session, { creates: false });
  for (const { copy } of kept)
    if (copy !== null) await session.script(`DROP TABLE IF EXISTS ${location(copy)}`);
}
