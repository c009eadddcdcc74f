import { isRecord } from '../../lib/records.js';
import { readChecked } from '../checks.js';
import type { Issues } from '../checks.js';
import { PLUGIN_OPTIONS, compilePluginChecks } from '../plugin-options.js';
import { isOrigin } from '../server-settings.js';
import { SETTINGS } from '../settings.js';
import type { SettingKey } from '../settings.js';
import {
  byteCount,
  isBuiltinProvider,
  isPrivateBucket,
  isS3,
  listsMiddleware,
  middlewareConfig,
  s3OptionsOf,
  valueAt,
} from './config-values.js';
import type { ConfiguredSetting, ConfigValues } from './config-values.js';
import { mapAccountOptions } from './map-account-options.js';
import { checkOptions, isFatal } from './options/check-options.js';
import type { UnappliedOption } from './options/option.js';

const textsOf = (value: unknown): unknown =>
  typeof value === 'string' ? value.split(',').map((each) => each.trim()) : value;

/** Texts that are not origins match no request, as in Strapi. */
const originsOf = (origin: unknown): unknown => {
  const origins = textsOf(origin);
  if (!Array.isArray(origins)) return origins;
  const texts = origins.filter((each) => typeof each === 'string').map((each) => each.trim());
  return texts.includes('*') ? '*' : texts.filter(isOrigin);
};

/**
 * Returns the setting of credentials. If any origin is allowed, it is not set: every page would act in the
 * user's name.
 */
const credentialsOf = (origin: unknown, credentials: unknown): unknown =>
  Array.isArray(origin) ? credentials !== false : undefined;

/** A list without the middleware sends no headers. A middleware with a function runs in Koa instead. */
const corsSettings = (entries: readonly unknown[]): readonly ConfiguredSetting[] => {
  const place = (key: string): readonly string[] => ['middlewares', 'strapi::cors', key];
  const { origin, credentials, headers, expose, methods, maxAge } = middlewareConfig(entries, 'strapi::cors');
  if (!listsMiddleware(entries, 'strapi::cors') || typeof origin === 'function')
    return [['server.cors.origin', place('origin'), false]];
  const origins = originsOf(origin);
  return [
    ['server.cors.origin', place('origin'), origins],
    ['server.cors.credentials', place('credentials'), credentialsOf(origins, credentials)],
    ['server.cors.headers', place('headers'), textsOf(headers)],
    ['server.cors.expose', place('expose'), textsOf(expose)],
    ['server.cors.methods', place('methods'), textsOf(methods)],
    ['server.cors.maxAge', place('maxAge'), maxAge],
  ];
};

/** `expectCt` has no header any more. */
const helmetOptions = ({ expectCt: _expectCt, ...options }: ConfigValues): ConfigValues | undefined =>
  Object.keys(options).length === 0 ? undefined : options;

/** Returns the settings of Galley that the middlewares of config/middlewares set. */
function middlewareSettings(middlewares: unknown): readonly ConfiguredSetting[] {
  if (!Array.isArray(middlewares)) return [];
  const entries: readonly unknown[] = middlewares;
  const body = middlewareConfig(entries, 'strapi::body');
  const security = middlewareConfig(entries, 'strapi::security');
  const { poweredBy } = middlewareConfig(entries, 'strapi::poweredBy');
  const BODY = ['middlewares', 'strapi::body'];
  return [
    ['server.bodyLimit', [...BODY, 'jsonLimit'], byteCount(valueAt(body, 'jsonLimit'))],
    ...corsSettings(entries),
    ['server.security', ['middlewares', 'strapi::security'], helmetOptions(security)],
    [
      'server.headers',
      ['middlewares', 'strapi::poweredBy', 'poweredBy'],
      poweredBy === undefined ? undefined : { 'x-powered-by': poweredBy },
    ],
  ];
}

/** Returns the maximum bytes of one file in `strapi::body`. Infinity if it sets no limit. */
function fileSizeLimit(middlewares: unknown): number {
  const body = middlewareConfig(middlewares, 'strapi::body');
  const limit = isRecord(body['formidable']) ? byteCount(body['formidable']['maxFileSize']) : undefined;
  return typeof limit === 'number' ? limit : Infinity;
}

const PLACE = ['plugins', 'upload', 'config'];

/** The provider also accepts host names. */
const endpointOf = (endpoint: unknown): unknown =>
  typeof endpoint === 'string' && endpoint !== '' && !/^https?:/.test(endpoint)
    ? `https://${endpoint}`
    : endpoint;

const prefixOf = (rootPath: unknown): unknown =>
  typeof rootPath === 'string' && rootPath !== '' ? `${rootPath.replace(/\/+$/, '')}/` : rootPath;

const s3Settings = (providerOptions: unknown): readonly ConfiguredSetting[] => {
  const options = s3OptionsOf(providerOptions);
  const configured: readonly (readonly [setting: string, path: string, value: unknown])[] = [
    ['bucket', 'params.Bucket', valueAt(options, 'params.Bucket')],
    ['acl', 'params.ACL', valueAt(options, 'params.ACL')],
    ['region', 'region', valueAt(options, 'region')],
    ['endpoint', 'endpoint', endpointOf(valueAt(options, 'endpoint'))],
    ['forcePathStyle', 'forcePathStyle', valueAt(options, 'forcePathStyle')],
    ['baseUrl', 'baseUrl', valueAt(options, 'baseUrl')],
    ['prefix', 'rootPath', prefixOf(valueAt(options, 'rootPath'))],
    ...['accessKeyId', 'secretAccessKey'].map(
      (name) => [name, name, valueAt(options, `credentials.${name}`) ?? valueAt(options, name)] as const,
    ),
  ];
  return configured.map(([setting, path, value]) => [
    `upload.s3.${setting}`,
    [...PLACE, 'providerOptions', ...path.split('.')],
    value,
  ]);
};

/** Returns the smaller of both limits. Undefined if neither is set. */
const sizeLimitOf = (sizeLimit: unknown, middlewares: unknown): unknown => {
  const ofBody = fileSizeLimit(middlewares);
  if (typeof sizeLimit === 'number' || sizeLimit === undefined || sizeLimit === null) {
    const least = Math.min(Number(sizeLimit ?? Infinity), ofBody);
    return Number.isFinite(least) ? least : undefined;
  }
  return sizeLimit;
};

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/**
 * True if config/plugins names S3 and no bucket. The bucket is often a variable that is set only where the
 * server runs, so the project starts without it.
 */
function lacksBucket(values: ConfigValues): boolean {
  const upload = valueAt(values, 'plugins.upload.config');
  const options = valueAt(upload, 'providerOptions');
  return isS3(valueAt(upload, 'provider')) && !isSet(valueAt(s3OptionsOf(options), 'params.Bucket'));
}

/** Returns the settings of Galley that config/plugins sets for the plugin upload. */
function uploadSettings(values: ConfigValues): readonly ConfiguredSetting[] {
  const upload = valueAt(values, 'plugins.upload.config');
  const provider = valueAt(upload, 'provider');
  const providerOptions = valueAt(upload, 'providerOptions');
  const at = (path: string): readonly string[] => [...PLACE, ...path.split('.')];
  const configured = (path: string): ConfiguredSetting => [
    `upload.${path.replace('security.', '')}`,
    at(path),
    valueAt(upload, path),
  ];
  return [
    [
      'upload.sizeLimit',
      at('sizeLimit'),
      sizeLimitOf(valueAt(upload, 'sizeLimit'), valueAt(values, 'middlewares')),
    ],
    configured('breakpoints'),
    configured('security.allowedTypes'),
    configured('security.deniedTypes'),
    ...(isS3(provider) && !isPrivateBucket(providerOptions) && !lacksBucket(values)
      ? [['upload.provider', at('provider'), 's3'] as const, ...s3Settings(providerOptions)]
      : []),
  ];
}

type MutableValues = Record<string, unknown>;

export interface MappedConfig {
  /** As cms.config.* would export it. */
  readonly input: ConfigValues;
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

/** `server.url` is often empty or a path, which counts as not set. */
const publicUrlOf = (url: unknown): unknown =>
  typeof url === 'string' && /^https?:/.test(url) ? url : undefined;

/** Newer projects set `proxy: { koa: true }`. */
const proxyOf = (proxy: unknown): unknown => {
  const value = isRecord(proxy) ? proxy['koa'] : proxy;
  return value === '' ? undefined : value;
};

/** In Strapi, -1 means no limit. Galley always has a limit. */
const limitOf = (limit: unknown): unknown => (limit === -1 ? undefined : limit);

/** Returns the settings of Galley that config/ sets, each with its path there. */
const configuredSettings = (values: ConfigValues): readonly ConfiguredSetting[] => {
  const at = (path: string): unknown => valueAt(values, path);
  const configured: readonly (readonly [setting: string, value: unknown])[] = [
    ['server.host', at('server.host')],
    ['server.port', at('server.port')],
    ['server.url', publicUrlOf(at('server.url'))],
    ['server.proxy', proxyOf(at('server.proxy'))],
    ['api.rest.prefix', at('api.rest.prefix')],
    ['api.rest.defaultLimit', at('api.rest.defaultLimit')],
    ['api.rest.maxLimit', limitOf(at('api.rest.maxLimit'))],
    ['api.rest.strictParams', at('api.rest.strictParams')],
  ];
  return [
    ...configured.map(([setting, value]): ConfiguredSetting => [setting, setting.split('.'), value]),
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

/** Packages of providers are loaded with the server code, and only they read their options. */
const mapEmailProvider = (config: MutableValues): void => {
  const { provider } = config;
  if (typeof provider !== 'string') return;
  if (provider === '@strapi/provider-email-nodemailer') config['provider'] = 'nodemailer';
  if (provider === '' || !isBuiltinProvider('email', provider)) Reflect.deleteProperty(config, 'provider');
};

const mapPlugin = (name: string, plugin: unknown, issues: Issues): unknown => {
  if (typeof plugin === 'boolean') return plugin;
  if (!isRecord(plugin)) return undefined;
  const configured = isRecord(plugin['config']) ? plugin['config'] : {};
  const config: MutableValues = {
    ...(name === 'users-permissions' ? mapAccountOptions(configured, issues) : configured),
  };
  if (name === 'email') mapEmailProvider(config);
  for (const [key, check] of Object.entries(compilePluginChecks(PLUGIN_OPTIONS[name] ?? {}))) {
    const value = readChecked(check, config[key], ['plugins', name, 'config', key], issues);
    if (value === undefined) Reflect.deleteProperty(config, key);
  }
  // Without a provider, its options have no effect.
  if (name === 'email' && config['provider'] === undefined) Reflect.deleteProperty(config, 'providerOptions');
  return { enabled: plugin['enabled'] !== false && plugin['enabled'] !== 'false', config };
};

const bucketNotice = (values: ConfigValues): MappedConfig['unapplied'] =>
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
 * Converts config/ of a project to the form of cms.config.*. Lists the options without effect: those without
 * a counterpart, and those with invalid values.
 */
export function mapStrapiConfig(values: ConfigValues): MappedConfig {
  const input: MutableValues = {};
  const issues: Issues = [];
  for (const [key, place, value] of configuredSettings(values)) {
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
