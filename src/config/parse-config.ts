import { isAbsolute, join, resolve } from 'node:path';
import { localeName } from '../lib/names.js';
import { nearest } from '../lib/nearest.js';
import { deepFreeze, isRecord } from '../lib/records.js';
import { nonEmptyText } from '../lib/text.js';
import { addIssue, configError, flag, oneOf, printValue, readChecked } from './checks.js';
import type { Check, Issues, Option } from './checks.js';
import type { Config, ConfigOverrides } from './config.js';
import { PLUGIN_OPTIONS, compilePluginChecks } from './plugin-options.js';
import type { EnvironmentVariables } from './project-root.js';
import { providerSecrets } from './provider-settings.js';
import { cacheOf, metricsOf } from './server-settings.js';
import { SETTINGS } from './settings.js';
import type { SettingKey, SettingValue } from './settings.js';

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
function parsePlugins(input: unknown, issues: Issues): Config['plugins'] {
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

export interface ConfigSources {
  readonly root: string;
  /** Absolute path of the config file, for messages. */
  readonly file: string | null;
  /** The export of the config file. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly environment: EnvironmentVariables;
  readonly overrides: ConfigOverrides;
}

const SETTING_KEYS = [...Object.keys(SETTINGS), 'plugins'];

/** Adds an issue for each unknown key, and for each section that is not an object. */
const checkKeys = (
  value: Readonly<Record<string, unknown>>,
  path: readonly string[],
  issues: Issues,
): void => {
  const prefix = path.map((key) => `${key}.`).join('');
  const known = new Set(
    SETTING_KEYS.filter((key) => key.startsWith(prefix)).map((key) =>
      key.slice(prefix.length).replace(/\..*$/, ''),
    ),
  );
  for (const [key, child] of Object.entries(value)) {
    const keyPath = [...path, key];
    if (!known.has(key)) {
      const suggestion = nearest(key, known);
      const remedy =
        suggestion === undefined ? `known are ${[...known].join(', ')}` : `did you mean ${suggestion}?`;
      addIssue(issues, keyPath, `is not a setting; ${remedy}`);
    } else if (
      SETTING_KEYS.some((setting) => setting.startsWith(`${keyPath.join('.')}.`)) &&
      child !== undefined
    ) {
      if (isRecord(child)) checkKeys(child, keyPath, issues);
      else addIssue(issues, keyPath, `is ${printValue(child)} but must be an object`);
    }
  }
};

const valueAtPath = (input: unknown, path: readonly string[]): unknown =>
  path.reduce((value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined), input);

const overriddenSettings = (overrides: ConfigOverrides): Partial<Record<SettingKey, unknown>> => ({
  'server.host': overrides.host,
  'server.port': overrides.port,
  'database.url': overrides.databaseUrl,
  logLevel: overrides.logLevel,
});

/** An empty variable counts as not set. */
const variableOf = (environment: EnvironmentVariables, name: string): string | undefined =>
  environment[name] === '' ? undefined : environment[name];

/** Returns the value of a setting from all sources. */
type ReadSetting = <K extends SettingKey>(key: K) => SettingValue<K>;

/** Returns the checked value of an environment variable. */
type ReadVariable = <T>(name: string, check: Check<T>) => T | undefined;

const absoluteUrl = (url: string, root: string): string => {
  if (!url.startsWith('file:')) return url;
  const [path = '', ...query] = url
    .slice('file:'.length)
    .replace(/^\/\/(?=\/)/, '')
    .split('?');
  const absolute = isAbsolute(path) ? path : join(root, path);
  return `file:${[absolute, ...query].join('?')}`;
};

/** Trusting every proxy would let clients forge their address, so `true` means one. */
const proxyOf = (value: SettingValue<'server.proxy'>): Config['server']['proxy'] => {
  if (value === true) return 1;
  return value === 0 ? false : value;
};

/** Adds the schema of the first URL to the second, unless that names one. */
const withSchemaOf = (url: string, directUrl: string): string => {
  const schema = /[?&]schema=[^&#]+/;
  const [parameter] = schema.exec(url) ?? [];
  if (parameter === undefined || schema.test(directUrl)) return directUrl;
  return `${directUrl}${directUrl.includes('?') ? '&' : '?'}${parameter.slice(1)}`;
};

const databaseOf = (root: string, read: ReadSetting): Config['database'] => {
  const url = absoluteUrl(read('database.url'), root);
  const reads = { readTimeout: read('database.readTimeout'), readThreads: read('database.readThreads') };
  if (url.startsWith('file:')) return { url, directUrl: url, provider: 'sqlite', replicas: [], ...reads };
  const directUrl = read('database.directUrl');
  return {
    url,
    directUrl: directUrl === '' ? url : withSchemaOf(url, directUrl),
    provider: 'postgresql',
    replicas: read('database.replicas').map((replica) => withSchemaOf(url, replica)),
    ...reads,
  };
};

const serverOf = (read: ReadSetting): Config['server'] => ({
  host: read('server.host'),
  port: read('server.port'),
  url: read('server.url'),
  bodyLimit: read('server.bodyLimit'),
  cors: {
    origin: read('server.cors.origin'),
    credentials: read('server.cors.credentials'),
    headers: read('server.cors.headers'),
    expose: read('server.cors.expose'),
    methods: read('server.cors.methods'),
    maxAge: read('server.cors.maxAge'),
  },
  security: read('server.security'),
  headers: read('server.headers'),
  proxy: proxyOf(read('server.proxy')),
  compression: read('server.compression'),
});

const restOf = (read: ReadSetting): Config['api']['rest'] => ({
  prefix: read('api.rest.prefix'),
  defaultLimit: read('api.rest.defaultLimit'),
  maxLimit: read('api.rest.maxLimit'),
  populateDepth: read('api.rest.populateDepth'),
  maxNodes: read('api.rest.maxNodes'),
  maxRecords: read('api.rest.maxRecords'),
  maxBulk: read('api.rest.maxBulk'),
  strictParams: read('api.rest.strictParams'),
});

const uploadOf = (root: string, read: ReadSetting): Config['upload'] => ({
  directory: resolve(root, read('upload.directory')),
  sizeLimit: read('upload.sizeLimit'),
  maxFiles: read('upload.maxFiles'),
  maxPixels: read('upload.maxPixels'),
  maxRequestPixels: read('upload.maxRequestPixels'),
  allowedTypes: read('upload.allowedTypes'),
  deniedTypes: read('upload.deniedTypes'),
  breakpoints: read('upload.breakpoints'),
  formats: read('upload.formats'),
  transforms: {
    sizes: read('upload.transforms.sizes'),
    qualities: read('upload.transforms.qualities'),
    formats: read('upload.transforms.formats'),
    cacheSize: read('upload.transforms.cacheSize'),
  },
  provider: read('upload.provider'),
  s3: {
    bucket: read('upload.s3.bucket'),
    region: read('upload.s3.region'),
    endpoint: read('upload.s3.endpoint'),
    prefix: read('upload.s3.prefix'),
    baseUrl: read('upload.s3.baseUrl'),
    forcePathStyle: read('upload.s3.forcePathStyle'),
    acl: read('upload.s3.acl'),
    accessKeyId: read('upload.s3.accessKeyId'),
    secretAccessKey: read('upload.s3.secretAccessKey'),
  },
});

const buildConfig = (
  sources: ConfigSources,
  plugins: Config['plugins'],
  read: ReadSetting,
  readVariable: ReadVariable,
): Config => {
  const { root, file, environment, overrides } = sources;
  const defaultLocale = read('i18n.defaultLocale');
  return {
    root,
    file,
    server: serverOf(read),
    database: databaseOf(root, read),
    api: {
      rest: restOf(read),
      cache: { ...cacheOf(read('api.cache')), cachesDrafts: read('api.cachesDrafts') },
      findIncludesDrafts: read('api.findIncludesDrafts'),
      validation: read('api.validation'),
      strictRelations: read('api.strictRelations'),
      privateAttributes: read('api.privateAttributes'),
    },
    i18n: {
      defaultLocale,
      defaultLocaleName: read('i18n.defaultLocaleName') || (localeName(defaultLocale) ?? defaultLocale),
    },
    cache: { tags: read('cache.tags'), control: read('cache.control') },
    content: { checks: read('content.checks'), links: read('content.links') },
    transfer: { enabled: read('transfer.enabled'), users: read('transfer.users') },
    history: { limit: read('history.limit'), types: read('history.types') },
    events: {
      hours: read('events.hours'),
      maxStreams: read('events.maxStreams'),
      maxStreamsPerAddress: read('events.maxStreamsPerAddress'),
    },
    trash: { days: read('trash.days') },
    log: { days: read('log.days'), rows: read('log.rows'), addresses: read('log.addresses') },
    webhooks: read('webhooks'),
    metrics: metricsOf(read('metrics')),
    upload: uploadOf(root, read),
    plugins,
    docs: read('docs'),
    mcp: {
      enabled: read('mcp.enabled'),
      allowDelete: read('mcp.allowDelete'),
      maxTokens: read('mcp.maxTokens'),
    },
    logLevel: read('logLevel'),
    environment:
      readVariable('NODE_ENV', oneOf('development', 'production', 'test', 'staging')) ??
      overrides.environmentDefault ??
      'development',
    secrets: {
      jwtSecret:
        nonEmptyText(environment['JWT_SECRET']) ??
        nonEmptyText(plugins['users-permissions']?.config['jwtSecret']),
      apiTokenSalt: nonEmptyText(environment['API_TOKEN_SALT']),
      providers: providerSecrets(environment),
    },
    rateLimit: readVariable('CMS_RATE_LIMIT', flag) ?? true,
  };
};

/**
 * Merges flags, environment, config file and defaults, in this order of precedence. Returns the frozen
 * configuration.
 *
 * @throws `config/invalid`, naming each key that is unknown or whose value is not allowed, with what is
 *   allowed
 */
export function parseConfig(sources: ConfigSources): Config {
  const { input, environment, overrides, file } = sources;
  const issues: Issues = [];
  checkKeys(input, [], issues);
  const overridden = overriddenSettings(overrides);
  const readVariable: ReadVariable = (name, check) =>
    readChecked(check, variableOf(environment, name), [name], issues);
  const read: ReadSetting = <K extends SettingKey>(key: K) => {
    const { check, fallback, variable } = SETTINGS[key] as Option<SettingValue<K>>;
    const path = key.split('.');
    const fromFile = readChecked(check, valueAtPath(input, path), path, issues);
    const fromVariable = variable === undefined ? undefined : readVariable(variable, check);
    return readChecked(check, overridden[key], path, issues) ?? fromVariable ?? fromFile ?? fallback;
  };
  const config = buildConfig(sources, parsePlugins(input['plugins'], issues), read, readVariable);
  if (config.server.cors.credentials && config.server.cors.origin === '*') {
    addIssue(
      issues,
      ['server', 'cors', 'credentials'],
      "is true, which requires a list of origins in server.cors.origin instead of '*'",
    );
  }
  if (config.upload.provider === 's3' && config.upload.s3.bucket === '')
    addIssue(issues, ['upload', 's3', 'bucket'], 'is missing, although upload.provider is s3');
  if (config.database.url.startsWith('file:') && read('database.replicas').length > 0)
    addIssue(issues, ['database', 'replicas'], 'require PostgreSQL, but database.url names a SQLite file');
  for (const type of config.upload.formats)
    for (const name of Object.keys(config.upload.breakpoints).filter((key) => key.endsWith(`_${type}`)))
      addIssue(issues, ['upload', 'breakpoints', name], `has the name of a copy that upload.formats creates`);
  if (issues.length > 0) throw configError(issues, file);
  return deepFreeze(config);
}
