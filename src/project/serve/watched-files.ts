import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { relativePath } from '../../lib/text.js';
import { isProcessAlive } from '../../transfer/work-folder.js';
import { GENERATED } from '../open/open-project.js';

/** The watched files and folders of a project: code, content-types, configuration and migrations. */
const WATCHED = [
  'src',
  'config',
  'cms.config.ts',
  'cms.config.js',
  'cms.config.mjs',
  '.env',
  GENERATED.migrations,
];

const isTemporary = (path: string): boolean =>
  path.split('/').some((segment) => segment === 'node_modules' || segment.startsWith('.')) ||
  /(~|\.tmp|\.swp|\.new)$/.test(path);

/** True if a path is watched, is below a watched path, or contains a watched path. */
export function isWatched(root: string, path: string): boolean {
  const name = relativePath(root, path);
  if (name === '' || WATCHED.includes(name)) return true;
  const isAbove = WATCHED.some((watched) => watched.startsWith(`${name}/`));
  return isAbove || (WATCHED.some((watched) => name.startsWith(`${watched}/`)) && !isTemporary(name));
}

/** Inode, size and modification time of each watched file, by its path. */
export type Fingerprint = ReadonlyMap<string, string>;

/** Reads the state of every watched file. Skips files that vanish. Does not follow links to folders. */
export async function takeFingerprint(root: string): Promise<Fingerprint> {
  const entriesByPath = new Map<string, string>();
  const visit = async (path: string): Promise<void> => {
    const stats = await stat(path).catch(() => null);
    if (stats?.isFile() === true)
      entriesByPath.set(relativePath(root, path), `${stats.ino} ${stats.size} ${stats.mtimeMs}`);
  };
  const visitFolder = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const inside = entries
      .map((entry) => ({ entry, path: join(folder, entry.name) }))
      .filter(({ path }) => isWatched(root, path));
    await Promise.all(
      inside.map(({ entry, path }) => (entry.isDirectory() ? visitFolder(path) : visit(path))),
    );
  };
  await visitFolder(root);
  return entriesByPath;
}

/** Returns the paths that were added, changed or removed between two states, sorted. */
export function changedFiles(before: Fingerprint, after: Fingerprint): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).toSorted();
}

const FOLDER = '.galley';
const PREFIX = 'editing-';
const POLL_MS = 20;
/** The maximum age of a notice. An older one is of an ended process, whose id another process has now. */
const STALE_MS = 60_000;

/**
 * Edits a project's files while a running development server waits, so that it rebuilds once instead of after
 * each file.
 */
export async function announceEdit<T>(root: string, edit: () => Promise<T>): Promise<T> {
  const notice = join(root, FOLDER, `${PREFIX}${process.pid}-${randomUUID()}`);
  await mkdir(join(root, FOLDER), { recursive: true });
  await writeFile(notice, '');
  try {
    return await edit();
  } finally {
    await rm(notice, { force: true });
  }
}

const isEditing = async (root: string): Promise<boolean> => {
  const names = await readdir(join(root, FOLDER)).catch(() => []);
  for (const name of names.filter((candidate) => candidate.startsWith(PREFIX))) {
    const writtenAt = await stat(join(root, FOLDER, name)).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    if (Date.now() - writtenAt < STALE_MS && isProcessAlive(Number.parseInt(name.slice(PREFIX.length), 10)))
      return true;
  }
  return false;
};

/** Resolves when no other process is editing the project's files with {@link announceEdit}. */
export async function waitForEdits(root: string): Promise<void> {
  while (await isEditing(root)) await sleep(POLL_MS);
}
