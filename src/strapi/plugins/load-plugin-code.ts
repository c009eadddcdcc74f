import { readFileSync } from 'node:fs';
import { NO_PLUGIN_CODE } from '../../content-types/definition.js';
import type { PluginCode } from '../../content-types/definition.js';
import { isRecord } from '../../lib/is-record.js';
import { createCodeFinder } from '../code/find-code.js';
import type { CodeFile } from '../code/find-code.js';
import { doesRun, requirePlugins } from './find-plugins.js';

/** Extensions that change neither content-types nor routes have nothing that the model shows. */
const doesConcernModel = ({ file }: CodeFile): boolean =>
  /\b(?:contentTypes?|routes)\b|\[/.test(readFileSync(file, 'utf8'));

/**
 * Returns the content-types that the plugins of a project define in code, what its extensions change in those
 * of plugins, and the actions that clients may call. `values` is what config/ says. Nothing is evaluated
 * where a project has neither plugins nor extensions.
 *
 * @throws `strapi/unknown-plugin`, `strapi/plugin-not-loaded`, `strapi/invalid-extension`
 */
export async function loadPluginCode(
  root: string,
  values: Readonly<Record<string, unknown>>,
): Promise<PluginCode> {
  const declarations = isRecord(values['plugins']) ? values['plugins'] : {};
  const plugins = requirePlugins(root, declarations).filter(doesRun);
  const extensions = createCodeFinder(root).findExtensions().filter(doesConcernModel);
  if (plugins.length + extensions.length === 0) return NO_PLUGIN_CODE;
  // Loaded on request, since most commands of most projects do without.
  const { evaluatePlugins } = await import('./evaluate-plugins.js');
  return evaluatePlugins({ root, values, plugins, extensions });
}
