import { isRecord } from '../../../lib/records.js';
import { isPrivateBucket, isS3, referredName, s3OptionsOf } from '../config-values.js';
import type { ConfigValues } from '../config-values.js';
import { MIDDLEWARE_OPTIONS, isStrapiMiddleware } from './middleware-options.js';
import {
  applied,
  checkSection,
  differently,
  entryOf,
  fixed,
  harmless,
  refused,
  restricting,
} from './option.js';
import type { StrapiOptions, UnappliedOption } from './option.js';
import { S3_OPTIONS, STRAPI_PLUGIN_OPTIONS } from './plugin-options.js';

const SERVER: StrapiOptions = {
  host: applied(),
  port: applied(),
  url: differently('A URL with `http:` or `https:`; a path alone is ignored.'),
  proxy: differently('`true` and `proxy.koa: true` trust one proxy; a number or addresses are allowed.'),
  'proxy.koa': applied(),
  'proxy.global': refused('Set the proxy of the process that sends requests.'),
  'proxy.fetch': refused('Set the proxy of the process that sends requests.'),
  'proxy.http': refused('Set the proxy of the process that sends requests.'),
  'proxy.https': refused('Set the proxy of the process that sends requests.'),
  globalProxy: refused('Set the proxy of the process that sends requests.'),
  'app.keys': applied(),
  'cron.enabled': applied(),
  'cron.tasks': applied(),
  socket: refused('The server listens on `host` and `port`.'),
  emitErrors: fixed(false, 'Errors are in the log.'),
  'dirs.public': fixed('./public', 'Set `upload.directory` in cms.config.'),
  'webhooks.populateRelations': fixed(false, 'Webhooks send the ids of related documents.'),
  'webhooks.defaultHeaders': refused('Set `headers` of each webhook.'),
  'http.serverOptions': refused('Galley has fixed time limits.'),
  'transfer.remote': harmless('Set `transfer.enabled` in cms.config; the default is off.'),
  logger: harmless('Set `logLevel` in cms.config.'),
  openapi: harmless('Set `docs` in cms.config.'),
  mcp: harmless('Set `mcp.enabled` in cms.config.'),
  autoReload: harmless('`cms dev` always reloads.'),
  absoluteUrl: harmless('Strapi computes it.'),
};

const API: StrapiOptions = {
  'rest.prefix': applied(),
  'rest.defaultLimit': applied(),
  'rest.maxLimit': restricting(differently('There is always a limit; the default is 100.')),
  'rest.withCount': fixed(true, 'Totals are counted unless a request has `pagination[withCount]=false`.'),
  'rest.strictParams': restricting(differently('Writes always reject unknown parameters and keys.')),
  'documents.strictParams': harmless(
    'Code may not pass unknown names or invalid values. Names that only middlewares read are allowed.',
  ),
  'documents.strictRelations': differently(
    'Relations are always checked, unless cms.config has `api.validation: strapi`.',
  ),
  'responses.privateAttributes': restricting(applied('Includes built-in names such as `createdAt`.')),
};

const DATABASE_REMARK = 'Set `DATABASE_URL`, or `database.url` in cms.config.';

/**
 * The options of the files in config/ that Strapi knows, besides those of middlewares and plugins. Other
 * files contain values of project code.
 */
const FILE_OPTIONS = {
  server: SERVER,
  api: API,
  admin: {
    'apiToken.salt': harmless('`API_TOKEN_SALT` in the environment is the salt.'),
    '*': harmless('There is no admin panel; `strapi.config.get` reads the values.'),
  },
  database: { '*': harmless(`${DATABASE_REMARK} \`strapi.config.get\` reads the values.`) },
  features: { future: harmless('`strapi.features.future.isEnabled` reads it.') },
  logger: { '*': refused('Set `logLevel` in cms.config.') },
} as const satisfies Readonly<Record<string, StrapiOptions>>;

/** Lists the options of a built-in middleware of Strapi that have no effect. */
export function checkMiddleware(
  name: string,
  config: unknown,
  place: readonly string[] = [],
): readonly UnappliedOption[] {
  if (!isStrapiMiddleware(name)) {
    const reason = `is not a middleware of Strapi 5, which has ${Object.keys(MIDDLEWARE_OPTIONS).join(', ')}`;
    return [{ path: [...place, name], reason, isFatal: true }];
  }
  if (!isRecord(config)) return [];
  return checkSection(MIDDLEWARE_OPTIONS[name], config, [...place, name]);
}

const checkMiddlewares = (entries: unknown): readonly UnappliedOption[] =>
  (Array.isArray(entries) ? (entries as readonly unknown[]) : []).flatMap((entry) => {
    const name = referredName(entry);
    if (name === undefined || !name.startsWith('strapi::')) return [];
    return checkMiddleware(name, isRecord(entry) ? entry['config'] : undefined, ['middlewares']);
  });

const checkS3 = (config: ConfigValues, place: readonly string[]): readonly UnappliedOption[] => {
  const { provider, providerOptions } = config;
  if (!isS3(provider) || isPrivateBucket(providerOptions)) return [];
  return checkSection(S3_OPTIONS, s3OptionsOf(providerOptions), place);
};

const checkPlugins = (plugins: unknown): readonly UnappliedOption[] =>
  Object.entries(STRAPI_PLUGIN_OPTIONS).flatMap(([name, options]) => {
    const plugin = isRecord(plugins) ? plugins[name] : undefined;
    const config = isRecord(plugin) ? plugin['config'] : undefined;
    if (!isRecord(config)) return [];
    const place = ['plugins', name, 'config'];
    return [
      ...checkSection(options, config, place),
      ...(name === 'upload' ? checkS3(config, [...place, 'providerOptions']) : []),
    ];
  });

/** Reports names that responses always contain. Listing them as private has no effect, as in Strapi. */
const checkPrivateNames = (api: unknown): readonly UnappliedOption[] => {
  const responses = isRecord(api) ? api['responses'] : undefined;
  const names = isRecord(responses) ? responses['privateAttributes'] : undefined;
  return ['id', 'documentId']
    .filter((name) => Array.isArray(names) && names.includes(name))
    .map((name) => ({
      path: ['api', 'responses', 'privateAttributes'],
      reason: `has no effect on ${name}, which responses always have`,
      isFatal: false,
    }));
};

/** Lists the options in config/ of a project that have no effect, by the tables of options. */
export function checkOptions(values: ConfigValues): readonly UnappliedOption[] {
  const files = Object.entries(FILE_OPTIONS).flatMap(([file, options]) => {
    const section = values[file];
    return isRecord(section) ? checkSection(options, section, [file]) : [];
  });
  return [
    ...files,
    ...checkPrivateNames(values['api']),
    ...checkMiddlewares(values['middlewares']),
    ...checkPlugins(values['plugins']),
  ];
}

/** The tables of options, each with the place that it describes. */
export const CONFIG_TABLES: readonly (readonly [place: readonly string[], options: StrapiOptions])[] = [
  ...Object.entries(FILE_OPTIONS).map(([file, options]) => [[file], options] as const),
  ...Object.entries(MIDDLEWARE_OPTIONS).map(([name, options]) => [['middlewares', name], options] as const),
  ...Object.entries(STRAPI_PLUGIN_OPTIONS).map(
    ([name, options]) => [['plugins', name, 'config'], options] as const,
  ),
  [['plugins', 'upload', 'config', 'providerOptions'], S3_OPTIONS],
];

/** True if the option at a path restricts access: an invalid value prevents the start. */
export function isFatal(path: readonly string[]): boolean {
  return CONFIG_TABLES.some(([place, options]) => {
    if (!place.every((key, index) => path[index] === key)) return false;
    const below = path.slice(place.length);
    if (below.length === 0) return Object.values(options).some(({ restricts }) => restricts);
    return entryOf(options, below)?.restricts === true;
  });
}
