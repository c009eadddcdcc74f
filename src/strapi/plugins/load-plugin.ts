import { realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { providePackages } from '../../config/provide-packages.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { describeLoadFailure, messageOf } from '../../lib/source-location.js';
import { strapiPackages } from '../package/packages.js';
import type { FoundPlugin } from './find-plugins.js';
import { toPluginDefinition } from './plugin-definition.js';
import type { PluginDefinition } from './plugin-definition.js';

export interface LoadPluginOptions {
  readonly root: string;
  /** The argument of the functions of plugins: `{ strapi, env }`. */
  readonly tools: unknown;
  readonly load: (file: string) => Promise<unknown>;
}

const MISSING_MODULE = /Cannot find (?:module|package) '([^'./][^']*)'/;

const remedyFor = (name: string, cause: unknown): string => {
  const [, missing] = MISSING_MODULE.exec(messageOf(cause)) ?? [];
  const off = `switch the plugin off in config/plugins: '${name}': { enabled: false }`;
  if (isGalleyError(cause) && cause.hint !== undefined) return `${cause.hint} Or ${off}`;
  return missing === undefined ? `Correct it, or ${off}` : `Install it: npm install ${missing}. Or ${off}`;
};

/** Packages of a workspace are elsewhere than their project, which has only links to them. */
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
    const path = relative(root, folder).split(sep).join('/');
    const remedy = remedyFor(name, cause);
    throw createError(
      'strapi/plugin-not-loaded',
      { name, place, file: `${path}/${file}`, reason, remedy },
      { cause },
    );
  }
}
