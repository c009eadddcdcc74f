import { readFileSync } from 'node:fs';
import { NO_PLUGIN_CODE } from '../../model/content-types/definition.js';
import type { PluginCode } from '../../model/content-types/definition.js';
import { isRecord } from '../../lib/records.js';
import { createCodeFinder } from '../code/project-code.js';
import type { CodeFile } from '../code/project-code.js';
import { findRegisterSources, mayChangeSchemas } from '../code/source-files.js';
import { isRunning, requirePlugins } from './find-plugins.js';

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
export async function loadPluginCode(
  root: string,
  values: Readonly<Record<string, unknown>>,
): Promise<PluginCode> {
  const declarations = isRecord(values['plugins']) ? values['plugins'] : {};
  const finder = createCodeFinder(root);
  const plugins = requirePlugins(root, declarations).filter(isRunning);
  const extensions = finder.findExtensions().filter(affectsModel);
  const schemas = finder.findSchemas();
  const registers = findRegisterSources(root, finder).filter(mayChangeSchemas);
  if ([plugins, extensions, schemas, registers].every(({ length }) => length === 0)) return NO_PLUGIN_CODE;
  // Imported lazily, since most commands of most projects do not need it.
  const { evaluatePlugins } = await import('./evaluate-plugins.js');
  return evaluatePlugins({ root, values, plugins, extensions, schemas, registers });
}
