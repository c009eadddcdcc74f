import { join, resolve } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import { openArchive } from '../../transfer/archive/open-archive.js';
import type { ContentSource } from '../../transfer/source.js';
import { openLiveSource } from '../../transfer/strapi/open-live-source.js';
import type { Prompter } from '../prompts/prompt.js';
import { readSecret } from '../prompts/secret.js';
import type { Terminal } from '../terminal/terminal.js';

/** The environment variable with the key of an encrypted export, for unattended processes. */
const KEY_VARIABLE = 'STRAPI_EXPORT_KEY';

export interface ImportSourceRequest {
  readonly terminal: Terminal;
  /** Null if prompts are not allowed. */
  readonly prompter: Prompter | null;
  readonly flags: Readonly<Record<string, unknown>>;
}

/** True if flags name a database to import from. */
export const hasDatabase = (flags: ImportSourceRequest['flags']): boolean =>
  flags['from-database'] !== undefined || flags['from-database-file'] !== undefined;

/** Reads the key of an encrypted archive from the flags, the environment or a masked question. */
export async function readArchiveKey({
  terminal,
  prompter,
  flags,
}: ImportSourceRequest): Promise<string | null> {
  const isGiven = flags['key'] !== undefined || flags['key-file'] !== undefined;
  const fromEnvironment = terminal.env[KEY_VARIABLE];
  if (!isGiven && fromEnvironment !== undefined && fromEnvironment !== '') return fromEnvironment;
  if (!isGiven && prompter === null) return null;
  return readSecret(terminal, prompter, { name: 'key', message: 'Key of the export', flags });
}

/** Opens an archive or a folder. */
const openExport = (path: string, request: ImportSourceRequest, root: string): Promise<ContentSource> => {
  const { terminal } = request;
  return openArchive(resolve(terminal.cwd, path), root, () => readArchiveKey(request));
};

/** Opens a live database and the files of its project. */
const openDatabase = async (
  url: string,
  { terminal, flags }: ImportSourceRequest,
  root: string,
): Promise<ContentSource> => {
  const path = (flag: unknown): string | null =>
    typeof flag === 'string' ? resolve(terminal.cwd, flag) : null;
  const project = path(flags['project']);
  const uploads = project === null ? null : join(project, 'public', 'uploads');
  return openLiveSource({
    url: absoluteUrl(terminal.cwd, url),
    project: project ?? root,
    uploads: path(flags['uploads']) ?? uploads,
    root,
  });
};

/** Returns the absolute URL of a database file, given its URL or path. */
const absoluteUrl = (cwd: string, url: string): string => {
  if (/^[a-z][a-z\d+]+:\/\//i.test(url)) return url;
  return `file:${resolve(cwd, url.replace(/^file:/, ''))}`;
};

/**
 * Opens the source of an import: an export at a path, or the database of a Strapi project.
 *
 * @param root the folder of the target project
 * @throws `cli/invalid-usage` if neither or both are given
 */
export async function openImportSource(
  path: string | undefined,
  request: ImportSourceRequest,
  root: string,
): Promise<ContentSource> {
  const { terminal, prompter, flags } = request;
  const isDatabase = hasDatabase(flags);
  if (isDatabase && path === undefined) {
    const message = 'Address of the Strapi database';
    const url = await readSecret(terminal, prompter, { name: 'from-database', message, flags });
    return openDatabase(url, request, root);
  }
  if (path !== undefined && !isDatabase) return openExport(path, request, root);
  throw createError('cli/invalid-usage', {
    reason: path === undefined ? 'There is nothing to import.' : 'Both an export and a database are given.',
    remedy: 'Pass either the path of an export or --from-database <url>.',
  });
}

/** Reads the encryption key of a new archive. Null to write it unencrypted. */
export async function readNewKey({ terminal, prompter, flags }: ImportSourceRequest): Promise<string | null> {
  if (flags['key'] === undefined && flags['key-file'] === undefined) return null;
  return readSecret(terminal, prompter, { name: 'key', message: 'Key of the archive', flags });
}
