import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import { hasErrorCode } from '../../lib/caught-errors.js';
import { isRecord } from '../../lib/records.js';
import { didYouMean } from '../../lib/nearest.js';
import { OWNER_ONLY } from '../../lib/files.js';

/** A registered remote server. */
export interface Remote {
  readonly name: string;
  /** The address of its API, without a slash at its end: `https://cms.example.com/api`. */
  readonly url: string;
  /** Null: the environment variable may hold it. */
  readonly token: string | null;
}

/** Returns the environment variable for the token of a remote: `CMS_REMOTE_PRODUCTION_TOKEN`. */
export function tokenVariable(name: string): string {
  return `CMS_REMOTE_${name.toUpperCase().replaceAll('-', '_')}_TOKEN`;
}

const LOCAL_HOSTS = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|.*\.localhost)$/;
const NAME = /^[a-z][a-z0-9-]{0,40}$/i;

/** Checks the name of a remote. @throws `remote/invalid-name` */
export function assertRemoteName(name: string): void {
  if (!NAME.test(name)) throw createError('remote/invalid-name', { name });
}

/**
 * Returns the addresses at which the API of a server may be, the likeliest first: an address without a path
 * is that of the server, whose API has the prefix `/api` unless it is configured otherwise.
 *
 * @throws `remote/invalid-address`
 */
export function apiAddresses(address: string): readonly [string, ...string[]] {
  const invalid = (reason: string): Error =>
    createError('remote/invalid-address', { address: address.replace(/\/\/.*@/, '//***@'), reason });
  if (!URL.canParse(address)) throw invalid('it is not a URL');
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw invalid('it must begin with https://');
  if (url.username !== '' || url.password !== '') throw invalid('it contains a password');
  if (url.search !== '' || url.hash !== '') throw invalid('it has more than a host and a path');
  const path = url.pathname.replace(/\/+$/, '');
  const base = `${url.origin}${path}`;
  return path === '' ? [`${base}/api`] : [base, `${base}/api`];
}

/** True if requests to an address are unencrypted and leave this machine. */
export function isUnencryptedAddress(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !LOCAL_HOSTS.test(hostname);
}

/** Permissions of group and others. */
const OTHERS = 0o077;

/** Returns the path of the file, in a folder that git ignores. */
const fileOf = (root: string): string => join(root, '.galley', 'remotes.json');

const parseRemotes = (file: string, text: string): readonly Remote[] => {
  const invalid = (reason: string): Error => createError('remote/invalid-file', { file, reason });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('it is not JSON');
  }
  if (!isRecord(value)) throw invalid('it must contain an object with the remotes by name');
  return Object.entries(value).map(([name, remote]) => {
    const { url, token } = isRecord(remote) ? remote : {};
    if (typeof url !== 'string' || !URL.canParse(url)) throw invalid(`${name} has no address`);
    return { name, url, token: typeof token === 'string' ? token : null };
  });
};

/** Throws if others may read a file. Windows has no such permissions. */
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

/** Replaces the remotes of a project. Other users cannot read the file at any moment. */
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

/** Returns the remote with a name. @throws `remote/unknown` with the nearest name */
export function requireRemote(remotes: readonly Remote[], name: string): Remote {
  const found = remotes.find((remote) => remote.name === name);
  if (found !== undefined) return found;
  const names = remotes.map((remote) => remote.name);
  const all = names.length === 0 ? 'Add one with: cms remote add' : `The remotes are ${names.join(', ')}.`;
  throw createError('remote/unknown', { name, remedy: didYouMean(name, names, all) });
}
