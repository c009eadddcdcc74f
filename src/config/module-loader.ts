import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { builtinModules, createRequire } from 'node:module';
import { extname, join, parse, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { createJiti } from 'jiti';
import type { JitiOptions } from 'jiti';
import { parse as parseJsonc } from 'jsonc-parser';
import { isRecord, propertyOf } from '../lib/records.js';

type Aliases = Readonly<Record<string, string>>;

const compilerOptionsOf = (root: string): Readonly<Record<string, unknown>> => {
  const file = join(root, 'tsconfig.json');
  if (!existsSync(file)) return {};
  const value: unknown = parseJsonc(readFileSync(file, 'utf8'), [], { allowTrailingComma: true });
  const options = isRecord(value) ? value['compilerOptions'] : undefined;
  return isRecord(options) ? options : {};
};

/** `@/*` with `./src/*` → `@` with the folder. Uses only the first of several paths. */
const aliasesOfPaths = (folder: string, paths: unknown): Aliases =>
  Object.fromEntries(
    Object.entries(isRecord(paths) ? paths : {}).flatMap(([pattern, places]) => {
      const [place]: readonly unknown[] = Array.isArray(places) ? places : [];
      const name = pattern.replace(/\/\*$/, '');
      if (typeof place !== 'string' || name.includes('*')) return [];
      return [[name, resolve(folder, place.replace(/\/?\*$/, ''))] as const];
    }),
  );

/** Returns aliases for the files and folders in `baseUrl`, except those with the name of a package. */
const aliasesOfBase = (root: string, folder: string): Aliases =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || /\.[cm]?[jt]s$/.test(entry.name))
      .map((entry) => [entry.isDirectory() ? entry.name : parse(entry.name).name, entry.name] as const)
      .filter(
        ([name]) =>
          name !== 'node_modules' &&
          !name.startsWith('.') &&
          !builtinModules.includes(name) &&
          !existsSync(join(root, 'node_modules', name)),
      )
      .map(([name, entry]) => [name, join(folder, entry)]),
  );

/**
 * Returns the paths of import aliases by name, from `paths` and `baseUrl` of a project's tsconfig.json. Does
 * not read a file that it extends, which may not be installed.
 */
export function readAliases(root: string): Aliases {
  const { baseUrl, paths } = compilerOptionsOf(root);
  const folder = typeof baseUrl === 'string' ? resolve(root, baseUrl) : root;
  const ofBase = typeof baseUrl === 'string' && existsSync(folder) ? aliasesOfBase(root, folder) : {};
  return { ...ofBase, ...aliasesOfPaths(folder, paths) };
}

/** Returns the path of an import with an alias. Null: the import has no alias. */
export function resolveAlias(aliases: Aliases, name: string): string | null {
  const found = Object.keys(aliases)
    .filter((alias) => name === alias || name.startsWith(`${alias}/`))
    .toSorted((left, right) => right.length - left.length)[0];
  return found === undefined ? null : join(aliases[found] ?? '', name.slice(found.length));
}

/** The entry point of this package: the compiled file if this file is compiled, otherwise the source. */
const PACKAGE_ENTRY = fileURLToPath(new URL(`../index${extname(import.meta.url)}`, import.meta.url));

/**
 * Evaluates a TypeScript or JavaScript module of a project. Reads the file again on each call. Imports of
 * `galley` resolve to this package, so that a project runs before its packages are installed.
 */
export async function evaluateModule(file: string): Promise<unknown> {
  // Loaded by Node.js, which caches it. jiti would evaluate all of it again for each module.
  const galley: unknown = await import(pathToFileURL(PACKAGE_ENTRY).href);
  const jiti = createJiti(file, { virtualModules: { galley }, moduleCache: false, tryNative: false });
  if (extname(file) !== '.mjs') return jiti.import(file);
  // jiti passes .mjs files to Node.js, which caches modules and does not support aliases.
  return jiti.evalModule(await readFile(file, 'utf8'), { filename: file, async: true, forceTranspile: true });
}

type Import = (id: string) => Promise<unknown>;

/**
 * Returns a module namespace of Node.js in the form that compiled code expects. The exports of a CommonJS
 * module are in its default export.
 */
const asRequired = (loaded: unknown): unknown => {
  if (!types.isModuleNamespaceObject(loaded) || !isRecord(loaded)) return loaded;
  if ('__esModule' in loaded) return loaded['default'];
  return Object.defineProperty({ ...loaded }, '__esModule', { value: true });
};

const MODULE_NAME = 'galley:import';

/** `import()` becomes calls of the parameter `jitiImport`. A directive stays first. */
const withImport = (code: string): string =>
  code.includes('jitiImport(')
    ? code.replace(/^(?:(["'])use strict\1;)?/, `$&jitiImport = require('${MODULE_NAME}').wrap(jitiImport);`)
    : code;

/**
 * Returns options of jiti that compile imports like TypeScript with `esModuleInterop`: to calls of `require`,
 * whose result is the default import of modules without `__esModule`. The interop of jiti guesses by a
 * property called `default`.
 */
function esModuleInterop(
  root: string,
): Pick<JitiOptions, 'fsCache' | 'interopDefault' | 'transform' | 'virtualModules'> {
  const { transform } = createJiti(join(root, 'package.json'));
  return {
    // `transform` has a separate cache.
    fsCache: false,
    interopDefault: false,
    transform: (options) => ({ code: withImport(transform({ ...options, interopDefault: true })) }),
    virtualModules: {
      [MODULE_NAME]: {
        wrap:
          (load: Import): Import =>
          async (id) =>
            asRequired(await load(id)),
      },
    },
  };
}

/** Evaluates the modules of one project. Modules that several others import are evaluated once. */
export interface ModuleLoader {
  /** Returns the default export of a file, or all exports if it has none. */
  readonly load: (file: string) => Promise<unknown>;
}

export interface ModuleLoaderOptions {
  readonly root: string;
  /** The exports of packages that are provided by name, also if they are not installed. */
  readonly packages?: Readonly<Record<string, object>>;
}

const moduleCache = createRequire(import.meta.url).cache;

/** Evicts the project's modules from the cache, so that each is read again. Keeps installed packages. */
const evictModules = (root: string): void => {
  const installed = join(root, 'node_modules') + sep;
  for (const file of Object.keys(moduleCache))
    if (file.startsWith(root + sep) && !file.startsWith(installed)) Reflect.deleteProperty(moduleCache, file);
};

/** Returns the default export, or the module without one. Ignores named exports besides a default one. */
export function defaultExportOf(module: unknown): unknown {
  return propertyOf(module, 'default') ?? module;
}

/** True if a project uses ECMAScript modules. Otherwise its code is, or is compiled to, CommonJS. */
const usesModules = (root: string): boolean => {
  const file = join(root, 'package.json');
  if (!existsSync(file)) return false;
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return isRecord(manifest) && manifest['type'] === 'module';
};

/**
 * Creates a loader that reads every file of the project again, and shares the modules that they import. The
 * default import of a CommonJS package follows `esModuleInterop` of TypeScript in a CommonJS project, and
 * Node otherwise.
 */
export function createModuleLoader({ root, packages = {} }: ModuleLoaderOptions): ModuleLoader {
  evictModules(root);
  const async = usesModules(root);
  const interop = async ? {} : esModuleInterop(root);
  const jiti = createJiti(join(root, 'package.json'), {
    alias: { ...readAliases(root), galley: PACKAGE_ENTRY },
    tryNative: false,
    ...interop,
    virtualModules: { ...interop.virtualModules, ...packages },
  });
  const installed = join(root, 'node_modules') + sep;
  /** jiti passes plain JavaScript to Node.js, which caches such modules and does not support aliases. */
  const isLeftToNode = (file: string): boolean =>
    ['.mjs', '.js', '.cjs'].includes(extname(file)) &&
    file.startsWith(root + sep) &&
    !file.startsWith(installed);
  const evaluate = async (file: string): Promise<unknown> => {
    const known = moduleCache[file];
    if (known?.loaded === true) return known.exports as unknown;
    const source = await readFile(file, 'utf8');
    return jiti.evalModule(source, { filename: file, async, forceTranspile: true });
  };
  return {
    load: async (file) => {
      if (isLeftToNode(file)) return defaultExportOf(await evaluate(file));
      return defaultExportOf(async ? await jiti.import(file) : jiti(file));
    },
  };
}

/** The file name for the compiled expression. The file does not exist. */
const FILE = fileURLToPath(new URL('expression.ts', import.meta.url));

/**
 * Compiles a TypeScript expression over `value`. Synchronous, so that it may be called while a database is
 * locked.
 *
 * @throws if the text is not an expression
 */
export function compileExpression(expression: string): (value: unknown) => unknown {
  const jiti = createJiti(FILE, { fsCache: false, moduleCache: false, tryNative: false });
  const loaded: unknown = jiti.evalModule(`export const convert = (value) => (\n${expression}\n);`, {
    filename: FILE,
    async: false,
    forceTranspile: true,
  });
  const { convert } = loaded as { readonly convert: (value: unknown) => unknown };
  return convert;
}
