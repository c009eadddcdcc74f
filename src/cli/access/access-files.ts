import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as Args from '@oclif/core/args';
import type { Administration } from '../../api/administration/administration.js';
import { createError } from '../../errors/catalogue.js';
import { printUnifiedDiff } from '../../lib/files.js';
import { LOCALES_FILE, PERMISSIONS_FILE } from '../../project/access-files.js';
import { writeText } from '../../project/write-text.js';
import type { Outcome } from '../outcome.js';
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

/** The argument of commands that export a file. */
export const exportArguments = {
  file: Args.string({ description: 'File to write; "-" is standard output. [default: standard output]' }),
};

interface ExportedFile {
  /** Undefined or `-` for standard output. */
  readonly file: string | undefined;
  readonly content: string;
  readonly isDryRun: boolean;
  /** The part of the JSON document that lists what a written file contains. */
  readonly summary: Readonly<Record<string, unknown>>;
}

/** Writes an exported file, or prints it. Returns the outcome of the command. */
export async function writeExport(
  { cwd }: Pick<Terminal, 'cwd'>,
  { file, content, isDryRun, summary }: ExportedFile,
): Promise<Outcome> {
  const text = content.trimEnd();
  if (file === undefined || file === '-') return { json: { content }, text };
  const path = resolve(cwd, file);
  if (isDryRun) return { json: { file: path, content, dryRun: true }, text };
  await writeText(path, content);
  return { json: { file: path, ...summary }, text: path };
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
