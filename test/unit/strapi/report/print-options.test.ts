import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { accountSettings } from '../../../../src/config/account-settings.js';
import { emailSettings } from '../../../../src/config/email-settings.js';
import { parseConfig } from '../../../../src/config/parse-config.js';
import { PLUGIN_OPTIONS } from '../../../../src/config/plugin-options.js';
import { mapStrapiConfig } from '../../../../src/config/strapi/map-strapi-config.js';
import { CONFIG_TABLES } from '../../../../src/config/strapi/options/check-options.js';
import { isRead } from '../../../../src/config/strapi/options/option.js';
import { graphqlOptionsOf } from '../../../../src/api/graphql/graphql-options.js';
import { bodyLimits } from '../../../../src/strapi/http/request-body.js';
import { sessionSettings } from '../../../../src/strapi/http/context.js';
import { optionTables } from '../../../../src/strapi/report/print-options.js';

type Values = Record<string, unknown>;

const S3 = {
  'plugins.upload.config.provider': 'aws-s3',
  [`plugins.upload.config.providerOptions.params.Bucket`]: 'b',
};

/** A value of each option that changes what the code that reads it returns. */
const EXAMPLES: Readonly<Record<string, unknown>> = {
  'api.documents.strictRelations': true,
  'server.host': '0.0.0.0',
  'server.port': 4000,
  'server.url': 'https://example.com',
  'server.proxy': 2,
  'server.proxy.koa': true,
  'api.rest.prefix': '/v1',
  'api.rest.defaultLimit': 7,
  'api.rest.maxLimit': 8,
  'api.rest.strictParams': true,
  'middlewares.strapi::cors.origin': ['https://example.com'],
  'middlewares.strapi::cors.credentials': false,
  'middlewares.strapi::cors.headers': ['X-Own'],
  'middlewares.strapi::cors.expose': ['X-Own'],
  'middlewares.strapi::cors.methods': ['GET'],
  'middlewares.strapi::cors.maxAge': 60,
  'middlewares.strapi::body.jsonLimit': '2kb',
  'middlewares.strapi::body.formLimit': '2kb',
  'middlewares.strapi::body.textLimit': '2kb',
  'middlewares.strapi::body.formidable.maxFileSize': '2kb',
  'middlewares.strapi::poweredBy.poweredBy': 'Us',
  'middlewares.strapi::session.key': 'mine',
  'middlewares.strapi::session.maxAge': 7,
  'middlewares.strapi::session.httpOnly': false,
  'middlewares.strapi::session.sameSite': 'lax',
  'middlewares.strapi::session.secure': true,
  'middlewares.strapi::session.domain': 'example.com',
  'middlewares.strapi::session.path': '/x',
  'middlewares.strapi::session.rolling': true,
  'plugins.upload.config.provider': 'local',
  'plugins.upload.config.sizeLimit': 7,
  'plugins.upload.config.breakpoints': { tiny: 7 },
  'plugins.upload.config.security.allowedTypes': ['images'],
  'plugins.upload.config.security.deniedTypes': ['images'],
  'plugins.upload.config.providerOptions.baseUrl': 'https://example.com',
  'plugins.upload.config.providerOptions.rootPath': 'site',
  'plugins.upload.config.providerOptions.params.Bucket': 'other',
  'plugins.upload.config.providerOptions.params.ACL': 'public-read',
  'api.responses.privateAttributes': ['createdAt'],
  'plugins.upload.config.providerOptions.region': 'eu-1',
  'plugins.upload.config.providerOptions.endpoint': 's3.example.com',
  'plugins.upload.config.providerOptions.forcePathStyle': true,
  'plugins.upload.config.providerOptions.credentials.accessKeyId': 'a',
  'plugins.upload.config.providerOptions.credentials.secretAccessKey': 'a',
  'plugins.upload.config.providerOptions.accessKeyId': 'a',
  'plugins.upload.config.providerOptions.secretAccessKey': 'a',
  'plugins.users-permissions.config.ratelimit.enabled': false,
  'plugins.users-permissions.config.ratelimit.max': 7,
  'plugins.users-permissions.config.ratelimit.interval': 7000,
  'plugins.users-permissions.config.jwt.expiresIn': '7d',
  'plugins.users-permissions.config.sessions.httpOnly': true,
  'plugins.users-permissions.config.advanced.defaultRole': 'editor',
  'plugins.users-permissions.config.sessions.accessTokenLifespan': 7,
  'plugins.users-permissions.config.sessions.idleRefreshTokenLifespan': 7,
  'plugins.users-permissions.config.sessions.maxRefreshTokenLifespan': 7,
  'plugins.email.config.provider': 'nodemailer',
  'plugins.graphql.config.endpoint': '/query',
  'plugins.graphql.config.shadowCRUD': false,
  'plugins.graphql.config.playgroundAlways': true,
  'plugins.graphql.config.introspection': true,
  'plugins.graphql.config.apolloServer.introspection': true,
  'plugins.graphql.config.apolloServer.tracing': true,
  'plugins.graphql.config.landingPage': true,
  'plugins.users-permissions.config.jwtSecret': 'secret',
  'plugins.graphql.config.persistedQueries': false,
  'plugins.graphql.config.subscriptions': false,
  ...Object.fromEntries(
    ['contentSecurityPolicy', 'crossOriginEmbedderPolicy', 'crossOriginOpenerPolicy'].map((name) => [
      `middlewares.strapi::security.${name}`,
      false,
    ]),
  ),
};

/** Options that only a running server reads, with the test that has them. */
const TESTED: Readonly<Record<string, string>> = {
  'server.app.keys': 'test/api/strapi/http-project.ts',
  'server.cron.enabled': 'test/api/strapi/runtime.test.ts',
  'server.cron.tasks': 'test/api/strapi/runtime.test.ts',
  'plugins.users-permissions.config.providers': 'test/api/access/accounts/providers.test.ts',
  'plugins.users-permissions.config.validationRules.validatePassword': 'test/api/strapi/plugins.test.ts',
  'plugins.users-permissions.config.callback.validate': 'test/unit/access/providers/sign-in-flow.test.ts',
  'plugins.upload.config.providerOptions': 'test/api/strapi/mail-tests.ts',
  'plugins.upload.config.actionOptions': 'test/api/strapi/mail-tests.ts',
  'plugins.email.config.providerOptions': 'test/api/strapi/mail-tests.ts',
  'middlewares.strapi::ip.whitelist': 'test/api/strapi/configuration.test.ts',
  'middlewares.strapi::ip.blacklist': 'test/api/strapi/configuration.test.ts',
  'middlewares.strapi::ip.handler': 'test/api/strapi/configuration.test.ts',
  'middlewares.strapi::public.maxAge': 'test/api/strapi/configuration.test.ts',
  'middlewares.strapi::favicon.path': 'test/api/strapi/configuration.test.ts',
  'middlewares.strapi::favicon.maxAge': 'test/api/strapi/configuration.test.ts',
  'middlewares.strapi::responses.handlers': 'test/api/strapi/configuration.test.ts',
};

const setAt = (target: Values, [key = '', ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const child = (target[key] ??= {}) as Values;
  setAt(child, rest, value);
};

/** config/ with one value at a path. Middlewares are a list there. */
const valuesWith = (entries: Readonly<Record<string, unknown>>): Values => {
  const values: Values = {};
  for (const [path, value] of Object.entries(entries)) setAt(values, path.split('.'), value);
  if (values['middlewares'] === undefined) return values;
  return {
    ...values,
    middlewares: Object.entries(values['middlewares'] as Values).map(([name, config]: [string, unknown]) => ({
      name,
      config,
    })),
  };
};

/** What the code that reads the configuration makes of it. */
const outcomeOf = (values: Values): string => {
  const { input } = mapStrapiConfig(values);
  const { plugins, ...config } = parseConfig({
    root: '/site',
    file: null,
    input,
    environment: { NODE_ENV: 'production' },
    overrides: {},
  });
  const all = { ...config, plugins };
  const middlewares = Array.isArray(values['middlewares'])
    ? (values['middlewares'] as readonly unknown[])
    : [];
  return JSON.stringify([
    config,
    accountSettings(all),
    emailSettings(all),
    graphqlOptionsOf(all),
    sessionSettings(middlewares),
    bodyLimits(middlewares, 1),
  ]);
};

const exampleOf = (path: string): unknown => {
  if (Object.hasOwn(EXAMPLES, path)) return EXAMPLES[path];
  const [, plugin = '', option = ''] = /^plugins\.([^.]+)\.config\.(.+)$/.exec(path) ?? [];
  const { example = null, fallback = null } = PLUGIN_OPTIONS[plugin]?.[option] ?? {};
  if (example !== null) return example;
  if (typeof fallback === 'boolean') return !fallback;
  if (typeof fallback === 'number') return fallback + 1;
  return path.startsWith('middlewares.strapi::security.') ? false : undefined;
};

const READ = CONFIG_TABLES.flatMap(([place, options]) =>
  Object.entries(options).flatMap(([name, option]) =>
    isRead(option) && name !== '*' ? [[...place, ...name.split('.')].join('.')] : [],
  ),
);

describe('the table of options of config/', () => {
  const mapped = READ.filter((path) => !Object.hasOwn(TESTED, path));

  it.each(mapped)('calls %s read, on which the outcome depends', (path) => {
    const base = path.startsWith('plugins.upload.config.provider') ? S3 : {};
    const example = exampleOf(path);
    expect(example).toBeDefined();
    const cors = { 'middlewares.strapi::cors.origin': ['https://a.example'] };
    const around = path.startsWith('middlewares.strapi::cors.') ? cors : base;
    expect(outcomeOf(valuesWith({ ...around, [path]: example }))).not.toBe(outcomeOf(valuesWith(around)));
  });

  it.each(Object.entries(TESTED))('calls %s read, which %s shows', (path, test) => {
    expect(READ).toContain(path);
    expect(readFileSync(test, 'utf8')).toContain(path.slice(path.lastIndexOf('.') + 1));
  });

  it('has each option once', () => {
    const names = optionTables().flatMap(({ place, options }) =>
      Object.keys(options).map((name) => `${place} ${name}`),
    );
    expect(new Set(names).size).toBe(names.length);
  });
});
