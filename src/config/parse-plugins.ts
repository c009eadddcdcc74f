import { isRecord } from '../lib/is-record.js';
import { flag, printValue } from './checks.js';
import type { Config } from './config.js';
import { addFault, readChecked } from './faults.js';
import type { Faults } from './faults.js';
import { PLUGIN_OPTIONS } from './settings.js';

type Plugin = Config['plugins'][string];

/** `resolve` is where the peer keeps the path of a local plugin; files written for it are taken as they are. */
const PLUGIN_KEYS = ['enabled', 'config', 'resolve'];

const parseOptions = (name: string, config: Readonly<Record<string, unknown>>, faults: Faults): Plugin['config'] => {
  const options: Record<string, unknown> = { ...config };
  for (const [key, check] of Object.entries(PLUGIN_OPTIONS[name] ?? {})) {
    const value = readChecked(check, config[key], ['plugins', name, 'config', key], faults);
    if (value !== undefined) options[key] = value;
  }
  return options;
};

const parsePlugin = (name: string, value: unknown, faults: Faults): Plugin | undefined => {
  const path = ['plugins', name];
  if (typeof value === 'boolean') return { enabled: value, config: {} };
  if (!isRecord(value)) {
    addFault(faults, path, `is ${printValue(value)} but must be true, false or an object`);
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (!PLUGIN_KEYS.includes(key)) addFault(faults, [...path, key], 'is not a setting; known are enabled, config');
  }
  const config = value['config'] ?? {};
  if (!isRecord(config)) {
    addFault(faults, [...path, 'config'], `is ${printValue(config)} but must be an object`);
    return undefined;
  }
  const enabled = readChecked(flag, value['enabled'], [...path, 'enabled'], faults) ?? true;
  return { enabled, config: parseOptions(name, config, faults) };
};

/** Reads `plugins` of a config file: each plugin's switch and options. */
export function parsePlugins(input: unknown, faults: Faults): Config['plugins'] {
  if (input === undefined) return {};
  if (!isRecord(input)) {
    addFault(faults, ['plugins'], `is ${printValue(input)} but must be an object`);
    return {};
  }
  const plugins: Record<string, Plugin> = {};
  for (const [name, value] of Object.entries(input)) {
    const plugin = parsePlugin(name, value, faults);
    if (plugin !== undefined) plugins[name] = plugin;
  }
  return plugins;
}
