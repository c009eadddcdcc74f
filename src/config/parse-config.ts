import { isAbsolute, join, resolve } from 'node:path';
import { deepFreeze } from '../lib/freeze.js';
import { isRecord } from '../lib/is-record.js';
import { localeName } from '../lib/locale-name.js';
import { nearest } from '../lib/nearest.js';
import { flag, oneOf, printValue } from './checks.js';
import type { Check } from './checks.js';
import type { Config, ConfigOverrides } from './config.js';
import { addFault, configError, readChecked } from './faults.js';
import type { Faults } from './faults.js';
import type { EnvironmentVariables } from './load-environment.js';
import { parsePlugins } from './parse-plugins.js';
import { SETTINGS } from './settings.js';
import type { SettingKey, SettingValue } from './settings.js';

export interface ConfigSources {
  readonly root: string;
  /** Absolute path of the config file, for messages. */
  readonly file: string | null;
  /** What the config file exports. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly environment: EnvironmentVariables;
  readonly overrides: ConfigOverrides;
}

/** The merged value of one setting. */
type ReadSetting = <K extends SettingKey>(key: K) => SettingValue<K>;
/** The checked value of a variable that has no place in the file. */
type ReadVariable = <T>(name: string, check: Check<T>) => T | undefined;

const KEYS = [...Object.keys(SETTINGS), 'plugins'];

/** Finds keys nobody knows, and sections that are no objects. */
const checkKeys = (value: Readonly<Record<string, unknown>>, path: readonly string[], faults: Faults): void => {
  const prefix = path.map((key) => `${key}.`).join('');
  const known = new Set(KEYS.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length).split('.')[0] ?? ''));
  for (const [key, child] of Object.entries(value)) {
    const place = [...path, key];
    if (!known.has(key)) {
      const close = nearest(key, known);
      addFault(faults, place, `is not a setting; ${close === undefined ? `known are ${[...known].join(', ')}` : `did you mean ${close}?`}`);
    } else if (KEYS.some((setting) => setting.startsWith(`${place.join('.')}.`)) && child !== undefined) {
      if (isRecord(child)) checkKeys(child, place, faults);
      else addFault(faults, place, `is ${printValue(child)} but must be an object`);
    }
  }
};

const dig = (input: unknown, path: readonly string[]): unknown =>
  path.reduce((value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined), input);

const overrideOf = (overrides: ConfigOverrides): Partial<Record<SettingKey, unknown>> => ({
  'server.host': overrides.host,
  'server.port': overrides.port,
  'database.url': overrides.databaseUrl,
  logLevel: overrides.logLevel,
});

/** Empty variables count as unset: `PORT= cms start` means no port. */
const variableOf = (environment: EnvironmentVariables, name: string): string | undefined =>
  environment[name] === '' ? undefined : environment[name];

const absoluteUrl = (url: string, root: string): string => {
  if (!url.startsWith('file:')) return url;
  const [path = '', ...query] = url.slice('file:'.length).replace(/^\/\/(?=\/)/, '').split('?');
  const absolute = isAbsolute(path) ? path : join(root, path);
  return `file:${[absolute, ...query].join('?')}`;
};

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const serverOf = (read: ReadSetting): Config['server'] => ({
  host: read('server.host'),
  port: read('server.port'),
  url: read('server.url'),
  bodyLimit: read('server.bodyLimit'),
  cors: { origin: read('server.cors.origin'), credentials: read('server.cors.credentials') },
  proxy: read('server.proxy'),
});

const restOf = (read: ReadSetting): Config['api']['rest'] => ({
  prefix: read('api.rest.prefix'),
  defaultLimit: read('api.rest.defaultLimit'),
  maxLimit: read('api.rest.maxLimit'),
  populateDepth: read('api.rest.populateDepth'),
  maxNodes: read('api.rest.maxNodes'),
});

const uploadOf = (root: string, read: ReadSetting): Config['upload'] => ({
  directory: resolve(root, read('upload.directory')),
  sizeLimit: read('upload.sizeLimit'),
  maxFiles: read('upload.maxFiles'),
  maxPixels: read('upload.maxPixels'),
  allowedTypes: read('upload.allowedTypes'),
  deniedTypes: read('upload.deniedTypes'),
  breakpoints: read('upload.breakpoints'),
  provider: read('upload.provider'),
  s3: {
    bucket: read('upload.s3.bucket'),
    region: read('upload.s3.region'),
    endpoint: read('upload.s3.endpoint'),
    prefix: read('upload.s3.prefix'),
    baseUrl: read('upload.s3.baseUrl'),
    forcePathStyle: read('upload.s3.forcePathStyle'),
    accessKeyId: read('upload.s3.accessKeyId'),
    secretAccessKey: read('upload.s3.secretAccessKey'),
  },
});

const buildConfig = (sources: ConfigSources, plugins: Config['plugins'], read: ReadSetting, readVariable: ReadVariable): Config => {
  const { root, file, environment, overrides } = sources;
  const url = absoluteUrl(read('database.url'), root);
  const defaultLocale = read('i18n.defaultLocale');
  return {
    root,
    file,
    server: serverOf(read),
    database: { url, provider: url.startsWith('file:') ? 'sqlite' : 'postgresql' },
    api: { rest: restOf(read) },
    i18n: { defaultLocale, defaultLocaleName: read('i18n.defaultLocaleName') || (localeName(defaultLocale) ?? defaultLocale) },
    upload: uploadOf(root, read),
    plugins,
    logLevel: read('logLevel'),
    environment: readVariable('NODE_ENV', oneOf('development', 'production', 'test', 'staging')) ?? overrides.environmentDefault ?? 'development',
    secrets: {
      jwtSecret: textOf(environment['JWT_SECRET']) ?? textOf(plugins['users-permissions']?.config['jwtSecret']),
      apiTokenSalt: textOf(environment['API_TOKEN_SALT']),
    },
    rateLimit: readVariable('CMS_RATE_LIMIT', flag) ?? true,
  };
};

/**
 * Merges flags, environment, config file and defaults, in that order of precedence, into the one frozen configuration.
 *
 * @throws `config/invalid`, naming every key that is unknown or holds a value it may not have, and what is allowed.
 */
export function parseConfig(sources: ConfigSources): Config {
  const { input, environment, overrides, file } = sources;
  const faults: Faults = [];
  checkKeys(input, [], faults);
  const given = overrideOf(overrides);
  const readVariable: ReadVariable = (name, check) => readChecked(check, variableOf(environment, name), [name], faults);
  const read: ReadSetting = <K extends SettingKey>(key: K) => {
    const { check, fallback, variable } = SETTINGS[key] as { check: Check<SettingValue<K>>; fallback: SettingValue<K>; variable?: string };
    const path = key.split('.');
    const fromFile = readChecked(check, dig(input, path), path, faults);
    const fromVariable = variable === undefined ? undefined : readVariable(variable, check);
    return readChecked(check, given[key], path, faults) ?? fromVariable ?? fromFile ?? fallback;
  };
  const config = buildConfig(sources, parsePlugins(input['plugins'], faults), read, readVariable);
  if (config.server.cors.credentials && config.server.cors.origin === '*') {
    addFault(faults, ['server', 'cors', 'credentials'], "is true, which asks for a list of origins in server.cors.origin instead of '*'");
  }
  if (config.upload.provider === 's3' && config.upload.s3.bucket === '') addFault(faults, ['upload', 's3', 'bucket'], 'is missing, although upload.provider is s3');
  if (faults.length > 0) throw configError(faults, file);
  return deepFreeze(config);
}
