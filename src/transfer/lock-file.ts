import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasErrorCode } from '../lib/caught-errors.js';
import { isAbandoned } from './work-folder.js';

/** Creates a lock file. It appears with its content, so that no process mistakes it for an abandoned lock. */
const createLock = async (file: string): Promise<boolean> => {
  const temporary = `${file}.${process.pid}`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(temporary, String(process.pid));
  try {
    await link(temporary, file);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
};

const isReleased = async (file: string): Promise<boolean> => {
  try {
    return await isAbandoned(file, Number(await readFile(file, 'utf8')));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return true;
    throw error;
  }
};

/**
 * Runs work that only one process may run at a time. The lock file holds the id of that process; the lock of
 * a killed process is replaced.
 *
 * @throws the error of `busy` if another process runs such work
 */
export async function withLockFile<T>(file: string, busy: () => Error, work: () => Promise<T>): Promise<T> {
  const isLocked =
    (await createLock(file)) ||
    ((await isReleased(file)) && (await rm(file, { force: true }).then(() => createLock(file))));
  if (!isLocked) throw busy();
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}
