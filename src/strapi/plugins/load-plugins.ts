import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { providePackages } from '../../config/provide-packages.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/records.js';
import { describeLoadFailure, findSource, messageOf } from '../../lib/caught-errors.js';
import type { Uid } from '../../lib/ids.js';
import { relativePath } from '../../lib/text.js';
import type { ProjectCode } from '../code/project-code.js';
import { strapiPackages } from '../package/packages.js';
import type { Log } from '../runtime/log.js';
import { isRunning, requirePlugins } from './find-plugins.js';
import type { FoundPlugin } from './find-plugins.js';
import { copyTypes, toPluginDefinition } from './plugin-definition.js';
import type { PluginDefinition } from './plugin-definition.js';

const merge = (plugin: PluginDefinition, changes: Readonly<Record<string, unknown>>): PluginDefinition => {
  const merged = { ...plugin };
  for (const [key, value] of Object.entries(changes)) {
    const present = plugin[key];
    merged[key] = isRecord(present) && isRecord(value) ? { ...present, ...value } : value;
  }
  return merged;
};

/** The module that changes a plugin. */
interface Extension {
  /** The name of the plugin. */
  readonly name: string;
  readonly root: string;
  /** The absolute path. */
  readonly file: string;
}

/**
 * Applies an extension to a plugin. Returns the changed plugin.
 *
 * @throws `strapi/invalid-extension`
 */
export async function applyExtension(
  { name, root, file }: Extension,
  plugin: PluginDefinition,
  exported: unknown,
): Promise<PluginDefinition> {
  if (isRecord(exported)) return merge(plugin, exported);
  const refuse = (reason: string, cause?: unknown): Error =>
    createError('strapi/invalid-extension', { file: relativePath(root, file), reason }, { cause });
  if (typeof exported !== 'function') throw refuse('it exports neither a function nor an object');
  let changed: unknown;
  try {
    changed = await Reflect.apply(exported, undefined, [plugin]);
  } catch (cause) {
    const source = findSource(root, cause);
    throw refuse(`${source === undefined ? '' : `${source} `}${messageOf(cause)}`, cause);
  }
  if (typeof changed !== 'object' || changed === null)
    throw refuse(`its function does not return the plugin ${name}`);
  return toPluginDefinition(changed);
}

type ReplacedKind = 'services' | 'controllers';

/** The parts of Strapi's plugins that the server replaces. It calls none of them. */
const REPLACED_PARTS: Readonly<Record<string, Readonly<Record<ReplacedKind, readonly string[]>>>> = {
  'users-permissions': {
    services: ['user', 'jwt', 'role', 'users-permissions', 'permission'],
    controllers: [],
  },
  upload: {
    services: ['upload', 'image-manipulation', 'file', 'folder', 'provider'],
    controllers: ['content-api', 'admin-upload', 'admin-file', 'admin-folder'],
  },
  email: { services: ['email'], controllers: ['email'] },
  i18n: { services: ['locales', 'localizations', 'content-types'], controllers: ['locales'] },
};

const membersOf = (part: unknown): unknown[] =>
  typeof part === 'object' || typeof part === 'function' ? [part, ...Object.values(part ?? {})] : [part];

/** Returns a function that warns of the parts that an extension has changed in vain. */
const watchReplacedParts = (name: string, plugin: PluginDefinition) => {
  const parts = Object.entries(REPLACED_PARTS[name] ?? {}).flatMap(([kind, keys]) =>
    keys.map((key) => ({ kind: kind as ReplacedKind, key })),
  );
  const before = parts.map(({ kind, key }) => membersOf(plugin[kind][key]));
  return (changed: PluginDefinition, file: string, log: Log): void => {
    for (const [index, { kind, key }] of parts.entries()) {
      const members = membersOf(changed[kind][key]);
      if (
        members.length === before[index]?.length &&
        members.every((each, at) => each === before[index]?.[at])
      )
        continue;
      log.warn(
        `${file} changes ${kind}.${key} of ${name}, which only project code calls: ` +
          'the endpoints of the plugin work as before',
      );
    }
  };
};

/**
 * Applies src/extensions/<plugin>/strapi-server to plugins. Returns the changed plugins.
 *
 * @throws `strapi/invalid-extension`, and errors of the project's code
 */
export async function applyExtensions(
  plugins: ReadonlyMap<string, PluginDefinition>,
  { extensions }: Pick<ProjectCode, 'extensions'>,
  { root, log }: { readonly root: string; readonly log: Log },
): Promise<ReadonlyMap<string, PluginDefinition>> {
  const changed = new Map(plugins);
  for (const [name, { code, exported }] of extensions) {
    const plugin = plugins.get(name);
    if (plugin === undefined)
      log.warn(`src/extensions/${name}/strapi-server does not run: there is no plugin ${name}.`);
    else {
      const warnOfChanges = watchReplacedParts(name, plugin);
      const extended = await applyExtension({ name, root, file: code.file }, plugin, exported);
      warnOfChanges(extended, relativePath(root, code.file), log);
      changed.set(name, extended);
    }
  }
  return changed;
}

interface LoadPluginOptions {
  readonly root: string;
  /** The argument of the functions of plugins: `{ strapi, env }`. */
  readonly tools: unknown;
  readonly load: (file: string) => Promise<unknown>;
}

const MISSING_MODULE = /Cannot find (?:module|package) '([^'./][^']*)'/;

const remedyFor = (name: string, cause: unknown): string => {
  const [, missing] = MISSING_MODULE.exec(messageOf(cause)) ?? [];
  const disable = `disable the plugin in config/plugins: '${name}': { enabled: false }`;
  if (isGalleyError(cause) && cause.hint !== undefined) return `${cause.hint} Or ${disable}`;
  return missing === undefined
    ? `Correct it, or ${disable}`
    : `Install it: npm install ${missing}. Or ${disable}`;
};

/** Provides Strapi's packages to packages of a workspace, which are linked from outside the project. */
const provideStrapi = (root: string, folder: string): void => {
  const real = realpathSync(folder);
  if (!real.startsWith(root + sep)) providePackages(real, strapiPackages(root));
};

/**
 * Evaluates the server code of a plugin.
 *
 * @throws `strapi/plugin-not-loaded`, with file and line
 */
export async function loadPlugin(
  { name, place, folder, file: entry }: FoundPlugin,
  { root, tools, load }: LoadPluginOptions,
): Promise<PluginDefinition> {
  provideStrapi(root, folder);
  try {
    const exported = await load(entry);
    const result: unknown =
      typeof exported === 'function' ? await Reflect.apply(exported, undefined, [tools]) : exported;
    return toPluginDefinition(result);
  } catch (cause) {
    const { file, reason } = describeLoadFailure(folder, entry, cause);
    const path = relativePath(root, folder);
    const remedy = remedyFor(name, cause);
    throw createError(
      'strapi/plugin-not-loaded',
      { name, place, file: `${path}/${file}`, reason, remedy },
      { cause },
    );
  }
}

type ConfigValues = Record<string, unknown>;

export interface ProjectPluginsOptions extends LoadPluginOptions {
  /** The values of config/plugins, by the names of plugins. */
  readonly declarations: Readonly<ConfigValues>;
  readonly log: Log;
  /** True if the model has a content-type. */
  readonly hasType: (uid: Uid) => boolean;
}

/** Merges the values of the project over the defaults. */
const mergeDefaults = (values: unknown, defaults: unknown): unknown => {
  if (!isRecord(values) || !isRecord(defaults)) return values ?? defaults;
  const keys = new Set([...Object.keys(defaults), ...Object.keys(values)]);
  return Object.fromEntries([...keys].map((key) => [key, mergeDefaults(values[key], defaults[key])]));
};

const callIfFunction = (value: unknown, ...values: readonly unknown[]): unknown =>
  typeof value === 'function' ? Reflect.apply(value, undefined, values) : value;

const configure = (
  { name, place }: FoundPlugin,
  { config }: PluginDefinition,
  { declarations, tools }: ProjectPluginsOptions,
): ConfigValues => {
  const declaration = declarations[name];
  const given = isRecord(declaration) ? (declaration['config'] ?? {}) : {};
  const merged = mergeDefaults(given, callIfFunction(config['default'], tools) ?? {});
  try {
    if (typeof config['validator'] === 'function') callIfFunction(config['validator'], merged);
  } catch (cause) {
    throw createError('strapi/invalid-plugin-config', { name, place, reason: messageOf(cause) }, { cause });
  }
  return isRecord(merged) ? merged : {};
};

/** Throws if a plugin defines content-types that the model lacks, since it was built before. */
const assertKnownTypes = (
  { name }: FoundPlugin,
  { contentTypes }: PluginDefinition,
  hasType: ProjectPluginsOptions['hasType'],
): void => {
  const unknown = Object.keys(contentTypes).filter((key) => !hasType(`plugin::${name}.${key}`));
  if (unknown.length > 0) throw createError('strapi/late-content-types', { name, types: unknown.join(', ') });
};

/**
 * Loads the project's plugins with server code from its folders and packages. Warns of plugins that are not
 * installed.
 *
 * @throws `strapi/unknown-plugin`, `strapi/plugin-not-loaded`, `strapi/invalid-plugin-config`
 */
export async function loadProjectPlugins(
  options: ProjectPluginsOptions,
): Promise<ReadonlyMap<string, PluginDefinition>> {
  const plugins = new Map<string, PluginDefinition>();
  for (const plugin of requirePlugins(options.root, options.declarations)) {
    if (isRunning(plugin)) {
      const definition = await loadPlugin(plugin, options);
      definition.contentTypes = copyTypes(definition.contentTypes);
      assertKnownTypes(plugin, definition, options.hasType);
      definition.config = configure(plugin, definition, options);
      plugins.set(plugin.name, definition);
    } else if (plugin.state === 'missing')
      options.log.warn(`The plugin ${plugin.name} does not run: ${plugin.reason}.`);
  }
  return plugins;
}
