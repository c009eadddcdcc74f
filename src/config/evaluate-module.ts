import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createJiti } from 'jiti';

/** The entry point of this package: the compiled file if this file is compiled, otherwise the source. */
export const PACKAGE_ENTRY = fileURLToPath(new URL(`../index${extname(import.meta.url)}`, import.meta.url));

/**
 * Evaluates a TypeScript or JavaScript module of a project. Reads the file again on each call. Imports of
 * `galley` resolve to this package, so that a project runs before its packages are installed.
 */
export async function evaluateModule(file: string): Promise<unknown> {
  // Loaded by Node.js, which caches it. jiti would evaluate all of it again for each module.
  const galley: unknown = await import(pathToFileURL(PACKAGE_ENTRY).href);
  const jiti = createJiti(file, { virtualModules: { galley }, moduleCache: false, tryNative: false });
  if (extname(file) !== '.mjs') return jiti.import(file);
  // jiti passes .mjs files to Node, which caches modules and knows no aliases.
  return jiti.evalModule(await readFile(file, 'utf8'), { filename: file, async: true, forceTranspile: true });
}
