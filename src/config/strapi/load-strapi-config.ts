import { existsSync, readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { describeLoadFailure } from '../../lib/source-location.js';
import type { EnvironmentVariables } from '../load-environment.js';
import { createModuleLoader } from '../module-loader.js';
import type { ModuleLoader } from '../module-loader.js';
import { deferredFactories } from '../provide-packages.js';
import { createEnv } from './create-env.js';
import type { Env } from './create-env.js';
import { prefersTypeScript } from './prefers-typescript.js';

/** The values of the files of config/, by the names of the files. */
export interface StrapiConfig {
  readonly values: Record<string, unknown>;
  /** All files, relative to the project. */
  readonly files: readonly string[];
  /** Files that cannot be evaluated and that Galley does not need. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
}

const NO_STRAPI_CONFIG: StrapiConfig = { values: {}, files: [], skipped: [] };

const EXTENSIONS: ReadonlySet<string> = new Set(['.ts', '.js', '.mjs', '.cjs', '.json']);

/** A folder config/ is Strapi's where one of these is in it. */
const KNOWN_FILES: ReadonlySet<string> = new Set([
  'admin',
  'api',
  'cron-tasks',
  'database',
  'features',
  'middlewares',
  'plugins',
  'server',
]);

/** Files that Galley itself does not read, so that a missing package in them does not prevent the start. */
const DISPENSABLE: ReadonlySet<string> = new Set(['admin', 'database', 'logger']);

interface ConfigFile {
  readonly key: string;
  readonly file: string;
}

const filesIn = (folder: string, isTypeScript: boolean): readonly ConfigFile[] => {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => EXTENSIONS.has(extname(name)) && !/\.d\.[cm]?ts$/.test(name))
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ key: basename(name, extname(name)), file: join(folder, name) }))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
  return files.filter(
    ({ key, file }) =>
      !files.some(
        (other) =>
          other.key === key &&
          other.file !== file &&
          (extname(other.file) === '.ts') === isTypeScript &&
          (extname(file) === '.ts') !== isTypeScript,
      ),
  );
};

/** Merges values into others as Strapi does: objects by key, lists by position. */
const merge = (target: unknown, source: unknown): unknown => {
  if (source === undefined) return target;
  if (Array.isArray(source)) {
    const items = Array.isArray(target) ? (target as readonly unknown[]) : [];
    const length = Math.max(items.length, source.length);
    return Array.from({ length }, (_, index) => merge(items[index], (source as unknown[])[index]));
  }
  if (!isRecord(source)) return source;
  const merged: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(source)) merged[key] = merge(merged[key], value);
  return merged;
};

const evaluate = async (loader: ModuleLoader, file: string, env: Env): Promise<unknown> => {
  const exported = await loader.load(file);
  return typeof exported === 'function'
    ? ((await Reflect.apply(exported, undefined, [{ env }])) as unknown)
    : exported;
};

/**
 * Evaluates config/ and config/env/<environment> of a project. Returns nothing where config/ holds no file
 * that Strapi knows.
 *
 * @throws `config/load-failed`, with file and line
 */
export async function loadStrapiConfig(
  root: string,
  { variables, environment }: { readonly variables: EnvironmentVariables; readonly environment: string },
): Promise<StrapiConfig> {
  const folder = join(root, 'config');
  const isTypeScript = prefersTypeScript(root);
  const base = filesIn(folder, isTypeScript);
  if (!base.some(({ key }) => KNOWN_FILES.has(key))) return NO_STRAPI_CONFIG;
  const files = [...base, ...filesIn(join(folder, 'env', environment), isTypeScript)];
  const env = createEnv({ NODE_ENV: environment, ...variables });
  const loader = createModuleLoader({
    root,
    packages: { '@strapi/utils': { env }, '@strapi/strapi': deferredFactories(root) },
  });
  const skipped: { file: string; reason: string }[] = [];
  let values: unknown = {};
  for (const { key, file } of files) {
    try {
      values = merge(values, { [key]: await evaluate(loader, file, env) });
    } catch (cause) {
      const failure = describeLoadFailure(root, file, cause);
      if (!DISPENSABLE.has(key)) throw createError('config/load-failed', failure, { cause });
      skipped.push(failure);
    }
  }
  return {
    values: isRecord(values) ? values : {},
    files: files.map(({ file }) => file.slice(root.length + 1)),
    skipped,
  };
}
