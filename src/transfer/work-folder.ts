import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** True if a process with that id runs on this machine. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Relative to the project's folder. */
const FOLDER = '.galley/transfer';

/** A folder for temporary files of a transfer. */
export interface WorkFolder {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** True if a former process with the same id created a folder, as happens in containers. */
const isOfFormerProcess = async (path: string): Promise<boolean> => {
  const startedAt = Date.now() - process.uptime() * 1000;
  const { birthtimeMs } = await stat(path);
  return birthtimeMs < startedAt;
};

/** Removes the folders of killed processes. */
const removeAbandoned = async (parent: string): Promise<void> => {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    const pid = Number.parseInt(name, 10);
    const isAbandoned = pid === process.pid ? await isOfFormerProcess(path) : !isProcessAlive(pid);
    if (isAbandoned) await rm(path, { recursive: true, force: true });
  }
};

/** Creates a folder inside a project, and removes those of processes that have ended. */
export async function createWorkFolder(root: string): Promise<WorkFolder> {
  const parent = join(root, FOLDER);
  await mkdir(parent, { recursive: true });
  await removeAbandoned(parent);
  const path = await mkdtemp(join(parent, `${process.pid}-`));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
