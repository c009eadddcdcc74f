import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, extname, isAbsolute, join, relative } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import { describeLoadFailure } from '../../lib/caught-errors.js';
import { blankComments, lineAt } from '../../lib/files.js';
import { isRecord } from '../../lib/records.js';
import { createModuleLoader } from '../module-loader.js';
import type { ModuleLoader } from '../module-loader.js';
import type { EnvironmentVariables } from '../project-root.js';
import { deferredFactories } from '../provide-packages.js';

/**
 * True if TypeScript takes precedence over JavaScript of the same name: in a TypeScript project, Strapi runs
 * the compiled code, otherwise the JavaScript.
 */
export function prefersTypeScript(root: string): boolean {
  if (existsSync(join(root, 'tsconfig.json'))) return true;
  const manifest = join(root, 'package.json');
  return existsSync(manifest) && /"typescript"\s*:/.test(readFileSync(manifest, 'utf8'));
}

/** The parameter `env` of a file in config/: reads variables of the environment as values of a type. */
interface Env {
  (name: string, otherwise?: unknown): unknown;
  readonly int: (name: string, otherwise?: number) => number | undefined;
  readonly float: (name: string, otherwise?: number) => number | undefined;
  readonly bool: (name: string, otherwise?: boolean) => boolean | undefined;
  readonly json: (name: string, otherwise?: unknown) => unknown;
  readonly array: (name: string, otherwise?: readonly unknown[]) => readonly unknown[] | undefined;
  readonly date: (name: string, otherwise?: Date) => Date | undefined;
  readonly oneOf: (name: string, expected: readonly unknown[], otherwise?: unknown) => unknown;
}

/** `[a, "b"]` → a, b. The brackets and quotes are optional. */
const listOf = (text: string): readonly string[] =>
  text
    .trim()
    .replace(/^\[([\s\S]*)\]$/, '$1')
    .split(',')
    .map((item) => item.trim().replace(/^(["'])(.*)\1$/, '$2'));

const parseJson = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw createError('config/invalid-variable', { name, expected: 'JSON' }, { cause });
  }
};

/** Creates the `env` of a project over the variables of its environment. */
export function createEnv(variables: EnvironmentVariables): Env {
  const read = <T>(name: string, otherwise: T, parse: (text: string) => T): T => {
    const text = variables[name];
    return text === undefined ? otherwise : parse(text);
  };
  const env = (name: string, otherwise?: unknown): unknown => read(name, otherwise, (text) => text);
  return Object.assign(env, {
    int: (name: string, otherwise?: number) => read(name, otherwise, (text) => Number.parseInt(text, 10)),
    float: (name: string, otherwise?: number) => read(name, otherwise, Number.parseFloat),
    bool: (name: string, otherwise?: boolean) => read(name, otherwise, (text) => text === 'true'),
    json: (name: string, otherwise?: unknown) => read(name, otherwise, (text) => parseJson(name, text)),
    array: (name: string, otherwise?: readonly unknown[]) => read(name, otherwise, listOf),
    date: (name: string, otherwise?: Date) => read(name, otherwise, (text) => new Date(text)),
    oneOf: (name: string, expected: readonly unknown[], otherwise?: unknown) => {
      const value = env(name);
      return expected.includes(value) ? value : otherwise;
    },
  });
}

/** The same for the environment of the process, which includes the project's .env. */
export const processEnv: Env = createEnv(process.env);

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

/** A folder config/ belongs to Strapi if it contains one of these. */
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

/** Files that Galley does not read, so a missing package in them does not prevent the start. */
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
 * Evaluates config/ and config/env/<environment> of a project. Returns nothing if config/ contains no file
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

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Returns the position of the last key, if the keys follow one another; else of the longest run. */
const positionOf = (text: string, keys: readonly string[]): number | null => {
  let position = 0;
  let found: number | null = null;
  for (const key of keys) {
    const next = new RegExp(`(?<![\\w$])${escapePattern(key)}(?![\\w$])`).exec(text.slice(position));
    if (next === null) break;
    found = position + next.index;
    position = found + key.length;
  }
  return found;
};

const positionIn = (root: string, file: string, keys: readonly string[]): string | null => {
  const text = blankComments(readFileSync(join(root, file), 'utf8'));
  const position = positionOf(text, keys);
  return position === null ? null : `${file}:${lineAt(text, position)}`;
};

/** Returns the file and line at which a file of a project sets an option: `src/api/tag/routes/tag.ts:7`. */
export function locateKeys(root: string, file: string, keys: readonly string[]): string {
  const path = isAbsolute(file) ? relative(root, file) : file;
  return (existsSync(join(root, path)) ? positionIn(root, path, keys) : null) ?? path;
}

/**
 * Returns the file and line at which config/ sets an option: `config/server.ts:3`. Files of the environment
 * take precedence. Options that a file computes are located by the keys before them.
 */
export function locateOption(root: string, files: readonly string[], path: readonly string[]): string {
  const [key = '', ...keys] = path;
  const candidates = files.filter((file) => basename(file, extname(file)) === key).toReversed();
  for (const file of candidates) {
    const place = positionIn(root, file, keys);
    if (place !== null) return place;
  }
  return candidates.at(-1) ?? `config/${key}`;
}
