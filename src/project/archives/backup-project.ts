import { mkdir, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { createError } from '../../errors/catalogue.js';
import { hasErrorCode } from '../../lib/error-code.js';
import { backupEntries, DATABASE_FILE } from '../../transfer/backup/pack-backup.js';
import { openOwnSource } from '../../transfer/export/open-own-source.js';
import type { TarEntries } from '../../transfer/export/tar-entries.js';
import { packEntries, streamArchive, writeWhole } from '../../transfer/export/write-archive.js';
import type { Packing } from '../../transfer/export/write-archive.js';
import { IMPORT_PARTS } from '../../transfer/import/import-options.js';
import { assertMigrated } from '../assert-migrated.js';
import type { Project } from '../open-project.js';
import { countNoun } from '../../lib/count-noun.js';

export interface BackupOptions extends Packing {
  readonly onProgress: (detail: string) => void;
}

/** The name of a backup of now. */
export function backupName({ isCompressed, key }: Packing, prefix = 'backup'): string {
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  return `${prefix}_${time}.tar${isCompressed ? '.gz' : ''}${key === null ? '' : '.enc'}`;
}

/** The folder of backups, in a project. */
export const DEFAULT_BACKUP_FOLDER = 'backups';

const ARCHIVE_NAME = /^(?:backup|export|before-restore)_\d{14}\.tar(?:\.gz)?(?:\.enc)?$/;

/** True if a file is named as `backupName` names archives. */
export function isArchiveName(name: string): boolean {
  return ARCHIVE_NAME.test(name);
}

/** The folder in which a backup is assembled. */
interface Place {
  readonly tar: TarEntries;
  /** For temporary files. */
  readonly folder: string;
}

/** Copies the database, and packs it with the uploaded files. */
const packDatabase = async (
  { config, dialect }: Project,
  { tar, folder }: Place,
  options: BackupOptions,
): Promise<Readable | null> => {
  const { copies } = dialect.backups;
  if (copies === null) return null;
  const copy = join(folder, DATABASE_FILE);
  await copies.copy(config.database.url, copy);
  const damage = await copies.check(copy);
  if (damage !== null) throw createError('transfer/damaged-database', { reason: damage });
  const onFile = (count: number): void => options.onProgress(countNoun(count, 'file'));
  const content = { copy, uploads: config.upload.directory, onFile };
  return packEntries(backupEntries(tar, content), options);
};

/** Packs the content, where the database is no file. */
const packContent = async (
  { root, config, model }: Project,
  { tar }: Place,
  options: BackupOptions,
): Promise<Readable> => {
  const parts = new Set(IMPORT_PARTS);
  const project = { root, url: config.database.url, model, uploads: config.upload.directory };
  const source = await openOwnSource(project, { parts, types: null, isPrivate: true });
  const counts = { entities: 0, links: 0, assets: 0 };
  const archive = streamArchive(source, { ...options, parts }, { tar, counts });
  return archive.once('close', () => void source.close());
};

/**
 * Writes all that a project's database and its folder of uploaded files hold to a file, while servers run. It
 * is read again before it takes its place.
 *
 * @throws `project/pending-migrations`, `database/unreachable`, `transfer/cannot-write`,
 *   `transfer/damaged-database`
 */
export async function backupProject(project: Project, path: string, options: BackupOptions): Promise<void> {
  if (project.dialect.backups.copies === null) await assertMigrated(project);
  await mkdir(dirname(path), { recursive: true });
  await writeWhole(
    path,
    options,
    async (tar, folder) =>
      (await packDatabase(project, { tar, folder }, options)) ??
      (await packContent(project, { tar, folder }, options)),
  );
}

/** Returns the paths of the oldest files of a folder that are named as `backupName` does. */
const findOldBackups = (folder: string, names: readonly string[], keep: number): readonly string[] => {
  const backups = [...new Set(names)]
    .filter((name) => name.startsWith('backup_') && isArchiveName(name))
    .toSorted();
  return backups.slice(0, Math.max(0, backups.length - keep)).map((name) => join(folder, name));
};

/** Deletes the oldest backups of a folder that `backupName` has named. Returns their paths. */
export async function rotateBackups(folder: string, keep: number): Promise<readonly string[]> {
  const old = findOldBackups(folder, await readdir(folder), keep);
  for (const path of old) await rm(path);
  return old;
}

/**
 * Returns the paths of the backups that would be deleted after one was written to a path. Nothing is written.
 *
 * @param keep undefined: none is deleted
 * @throws `project/pending-migrations`, `database/unreachable`
 */
export async function planBackup(
  project: Project,
  path: string,
  keep: number | undefined,
): Promise<readonly string[]> {
  if (project.dialect.backups.copies === null) await assertMigrated(project);
  if (keep === undefined) return [];
  const folder = dirname(path);
  const present = await readdir(folder).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  });
  return findOldBackups(folder, [...present, basename(path)], keep);
}
