import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { relativePath } from '../../lib/text.js';
import { findPackage, readPackageFile } from '../configuration.js';

const ENTRY = './strapi-server';

/** The usual paths of the server code of plugins without a declared entry. */
const USUAL_ENTRIES = [
  `${ENTRY}.js`,
  `${ENTRY}.ts`,
  `${ENTRY}.mjs`,
  `${ENTRY}.cjs`,
  `${ENTRY}/index.js`,
  './dist/server/index.js',
  './server/src/index.ts',
  './server/src/index.js',
  './server/index.ts',
  './server/index.js',
];

const CONDITIONS = ['require', 'node', 'default', 'import', 'source'];

/** Returns the paths of one entry of `exports` in the order of preference. */
const pathsOf = (entry: unknown): readonly string[] => {
  if (typeof entry === 'string') return [entry];
  return isRecord(entry) ? CONDITIONS.flatMap((condition) => pathsOf(entry[condition])) : [];
};

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

/**
 * Returns the file of a plugin's server code: the entry `strapi-server` of its package.json, compiled if
 * possible, or a file at a usual path. Null if there is none.
 */
function findEntry(folder: string): string | null {
  const { exports } = readPackageFile(folder);
  const declared = isRecord(exports) ? pathsOf(exports[ENTRY] ?? exports[`${ENTRY}.js`]) : [];
  return [...declared, ...USUAL_ENTRIES].map((path) => join(folder, path)).find(isFile) ?? null;
}

/**
 * The state of a plugin: Galley has its features built in, its server part runs, it only has an admin panel
 * part, it is not installed, or it is not enabled.
 */
export type PluginState = 'built-in' | 'runs' | 'admin-only' | 'missing' | 'off';

/** A plugin that a project names or contains. */
export interface ListedPlugin {
  readonly name: string;
  readonly state: PluginState;
  readonly reason: string;
  /** The folder or package where it was searched for, as named in the project. */
  readonly place: string;
  /** The absolute path of its folder. Null if there is none or it is irrelevant. */
  readonly folder: string | null;
  /** The absolute path of its server code. Null if it does not run. */
  readonly file: string | null;
}

/** A plugin that runs. */
export interface FoundPlugin extends ListedPlugin {
  readonly folder: string;
  readonly file: string;
}

type Declarations = Readonly<Record<string, unknown>>;

/** Plugins whose features are built in. */
export const BUILT_IN_PLUGINS: ReadonlySet<string> = new Set([
  'users-permissions',
  'upload',
  'email',
  'i18n',
  'graphql',
]);

/** Plugins of Strapi that serve its admin panel, with or without a server part. */
const ADMIN_PANEL_PLUGINS: ReadonlySet<string> = new Set([
  'cloud',
  'content-manager',
  'content-releases',
  'content-type-builder',
  'review-workflows',
]);

/** Plugins of Strapi whose server part does not affect the API. */
const UNNEEDED_FOR_API: ReadonlySet<string> = new Set(['color-picker', 'seo']);

const FOR_ADMIN_PANEL = "only serves Strapi's admin panel";

/** Matches the package name of a plugin, from which the name of a plugin that is not installed is derived. */
const PLUGIN_PACKAGE = /^(?:@strapi\/plugin|(?:@[\w-]+\/)?strapi-plugin)-([\w-]+)$/;

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

const findFolder = (root: string, place: string): string | null =>
  isFolder(resolve(root, place))
    ? resolve(root, place)
    : findPackage(root, place.replace(/\/package\.json$/, ''));

const namesIn = (value: unknown): readonly string[] => (isRecord(value) ? Object.keys(value) : []);

/** Returns the plugin name that a package declares. Undefined if it is not a plugin. */
const pluginNameOf = (folder: string): string | undefined => {
  const { strapi } = readPackageFile(folder);
  if (!isRecord(strapi) || strapi['kind'] !== 'plugin') return undefined;
  return typeof strapi['name'] === 'string' ? strapi['name'] : undefined;
};

/** Returns the range of Strapi versions that a package supports if it excludes version 5, else null. */
const unsupportedVersion = (folder: string): string | null => {
  const { peerDependencies } = readPackageFile(folder);
  const range = isRecord(peerDependencies) ? peerDependencies['@strapi/strapi'] : undefined;
  return typeof range === 'string' && /\d/.test(range) && !/(?:^|[^.\d])5|>=\s*4/.test(range) ? range : null;
};

type Candidate = Pick<ListedPlugin, 'name' | 'place' | 'folder'>;

/** Returns a note for a compiled entry, since a change of its source has no effect until it is compiled. */
const compiledNote = (root: string, file: string): string => {
  const path = relativePath(root, file);
  return path.startsWith('src/') && path.includes('/dist/') ? `, compiled: ${path}` : '';
};

const notRunning = (candidate: Candidate, state: PluginState, reason: string): ListedPlugin => ({
  ...candidate,
  file: null,
  state,
  reason,
});

const describeServerPart = (root: string, candidate: Candidate): ListedPlugin => {
  const { name, place, folder } = candidate;
  if (folder === null)
    return UNNEEDED_FOR_API.has(name)
      ? notRunning(candidate, 'admin-only', FOR_ADMIN_PANEL)
      : notRunning(candidate, 'missing', `${place} is not installed`);
  const file = findEntry(folder);
  if (file === null) return notRunning(candidate, 'admin-only', `${place} has no server part`);
  const version = unsupportedVersion(folder);
  const note = version === null ? compiledNote(root, file) : `, which is for Strapi ${version}`;
  return { ...candidate, file, state: 'runs', reason: `the server part of ${place}${note}` };
};

/**
 * Returns the reason why a plugin is disabled, else null. Plugins in folders must be enabled explicitly,
 * packages need not.
 */
const disabledReason = (declaration: unknown, isInstalled: boolean): string | null => {
  const enabled = isRecord(declaration) ? declaration['enabled'] : declaration;
  if (enabled === undefined)
    return isInstalled ? null : 'config/plugins does not set `enabled: true`, which plugins in folders need';
  return Boolean(enabled) && enabled !== 'false' ? null : 'config/plugins disables it';
};

const describePlugin = (
  root: string,
  candidate: Candidate,
  { declaration, isInstalled }: { readonly declaration: unknown; readonly isInstalled: boolean },
): ListedPlugin => {
  const disabled = disabledReason(declaration, isInstalled);
  if (disabled !== null) return notRunning(candidate, 'off', disabled);
  if (BUILT_IN_PLUGINS.has(candidate.name)) return notRunning(candidate, 'built-in', 'built in');
  if (ADMIN_PANEL_PLUGINS.has(candidate.name)) return notRunning(candidate, 'admin-only', FOR_ADMIN_PANEL);
  return describeServerPart(root, candidate);
};

/** Returns the plugins among the dependencies of the project. */
const installedPlugins = (root: string): readonly Candidate[] => {
  const { dependencies } = readPackageFile(root);
  return namesIn(dependencies).flatMap((place) => {
    const folder = findPackage(root, place);
    const name = folder === null ? PLUGIN_PACKAGE.exec(place)?.[1] : pluginNameOf(folder);
    return name === undefined ? [] : [{ name, place, folder }];
  });
};

/** Returns the plugins among the development dependencies, which Strapi ignores. */
const developmentPlugins = (root: string): readonly ListedPlugin[] => {
  const { devDependencies } = readPackageFile(root);
  return namesIn(devDependencies).flatMap((place) => {
    const folder = findPackage(root, place);
    const name = folder === null ? PLUGIN_PACKAGE.exec(place)?.[1] : pluginNameOf(folder);
    if (name === undefined || BUILT_IN_PLUGINS.has(name)) return [];
    const reason = `${place} is among the devDependencies, which are not searched for plugins`;
    return [notRunning({ name, place, folder }, 'off', reason)];
  });
};

/** Returns the folders of src/plugins that nothing names. */
const idleFolders = (root: string, listed: readonly Candidate[]): readonly ListedPlugin[] => {
  const folder = join(root, 'src', 'plugins');
  if (!isFolder(folder)) return [];
  const used = new Set(listed.map((each) => each.folder));
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !used.has(join(folder, entry.name)))
    .map(({ name }) => {
      const place = `./src/plugins/${name}`;
      const reason = `config/plugins does not name it: { enabled: true, resolve: '${place}' }`;
      return notRunning({ name, place, folder: join(folder, name) }, 'off', reason);
    });
};

/** Returns the plugins that config/plugins names, with the folder of each. */
const declaredPlugins = (
  root: string,
  declarations: Declarations,
  installed: readonly Candidate[],
): readonly Candidate[] =>
  Object.entries(declarations).map(([name, declaration]) => {
    const place = isRecord(declaration) ? declaration['resolve'] : undefined;
    if (typeof place === 'string') return { name, place, folder: findFolder(root, place) };
    return installed.find((each) => each.name === name) ?? { name, place: name, folder: null };
  });

/**
 * Lists the plugins that a project names in config/plugins or depends on, and the folders of src/plugins,
 * with the state of each. Evaluates no code. `declarations` are the values of config/plugins.
 */
export function listPlugins(root: string, declarations: Declarations): readonly ListedPlugin[] {
  const installed = installedPlugins(root);
  const declared = declaredPlugins(root, declarations, installed);
  const isDeclared = ({ name, folder }: Candidate): boolean =>
    declared.some((each) => each.name === name || (folder !== null && each.folder === folder));
  const implied = installed.filter((each) => !isDeclared(each));
  const candidates = [...declared, ...implied];
  const listed = candidates.map((candidate) =>
    describePlugin(root, candidate, {
      declaration: declarations[candidate.name],
      isInstalled: installed.some(({ name }) => name === candidate.name) || candidate.folder === null,
    }),
  );
  const names = new Set(listed.map(({ name }) => name));
  const others = [...developmentPlugins(root), ...idleFolders(root, candidates)];
  return [...listed, ...others.filter(({ name }) => !names.has(name))];
}

/** True if a plugin runs. */
export function isRunning(plugin: ListedPlugin): plugin is FoundPlugin {
  return plugin.state === 'runs';
}

/**
 * Lists the plugins of a project that is about to run.
 *
 * @throws `strapi/unknown-plugin` for a folder or package in config/plugins that does not exist
 */
export function requirePlugins(root: string, declarations: Declarations): readonly ListedPlugin[] {
  const listed = listPlugins(root, declarations);
  for (const { name, place, state } of listed) {
    const declaration = declarations[name];
    if (state === 'missing' && isRecord(declaration) && declaration['resolve'] !== undefined)
      throw createError('strapi/unknown-plugin', { name, place });
  }
  return listed;
}
