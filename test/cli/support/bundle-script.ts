import { symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rolldown } from 'rolldown';
import { packageRoot } from './package-root.js';
import { createTempFolder } from './temp-project.js';

/** All packages but the one that consists of hundreds of files. */
const EXTERNAL = /^(?!kysely$)[@a-z]/;

/**
 * Bundles a script that imports sources, so that Node can run it in processes that start soon. Returns the
 * file, which goes when the test is over.
 */
export async function bundleScript(script: string): Promise<string> {
  const folder = createTempFolder();
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
