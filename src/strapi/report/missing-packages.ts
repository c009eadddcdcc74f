import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createJiti } from 'jiti';
import { readAliases, resolveAlias } from '../../config/tsconfig-aliases.js';
import { packageNameOf } from '../../lib/package-name.js';
import { isProvided } from '../package/packages.js';
import { importsIn, importsOf, isMissingFile } from './source-files.js';
import type { ImportedModule } from './source-files.js';

/** An import of a package or of a file of the project that is not there. */
export interface MissingImport extends ImportedModule {
  /** The absolute path of the file that imports it. */
  readonly file: string;
  /** The name of the package: `lodash` of `lodash/fp`. Null: it is a file. */
  readonly dependency: string | null;
}

/** Returns true if a file can import a package. */
export type FindsPackage = (dependency: string, file: string) => boolean;

/** True if a package is in the node_modules of the folder of a file or of one above. */
export function isInstalled(dependency: string, file: string): boolean {
  const folder = dirname(file);
  if (existsSync(join(folder, 'node_modules', dependency))) return true;
  return folder !== dirname(folder) && isInstalled(dependency, folder);
}

/** The package itself. Others of Strapi are there only where Galley provides them or they are installed. */
const isGalley = (name: string): boolean => name === 'galley' || name.startsWith('galley/');

/** The modules that a file of TypeScript loads once its types are gone. Null: it cannot be compiled. */
const createRuntimeImports = (root: string): ((file: string) => ReadonlySet<string> | null) => {
  const { transform } = createJiti(join(root, 'package.json'));
  return (file) => {
    const code = transform({ source: readFileSync(file, 'utf8'), filename: file, ts: true });
    return code.includes('__JITI_ERROR__') ? null : new Set(importsIn(code).map(({ name }) => name));
  };
};

/** Returns the imports of what is not there. Imports of types alone need nothing. */
export function findMissingImports(
  root: string,
  files: readonly string[],
  findsPackage: FindsPackage,
): readonly MissingImport[] {
  const aliases = readAliases(root);
  const runtimeImports = createRuntimeImports(root);
  return files.flatMap((file) => {
    const missing = importsOf(file).flatMap((imported): readonly MissingImport[] => {
      const { name } = imported;
      if (isMissingFile(file, name, aliases)) return [{ ...imported, file, dependency: null }];
      const dependency = resolveAlias(aliases, name) === null ? packageNameOf(name) : null;
      return dependency === null || isGalley(name) || isProvided(root, name) || findsPackage(dependency, file)
        ? []
        : [{ ...imported, file, dependency }];
    });
    if (missing.length === 0 || !/\.[cm]?ts$/.test(file)) return missing;
    const loaded = runtimeImports(file);
    return loaded === null ? missing : missing.filter(({ name, isLazy }) => isLazy || loaded.has(name));
  });
}
