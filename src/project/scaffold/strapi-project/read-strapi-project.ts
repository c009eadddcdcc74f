import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { createError } from '../../../errors/catalogue.js';
import { isRecord } from '../../../lib/is-record.js';

/** The parts of a project of Strapi 5. */
export interface StrapiProject {
  /** Absolute path. */
  readonly folder: string;
  /** Its package.json; empty where there is none. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Its .env. */
  readonly variables: Readonly<Record<string, string>>;
  /** The names of the files and folders in it. */
  readonly entries: readonly string[];
  /** Its SQLite database, where there is one. */
  readonly sqliteFile: string | null;
  /** The kind of database it uses. */
  readonly client: string;
}

const DEFAULT_SQLITE_FILE = '.tmp/data.db';
const FIRST_MAJOR = 5;

const readManifest = async (folder: string): Promise<Readonly<Record<string, unknown>>> => {
  const path = join(folder, 'package.json');
  if (!existsSync(path)) return {};
  const parsed: unknown = JSON.parse(await readFile(path, 'utf8'));
  return isRecord(parsed) ? parsed : {};
};

const readVariables = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const path = join(folder, '.env');
  if (!existsSync(path)) return {};
  const variables = parseEnv(await readFile(path, 'utf8'));
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value ?? '']));
};

const strapiVersionOf = (manifest: Readonly<Record<string, unknown>>): string | null => {
  const { dependencies } = manifest;
  const range = isRecord(dependencies) ? dependencies['@strapi/strapi'] : undefined;
  return typeof range === 'string' ? (/\d[\w.-]*/.exec(range)?.[0] ?? null) : null;
};

const assertVersion = (folder: string, version: string | null): void => {
  if (version === null || Number.parseInt(version, 10) >= FIRST_MAJOR) return;
  throw createError('scaffold/old-strapi-project', { folder, version });
};

/**
 * Refuses a folder whose package.json says that it is a project of an older Strapi.
 *
 * @throws `scaffold/old-strapi-project`
 */
export async function assertStrapi5(folder: string): Promise<void> {
  assertVersion(folder, strapiVersionOf(await readManifest(folder)));
}

/**
 * Reads what there is of a Strapi project.
 *
 * @throws `scaffold/no-strapi-project`, `scaffold/old-strapi-project`
 */
export async function readStrapiProject(folder: string): Promise<StrapiProject> {
  if (!existsSync(join(folder, 'src', 'api'))) throw createError('scaffold/no-strapi-project', { folder });
  const manifest = await readManifest(folder);
  assertVersion(folder, strapiVersionOf(manifest));
  const variables = await readVariables(folder);
  const client = variables['DATABASE_CLIENT'] ?? 'sqlite';
  const file = join(folder, variables['DATABASE_FILENAME'] ?? DEFAULT_SQLITE_FILE);
  return {
    folder,
    manifest,
    variables,
    entries: await readdir(folder),
    client,
    sqliteFile: client.startsWith('sqlite') && existsSync(file) ? file : null,
  };
}
