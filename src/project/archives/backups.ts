import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, copyFile, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createReadStream } from 'node:fs';
import type { DatabaseCopies } from '../../database/dialect/dialect.js';
import { openExternalDatabase } from '../../database/get-dialect.js';
import { createError } from '../../errors/catalogue.js';
import { countNoun, relativePath } from '../../lib/text.js';
import { hasErrorCode } from '../../lib/caught-errors.js';
import { hiddenObjectsIn } from '../../media/providers.js';
import { openExportFolder } from '../../transfer/archive/export-folder.js';
import {
  hasManifest,
  verifyFolder,
  MANIFEST,
  digestOf,
  printManifest,
} from '../../transfer/archive/manifest.js';
import type { Manifest } from '../../transfer/archive/manifest.js';
import { unpackArchive } from '../../transfer/archive/open-archive.js';
import {
  packEntries,
  streamArchive,
  writeVerifiedArchive,
  TAR_END,
} from '../../transfer/archive/write-archive.js';
import type { Packing, TarEntries } from '../../transfer/archive/write-archive.js';
import { openLocalSource } from '../../transfer/export/open-local-source.js';
import { IMPORT_PARTS } from '../../transfer/source.js';
import type { ContentSource } from '../../transfer/source.js';
import { createWorkFolder } from '../../transfer/work-folder.js';
import { assertMigrated } from '../open/open-database.js';
import { logChanges } from '../open/open-log.js';
import type { Project } from '../open/open-project.js';

/** The copy of a database in a backup. */
const DATABASE_FILE = 'database.sqlite';
/** The folder of uploaded files in an archive. */
const UPLOADS_FOLDER = 'assets/uploads';
/** The folder of the trash's files in an archive. */
const TRASH_FOLDER = 'assets/trash';

/** Lists the stored files, without hidden files and folders. */
const listStored = async (uploads: string): Promise<readonly string[]> => {
  try {
    const entries = await readdir(uploads, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
};

/** A stored file and its path in an archive. */
interface PackedFile {
  readonly name: string;
  readonly path: string;
  readonly packedPath: string;
}

/** Lists the stored files. Yields a file that is deleted or restored meanwhile at least once. */
async function* storedFiles(uploads: string): AsyncGenerator<PackedFile> {
  const listServed = async (): Promise<readonly PackedFile[]> =>
    (await listStored(uploads)).map((name) => ({
      name,
      path: join(uploads, name),
      packedPath: `${UPLOADS_FOLDER}/${name}`,
    }));
  const listHidden = async (): Promise<readonly PackedFile[]> =>
    (await hiddenObjectsIn(uploads).list()).map(({ name, path }) => ({
      name,
      path,
      packedPath: `${TRASH_FOLDER}/${name}`,
    }));
  for (const list of [listServed, listHidden, listServed]) yield* await list();
}

/** Content of a backup. */
interface BackupContent {
  /** The path of a copy of the database, which does not change. */
  readonly copy: string;
  /** The folder of uploaded files. */
  readonly uploads: string;
  readonly onFile: (count: number) => void;
}

/** Prints a copy of a database and the uploaded files as an archive. */
async function* backupEntries(
  tar: TarEntries,
  { copy, uploads, onFile }: BackupContent,
): AsyncGenerator<Buffer> {
  yield* tar.file(DATABASE_FILE, (await stat(copy)).size, () => createReadStream(copy));
  const packed = new Set<string>();
  for await (const { name, path, packedPath } of storedFiles(uploads)) {
    const found = packed.has(name) ? null : await stat(path).catch(() => null);
    // A file that was purged since the database was copied is no longer used.
    if (found === null) continue;
    packed.add(name);
    yield* tar.file(packedPath, found.size, () => createReadStream(path));
    onFile(packed.size);
  }
  const createdAt = new Date().toISOString();
  yield* tar.text(MANIFEST, printManifest({ createdAt, kind: 'database', files: tar.digests }));
  yield TAR_END;
}

/**
 * Restores the files of a backup that are missing from a folder or differ, and hides those of the trash. All
 * others stay, since names of stored files are never reused. Returns the number of restored files.
 */
async function putFiles(folder: string, { files }: Manifest, uploads: string): Promise<number> {
  await mkdir(join(uploads, '.incoming'), { recursive: true });
  const hidden = hiddenObjectsIn(uploads);
  const hiddenPaths = new Map((await hidden.list()).map(({ name, path }) => [name, path]));
  let count = 0;
  for (const [path, { size, sha256 }] of Object.entries(files)) {
    const isHidden = path.startsWith(`${TRASH_FOLDER}/`);
    if (!isHidden && !path.startsWith(`${UPLOADS_FOLDER}/`)) continue;
    const name = basename(path);
    const target = isHidden ? (hiddenPaths.get(name) ?? null) : join(uploads, name);
    const found = target === null ? null : await stat(target).catch(() => null);
    if (target !== null && found?.size === size && (await digestOf(target)) === sha256) {
      if (isHidden) await hidden.hide(name);
      continue;
    }
    const staged = join(uploads, '.incoming', `restored-${name}`);
    await copyFile(join(folder, path), staged);
    if (isHidden) await hidden.put({ key: name, path: staged });
    else await rename(staged, join(uploads, name));
    count += 1;
  }
  return count;
}

const execFileAsync = promisify(execFile);

/** `git check-ignore` exits with 1 for files that are not ignored, with 128 outside of a repository. */
const NOT_IGNORED = 1;

/** True if `git add` would add a file. */
const wouldGitAdd = async (path: string): Promise<boolean> => {
  try {
    await execFileAsync('git', ['check-ignore', '--quiet', '--no-index', '--', basename(path)], {
      cwd: dirname(path),
    });
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === NOT_IGNORED;
  }
};

/** Returns the line for .gitignore: an archive's folder, or the archive if it is in the project's root. */
const ignoreLine = (root: string, path: string): string => {
  const place = relativePath(root, path);
  if (place.startsWith('../')) return basename(path);
  return place.includes('/') ? `/${dirname(place)}/` : `/${place}`;
};

/** Warns if git would add an archive, which contains password hashes and possibly tokens. */
export async function warnOfGit(root: string, path: string, warn: (message: string) => void): Promise<void> {
  if (!(await wouldGitAdd(path))) return;
  warn(
    `\`git add\` would add ${path}, which contains the content and password hashes. ` +
      `Add this line to .gitignore and .dockerignore: ${ignoreLine(root, path)}`,
  );
}

interface BackupOptions extends Packing {
  readonly onProgress: (detail: string) => void;
}

/**
 * Returns the file name of a backup created now. The time has milliseconds, so that a second backup does not
 * replace one of the same second, and a second restore not the backup of the data before the first.
 */
export function backupName({ isCompressed, key }: Packing, prefix = 'backup'): string {
  const time = new Date().toISOString().replace(/\D/g, '');
  return `${prefix}_${time}.tar${isCompressed ? '.gz' : ''}${key === null ? '' : '.enc'}`;
}

/** The default folder of backups, in a project. */
export const DEFAULT_BACKUP_FOLDER = 'backups';

const ARCHIVE_NAME = /^(?:backup|export|before-restore)_\d{14}(?:\d{3})?\.tar(?:\.gz)?(?:\.enc)?$/;

/** True if a file name has the form of `backupName`. */
export function isArchiveName(name: string): boolean {
  return ARCHIVE_NAME.test(name);
}

/** The folder in which a backup is assembled. */
interface Place {
  readonly tar: TarEntries;
  /** For temporary files. */
  readonly folder: string;
}

/** Packs a copy of the database with the uploaded files. */
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

/** Packs the content, for databases that are not a file. */
const packContent = async (
  { root, config, model }: Project,
  { tar }: Place,
  options: BackupOptions,
): Promise<Readable> => {
  const parts = new Set(IMPORT_PARTS);
  const project = { root, url: config.database.url, model, uploads: config.upload.directory };
  const source = await openLocalSource(project, { parts, types: null, isPrivate: true });
  const counts = { entities: 0, links: 0, assets: 0 };
  const archive = streamArchive(source, { ...options, parts }, { tar, counts });
  return archive.once('close', () => void source.close());
};

/**
 * Writes the project's database and uploaded files to an archive, while servers run. Verifies the archive
 * before moving it to its path.
 *
 * @throws `project/pending-migrations`, `database/unreachable`, `transfer/cannot-write`,
 *   `transfer/damaged-database`
 */
export async function backupProject(project: Project, path: string, options: BackupOptions): Promise<void> {
  if (project.dialect.backups.copies === null) await assertMigrated(project);
  await mkdir(dirname(path), { recursive: true });
  await writeVerifiedArchive(
    path,
    options,
    async (tar, folder) =>
      (await packDatabase(project, { tar, folder }, options)) ??
      (await packContent(project, { tar, folder }, options)),
  );
}

/** Returns the paths of the oldest backups of a folder, recognized by their names. */
const findOldBackups = (folder: string, names: readonly string[], keep: number): readonly string[] => {
  const backups = [...new Set(names)]
    .filter((name) => name.startsWith('backup_') && isArchiveName(name))
    .toSorted();
  return backups.slice(0, Math.max(0, backups.length - keep)).map((name) => join(folder, name));
};

/** Deletes the oldest backups of a folder, recognized by their names. Returns their paths. */
export async function rotateBackups(folder: string, keep: number): Promise<readonly string[]> {
  const old = findOldBackups(folder, await readdir(folder), keep);
  for (const path of old) await rm(path);
  return old;
}

/**
 * Returns the paths of the backups that would be deleted after a backup to a path. Writes nothing.
 *
 * @param keep the number of backups to keep; undefined to delete none
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

/** A backup that was verified by reading it to its end. */
export interface OpenBackup {
  readonly createdAt: string;
  /** Either content to import, or a copy of a database that replaces the present one. */
  readonly held: ContentSource | CopiedDatabase;
  readonly close: () => Promise<void>;
}

/** A copy of a database with the uploaded files. */
export interface CopiedDatabase {
  /** Returns the number of restored files. */
  readonly restore: () => Promise<number>;
}

/** @throws `transfer/other-database`, `transfer/incomplete-archive` */
const openCopy = async (
  project: Project,
  { path, description }: { readonly path: string; readonly description: string },
  manifest: Manifest,
): Promise<CopiedDatabase> => {
  const { config, dialect } = project;
  const copies: DatabaseCopies | null = dialect.backups.copies;
  if (copies === null) throw createError('transfer/other-database', { path: description });
  const copy = join(path, DATABASE_FILE);
  const damage = await copies.check(copy);
  if (damage !== null)
    throw createError('transfer/incomplete-archive', { path: description, reason: damage });
  return {
    restore: async () => {
      // Files first, since files without references do no harm.
      const count = await putFiles(path, manifest, config.upload.directory);
      await copies.restore(copy, config.database.url);
      await logChanges(project, [
        { action: 'restore', details: { backup: manifest.createdAt, files: count } },
      ]);
      return count;
    },
  };
};

/**
 * Opens an archive of `cms backup` or `cms export`.
 *
 * @throws the errors of `openArchive`, `transfer/no-backup`, `transfer/other-database`
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

/** Returns the number of connections of servers to the database. Null if the database cannot report it. */
export async function countServers({ root, config, dialect }: Project): Promise<number | null> {
  const { countServersSql } = dialect.backups;
  if (countServersSql === null) return null;
  const folder = await createWorkFolder(root);
  try {
    const database = await openExternalDatabase(config.database.url, folder.path);
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
