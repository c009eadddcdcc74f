import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join, sep } from 'node:path';
import { createJiti } from 'jiti';
import { isRecord } from '../lib/is-record.js';
import { esModuleInterop } from './es-module-interop.js';
import { PACKAGE_ENTRY } from './evaluate-module.js';
import { readAliases } from './tsconfig-aliases.js';

/** Evaluates the modules of one project. Modules that several others import are evaluated once. */
export interface ModuleLoader {
  /** Returns what a file exports: its default export, or all exports where it has none. */
  readonly load: (file: string) => Promise<unknown>;
}

export interface ModuleLoaderOptions {
  readonly root: string;
  /** The exports of packages that are provided by name, whether or not they are installed. */
  readonly packages?: Readonly<Record<string, object>>;
}

const moduleCache = createRequire(import.meta.url).cache;

/** Forgets the project's own modules, so that each is read again. Installed packages stay. */
const forgetModules = (root: string): void => {
  const installed = join(root, 'node_modules') + sep;
  for (const file of Object.keys(moduleCache))
    if (file.startsWith(root + sep) && !file.startsWith(installed)) Reflect.deleteProperty(moduleCache, file);
};

/** The default export, or the module itself. Named exports besides a default one are not looked at. */
const exportedBy = (module: unknown): unknown =>
  typeof module === 'object' && module !== null ? (Reflect.get(module, 'default') ?? module) : module;

/** True if a project's code is written for Node's own modules. Otherwise it is, or becomes, CommonJS. */
const usesModules = (root: string): boolean => {
  const file = join(root, 'package.json');
  if (!existsSync(file)) return false;
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return isRecord(manifest) && manifest['type'] === 'module';
};

/**
 * Creates a loader that reads every file of the project anew, and shares what its files import. The default
 * import of a CommonJS package follows `esModuleInterop` of TypeScript in a CommonJS project, and Node
 * otherwise.
 */
export function createModuleLoader({ root, packages = {} }: ModuleLoaderOptions): ModuleLoader {
  forgetModules(root);
  const async = usesModules(root);
  const interop = async ? {} : esModuleInterop(root);
  const jiti = createJiti(join(root, 'package.json'), {
    alias: { ...readAliases(root), galley: PACKAGE_ENTRY },
    tryNative: false,
    ...interop,
    virtualModules: { ...interop.virtualModules, ...packages },
  });
  const installed = join(root, 'node_modules') + sep;
  /** jiti passes plain JavaScript to Node, which caches such modules for good and knows no aliases. */
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
      if (isLeftToNode(file)) return exportedBy(await evaluate(file));
      return exportedBy(async ? await jiti.import(file) : jiti(file));
    },
  };
}
