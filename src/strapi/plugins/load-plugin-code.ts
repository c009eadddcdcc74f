import { readFileSync } from 'node:fs';
import { NO_PLUGIN_CODE } from '../../model/content-types/definition.js';
import type { PluginCode } from '../../model/content-types/definition.js';
import { isRecord } from '../../lib/records.js';
import { createCodeFinder } from '../code/project-code.js';
import type { CodeFile } from '../code/project-code.js';
import { findRegisterSources, mayChangeSchemas } from '../code/source-files.js';
import { doesRun, requirePlugins } from './find-plugins.js';

/** Extensions that change neither content-types nor routes have nothing that the model shows. */
const affectsModel = ({ file }: CodeFile): boolean =>
  /\b(?:contentTypes?|routes)\b|\[/.test(readFileSync(file, 'utf8'));

/**
 * Returns the content-types that code defines: plugins, extensions, `schema.js`, and `register` of all; and
 * the actions that clients may call. `values` is what config/ says. Nothing is evaluated where a project has
 * none of these.
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
  const plugins = requirePlugins(root, declarations).filter(doesRun);
  const extensions = finder.findExtensions().filter(affectsModel);
  const schemas = finder.findSchemas();
  const registers = findRegisterSources(root, finder).filter(mayChangeSchemas);
  if ([plugins, extensions, schemas, registers].every(({ length }) => length === 0)) return NO_PLUGIN_CODE;
  // Loaded on request, since most commands of most projects do without.
  const { evaluatePlugins } = await import('./evaluate-plugins.js');
  return evaluatePlugins({ root, values, plugins, extensions, schemas, registers });
}
