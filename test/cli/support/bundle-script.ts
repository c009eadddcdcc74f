import { symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';
import { packageRoot } from './package-root.js';
import { createTempFolder } from './temp-project.js';

/** All packages but the one that consists of hundreds of files. */
const EXTERNAL = /^(?!kysely$)[@a-z]/;

/**
 * Bundles a script that imports sources, so that Node can run it in processes and threads that start soon.
 * Returns the file, in a folder that goes when the test is over, or in the given one.
 */
export async function bundleScript(script: string, folder: string = createTempFolder()): Promise<string> {
  symlinkSync(join(packageRoot, 'node_modules'), join(folder, 'node_modules'), 'dir');
  const build = await rolldown({
    input: script,
    platform: 'node',
    external: EXTERNAL,
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
  });
  await build.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name].mjs',
  });
  await build.close();
  return join(folder, basename(script).replace(/\.ts$/, '.mjs'));
}
