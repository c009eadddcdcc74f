import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { messageOf } from '../../lib/source-location.js';
import type { Log } from '../runtime/log.js';
import { findPlugins } from './find-plugins.js';
import type { FoundPlugin } from './find-plugins.js';
import type { PluginDefinition } from './plugin-definition.js';
import { toPluginDefinition } from './plugin-definition.js';

type Values = Record<string, unknown>;

export interface ProjectPluginsOptions {
  readonly root: string;
  /** What config/plugins says, by the names of plugins. */
  readonly declarations: Readonly<Values>;
  /** What functions of plugins get: `{ strapi, env }`. */
  readonly tools: unknown;
  readonly load: (file: string) => Promise<unknown>;
  readonly log: Log;
  /** Whether Galley brings a plugin of that name along. */
  readonly isBuiltin: (name: string) => boolean;
}

/** Values of the project win; objects are merged. */
const mergeDefaults = (values: unknown, defaults: unknown): unknown => {
  if (!isRecord(values) || !isRecord(defaults)) return values ?? defaults;
  const keys = new Set([...Object.keys(defaults), ...Object.keys(values)]);
  return Object.fromEntries([...keys].map((key) => [key, mergeDefaults(values[key], defaults[key])]));
};

const call = (value: unknown, ...values: readonly unknown[]): unknown =>
  typeof value === 'function' ? Reflect.apply(value, undefined, values) : value;

const configure = (
  { name, place }: FoundPlugin,
  { config }: PluginDefinition,
  { declarations, tools }: ProjectPluginsOptions,
): Values => {
  const declaration = declarations[name];
  const given = isRecord(declaration) ? (declaration['config'] ?? {}) : {};
  const merged = mergeDefaults(given, call(config['default'], tools) ?? {});
  try {
    if (typeof config['validator'] === 'function') call(config['validator'], merged);
  } catch (cause) {
    throw createError('strapi/invalid-plugin-config', { name, place, reason: messageOf(cause) }, { cause });
  }
  return isRecord(merged) ? merged : {};
};

const loadPlugin = async (
  found: FoundPlugin & { readonly file: string },
  options: ProjectPluginsOptions,
): Promise<PluginDefinition | null> => {
  const { name, place, file } = found;
  const definition = toPluginDefinition(call(await options.load(file), options.tools));
  const types = Object.keys(definition.contentTypes);
  if (types.length > 0) {
    options.log.warn(
      `The plugin ${name} (${place}) does not run: it has content-types of its own (${types.join(', ')}). ` +
        'Write them as schema files in src/api.',
    );
    return null;
  }
  definition.config = configure(found, definition, options);
  return definition;
};

const warnOfMissing = (
  { declarations, log, isBuiltin }: ProjectPluginsOptions,
  known: ReadonlySet<string>,
) => {
  for (const [name, declaration] of Object.entries(declarations)) {
    const isOff = declaration === false || (isRecord(declaration) && declaration['enabled'] === false);
    if (!isOff && !known.has(name) && !isBuiltin(name))
      log.warn(
        `The plugin ${name} of config/plugins does not run: it is not installed, or has no server code.`,
      );
  }
};

/**
 * Loads the plugins with server code of a project, from its folders and its packages.
 *
 * @throws `strapi/unknown-plugin`, `strapi/invalid-plugin-config`, `project/module-load-failed`
 */
export async function loadProjectPlugins(
  options: ProjectPluginsOptions,
): Promise<ReadonlyMap<string, PluginDefinition>> {
  const plugins = new Map<string, PluginDefinition>();
  const found = findPlugins(options.root, options.declarations);
  for (const plugin of found) {
    const { name, place, file } = plugin;
    if (options.isBuiltin(name)) continue;
    if (file === null) throw createError('strapi/unknown-plugin', { name, place });
    const definition = await loadPlugin({ ...plugin, file }, options);
    if (definition !== null) plugins.set(name, definition);
  }
  warnOfMissing(options, new Set(found.map(({ name }) => name)));
  return plugins;
}
