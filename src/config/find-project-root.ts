import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const CONFIG_FILES = ['cms.config.ts', 'cms.config.js', 'cms.config.mjs'] as const;

/** The project's own config file, absolute; undefined where that folder holds none. */
export function findConfigFile(root: string): string | undefined {
  return CONFIG_FILES.map((name) => join(root, name)).find((file) => existsSync(file));
}

/** The nearest folder at or above `folder` (absolute) that holds a cms.config.*; undefined outside a project. */
export function findProjectRoot(folder: string): string | undefined {
  for (let current = folder; ; current = dirname(current)) {
    if (findConfigFile(current) !== undefined) return current;
    if (dirname(current) === current) return undefined;
  }
}
