import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

const EVERY_MS = 1000;

/** What the files below a folder are, as far as a save changes it: their names, sizes and times. */
export async function fingerprintOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).toSorted();
  const lines = files.map(async (file) => {
    const found = await stat(file).catch(() => null);
    return `${file} ${found?.size ?? 0} ${found?.mtimeMs ?? 0}`;
  });
  return (await Promise.all(lines)).join('\n');
}

/** Looks at files again and again until they are not what they were. */
export interface SecondLook {
  readonly start: (before: string) => void;
  readonly stop: () => void;
}

/**
 * Watching can overlook a save: on network drives, and on machines that are busy. While files hold a mistake, whoever mends it waits for just
 * one save, so then they are looked at as well.
 */
export function createSecondLook(folder: string, onChange: () => void): SecondLook {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const start = (before: string): void => {
    stop();
    const own = setInterval(() => {
      void fingerprintOf(folder).then((now) => {
        if (timer !== own || now === before) return;
        stop();
        onChange();
      });
    }, EVERY_MS);
    timer = own;
  };
  return { start, stop };
}
