import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { GENERATED } from './project-paths.js';

/** What a project consists of: content-types and its own code, configuration, migrations. */
const WATCHED = ['src', 'cms.config.ts', 'cms.config.js', 'cms.config.mjs', '.env', GENERATED.migrations];

const isNoise = (parts: readonly string[]): boolean => parts.some((part) => part === 'node_modules' || part.startsWith('.')) || /(~|\.tmp|\.swp|\.new)$/.test(parts.at(-1) ?? '');

/** The path of a file as people are told it: relative to the project, with forward slashes. */
export function watchedName(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}

/** Whether a change of that path matters, or of something below it could. */
export function isWatched(root: string, path: string): boolean {
  const name = watchedName(root, path);
  if (name === '' || WATCHED.includes(name)) return true;
  const isAbove = WATCHED.some((watched) => watched.startsWith(`${name}/`));
  return isAbove || (WATCHED.some((watched) => name.startsWith(`${watched}/`)) && !isNoise(name.split('/')));
}

/** What the watched files are, as far as a save changes it: file, size and time by the file's name. */
export type Fingerprint = ReadonlyMap<string, string>;

/** Looks at every watched file. What is gone meanwhile is left out; folders that are links are not followed. */
export async function takeFingerprint(root: string): Promise<Fingerprint> {
  const found = new Map<string, string>();
  const visit = async (path: string): Promise<void> => {
    const stats = await stat(path).catch(() => null);
    if (stats?.isFile() === true) found.set(watchedName(root, path), `${stats.ino} ${stats.size} ${stats.mtimeMs}`);
  };
  const visitFolder = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const inside = entries.map((entry) => ({ entry, path: join(folder, entry.name) })).filter(({ path }) => isWatched(root, path));
    await Promise.all(inside.map(({ entry, path }) => (entry.isDirectory() ? visitFolder(path) : visit(path))));
  };
  await visitFolder(root);
  return found;
}

/** The files that were added, changed or removed between two looks, sorted. */
export function changedBetween(before: Fingerprint, after: Fingerprint): readonly string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).toSorted();
}
