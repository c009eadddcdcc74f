import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname, join, sep } from 'node:path';
import { createJiti } from 'jiti';
import { PACKAGE_ENTRY } from './evaluate-module.js';
import { readAliases } from './tsconfig-aliases.js';

/** Evaluates the modules of one project. Modules that several others import are evaluated once. */
export interface ModuleLoader {
  /** Returns what a file exports: its default export, or all exports where it has none. */
  readonly load: (file: string) => Promise<unknown>;
}

export interface ModuleLoaderOptions {
  readonly root: string;
  /** What packages are, by name, whether or not they are installed. */
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

/** Creates a loader that reads every file of the project anew, and shares what its files import. */
export function createModuleLoader({ root, packages = {} }: ModuleLoaderOptions): ModuleLoader {
  forgetModules(root);
  const jiti = createJiti(join(root, 'package.json'), {
    alias: { ...readAliases(root), galley: PACKAGE_ENTRY },
    virtualModules: { ...packages },
    tryNative: false,
  });
  const installed = join(root, 'node_modules') + sep;
  /** jiti passes plain JavaScript to Node, which caches such modules for good and knows no aliases. */
  const isLeftToNode = (file: string): boolean =>
    ['.mjs', '.js', '.cjs'].includes(extname(file)) &&
    file.startsWith(root + sep) &&
    !file.startsWith(installed);
  return {
    load: async (file) => {
      if (!isLeftToNode(file)) return exportedBy(await jiti.import(file));
      const known = moduleCache[file];
      if (known?.loaded === true) return exportedBy(known.exports);
      const source = await readFile(file, 'utf8');
      return exportedBy(await jiti.evalModule(source, { filename: file, async: true, forceTranspile: true }));
    },
  };
}
