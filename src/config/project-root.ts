import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'dotenv';

/** Returns the token in a variable of the environment or the project's .env. Null: none. */
export async function readTokenVariable(root: string, variable: string): Promise<string | null> {
  const value = (await loadEnvironment(root))[variable]?.trim();
  return value === undefined || value === '' ? null : value;
}

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Variables that earlier calls set from a .env file, so that the next call can replace them. */
const loadedFromFiles = new Map<string, string>();

const unsetLoadedFromFiles = (): void => {
  for (const [name, value] of loadedFromFiles) if (process.env[name] === value) delete process.env[name];
  loadedFromFiles.clear();
};

/** Reads .env, if it exists. Values may be quoted, and nothing in them is replaced by other variables. */
const readEnvFile = async (root: string): Promise<Readonly<Record<string, string>>> => {
  const file = join(root, '.env');
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? parse(await readFile(file, 'utf8')) : {};
};

/**
 * Reads the project's .env into the environment of the process, for the config file and project code.
 * Variables that are set already keep their values. Returns all variables.
 */
export async function loadEnvironment(root: string): Promise<EnvironmentVariables> {
  unsetLoadedFromFiles();
  const merged: EnvironmentVariables = { ...(await readEnvFile(root)), ...process.env };
  for (const [name, value] of Object.entries(merged)) {
    if (value === undefined || process.env[name] !== undefined) continue;
    process.env[name] = value;
    loadedFromFiles.set(name, value);
  }
  return Object.freeze(merged);
}

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
