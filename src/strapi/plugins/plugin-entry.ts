import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../lib/is-record.js';
import { readPackageFile } from '../read-package-file.js';

const ENTRY = './strapi-server';

/** The usual paths of the server code of plugins in folders, which may declare no entry. */
const USUAL_ENTRIES = [
  `${ENTRY}.js`,
  `${ENTRY}.ts`,
  `${ENTRY}.mjs`,
  `${ENTRY}.cjs`,
  `${ENTRY}/index.js`,
  './dist/server/index.js',
  './server/src/index.ts',
  './server/src/index.js',
  './server/index.ts',
  './server/index.js',
];

const CONDITIONS = ['require', 'node', 'default', 'import', 'source'];

/** The paths of one entry of `exports`, in the order in which they are preferred. */
const pathsOf = (entry: unknown): readonly string[] => {
  if (typeof entry === 'string') return [entry];
  return isRecord(entry) ? CONDITIONS.flatMap((condition) => pathsOf(entry[condition])) : [];
};

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

/**
 * Returns the file of a plugin's server code: what its package.json exports as `strapi-server`, compiled
 * where it is compiled, or a file at one of the usual places. Null: it has none.
 */
export function findEntry(folder: string): string | null {
  const { exports } = readPackageFile(folder);
  const stated = isRecord(exports) ? pathsOf(exports[ENTRY] ?? exports[`${ENTRY}.js`]) : [];
  return [...stated, ...USUAL_ENTRIES].map((path) => join(folder, path)).find(isFile) ?? null;
}
