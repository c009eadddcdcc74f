import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import { hasErrorCode } from '../../lib/error-code.js';
import { isRecord } from '../../lib/is-record.js';
import { didYouMean } from '../../lib/nearest.js';
import { OWNER_ONLY } from '../../lib/private-file.js';
import type { Remote } from './remote.js';

const OTHERS = 0o077;

/** The folder is one that git ignores. */
const fileOf = (root: string): string => join(root, '.galley', 'remotes.json');

const parseRemotes = (file: string, text: string): readonly Remote[] => {
  const invalid = (reason: string): Error => createError('remote/invalid-file', { file, reason });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('it is no JSON');
  }
  if (!isRecord(value)) throw invalid('it must hold the remotes by name');
  return Object.entries(value).map(([name, remote]) => {
    const { url, token } = isRecord(remote) ? remote : {};
    if (typeof url !== 'string' || !URL.canParse(url)) throw invalid(`${name} has no address`);
    return { name, url, token: typeof token === 'string' ? token : null };
  });
};

/** Windows has no such rights. */
const assertPrivate = async (file: string): Promise<void> => {
  const { mode } = await stat(file);
  if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
    throw createError('remote/readable-by-others', { file });
};

/**
 * Returns the remotes of a project, in the order in which they were added.
 *
 * @throws `remote/readable-by-others`, `remote/invalid-file`
 */
export async function loadRemotes(root: string): Promise<readonly Remote[]> {
  const file = fileOf(root);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
  const remotes = parseRemotes(file, text);
  if (remotes.some(({ token }) => token !== null)) await assertPrivate(file);
  return remotes;
}

/** Replaces the remotes of a project. Nobody else may read the file at any moment. */
export async function saveRemotes(root: string, remotes: readonly Remote[]): Promise<void> {
  const file = fileOf(root);
  const entries = remotes.map(({ name, url, token }) => [
    name,
    { url, ...(token === null ? {} : { token }) },
  ]);
  const temporary = `${file}.${process.pid}.new`;
  await mkdir(dirname(file), { recursive: true });
  try {
    await rm(temporary, { force: true });
    await writeFile(temporary, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`, {
      mode: OWNER_ONLY,
      flag: 'wx',
    });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** @throws `remote/unknown` with the nearest name */
export function requireRemote(remotes: readonly Remote[], name: string): Remote {
  const found = remotes.find((remote) => remote.name === name);
  if (found !== undefined) return found;
  const names = remotes.map((remote) => remote.name);
  const all =
    names.length === 0 ? 'Add one with: cms remote add' : `Those that are known: ${names.join(', ')}.`;
  throw createError('remote/unknown', { name, remedy: didYouMean(name, names, all) });
}
