import { isRecord } from '../lib/is-record.js';
import { flag, printValue } from './checks.js';
import type { Config } from './config.js';
import { addIssue, readChecked } from './issues.js';
import type { Issues } from './issues.js';
import { compilePluginChecks, PLUGIN_OPTIONS } from './plugin-options.js';

type Plugin = Config['plugins'][string];

/** `resolve` is the path of a local plugin in Strapi. It is accepted and ignored. */
const PLUGIN_KEYS = ['enabled', 'config', 'resolve'];

const parseOptions = (
  name: string,
  config: Readonly<Record<string, unknown>>,
  issues: Issues,
): Plugin['config'] => {
  const options: Record<string, unknown> = { ...config };
  for (const [key, check] of Object.entries(compilePluginChecks(PLUGIN_OPTIONS[name] ?? {}))) {
    const value = readChecked(check, config[key], ['plugins', name, 'config', key], issues);
    if (value !== undefined) options[key] = value;
  }
  return options;
};

const parsePlugin = (name: string, value: unknown, issues: Issues): Plugin | undefined => {
  const path = ['plugins', name];
  if (typeof value === 'boolean') return { enabled: value, config: {} };
  if (!isRecord(value)) {
    addIssue(issues, path, `is ${printValue(value)} but must be true, false or an object`);
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (!PLUGIN_KEYS.includes(key))
      addIssue(issues, [...path, key], 'is not a setting; known are enabled, config');
  }
  const config = value['config'] ?? {};
  if (!isRecord(config)) {
    addIssue(issues, [...path, 'config'], `is ${printValue(config)} but must be an object`);
    return undefined;
  }
  const enabled = readChecked(flag, value['enabled'], [...path, 'enabled'], issues) ?? true;
  return { enabled, config: parseOptions(name, config, issues) };
};

/** Parses the `plugins` section of a config file. Adds an issue for each invalid entry. */
export function parsePlugins(input: unknown, issues: Issues): Config['plugins'] {
  if (input === undefined) return {};
  if (!isRecord(input)) {
    addIssue(issues, ['plugins'], `is ${printValue(input)} but must be an object`);
    return {};
  }
  const plugins: Record<string, Plugin> = {};
  for (const [name, value] of Object.entries(input)) {
    const plugin = parsePlugin(name, value, issues);
    if (plugin !== undefined) plugins[name] = plugin;
  }
  return plugins;
}
