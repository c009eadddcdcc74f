import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProcessAlive } from '../transfer/is-process-alive.js';

const FOLDER = '.galley';
const PREFIX = 'editing-';
const POLL_MS = 20;
/** A notice that is older was left behind by a process whose id another process has now. */
const STALE_MS = 60_000;

/**
 * Edits a project's files while a development server beside it waits, so that it takes over the result once
 * instead of each file by itself.
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
