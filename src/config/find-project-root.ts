import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const CONFIG_FILES = ['cms.config.ts', 'cms.config.js', 'cms.config.mjs'] as const;

/** Returns the absolute path of a folder's config file, or undefined if it has none. */
export function findConfigFile(root: string): string | undefined {
  return CONFIG_FILES.map((name) => join(root, name)).find((file) => existsSync(file));
}

/**
 * Returns the nearest folder with a cms.config.*, at or above an absolute path. Returns undefined outside a
 * project.
 */
export function findProjectRoot(folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    if (findConfigFile(current) !== undefined) return current;
    if (dirname(current) === current) return undefined;
  }
}
