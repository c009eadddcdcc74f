import { isRecord } from '../../../lib/records.js';
import { ACCOUNT_OPTIONS } from '../../account-settings.js';
import { flag } from '../../checks.js';
import { EMAIL_OPTIONS } from '../../email-settings.js';
import { PLUGIN_OPTIONS } from '../../plugin-options.js';
import type { PluginOptions } from '../../plugin-options.js';
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
import type { StrapiOptions, UnappliedOption, StrapiOption } from './option.js';

/** Returns Galley's options: those with the names of Strapi, and additional ones. */
const galleyOptions = (options: PluginOptions): StrapiOptions =>
  Object.fromEntries(
    Object.entries(options).map(([path, { description }]): [string, StrapiOption] => [
      path,
      applied(description),
    ]),
  );

const LIMITS_OF_ACCOUNTS: StrapiOptions = Object.fromEntries(
  ['register.allowedFields', 'ratelimit.enabled', 'ratelimit.max', 'ratelimit.interval'].map((path) => [
    path,
    restricting(applied(path.startsWith('ratelimit') ? "In Strapi's units." : '')),
  ]),
);

const USERS_PERMISSIONS: StrapiOptions = {
  ...galleyOptions(ACCOUNT_OPTIONS),
  ...LIMITS_OF_ACCOUNTS,
  'validationRules.validatePassword': restricting(applied()),
  'callback.validate': restricting(
    applied('Selects the pages to which a sign-in with another service may redirect.'),
  ),
  'sessions.maxSessionLifespan': harmless(
    'Users have refresh tokens, which other options limit, as in Strapi.',
  ),
  'sessions.idleSessionLifespan': harmless(
    'Users have refresh tokens, which other options limit, as in Strapi.',
  ),
  'jwt.*': refused('JWTs are signed by HS256; only the option `expiresIn` applies.'),
  'ratelimit.*': refused('Attempts are counted by operation, address and name.'),
  layout: harmless('It is for the admin panel.'),
};

const UPLOAD: StrapiOptions = {
  provider: applied('`local`, `aws-s3`, or a package or path with the interface of providers.'),
  providerOptions: applied('Those of `aws-s3` are listed separately; packages receive all options.'),
  actionOptions: applied('For providers that are packages.'),
  sizeLimit: restricting(applied('In bytes.')),
  breakpoints: applied(),
  'security.allowedTypes': restricting(applied()),
  'security.deniedTypes': restricting(applied()),
  sharp: harmless('Galley sets the size of the cache and the number of threads.'),
  concurrentUploadSize: harmless('Images are resized one after the other.'),
  concurrentUploadRequests: harmless('It is for the admin panel.'),
};

/** Options of the provider aws-s3, in `s3Options` or, in older projects, next to it. */
const S3_OPTIONS: StrapiOptions = {
  baseUrl: applied(),
  rootPath: applied('The path before the names of objects.'),
  'params.Bucket': applied(),
  'params.ACL': restricting(
    differently('Sent if it is set. `private` requires the package of the provider.'),
  ),
  'params.signedUrlExpires': harmless('Only private buckets have signed URLs.'),
  region: applied(),
  endpoint: applied(),
  forcePathStyle: applied(),
  'credentials.accessKeyId': applied(),
  'credentials.secretAccessKey': applied(),
  accessKeyId: applied('As in older projects.'),
  secretAccessKey: applied('As in older projects.'),
  'credentials.sessionToken': refused('Omit the credentials to use those of the machine.'),
  providerConfig: refused('The bucket sets checksums, storage classes, encryption, tags and parts.'),
  '*': refused('Only the listed options of the S3 client apply.'),
};

const EMAIL: StrapiOptions = {
  ...galleyOptions(EMAIL_OPTIONS),
  provider: applied('`nodemailer`, or a package with the interface of providers.'),
  providerOptions: applied('Passed to the provider.'),
  'settings.testAddress': harmless('It is for the admin panel.'),
};

const GRAPHQL: StrapiOptions = {
  ...galleyOptions(PLUGIN_OPTIONS['graphql'] ?? {}),
  depthLimit: restricting(applied()),
  amountLimit: restricting(applied()),
  maxLimit: restricting(applied()),
  landingPage: { ...differently('True or false: enables the playground.'), check: flag },
  'apolloServer.introspection': restricting(applied()),
  'apolloServer.tracing': applied(),
  'apolloServer.*': refused('There is no Apollo Server.'),
  v4CompatibilityMode: fixed(
    false,
    'GraphQL returns the fields of documents directly. REST supports `Strapi-Response-Format: v4`.',
  ),
  generateArtifacts: refused('`cms graphql schema` prints the schema.'),
  'artifacts.schema': refused('`cms graphql schema` prints the schema.'),
  'artifacts.typegen': refused('`cms graphql schema` prints the schema.'),
};

/** The options of the plugins that Galley implements, by their paths below `config`. */
const STRAPI_PLUGIN_OPTIONS: Readonly<Record<string, StrapiOptions>> = {
  'users-permissions': USERS_PERMISSIONS,
  upload: UPLOAD,
  email: EMAIL,
  graphql: GRAPHQL,
  i18n: { defaultLocale: harmless('The database stores the default locale; change it with `cms locale`.') },
};

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
