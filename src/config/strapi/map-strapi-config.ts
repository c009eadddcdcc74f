import { isRecord } from '../../lib/is-record.js';
import { readChecked } from '../issues.js';
import type { Issues } from '../issues.js';
import { compilePluginChecks, PLUGIN_OPTIONS } from '../plugin-options.js';
import { SETTINGS } from '../settings.js';
import type { SettingKey } from '../settings.js';
import { isBuiltinProvider } from './builtin-providers.js';
import { mapAccountOptions } from './map-account-options.js';
import { middlewareConfig } from './middleware-config.js';

type Values = Record<string, unknown>;

/** Something that config/ says and that has no effect. */
export interface IgnoredSetting {
  /** `server.url` */
  readonly path: string;
  readonly reason: string;
}

export interface MappedConfig {
  /** As cms.config.* would export it. */
  readonly input: Values;
  readonly ignored: readonly IgnoredSetting[];
}

const valueAt = (values: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce((value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined), values);

const setAt = (target: Values, path: string, value: unknown): void => {
  const [key = '', ...rest] = path.split('.');
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const child = isRecord(target[key]) ? target[key] : {};
  target[key] = child;
  setAt(child, rest.join('.'), value);
};

const MEGABYTE = 1024 * 1024;
const BYTES_BY_UNIT: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1024,
  mb: MEGABYTE,
  gb: 1024 * MEGABYTE,
};

/** `10mb` → bytes. Numbers are bytes already. */
const bytesOf = (size: unknown): unknown => {
  const [, amount, unit = 'b'] = /^([\d.]+)\s*(b|kb|mb|gb)?$/i.exec(String(size)) ?? [];
  return amount === undefined ? size : Math.floor(Number(amount) * (BYTES_BY_UNIT[unit.toLowerCase()] ?? 1));
};

/** The address in `server.url` is often empty or a path, which here means: none. */
const publicUrlOf = (url: unknown): unknown =>
  typeof url === 'string' && /^https?:/.test(url) ? url : undefined;

/** `proxy: { koa: true }` is how newer projects state it. */
const proxyOf = (proxy: unknown): unknown => {
  const value = isRecord(proxy) ? proxy['koa'] : proxy;
  return value === '' ? undefined : value;
};

const originsOf = (origin: unknown): unknown => {
  const origins = typeof origin === 'string' && origin.includes(',') ? origin.split(',') : origin;
  if (!Array.isArray(origins)) return typeof origins === 'string' && origins !== '*' ? [origins] : origins;
  const texts = origins.filter((each) => typeof each === 'string').map((each) => each.trim());
  return texts.includes('*') ? '*' : texts.filter((each) => each !== '');
};

/** The settings of Galley that config/ states, each with its place there. */
const statedSettings = (values: Values): readonly (readonly [SettingKey, string, unknown])[] => {
  const cors = middlewareConfig(values['middlewares'], 'strapi::cors');
  const body = middlewareConfig(values['middlewares'], 'strapi::body');
  const upload = valueAt(values, 'plugins.upload.config');
  const s3 = valueAt(upload, 'providerOptions.s3Options') ?? valueAt(upload, 'providerOptions');
  const isS3 =
    valueAt(upload, 'provider') === 'aws-s3' ||
    valueAt(upload, 'provider') === '@strapi/provider-upload-aws-s3';
  const fromS3 = (path: string): unknown => (isS3 ? valueAt(s3, path) : undefined);
  return [
    ['server.host', 'server.host', valueAt(values, 'server.host')],
    ['server.port', 'server.port', valueAt(values, 'server.port')],
    ['server.url', 'server.url', publicUrlOf(valueAt(values, 'server.url'))],
    ['server.proxy', 'server.proxy', proxyOf(valueAt(values, 'server.proxy'))],
    ['server.bodyLimit', 'middlewares strapi::body jsonLimit', bytesOf(body['jsonLimit'])],
    ['server.cors.origin', 'middlewares strapi::cors origin', originsOf(cors['origin'])],
    ['api.rest.prefix', 'api.rest.prefix', valueAt(values, 'api.rest.prefix')],
    ['api.rest.defaultLimit', 'api.rest.defaultLimit', valueAt(values, 'api.rest.defaultLimit')],
    ['api.rest.maxLimit', 'api.rest.maxLimit', valueAt(values, 'api.rest.maxLimit')],
    ['upload.sizeLimit', 'plugins.upload.config.sizeLimit', valueAt(upload, 'sizeLimit')],
    ['upload.breakpoints', 'plugins.upload.config.breakpoints', valueAt(upload, 'breakpoints')],
    [
      'upload.allowedTypes',
      'plugins.upload.config.security.allowedTypes',
      valueAt(upload, 'security.allowedTypes'),
    ],
    [
      'upload.deniedTypes',
      'plugins.upload.config.security.deniedTypes',
      valueAt(upload, 'security.deniedTypes'),
    ],
    ['upload.provider', 'plugins.upload.config.provider', isS3 ? 's3' : undefined],
    ['upload.s3.bucket', 'plugins.upload.config.providerOptions', fromS3('params.Bucket')],
    ['upload.s3.region', 'plugins.upload.config.providerOptions', fromS3('region')],
    ['upload.s3.endpoint', 'plugins.upload.config.providerOptions', fromS3('endpoint')],
    ['upload.s3.forcePathStyle', 'plugins.upload.config.providerOptions', fromS3('forcePathStyle')],
    ['upload.s3.accessKeyId', 'plugins.upload.config.providerOptions', fromS3('credentials.accessKeyId')],
    [
      'upload.s3.secretAccessKey',
      'plugins.upload.config.providerOptions',
      fromS3('credentials.secretAccessKey'),
    ],
    [
      'upload.s3.baseUrl',
      'plugins.upload.config.providerOptions',
      isS3 ? valueAt(upload, 'providerOptions.baseUrl') : undefined,
    ],
  ];
};

/** Packages of providers are opened with the server code. Their options are for nobody else. */
const mapEmailProvider = (config: Values): void => {
  const { provider } = config;
  if (typeof provider !== 'string') return;
  if (provider === '@strapi/provider-email-nodemailer') config['provider'] = 'nodemailer';
  if (provider === '' || !isBuiltinProvider('email', provider)) Reflect.deleteProperty(config, 'provider');
};

const mapPlugin = (name: string, plugin: unknown, issues: Issues): unknown => {
  if (typeof plugin === 'boolean') return plugin;
  if (!isRecord(plugin)) return undefined;
  const stated = isRecord(plugin['config']) ? plugin['config'] : {};
  const config = { ...(name === 'users-permissions' ? mapAccountOptions(stated, issues) : stated) };
  if (name === 'email') mapEmailProvider(config);
  for (const [key, check] of Object.entries(compilePluginChecks(PLUGIN_OPTIONS[name] ?? {}))) {
    const value = readChecked(check, config[key], ['plugins', name, 'config', key], issues);
    if (value === undefined) Reflect.deleteProperty(config, key);
  }
  // Options of a provider that is not there are for nobody.
  if (name === 'email' && config['provider'] === undefined) Reflect.deleteProperty(config, 'providerOptions');
  return { enabled: plugin['enabled'] !== false && plugin['enabled'] !== 'false', config };
};

/**
 * Returns what config/ of a project says, as cms.config.* would say it. What is not allowed here is left out,
 * since Strapi starts with it.
 */
export function mapStrapiConfig(values: Values): MappedConfig {
  const input: Values = {};
  const issues: Issues = [];
  for (const [key, place, value] of statedSettings(values)) {
    if (value === undefined || value === null || value === '') continue;
    const parsed = readChecked<unknown>(SETTINGS[key].check, value, [place], issues);
    if (parsed !== undefined) setAt(input, key, parsed);
  }
  if (isRecord(values['plugins']))
    for (const [name, plugin] of Object.entries(values['plugins'])) {
      const mapped = mapPlugin(name, plugin, issues);
      if (mapped !== undefined) setAt(input, `plugins.${name}`, mapped);
    }
  return { input, ignored: issues.map(({ path, message }) => ({ path: path.join('.'), reason: message })) };
}
