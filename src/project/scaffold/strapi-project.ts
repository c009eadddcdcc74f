import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { loadProjectConfig } from '../../config/load-config.js';
import type { ProjectConfig } from '../../config/load-config.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/records.js';
import { messageOf, missingPackageOf } from '../../lib/caught-errors.js';
import { buildModel } from '../../model/build-model.js';
import { createPlannedPackageFinder, planPackages } from '../../strapi/report/plan-packages.js';
import type { FindsPackage } from '../../strapi/report/plan-packages.js';
import { dependenciesOf } from '../../strapi/report/plugin-report.js';
import { toNotice, reportProject } from '../../strapi/report/project-report.js';
import type { Notice, ProjectReport } from '../../strapi/report/project-report.js';
import { loadDefinitionsTolerantly } from '../open/load-project-definitions.js';

/**
 * The result of checking a Strapi project. Errors include mistakes in schema files, and configuration that
 * cannot be loaded.
 */
export interface StrapiCheck extends ProjectReport {
  readonly types: number;
  readonly components: number;
}

const NO_CONFIG: ProjectConfig['strapi'] = { values: {}, files: [], skipped: [], ignored: [], refused: [] };

interface Tried {
  readonly errors: readonly Notice[];
  readonly warnings: readonly Notice[];
}

/** Replaces errors about packages that are missing here, but will be installed in the new project. */
const triedWith = (findsPackage: FindsPackage | undefined, place: string, error: unknown): Tried => {
  const dependency = missingPackageOf(error);
  if (dependency !== null && findsPackage?.(dependency, place) === true)
    return {
      errors: [],
      warnings: [{ place, reason: `not examined: ${dependency} is not installed in this folder` }],
    };
  return {
    errors: [{ place, reason: isGalleyError(error) ? error.message : messageOf(error) }],
    warnings: [],
  };
};

/** Returns the folder from which the code resolves packages. For a Galley project, that is the project. */
const packagesOf = (root: string): FindsPackage | undefined =>
  dependenciesOf(root).includes('galley') ? undefined : createPlannedPackageFinder(planPackages(root));

/**
 * Checks which parts of a project written for Strapi would run. Changes nothing in it.
 *
 * @throws `project/no-strapi-project`
 */
export async function checkStrapiProject(root: string): Promise<StrapiCheck> {
  if (!existsSync(join(root, 'src')) && !existsSync(join(root, 'package.json')))
    throw createError('project/no-strapi-project', { folder: root });
  const findsPackage = packagesOf(root);
  const tried: Tried[] = [];
  const onError = (place: string, error: unknown): void => {
    tried.push(triedWith(findsPackage, place, error));
  };
  // Configuration often needs variables or packages that are missing for a mere check.
  const strapi = await loadProjectConfig(root).then(
    (config) => config.strapi,
    (error: unknown) => {
      onError('config', error);
      return NO_CONFIG;
    },
  );
  const definitions = await loadDefinitionsTolerantly(root, strapi, (cause) => onError('plugins', cause));
  const { model, problems } = buildModel(definitions);
  const report = reportProject(root, { config: strapi, model, findsPackage });
  const noticesOf = (severity: 'error' | 'warning'): readonly Notice[] =>
    problems
      .filter((problem) => problem.severity === severity)
      .map(({ file, line, attribute, message }) => ({
        place: `${file}:${line}`,
        reason: attribute === null ? message : `${attribute}: ${message}`,
      }));
  return {
    types: model?.types.filter(({ origin }) => origin !== 'builtin').length ?? 0,
    components: model?.components.length ?? 0,
    ...report,
    errors: [
      ...tried.flatMap(({ errors }) => errors),
      ...report.errors,
      ...strapi.refused.map(toNotice),
      ...noticesOf('error'),
    ],
    warnings: [...tried.flatMap(({ warnings }) => warnings), ...report.warnings, ...noticesOf('warning')],
  };
}

/** The parts of a project of Strapi 5. */
export interface StrapiProject {
  /** Absolute path. */
  readonly folder: string;
  /** Its package.json. Empty if there is none. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Its .env. */
  readonly variables: Readonly<Record<string, string>>;
  /** The names of its files and folders. */
  readonly entries: readonly string[];
  /** Its SQLite database, if there is one. */
  readonly sqliteFile: string | null;
  /** The kind of its database. */
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
 * Rejects the project of an older Strapi, according to its package.json.
 *
 * @throws `scaffold/old-strapi-project`
 */
export async function assertStrapi5(folder: string): Promise<void> {
  assertVersion(folder, strapiVersionOf(await readManifest(folder)));
}

/**
 * Reads the existing parts of a Strapi project.
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
