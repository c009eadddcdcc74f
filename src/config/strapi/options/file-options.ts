import { applied, differently, fixed, harmless, refused, restricting } from './option.js';
import type { StrapiOptions } from './option.js';

const SERVER: StrapiOptions = {
  host: applied(),
  port: applied(),
  url: differently('An address with `http:` or `https:`; a path alone is left out.'),
  proxy: differently('`true` and `proxy.koa: true` trust one proxy; a number or addresses are possible.'),
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
  'dirs.public': fixed('./public', '`upload.directory` of cms.config names the folder of uploaded files.'),
  'webhooks.populateRelations': fixed(false, 'Webhooks have the ids of related documents.'),
  'webhooks.defaultHeaders': refused('State `headers` with each webhook.'),
  'http.serverOptions': refused('Time limits are those of Galley.'),
  'transfer.remote': harmless('`transfer.enabled` of cms.config decides; it is off by default.'),
  logger: harmless('`logLevel` of cms.config decides what is logged.'),
  openapi: harmless('`docs` of cms.config decides about the OpenAPI document.'),
  mcp: harmless('There is no MCP server.'),
  autoReload: harmless('`cms dev` reloads.'),
  absoluteUrl: harmless('Strapi computes it.'),
};

const API: StrapiOptions = {
  'rest.prefix': applied(),
  'rest.defaultLimit': applied(),
  'rest.maxLimit': restricting(differently('There is always a limit: 100 where it is not stated.')),
  'rest.withCount': fixed(true, 'Totals are counted unless a request has `pagination[withCount]=false`.'),
  'rest.strictParams': harmless('Unknown parameters are always refused.'),
  'documents.strictParams': harmless('Unknown parameters are always refused.'),
  'documents.strictRelations': differently(
    'Relations are always checked, unless cms.config has `api.validation: strapi`.',
  ),
  'responses.privateAttributes': restricting(applied('Built-in names such as `createdAt`, too.')),
};

const DATABASE_REMARK = '`DATABASE_URL` or cms.config names the database.';

/**
 * The options of the files in config/ that Strapi knows, besides those of middlewares and plugins. Values of
 * other files are the project's own.
 */
export const FILE_OPTIONS = {
  server: SERVER,
  api: API,
  admin: {
    'apiToken.salt': harmless('`API_TOKEN_SALT` in the environment is the salt.'),
    '*': harmless('There is no admin panel; `strapi.config.get` reads the values.'),
  },
  database: { '*': harmless(`${DATABASE_REMARK} \`strapi.config.get\` reads the values.`) },
  features: { future: harmless('`strapi.features.future.isEnabled` reads it.') },
  logger: { '*': refused('`logLevel` of cms.config decides what is logged.') },
} as const satisfies Readonly<Record<string, StrapiOptions>>;
