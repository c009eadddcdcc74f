import { basename, dirname } from 'node:path';
import { createError } from '../errors/catalogue.js';
import { describeLoadFailure } from '../lib/caught-errors.js';
import { isRecord } from '../lib/records.js';
import type { Config, ConfigOverrides } from './config.js';
import { evaluateModule, defaultExportOf } from './module-loader.js';
import { findConfigFile, loadEnvironment } from './project-root.js';
import { parseConfig } from './parse-config.js';
import { loadStrapiConfig, locateOption } from './strapi/load-strapi-config.js';
import type { StrapiConfig } from './strapi/load-strapi-config.js';
import { mapStrapiConfig } from './strapi/map-strapi-config.js';

/**
 * Evaluates a cms.config.* file and returns its default export.
 *
 * @throws `config/load-failed` if it cannot be evaluated, or does not export an object
 */
async function loadConfigFile(file: string): Promise<Readonly<Record<string, unknown>>> {
  const name = basename(file);
  const module = await evaluateModule(file).catch((cause: unknown) => {
    throw createError(
      'config/load-failed',
      { ...describeLoadFailure(dirname(file), file, cause) },
      { cause },
    );
  });
  const exported = defaultExportOf(module);
  if (!isRecord(exported))
    throw createError('config/load-failed', { file: name, reason: 'its default export is not an object' });
  return exported;
}

/** An option of config/ that is set and has no effect here. */
export interface UnappliedSetting {
  /** `config/server.ts:3` */
  readonly place: string;
  /** `server.socket` */
  readonly path: string;
  readonly reason: string;
}

/** A project's configuration, and the content of config/ of a Strapi project. */
export interface ProjectConfig {
  readonly config: Config;
  readonly strapi: StrapiConfig & {
    readonly ignored: readonly UnappliedSetting[];
    /** Settings that restrict access and cannot be applied, so the server does not start. */
    readonly refused: readonly UnappliedSetting[];
  };
}

type Input = Readonly<Record<string, unknown>>;

/** Merges objects; values of the second take precedence. Lists are replaced as a whole. */
const overlay = (below: Input, above: Input): Input => {
  const merged: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const other = merged[key];
    merged[key] = isRecord(other) && isRecord(value) ? overlay(other, value) : value;
  }
  return merged;
};

/**
 * Loads a project's configuration. Flags take precedence over the environment, the environment over the
 * config file, the file over config/ of a Strapi project, and that over the defaults. The project's .env is
 * read first, so that these files may use `process.env`.
 *
 * @throws `config/load-failed`, `config/invalid`
 */
export async function loadProjectConfig(
  root: string,
  overrides: ConfigOverrides = {},
): Promise<ProjectConfig> {
  const environment = await loadEnvironment(root);
  const strapi = await loadStrapiConfig(root, {
    variables: environment,
    environment: environment['NODE_ENV'] ?? overrides.environmentDefault ?? 'development',
  });
  const file = findConfigFile(root) ?? null;
  const exported = file === null ? {} : await loadConfigFile(file);
  const { input: mapped, unapplied } = mapStrapiConfig(strapi.values);
  const input = overlay(mapped, exported);
  const listed = (fatal: boolean): readonly UnappliedSetting[] =>
    unapplied
      .filter(({ isFatal }) => isFatal === fatal)
      .map(({ path, reason }) => ({
        place: locateOption(root, strapi.files, path),
        path: path.join('.'),
        reason,
      }));
  return {
    config: parseConfig({ root, file, input, environment, overrides }),
    strapi: { ...strapi, ignored: listed(false), refused: listed(true) },
  };
}

/**
 * Loads a project's configuration alone.
 *
 * @example
 *   const config = await loadConfig(root, { port: flags.port });
 *
 * @throws `config/load-failed`, `config/invalid`
 */
export async function loadConfig(root: string, overrides: ConfigOverrides = {}): Promise<Config> {
  return (await loadProjectConfig(root, overrides)).config;
}
