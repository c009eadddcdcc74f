import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';

/** The toolkit's public entry, beside this folder, in the form this file itself has (compiled or source). */
const OWN_ENTRY = fileURLToPath(new URL(`../index${extname(import.meta.url)}`, import.meta.url));

/**
 * Evaluates a project's module, TypeScript or JavaScript, as it is on disk now, however often it was evaluated before. In it, `galley`
 * means this very toolkit, so that a project runs before its packages are installed.
 */
export async function evaluateModule(file: string): Promise<unknown> {
  const jiti = createJiti(file, { alias: { galley: OWN_ENTRY }, moduleCache: false, tryNative: false });
  if (extname(file) !== '.mjs') return jiti.import(file);
  // jiti hands .mjs files to Node, which never forgets what it has loaded and knows no aliases.
  return jiti.evalModule(await readFile(file, 'utf8'), { filename: file, async: true, forceTranspile: true });
}
