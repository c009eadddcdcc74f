import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Administration } from '../../api/administration/administration.js';
import { createError } from '../../errors/catalogue.js';
import { printUnifiedDiff } from '../../lib/files.js';
import { LOCALES_FILE, PERMISSIONS_FILE } from '../../project/access-files.js';
import type { DataLoss } from '../prompts/confirmation.js';
import { readStdin } from '../prompts/secret.js';
import type { ContentProject } from '../project/command-target.js';
import type { Terminal } from '../terminal/terminal.js';

/** A file with roles or locales. */
export interface AccessFile {
  /** The name of the file for messages. */
  readonly file: string;
  readonly text: string;
}

/** The changes that a file would make, and a function that makes them. */
export interface FileChanges {
  /** Empty if there are none. */
  readonly diff: string;
  readonly losses: readonly DataLoss[];
  readonly apply: () => Promise<unknown>;
}

/**
 * Reads a file, or standard input for `-`.
 *
 * @throws the given error of the catalogue if the file cannot be read
 */
export async function readAccessFile(
  terminal: Terminal,
  file: string,
  code: 'access/invalid-permissions-file' | 'access/invalid-locales-file',
): Promise<AccessFile> {
  if (file === '-') return { file, text: await readStdin(terminal) };
  const text = await readFile(resolve(terminal.cwd, file), 'utf8').catch((cause: unknown) => {
    throw createError(code, { file, reason: 'it cannot be read.' }, { cause });
  });
  return { file, text };
}

/** Compares a permissions file with the permissions of a database or a server. */
export async function comparePermissions(
  { permissions }: Pick<Administration, 'permissions'>,
  source: AccessFile & { readonly prune?: boolean },
): Promise<FileChanges> {
  const { before, after } = await permissions.preview(source);
  return {
    diff: printUnifiedDiff({ path: 'permissions', before, after }).trimEnd(),
    losses: [],
    apply: () => permissions.apply(source),
  };
}

/** Describes content that is removed with its locale. */
export function localeLoss(
  locale: string,
  { type, versions }: { readonly type: string; readonly versions: number },
): DataLoss {
  return {
    what: `${type} in ${locale}`,
    type,
    path: null,
    rows: versions,
    reason: 'its content is removed',
  };
}

/** Compares a locales file with the locales of a database or a server. */
export async function compareLocales(
  { locales }: Pick<Administration, 'locales'>,
  source: AccessFile,
): Promise<FileChanges> {
  const { before, after, losses } = await locales.preview(source);
  return {
    diff: printUnifiedDiff({ path: 'locales', before, after }).trimEnd(),
    losses: losses.map(({ locale, ...loss }) => localeLoss(locale, loss)),
    apply: () => locales.apply({ ...source, acceptDataLoss: losses.length > 0 }),
  };
}

/** Reminds of the file that deployments apply, after a command has changed the project's database. */
export function remindOfExport(
  { root, remote }: ContentProject,
  file: typeof LOCALES_FILE | typeof PERMISSIONS_FILE,
  info: (message: string) => void,
): void {
  const usesFiles = [LOCALES_FILE, PERMISSIONS_FILE].some((name) => existsSync(join(root, name)));
  if (remote !== undefined || !usesFiles) return;
  const topic = file === LOCALES_FILE ? 'locale' : 'permissions';
  info(`To deploy this change, run: cms ${topic} export ${file}`);
}
