import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from './package-root.js';

/** Builds the binary if a source is newer, so that tests of the binary never test yesterday's code. */
export function setup(): void {
  const build = join(packageRoot, 'bin', 'build.js');
  execFileSync(process.execPath, [build, '--no-check', '--if-changed'], { stdio: 'inherit' });
}
