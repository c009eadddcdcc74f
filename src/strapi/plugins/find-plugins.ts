import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { isRecord } from '../../lib/is-record.js';

/** A plugin of the project or of a package, which has server code of its own. */
export interface FoundPlugin {
  readonly name: string;
  /** The absolute path of its server code. Null: there is none, or it is not installed. */
  readonly file: string | null;
  /** Where it was looked for: a folder or a package. */
  readonly place: string;
}

type Values = Readonly<Record<string, unknown>>;

/** Packages of Strapi: Galley has a counterpart of most, or they serve the admin panel. */
const PACKAGES_OF_STRAPI = /^@strapi\/(?!plugin-(?:sentry|color-picker)$)/;

const ENTRY = './strapi-server';

const readJson = (file: string): Values => {
  if (!existsSync(file)) return {};
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return isRecord(value) ? value : {};
};

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

/** The files that a package names for its server code, in the order in which they are preferred. */
const entriesOf = (manifest: Values): readonly string[] => {
  const { exports } = manifest;
  const entry = isRecord(exports) ? (exports[ENTRY] ?? exports[`${ENTRY}.js`]) : undefined;
  const named = isRecord(entry)
    ? ['require', 'default', 'import', 'source'].map((condition) => entry[condition])
    : [entry];
  const texts = named.filter((path) => typeof path === 'string');
  return [...texts, `${ENTRY}.js`, `${ENTRY}.ts`, `${ENTRY}.mjs`, './strapi-server/index.js'];
};

const findEntry = (folder: string): string | null => {
  const paths = entriesOf(readJson(join(folder, 'package.json'))).map((path) => join(folder, path));
  return paths.find(isFile) ?? null;
};

const findFolder = (root: string, place: string): string | null => {
  const folder = resolve(root, place);
  if (existsSync(folder) && statSync(folder).isDirectory()) return folder;
  try {
    return join(createRequire(join(root, 'package.json')).resolve(`${place}/package.json`), '..');
  } catch {
    return null;
  }
};

const isEnabled = (declaration: unknown): boolean =>
  declaration !== false && !(isRecord(declaration) && declaration['enabled'] === false);

const nameOfPackage = (folder: string): string | null => {
  const { strapi } = readJson(join(folder, 'package.json'));
  if (!isRecord(strapi) || strapi['kind'] !== 'plugin') return null;
  return typeof strapi['name'] === 'string' ? strapi['name'] : null;
};

/** The plugins that config/plugins says where to find. */
const declaredPlugins = (root: string, declarations: Values): readonly FoundPlugin[] =>
  Object.entries(declarations).flatMap(([name, declaration]) => {
    const place = isRecord(declaration) ? declaration['resolve'] : undefined;
    if (typeof place !== 'string' || !isEnabled(declaration)) return [];
    const folder = findFolder(root, place);
    return [{ name, place, file: folder === null ? null : findEntry(folder) }];
  });

/** The plugins among the packages that the project depends on. */
const installedPlugins = (root: string): readonly FoundPlugin[] => {
  const { dependencies } = readJson(join(root, 'package.json'));
  return Object.keys(isRecord(dependencies) ? dependencies : {}).flatMap((place) => {
    if (PACKAGES_OF_STRAPI.test(place)) return [];
    const folder = join(root, 'node_modules', place);
    const name = nameOfPackage(folder);
    const file = name === null ? null : findEntry(folder);
    return name === null || file === null ? [] : [{ name, place, file }];
  });
};

/**
 * Finds the plugins with server code that a project uses: those that config/plugins resolves to a folder or a
 * package, and those among its dependencies. Plugins that are switched off are left out.
 */
export function findPlugins(root: string, declarations: Values): readonly FoundPlugin[] {
  const declared = declaredPlugins(root, declarations);
  const names = new Set(declared.map(({ name }) => name));
  const installed = installedPlugins(root).filter(
    ({ name }) => !names.has(name) && isEnabled(declarations[name]),
  );
  return [...declared, ...installed];
}
