import { readFileSync } from 'node:fs';
import type { ProjectConfig } from '../../config/load-config.js';
import { NO_PLUGIN_CODE } from '../../model/content-types/definition.js';
import type { Definitions, PluginCode } from '../../model/content-types/definition.js';
import { loadDefinitions } from '../../model/content-types/load-definitions.js';
import { isRecord } from '../../lib/records.js';
import { createCodeFinder } from '../../strapi/code/project-code.js';
import type { CodeFile } from '../../strapi/code/project-code.js';
import { findRegisterSources, mayChangeSchemas } from '../../strapi/code/source-files.js';
import { isRunning, requirePlugins } from '../../strapi/plugins/find-plugins.js';

/**
 * True if an extension may change content-types or routes, judged by its text. Others do not affect the
 * model.
 */
const affectsModel = ({ file }: CodeFile): boolean =>
  /\b(?:contentTypes?|routes)\b|\[/.test(readFileSync(file, 'utf8'));

/**
 * Returns the content-types that code defines in plugins, extensions, `schema.js` and `register`, and the
 * actions that clients may call. `values` are those of config/. Evaluates nothing if a project has no such
 * code.
 *
 * @throws `strapi/unknown-plugin`, `strapi/plugin-not-loaded`, `strapi/invalid-extension`,
 *   `project/module-load-failed`
 */
async function loadPluginCode(root: string, values: Readonly<Record<string, unknown>>): Promise<PluginCode> {
  const declarations = isRecord(values['plugins']) ? values['plugins'] : {};
  const finder = createCodeFinder(root);
  const plugins = requirePlugins(root, declarations).filter(isRunning);
  const extensions = finder.findExtensions().filter(affectsModel);
  const schemas = finder.findSchemas();
  const registers = findRegisterSources(root, finder).filter(mayChangeSchemas);
  if ([plugins, extensions, schemas, registers].every(({ length }) => length === 0)) return NO_PLUGIN_CODE;
  // Imported lazily, since most commands of most projects do not need it.
  const { evaluatePlugins } = await import('../../strapi/plugins/evaluate-plugins.js');
  return evaluatePlugins({ root, values, plugins, extensions, schemas, registers });
}

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
