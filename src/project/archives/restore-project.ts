import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openForeignDatabase } from '../../database/open-foreign-database.js';
import type { DatabaseCopies } from '../../database/dialect/backups.js';
import { createError } from '../../errors/catalogue.js';
import { openExportFolder } from '../../transfer/archive/folder-source.js';
import { hasManifest, verifyFolder } from '../../transfer/archive/manifest.js';
import type { Manifest } from '../../transfer/archive/manifest.js';
import { unpackArchive } from '../../transfer/archive/open-archive.js';
import { DATABASE_FILE } from '../../transfer/backup/pack-backup.js';
import { putFiles } from '../../transfer/backup/put-files.js';
import type { ContentSource } from '../../transfer/source.js';
import { createWorkFolder } from '../../transfer/work-folder.js';
import type { Project } from '../open-project.js';

/** A backup that was read to its end and is as it was written. */
export interface OpenBackup {
  readonly createdAt: string;
  /** The content of the backup: content to import, or a copy of a database that replaces the present one. */
  readonly held: ContentSource | CopiedDatabase;
  readonly close: () => Promise<void>;
}

/** A copy of a database with the files beside it. */
export interface CopiedDatabase {
  /** Returns the number of files that were put back. */
  readonly restore: () => Promise<number>;
}

/** @throws `transfer/other-database`, `transfer/incomplete-archive` */
const openCopy = async (
  { config, dialect }: Project,
  { path, description }: { readonly path: string; readonly description: string },
  manifest: Manifest,
): Promise<CopiedDatabase> => {
  const copies: DatabaseCopies | null = dialect.backups.copies;
  if (copies === null) throw createError('transfer/other-database', { path: description });
  const copy = join(path, DATABASE_FILE);
  const damage = await copies.check(copy);
  if (damage !== null)
    throw createError('transfer/incomplete-archive', { path: description, reason: damage });
  return {
    restore: async () => {
      // Files first: those that nothing refers to yet harm nobody.
      const count = await putFiles(path, manifest, config.upload.directory);
      await copies.restore(copy, config.database.url);
      return count;
    },
  };
};

/**
 * Opens an archive that `cms backup` or `cms export` has written.
 *
 * @throws what `openArchive` throws, `transfer/no-backup`, `transfer/other-database`
 */
export async function openBackup(
  project: Project,
  path: string,
  readKey: () => Promise<string | null>,
): Promise<OpenBackup> {
  const { folder, remove } = await unpackArchive(path, project.root, readKey);
  try {
    if (!(await hasManifest(folder.path))) throw createError('transfer/no-backup', { path });
    const manifest = await verifyFolder(folder.path, folder.description);
    const held =
      manifest.kind === 'database'
        ? await openCopy(project, folder, manifest)
        : await openExportFolder(folder);
    return { createdAt: manifest.createdAt, held, close: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Returns the number of connections of servers to the database. Null: the database cannot report it. */
export async function countServers({ root, config, dialect }: Project): Promise<number | null> {
  const { countServersSql } = dialect.backups;
  if (countServersSql === null) return null;
  const folder = await createWorkFolder(root);
  try {
    const database = await openForeignDatabase(config.database.url, folder.path);
    try {
      const [row] = await database.rows(countServersSql);
      return Number(row?.['count'] ?? 0);
    } finally {
      await database.close();
    }
  } finally {
    await rm(folder.path, { recursive: true, force: true });
  }
}
