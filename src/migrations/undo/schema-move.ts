import { readHistory } from '../apply/migration-history.js';
import { withSession } from '../apply/migration-status.js';
import type { MigrationTarget } from '../apply/migration-status.js';
import { parseContentSnapshot } from '../files/content-snapshot.js';
import { hasStatements, isAdditive } from '../plan/additive.js';
import type { StoredShape } from '../plan/additive.js';
import { readRecords } from './migration-record.js';
import type { MigrationRecord } from './migration-record.js';

/** Migrations applied or reverted since a running server started. */
export interface SchemaMove {
  /** The migrations applied since, then the reverted ones. */
  readonly migrations: readonly string[];
  /** True if the server may continue to serve, since the database has all it relies on. */
  readonly isCompatible: boolean;
}

/** The shape that the last of the applied migrations has led to, as far as it is known. */
const currentShape = (
  applied: readonly string[],
  records: ReadonlyMap<string, MigrationRecord>,
): StoredShape => {
  const last = applied.findLast((name) => records.get(name)?.after !== null);
  const { after = null, contentAfter = null } = (last === undefined ? undefined : records.get(last)) ?? {};
  return { schema: after, content: contentAfter === null ? null : parseContentSnapshot(contentAfter) };
};

/**
 * Compares the migrations of the database with those that a server was started with. Returns null if they are
 * the same. Reads no folder, which another release may have replaced while the server runs.
 */
export function findSchemaMove(
  target: MigrationTarget,
  started: { readonly migrations: readonly string[]; readonly shape: StoredShape },
): Promise<SchemaMove | null> {
  return withSession(target, false, async (session) => {
    const applied = (await readHistory(session)).map(({ name }) => name);
    const added = applied.filter((name) => !started.migrations.includes(name));
    const removed = started.migrations.filter((name) => !applied.includes(name));
    if (added.length + removed.length === 0) return null;
    const records = await readRecords(session);
    const isKnown = added.every((name) => {
      const record = records.get(name);
      return record !== undefined && (record.after !== null || !hasStatements(record.sql));
    });
    const isCompatible = isKnown && (await isAdditive(started.shape, currentShape(applied, records)));
    return { migrations: [...added, ...removed], isCompatible };
  });
}
