import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { findSource, messageOf } from '../../lib/source-location.js';
import type { ProjectCode } from '../code/load-project-code.js';
import { relativePath } from '../report/source-files.js';
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

/** The module that changes a plugin. */
interface Extension {
  /** The name of the plugin. */
  readonly name: string;
  readonly root: string;
  /** The absolute path. */
  readonly file: string;
}

/**
 * Lets an extension change a plugin. Returns it changed.
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

/**
 * Lets src/extensions/<plugin>/strapi-server change plugins. Returns them changed.
 *
 * @throws `strapi/invalid-extension`, and what the project's code throws
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
    else changed.set(name, await applyExtension({ name, root, file: code.file }, plugin, exported));
  }
  return changed;
}
