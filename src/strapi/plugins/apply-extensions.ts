import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { ProjectCode } from '../code/load-project-code.js';
import type { Log } from '../runtime/log.js';
import { toPluginDefinition } from './plugin-definition.js';
import type { PluginDefinition } from './plugin-definition.js';

const merge = (plugin: PluginDefinition, changes: Readonly<Record<string, unknown>>): PluginDefinition => {
  const merged = { ...plugin };
  for (const [key, value] of Object.entries(changes)) {
    const present = plugin[key];
    merged[key] = isRecord(present) && isRecord(value) ? { ...present, ...value } : value;
  }
  return merged;
};

const applyExtension = async (
  name: string,
  plugin: PluginDefinition,
  exported: unknown,
): Promise<PluginDefinition> => {
  if (isRecord(exported)) return merge(plugin, exported);
  if (typeof exported !== 'function')
    throw createError('strapi/invalid-extension', {
      name,
      reason: 'it exports neither a function nor an object',
    });
  const changed: unknown = await Reflect.apply(exported, undefined, [plugin]);
  if (typeof changed !== 'object' || changed === null)
    throw createError('strapi/invalid-extension', {
      name,
      reason: 'its function does not return the plugin',
    });
  return toPluginDefinition(changed);
};

/**
 * Lets src/extensions/<plugin>/strapi-server change plugins. Returns them changed.
 *
 * @throws `strapi/invalid-extension`, and what the project's code throws
 */
export async function applyExtensions(
  plugins: ReadonlyMap<string, PluginDefinition>,
  { extensions }: Pick<ProjectCode, 'extensions'>,
  log: Log,
): Promise<ReadonlyMap<string, PluginDefinition>> {
  const changed = new Map(plugins);
  for (const [name, { exported }] of extensions) {
    const plugin = plugins.get(name);
    if (plugin === undefined)
      log.warn(`src/extensions/${name}/strapi-server does not run: there is no plugin ${name}.`);
    else changed.set(name, await applyExtension(name, plugin, exported));
  }
  return changed;
}
