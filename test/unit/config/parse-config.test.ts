import { describe, expect, it } from 'vitest';
import { checkSecrets, assertSecrets } from '../../../src/config/check-secrets.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import type { ConfigSources } from '../../../src/config/parse-config.js';
import { accountSettings } from '../../../src/config/account-settings.js';
import { emailSettings } from '../../../src/config/email-settings.js';
import type { GalleyError } from '../../../src/errors/galley-error.js';

const ROOT = '/srv/site';

const parse = (sources: Partial<ConfigSources> = {}) =>
  parseConfig({
    root: ROOT,
    file: `${ROOT}/cms.config.ts`,
    input: {},
    environment: {},
    overrides: {},
    ...sources,
  });

const issuesOf = (sources: Partial<ConfigSources>): Record<string, string> => {
  try {
    parse(sources);
  } catch (error) {
    const { code, details } = error as GalleyError;
    expect(code).toBe('config/invalid');
    return Object.fromEntries((details.errors ?? []).map((issue) => [issue.path.join('.'), issue.message]));
  }
  return {};
};

describe('parseConfig', () => {
  it('has a default for everything, and is frozen', () => {
    const config = parse();
    expect(config.server).toEqual({
      host: '127.0.0.1',
      port: 1337,
      url: '',
      bodyLimit: 1_048_576,
      cors: {
        origin: '*',
        credentials: false,
        headers: [],
        expose: [],
        methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
        maxAge: 0,
      },
      security: {},
      headers: {},
      proxy: false,
      compression: true,
    });
    expect(config.api.rest).toMatchObject({ prefix: '/api', defaultLimit: 25, maxLimit: 100 });
    expect(config.i18n).toEqual({ defaultLocale: 'en', defaultLocaleName: 'English (en)' });
    expect(config.environment).toBe('development');
    expect(config.rateLimit).toBe(true);
    expect(config.secrets).toEqual({ jwtSecret: null, apiTokenSalt: null, providers: {} });
    expect(config.upload.directory).toBe('/srv/site/public/uploads');
    expect(
      Object.isFrozen(config) && Object.isFrozen(config.api.rest) && Object.isFrozen(config.server.cors),
    ).toBe(true);
  });

  it('lets flags beat the environment, the environment the file, the file the defaults', () => {
    const input = {
      server: { port: 2000, host: '10.0.0.1' },
      database: { url: 'file:./file.db' },
      logLevel: 'warn',
    };
    const environment = { PORT: '3000', DATABASE_URL: 'file:./env.db' };
    expect(parse({ input }).server).toMatchObject({ port: 2000, host: '10.0.0.1' });
    expect(parse({ input, environment }).server).toMatchObject({ port: 3000, host: '10.0.0.1' });
    expect(parse({ input, environment, overrides: { port: 4000 } }).server.port).toBe(4000);
    expect(parse({ input, environment }).database.url).toBe('file:/srv/site/env.db');
    expect(parse({ input, environment: { ...environment, PORT: '' } }).server.port).toBe(2000);
  });

  it('resolves an SQLite file against the project and returns the provider', () => {
    expect(parse({ environment: { DATABASE_URL: 'file:./data/a.db?mode=rwc' } }).database).toEqual({
      url: 'file:/srv/site/data/a.db?mode=rwc',
      directUrl: 'file:/srv/site/data/a.db?mode=rwc',
      provider: 'sqlite',
      replicas: [],
      readTimeout: 10_000,
      readThreads: 2,
    });
    expect(parse({ environment: { DATABASE_URL: 'file:/var/a.db' } }).database.url).toBe('file:/var/a.db');
    expect(parse({ environment: { DATABASE_URL: 'file:///var/a.db' } }).database.url).toBe('file:/var/a.db');
    expect(parse({ environment: { DATABASE_URL: 'postgres://a:b@db/x' } }).database).toEqual({
      url: 'postgres://a:b@db/x',
      directUrl: 'postgres://a:b@db/x',
      provider: 'postgresql',
      replicas: [],
      readTimeout: 10_000,
      readThreads: 2,
    });
  });

  it('takes the schema of the database for its direct URL, too, unless that names one', () => {
    const directUrl = (DATABASE_URL: string, DIRECT_URL: string): string =>
      parse({ environment: { DATABASE_URL, DIRECT_URL } }).database.directUrl;
    expect(directUrl('postgres://pooler/x', 'postgres://db/x')).toBe('postgres://db/x');
    expect(directUrl('postgres://pooler/x?pgbouncer=true&schema=a', 'postgres://db/x')).toBe(
      'postgres://db/x?schema=a',
    );
    expect(directUrl('postgres://pooler/x?schema=a', 'postgres://db/x?sslmode=require')).toBe(
      'postgres://db/x?sslmode=require&schema=a',
    );
    expect(directUrl('postgres://pooler/x?schema=a', 'postgres://db/x?schema=b')).toBe(
      'postgres://db/x?schema=b',
    );
    expect(directUrl('file:/var/a.db', 'postgres://db/x')).toBe('file:/var/a.db');
  });

  it('names every key with its value and what is allowed', () => {
    const issues = issuesOf({
      input: {
        server: { port: 70_000, hots: 'x' },
        api: { rest: { maxLimit: 'many' } },
        plugins: { graphql: { config: { endpoint: 'graphql' } } },
      },
      environment: {
        PORT: 'eighty',
        LOG_LEVEL: 'loud',
        DATABASE_URL: 'mysql://root:hunter2@db/x',
        NODE_ENV: 'live',
        CMS_RATE_LIMIT: 'maybe',
      },
    });
    expect(issues).toEqual({
      'server.port': 'is 70000 but must be a whole number from 0 to 65535',
      'server.hots': 'is not a setting; did you mean host?',
      'api.rest.maxLimit': 'is "many" but must be a whole number, 1 or more',
      'plugins.graphql.config.endpoint': 'is "graphql" but must be a path such as /graphql',
      PORT: 'is "eighty" but must be a whole number from 0 to 65535',
      LOG_LEVEL: 'is "loud" but must be one of fatal, error, warn, info, debug, trace, silent',
      DATABASE_URL:
        'is "mysql://***@db/x" but must be file:./data.db for SQLite, ' +
        'or postgresql://user:password@host:5432/name',
      NODE_ENV: 'is "live" but must be one of development, production, test, staging',
      CMS_RATE_LIMIT: 'is "maybe" but must be true or false',
    });
  });

  it('refuses sections that are no objects and unknown top-level keys', () => {
    expect(issuesOf({ input: { server: 8080, databse: {}, plugins: ['graphql'] } })).toEqual({
      server: 'is 8080 but must be an object',
      databse: 'is not a setting; did you mean database?',
      plugins: 'is ["graphql"] but must be an object',
    });
  });

  it.each([
    [undefined, false],
    [true, 1],
    [false, false],
    [0, false],
    [2, 2],
    [
      ['10.0.0.0/8', '::1', 'loopback'],
      ['10.0.0.0/8', '::1', 'loopback'],
    ],
  ])('trusts for server.proxy %j', (proxy, trusted) => {
    expect(parse({ input: { server: { proxy } } }).server.proxy).toEqual(trusted);
  });

  it.each([[-1], [1.5], [100], [[]], [['10.0.0.0/33']], [['example.com']], [['*']], ['10.0.0.0/8']])(
    'refuses %j for server.proxy',
    (proxy) => {
      expect(Object.keys(issuesOf({ input: { server: { proxy } } }))).toEqual(['server.proxy']);
    },
  );

  it.each([
    ['https://example.com/cms', 'https://example.com/cms'],
    ['https://example.com/cms/', 'https://example.com/cms'],
    ['https://example.com/', 'https://example.com'],
    ['http://localhost:1337', 'http://localhost:1337'],
  ])('reads the address %s', (url, expected) => {
    expect(parse({ input: { server: { url } } }).server.url).toBe(expected);
  });

  it.each([
    'example.com',
    'https://example.com?x',
    'https://example.com/a#b',
    'https://example.com//a',
    '/cms',
  ])('refuses the address %s', (url) => {
    expect(Object.keys(issuesOf({ input: { server: { url } } }))).toEqual(['server.url']);
  });

  it.each([
    'https://*',
    'https://*example.com',
    'https://a.*.example.com',
    'https://example.com/',
    '*.example.com',
  ])('refuses the origin %s', (origin) => {
    expect(Object.keys(issuesOf({ input: { server: { cors: { origin: [origin] } } } }))).toEqual([
      'server.cors.origin',
    ]);
  });

  it('never allows credentials for any origin', () => {
    expect(Object.keys(issuesOf({ input: { server: { cors: { credentials: true } } } }))).toEqual([
      'server.cors.credentials',
    ]);
    expect(
      parse({ input: { server: { cors: { credentials: true, origin: ['https://a.example'] } } } }).server.cors
        .credentials,
    ).toBe(true);
    expect(Object.keys(issuesOf({ input: { server: { cors: { origin: ['a.example'] } } } }))).toEqual([
      'server.cors.origin',
    ]);
  });

  it('reads plugins with their switch, keeping options it does not know', () => {
    const { plugins } = parse({
      input: {
        plugins: {
          graphql: { config: { depthLimit: '9', shadowCRUD: false, apolloServer: { tracing: true } } },
          documentation: false,
        },
      },
    });
    expect(plugins).toEqual({
      graphql: {
        enabled: true,
        config: { depthLimit: 9, shadowCRUD: false, apolloServer: { tracing: true } },
      },
      documentation: { enabled: false, config: {} },
    });
  });

  it('is production for a command that says so, unless NODE_ENV says otherwise', () => {
    expect(parse({ overrides: { environmentDefault: 'production' } }).environment).toBe('production');
    expect(
      parse({ overrides: { environmentDefault: 'production' }, environment: { NODE_ENV: 'staging' } })
        .environment,
    ).toBe('staging');
  });

  it('turns rate limits off by CMS_RATE_LIMIT', () => {
    expect(parse({ environment: { CMS_RATE_LIMIT: 'off' } }).rateLimit).toBe(false);
  });
});

describe('secrets', () => {
  const strong = 'k8Jq2vXw9ZpL4mNb7RtY6uHs3eDfGc1A';
  const withSecrets = (jwtSecret: string | null, apiTokenSalt: string | null) => ({
    secrets: { jwtSecret, apiTokenSalt, providers: {} },
  });

  it('come from the environment, the JWT secret also from the plugin options', () => {
    const input = { plugins: { 'users-permissions': { config: { jwtSecret: 'from-file' } } } };
    expect(parse({ input }).secrets.jwtSecret).toBe('from-file');
    const environment = {
      JWT_SECRET: 'from-env',
      API_TOKEN_SALT: 'salt',
      CMS_PROVIDER_GITHUB_KEY: 'k',
      CMS_PROVIDER_GITHUB_SECRET: 's',
    };
    expect(parse({ input, environment }).secrets).toEqual({
      jwtSecret: 'from-env',
      apiTokenSalt: 'salt',
      providers: { github: { key: 'k', secret: 's' } },
    });
  });

  it('are reported by name when missing or weak', () => {
    expect(checkSecrets(withSecrets(strong, strong))).toEqual([]);
    expect(checkSecrets(withSecrets(null, 'short'))).toEqual([
      { name: 'JWT_SECRET', problem: 'missing' },
      { name: 'API_TOKEN_SALT', problem: 'weak' },
    ]);
    expect(checkSecrets(withSecrets('a'.repeat(64), 'changeme-changeme-changeme-changeme'))).toHaveLength(2);
    expect(() => assertSecrets(withSecrets(null, strong))).toThrow(/JWT_SECRET is missing/);
    expect(() => assertSecrets(withSecrets(null, strong))).not.toThrow(/API_TOKEN_SALT/);
  });

  it('reads how people sign in, and refuses what it does not know', () => {
    const accounts = (config: unknown) =>
      accountSettings(parse({ input: { plugins: { 'users-permissions': { config } } } }));
    expect(accounts({})).toMatchObject({
      mode: 'plain',
      jwtLifetime: 30 * 86_400,
      defaultRole: 'authenticated',
      rateLimit: { enabled: true, max: 5, interval: 300 },
    });
    expect(
      accounts({
        jwt: { expiresIn: '12h' },
        jwtManagement: 'refresh',
        sessions: { accessTokenLifespan: 60 },
      }),
    ).toMatchObject({ mode: 'refresh', jwtLifetime: 43_200, sessions: { accessLifetime: 60 } });
    for (const config of [
      { jwt: { expiresIn: 'soon' } },
      { jwt: { expires: '1h' } },
      { jwtManagement: 'none' },
      { ratelimit: { max: 0 } },
      { advanced: { emailConfirmation: 'perhaps' } },
    ]) {
      expect(() => accounts(config)).toThrow(/users-permissions/);
    }
  });

  it('keeps messages in a folder while nobody says how to send them, but not in production', () => {
    const email = (environment: Readonly<Record<string, string>>, config: unknown = {}) =>
      emailSettings(parse({ environment, input: { plugins: { email: { config } } } })).transport;
    expect([
      email({}),
      email({ NODE_ENV: 'production' }),
      email({ NODE_ENV: 'production' }, { providerOptions: { host: 'smtp' } }),
      email({ NODE_ENV: 'production' }, { provider: 'folder' }),
    ]).toEqual(['folder', 'none', 'nodemailer', 'folder']);
  });
});
