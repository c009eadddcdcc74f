import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, parse, resolve } from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { isRecord } from '../lib/is-record.js';

type Aliases = Readonly<Record<string, string>>;

const compilerOptionsOf = (root: string): Readonly<Record<string, unknown>> => {
  const file = join(root, 'tsconfig.json');
  if (!existsSync(file)) return {};
  const value: unknown = parseJsonc(readFileSync(file, 'utf8'), [], { allowTrailingComma: true });
  const options = isRecord(value) ? value['compilerOptions'] : undefined;
  return isRecord(options) ? options : {};
};

/** `@/*` with `./src/*` → `@` with the folder. Only the first of several places counts. */
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
 * Returns the paths of import aliases by name, from `paths` and `baseUrl` of a project's tsconfig.json. A
 * file that it extends is not read, since that may not be installed.
 */
export function readAliases(root: string): Aliases {
  const { baseUrl, paths } = compilerOptionsOf(root);
  const folder = typeof baseUrl === 'string' ? resolve(root, baseUrl) : root;
  const ofBase = typeof baseUrl === 'string' && existsSync(folder) ? aliasesOfBase(root, folder) : {};
  return { ...ofBase, ...aliasesOfPaths(folder, paths) };
}

/** Returns the path that an import means by an alias. Null: it means none. */
export function resolveAlias(aliases: Aliases, name: string): string | null {
  const found = Object.keys(aliases)
    .filter((alias) => name === alias || name.startsWith(`${alias}/`))
    .toSorted((left, right) => right.length - left.length)[0];
  return found === undefined ? null : join(aliases[found] ?? '', name.slice(found.length));
}
