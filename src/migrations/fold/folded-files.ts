import { existsSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { readHistory } from '../apply/migration-history.js';
import { migrationNames } from '../files/load-migrations.js';

/** The file in the folder of a migration that names the one it replaces, until that is done. */
export const REPLACES_FILE = '.replaces';

/** Prefix of folders next to prisma/migrations with a migration that is being replaced. */
const ASIDE_PREFIX = '.folded-';

const asidePath = (folder: string, name: string): string => join(dirname(folder), `${ASIDE_PREFIX}${name}`);

/** Moves the folder of a migration out of the way. Synchronous, since it is called under the lock. */
export function moveAside(folder: string, name: string): void {
  renameSync(join(folder, name), asidePath(folder, name));
}

/** Moves the folder back. */
export function moveBack(folder: string, name: string): void {
  renameSync(asidePath(folder, name), join(folder, name));
}

/** Deletes what is left of a migration that has been replaced by `successor`, or by nothing. */
export function removeReplaced(folder: string, name: string, successor: string | null): void {
  if (successor !== null) rmSync(join(folder, successor, REPLACES_FILE), { force: true });
  rmSync(asidePath(folder, name), { recursive: true, force: true });
}

/** Returns the migration that stands in place of another, and that one, where the last one does. */
const findSuccessor = (folder: string): { readonly name: string; readonly replaced: string } | null => {
  if (!existsSync(folder)) return null;
  const name = migrationNames(readdirSync(folder, { withFileTypes: true })).at(-1);
  const file = join(folder, name ?? '', REPLACES_FILE);
  return name !== undefined && existsSync(file) ? { name, replaced: readFileSync(file, 'utf8') } : null;
};

const listAside = (folder: string): readonly string[] =>
  existsSync(dirname(folder))
    ? readdirSync(dirname(folder))
        .filter((name) => name.startsWith(ASIDE_PREFIX))
        .map((name) => name.slice(ASIDE_PREFIX.length))
    : [];

/** True if a process was killed, or is running, that replaces a migration. */
export function isUnsettled(folder: string): boolean {
  return findSuccessor(folder) !== null || listAside(folder).length > 0;
}

/** Completes or reverts the work of a process that was killed while it replaced a migration. */
export async function settleFolds(session: MigrationSession, folder: string): Promise<void> {
  if (!isUnsettled(folder)) return;
  // Under the lock, since a running process moves folders in its transaction.
  await session.runExclusive(async () => {
    const recorded = (await readHistory(session)).map(({ name }) => name);
    const successor = findSuccessor(folder);
    if (successor !== null && recorded.includes(successor.replaced))
      rmSync(join(folder, successor.name), { recursive: true, force: true });
    else if (successor !== null) removeReplaced(folder, successor.replaced, successor.name);
    for (const name of listAside(folder))
      if (recorded.includes(name)) moveBack(folder, name);
      else removeReplaced(folder, name, null);
  });
}
