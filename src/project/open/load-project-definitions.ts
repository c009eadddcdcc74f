import type { ProjectConfig } from '../../config/load-config.js';
import { NO_PLUGIN_CODE } from '../../model/content-types/definition.js';
import type { Definitions } from '../../model/content-types/definition.js';
import { loadDefinitions } from '../../model/content-types/load-definitions.js';
import { loadPluginCode } from '../../strapi/plugins/load-plugin-code.js';

/** The part of a project's configuration that affects its content-types. */
type PluginConfig = Pick<ProjectConfig['strapi'], 'values'>;

/**
 * Loads the content-types of a project from its schema files and from the code of its plugins.
 *
 * @throws the errors of `loadPluginCode`
 */
export async function loadProjectDefinitions(root: string, { values }: PluginConfig): Promise<Definitions> {
  return loadDefinitions(root, await loadPluginCode(root, values));
}

/**
 * Loads the same for a project whose plugins may not be installed yet. `onError` receives the error of their
 * code.
 */
export async function loadDefinitionsTolerantly(
  root: string,
  { values }: PluginConfig,
  onError: (error: unknown) => void,
): Promise<Definitions> {
  const plugins = await loadPluginCode(root, values).catch((error: unknown) => {
    onError(error);
    return NO_PLUGIN_CODE;
  });
  return loadDefinitions(root, plugins);
}
