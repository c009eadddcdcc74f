import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasErrorCode } from '../lib/caught-errors.js';

/** True if a process with that id runs on this machine, also one of another user. */
export function isProcessAlive(pid: number): boolean {
  try {
    return Number.isInteger(pid) && pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
}

/** Relative to the project's folder. */
const FOLDER = '.galley/transfer';

/** A folder for temporary files of a transfer. */
export interface WorkFolder {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** True if a former process with the same id created a file or folder, as happens in containers. */
const isOfFormerProcess = async (path: string): Promise<boolean> => {
  const startedAt = Date.now() - process.uptime() * 1000;
  const { birthtimeMs } = await stat(path);
  return birthtimeMs < startedAt;
};

/** True if the process that created a file or folder has ended. */
export async function isAbandoned(path: string, pid: number): Promise<boolean> {
  return pid === process.pid ? isOfFormerProcess(path) : !isProcessAlive(pid);
}

/** Removes the folders of killed processes, whose names are a prefix and the id of the process. */
const removeAbandoned = async (parent: string, prefix: string): Promise<void> => {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(parent, name);
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    if (await isAbandoned(path, pid)) await rm(path, { recursive: true, force: true });
  }
};

const createFolder = async (parent: string, prefix: string): Promise<WorkFolder> => {
  await removeAbandoned(parent, prefix);
  const path = await mkdtemp(join(parent, `${prefix}${process.pid}-`));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
};

/** Creates a folder inside a project, and removes those of processes that have ended. */
export async function createWorkFolder(root: string): Promise<WorkFolder> {
  const parent = join(root, FOLDER);
  await mkdir(parent, { recursive: true });
  return createFolder(parent, '');
}

/**
 * Creates a folder beside a file, in which a process assembles that file, and removes those of processes that
 * have ended. Only its owner may read it.
 */
export async function createPartFolder(path: string): Promise<WorkFolder> {
  return createFolder(dirname(path), `.${basename(path)}.part-`);
}
