import type { UnappliedOption } from './options/check-section.js';
import { checkOptions, isFatal } from './options/check-options.js';
import { isRecord } from '../../lib/is-record.js';
import { readChecked } from '../issues.js';
import type { Issues } from '../issues.js';
import { compilePluginChecks, PLUGIN_OPTIONS } from '../plugin-options.js';
import { SETTINGS } from '../settings.js';
import type { SettingKey } from '../settings.js';
import { isBuiltinProvider } from './builtin-providers.js';
import { mapAccountOptions } from './map-account-options.js';
import { middlewareSettings } from './map-middlewares.js';
import { lacksBucket, uploadSettings } from './map-upload-options.js';
import type { StatedSetting, Values } from './values.js';
import { valueAt } from './values.js';

type MutableValues = Record<string, unknown>;

export interface MappedConfig {
  /** As cms.config.* would export it. */
  readonly input: Values;
  /** The options of config/ that have no effect. */
  readonly unapplied: readonly UnappliedOption[];
}

const setAt = (target: MutableValues, path: string, value: unknown): void => {
  const [key = '', ...rest] = path.split('.');
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const child = isRecord(target[key]) ? target[key] : {};
  target[key] = child;
  setAt(child, rest.join('.'), value);
};

/** The address in `server.url` is often empty or a path, which here means: none. */
const publicUrlOf = (url: unknown): unknown =>
  typeof url === 'string' && /^https?:/.test(url) ? url : undefined;

/** `proxy: { koa: true }` is how newer projects state it. */
const proxyOf = (proxy: unknown): unknown => {
  const value = isRecord(proxy) ? proxy['koa'] : proxy;
  return value === '' ? undefined : value;
};

/** -1 is how Strapi states that there is no limit. Here there always is one. */
const limitOf = (limit: unknown): unknown => (limit === -1 ? undefined : limit);

/** The settings of Galley that config/ states, each with its place there. */
const statedSettings = (values: Values): readonly StatedSetting[] => {
  const at = (path: string): unknown => valueAt(values, path);
  const stated: readonly (readonly [setting: string, value: unknown])[] = [
    ['server.host', at('server.host')],
    ['server.port', at('server.port')],
    ['server.url', publicUrlOf(at('server.url'))],
    ['server.proxy', proxyOf(at('server.proxy'))],
    ['api.rest.prefix', at('api.rest.prefix')],
    ['api.rest.defaultLimit', at('api.rest.defaultLimit')],
    ['api.rest.maxLimit', limitOf(at('api.rest.maxLimit'))],
  ];
  return [
    ...stated.map(([setting, value]): StatedSetting => [setting, setting.split('.'), value]),
    [
      'api.privateAttributes',
      ['api', 'responses', 'privateAttributes'],
      at('api.responses.privateAttributes'),
    ],
    ['api.strictRelations', ['api', 'documents', 'strictRelations'], at('api.documents.strictRelations')],
    ...middlewareSettings(values['middlewares']),
    ...uploadSettings(values),
  ];
};

/** Packages of providers are opened with the server code. Their options are for nobody else. */
const mapEmailProvider = (config: MutableValues): void => {
  const { provider } = config;
  if (typeof provider !== 'string') return;
  if (provider === '@strapi/provider-email-nodemailer') config['provider'] = 'nodemailer';
  if (provider === '' || !isBuiltinProvider('email', provider)) Reflect.deleteProperty(config, 'provider');
};

const mapPlugin = (name: string, plugin: unknown, issues: Issues): unknown => {
  if (typeof plugin === 'boolean') return plugin;
  if (!isRecord(plugin)) return undefined;
  const stated = isRecord(plugin['config']) ? plugin['config'] : {};
  const config: MutableValues = {
    ...(name === 'users-permissions' ? mapAccountOptions(stated, issues) : stated),
  };
  if (name === 'email') mapEmailProvider(config);
  for (const [key, check] of Object.entries(compilePluginChecks(PLUGIN_OPTIONS[name] ?? {}))) {
    const value = readChecked(check, config[key], ['plugins', name, 'config', key], issues);
    if (value === undefined) Reflect.deleteProperty(config, key);
  }
  // Options of a provider that is not there are for nobody.
  if (name === 'email' && config['provider'] === undefined) Reflect.deleteProperty(config, 'providerOptions');
  return { enabled: plugin['enabled'] !== false && plugin['enabled'] !== 'false', config };
};

const bucketNotice = (values: Values): MappedConfig['unapplied'] =>
  lacksBucket(values)
    ? [
        {
          path: ['plugins', 'upload', 'config', 'providerOptions', 'params', 'Bucket'],
          reason: 'is not set: files are stored in the folder of upload.directory',
          isFatal: false,
        },
      ]
    : [];

const isSetting = (key: string): key is SettingKey => Object.hasOwn(SETTINGS, key);

/**
 * Returns what config/ of a project says, as cms.config.* would say it, and what of it has no effect: options
 * without a counterpart, and values that are not allowed here.
 */
export function mapStrapiConfig(values: Values): MappedConfig {
  const input: MutableValues = {};
  const issues: Issues = [];
  for (const [key, place, value] of statedSettings(values)) {
    if (!isSetting(key)) throw new Error(`There is no setting ${key}`);
    if (value === undefined || value === null || value === '') continue;
    const parsed = readChecked<unknown>(SETTINGS[key].check, value, place, issues);
    if (parsed !== undefined) setAt(input, key, parsed);
  }
  if (isRecord(values['plugins']))
    for (const [name, plugin] of Object.entries(values['plugins'])) {
      const mapped = mapPlugin(name, plugin, issues);
      if (mapped !== undefined) setAt(input, `plugins.${name}`, mapped);
    }
  const invalid = issues.map(({ path, message }) => ({
    path: path.map(String),
    reason: message,
    isFatal: isFatal(path.map(String)),
  }));
  return { input, unapplied: [...invalid, ...bucketNotice(values), ...checkOptions(values)] };
}
