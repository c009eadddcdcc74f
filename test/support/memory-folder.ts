import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where Linux keeps files in memory. In containers it is often small, or nothing in it may be executed. */
const MEMORY = '/dev/shm';
const NEEDED_BYTES = 4 * 1024 ** 3;

const hasRoom = (): boolean => {
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= NEEDED_BYTES;
};

const assertExecutes = (folder: string): void => {
  const script = join(folder, 'executes');
  writeFileSync(script, '#!/bin/sh\n', { mode: 0o755 });
  execFileSync(script);
  rmSync(script);
};

const createFolder = (): string | null => {
  try {
    if (!hasRoom()) return null;
    const folder = mkdtempSync(join(MEMORY, 'galley-tests-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    // PostgreSQL runs as another user where the tests run as root.
    chmodSync(folder, 0o755);
    assertExecutes(folder);
    return folder;
  } catch {
    return null;
  }
};

/**
 * Keeps the temporary files of a run in memory where there is room for them: SQLite waits for the disk at
 * each commit, longer than most tests take otherwise.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env['TMPDIR'] !== undefined) return;
  const folder = createFolder();
  if (folder !== null) process.env['TMPDIR'] = folder;
}
