import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isRecord } from '../../lib/is-record.js';
import { readPackageFile } from '../read-package-file.js';

/** A plugin that package.json or config/plugins names, and what becomes of it here. */
export interface PluginReport {
  readonly name: string;
  readonly state: 'built-in' | 'runs' | 'admin-only' | 'missing' | 'off';
  readonly reason: string;
}

type Values = Readonly<Record<string, unknown>>;

/** Plugins whose work Galley does itself. */
const BUILT_IN: ReadonlySet<string> = new Set(['users-permissions', 'upload', 'email', 'i18n', 'graphql']);

/** Plugins of Strapi that only have a part in the admin panel, or that serve its cloud. */
const ADMIN_ONLY: ReadonlySet<string> = new Set([
  'cloud',
  'color-picker',
  'content-manager',
  'content-releases',
  'content-type-builder',
  'review-workflows',
  'seo',
]);

export function dependenciesOf(root: string): readonly string[] {
  const { dependencies, devDependencies } = readPackageFile(root);
  return [dependencies, devDependencies].flatMap((all) => (isRecord(all) ? Object.keys(all) : []));
}

/** `@strapi/plugin-seo` → seo, `strapi-plugin-menus` → menus. Null: the package is no plugin by its name. */
const pluginNameOf = (name: string): string | null =>
  /^@strapi\/plugin-([\w-]+)$/.exec(name)?.[1] ??
  /^(?:@[\w-]+\/)?strapi-plugin-([\w-]+)$/.exec(name)?.[1] ??
  null;

const hasServerPart = (folder: string): boolean => {
  const { exports } = readPackageFile(folder);
  if (isRecord(exports) && exports['./strapi-server'] !== undefined) return true;
  return ['js', 'ts', 'mjs'].some((extension) => existsSync(join(folder, `strapi-server.${extension}`)));
};

const reportFolder = (name: string, folder: string, place: string): PluginReport => {
  if (!existsSync(folder)) return { name, state: 'missing', reason: `${place} is not installed` };
  return hasServerPart(folder)
    ? { name, state: 'runs', reason: `the server part of ${place}` }
    : { name, state: 'admin-only', reason: `${place} has no server part` };
};

const reportPlugin = (root: string, name: string, place: string | null, declared: unknown): PluginReport => {
  if (declared === false || (isRecord(declared) && declared['enabled'] === false))
    return { name, state: 'off', reason: 'config/plugins switches it off' };
  if (BUILT_IN.has(name)) return { name, state: 'built-in', reason: 'built in' };
  const path = isRecord(declared) ? declared['resolve'] : undefined;
  if (typeof path === 'string' && path.startsWith('.')) return reportFolder(name, resolve(root, path), path);
  if (ADMIN_ONLY.has(name)) return { name, state: 'admin-only', reason: "only serves Strapi's admin panel" };
  const dependency = typeof path === 'string' ? path : place;
  return dependency === null
    ? { name, state: 'missing', reason: 'config/plugins names it, package.json does not' }
    : reportFolder(name, join(root, 'node_modules', dependency), dependency);
};

/** Reports the plugins of a project. `declarations` is what config/plugins says. */
export function reportPlugins(root: string, declarations: Values): readonly PluginReport[] {
  const packages = new Map<string, string>();
  for (const dependency of dependenciesOf(root)) {
    const installed = readPackageFile(join(root, 'node_modules', dependency))['strapi'];
    const stated = isRecord(installed) && installed['kind'] === 'plugin' ? installed['name'] : undefined;
    const name = typeof stated === 'string' ? stated : pluginNameOf(dependency);
    if (name !== null) packages.set(name, dependency);
  }
  return [...new Set([...packages.keys(), ...Object.keys(declarations)])]
    .toSorted()
    .map((name) => reportPlugin(root, name, packages.get(name) ?? null, declarations[name]));
}
