import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.js';

const newestModification = (folder: string): number => {
  // Folders count as well: their time tells of a file that was removed.
  const times = readdirSync(folder, { recursive: true, withFileTypes: true }).map(
    (entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs,
  );
  return Math.max(...times, statSync(folder).mtimeMs);
};

const builtAt = (): number => {
  const manifest = statSync(join(packageRoot, 'oclif.manifest.json'), { throwIfNoEntry: false });
  const dist = statSync(join(packageRoot, 'dist'), { throwIfNoEntry: false });
  return manifest === undefined || dist === undefined ? 0 : manifest.mtimeMs;
};

/**
 * The tests of the real binary run what is built; builds it where a source is newer, so that they never test
 * yesterday's code.
 */
export function setup(): void {
  const sources = Math.max(
    newestModification(join(packageRoot, 'src')),
    newestModification(join(packageRoot, 'bin')),
    statSync(join(packageRoot, 'package.json')).mtimeMs,
  );
  if (sources < builtAt()) return;
  execFileSync(process.execPath, [join(packageRoot, 'bin', 'build.js'), '--no-check'], { stdio: 'inherit' });
}
