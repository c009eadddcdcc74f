import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { messageOf } from '../../lib/source-location.js';
import type { Uid } from '../../lib/uid.js';
import type { Log } from '../runtime/log.js';
import { copyTypes } from './copy-types.js';
import { doesRun, requirePlugins } from './find-plugins.js';
import type { FoundPlugin } from './find-plugins.js';
import { loadPlugin } from './load-plugin.js';
import type { LoadPluginOptions } from './load-plugin.js';
import type { PluginDefinition } from './plugin-definition.js';

type Values = Record<string, unknown>;

export interface ProjectPluginsOptions extends LoadPluginOptions {
  /** The values of config/plugins, by the names of plugins. */
  readonly declarations: Readonly<Values>;
  readonly log: Log;
  /** True if the model has a content-type. */
  readonly hasType: (uid: Uid) => boolean;
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

/** The model was built from the content-types that the code has named before. */
const assertKnownTypes = (
  { name }: FoundPlugin,
  { contentTypes }: PluginDefinition,
  hasType: ProjectPluginsOptions['hasType'],
): void => {
  const unknown = Object.keys(contentTypes).filter((key) => !hasType(`plugin::${name}.${key}`));
  if (unknown.length > 0) throw createError('strapi/late-content-types', { name, types: unknown.join(', ') });
};

/**
 * Loads the plugins with server code of a project, from its folders and its packages. The log tells which
 * others the project names, and why they do not run.
 *
 * @throws `strapi/unknown-plugin`, `strapi/plugin-not-loaded`, `strapi/invalid-plugin-config`
 */
export async function loadProjectPlugins(
  options: ProjectPluginsOptions,
): Promise<ReadonlyMap<string, PluginDefinition>> {
  const plugins = new Map<string, PluginDefinition>();
  for (const plugin of requirePlugins(options.root, options.declarations)) {
    if (doesRun(plugin)) {
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
