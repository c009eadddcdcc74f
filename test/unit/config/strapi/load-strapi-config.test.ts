import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadProjectConfig } from '../../../../src/config/load-config.js';
import type { ProjectConfig } from '../../../../src/config/load-config.js';
import { accountSettings } from '../../../../src/config/account-settings.js';
import { createEnv } from '../../../../src/config/strapi/load-strapi-config.js';
import { configurationValues, createStrapiConfiguration } from '../../../../src/strapi/configuration.js';

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "shop", "strapi": { "uuid": "u1" } }',
  'cms.config.mjs': 'export default { api: { rest: { maxLimit: 70 } } };',
  '.env': 'APP_KEYS=a,b\nSHOP_PORT=4000\nLIMIT=60\n',
  'config/server.ts': `
    import tasks from './cron-tasks';
    export default ({ env }: any) => ({
      host: env('SHOP_HOST', '0.0.0.0'),
      port: env.int('SHOP_PORT', 1337),
      url: env('SHOP_URL'),
      proxy: true,
      app: { keys: env.array('APP_KEYS') },
      cron: { enabled: env.bool('CRON', true), tasks },
    });`,
  'config/cron-tasks.ts': "export default { '0 * * * *': () => {} };",
  'config/api.js':
    'module.exports = ({ env }) => ({ rest: { defaultLimit: 20, maxLimit: env.int("LIMIT") } });',
  'config/shop.json': '{ "currency": { "code": "EUR", "digits": 2 } }',
  'config/admin.js': "const strategy = require('passport-shop');\nmodule.exports = {};",
  'config/middlewares.js': `module.exports = [
    'strapi::errors',
    { name: 'strapi::cors', config: { origin: ['https://shop.example', undefined, 'https://a.test', null] } },
    { name: 'strapi::body', config: { jsonLimit: '3mb' } },
  ];`,
  'config/env/production/server.js':
    "module.exports = { url: 'https://api.shop.example', app: { keys: ['x'] } };",
  'config/plugins.ts': `
    export default ({ env }: any) => ({
      upload: { config: { sizeLimit: 1000, breakpoints: { big: 900 }, security: { deniedTypes: ['?'] } } },
      email: { config: { provider: 'sendgrid', providerOptions: { apiKey: 'k' } } },
      'users-permissions': { config: {
        jwt: { expiresIn: '2.5 hrs', algorithm: 'HS512' },
        ratelimit: { max: 9, interval: { min: 2 }, prefixKey: 'x' },
        sessions: { accessTokenLifespan: 900, httpOnly: true, idleSessionLifespan: 60,
          cookie: { name: 'session', sameSite: 'strict' } },
        register: { allowedFields: ['nickname'] },
        callback: { validate: () => undefined },
        extra: 1,
      } },
      menus: { config: { depth: 3 } },
      seo: { enabled: false },
    });`,
};

describe('config/ of a Strapi project', () => {
  let root = '';
  let loaded: ProjectConfig;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'strapi-config-'));
    for (const [path, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    loaded = await loadProjectConfig(root);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it('is read in TypeScript, JavaScript and JSON, below cms.config and the environment', () => {
    expect(loaded.config.server).toMatchObject({
      host: '0.0.0.0',
      port: 4000,
      proxy: 1,
      bodyLimit: 3 * 1024 * 1024,
      cors: { origin: ['https://shop.example', 'https://a.test'] },
    });
    expect(loaded.config.api.rest).toMatchObject({ defaultLimit: 20, maxLimit: 70 });
    expect(loaded.config.upload).toMatchObject({ sizeLimit: 1000, breakpoints: { big: 900 } });
    expect(loaded.config.plugins).toMatchObject({
      'users-permissions': { enabled: true, config: { ratelimit: { max: 9 }, extra: 1 } },
      seo: { enabled: false },
    });
  });

  it('gives accounts the settings that have a counterpart here, one by one', () => {
    expect(accountSettings(loaded.config)).toMatchObject({
      jwtLifetime: 9000,
      rateLimit: { enabled: true, max: 9, interval: 120 },
      sessions: { accessLifetime: 900 },
      refreshCookie: { always: true, name: 'session', sameSite: 'strict', path: '/', secure: false },
      registerFields: ['nickname'],
    });
  });

  it('omits what is not allowed here, and reports it', () => {
    expect(loaded.config.plugins['email']?.config).toEqual({});
    const OF_USERS = 'plugins.users-permissions.config';
    expect(loaded.strapi.ignored).toEqual([
      {
        place: 'config/plugins.ts:6',
        path: `${OF_USERS}.jwt.algorithm`,
        reason: expect.stringContaining('has no effect here') as string,
      },
      {
        place: 'config/plugins.ts:7',
        path: `${OF_USERS}.ratelimit.prefixKey`,
        reason: expect.stringContaining('has no effect here') as string,
      },
      {
        place: 'config/plugins.ts:12',
        path: `${OF_USERS}.extra`,
        reason: 'is not an option that Strapi 5 documents',
      },
    ]);
    expect(loaded.strapi.refused).toEqual([
      {
        place: 'config/plugins.ts:3',
        path: 'plugins.upload.config.security.deniedTypes',
        reason: expect.stringContaining('["?"]') as string,
      },
    ]);
    expect(loaded.strapi.skipped).toEqual([
      { file: 'config/admin.js:1', reason: expect.stringContaining('passport-shop') as string },
    ]);
  });

  it('is joined with the files of its environment', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const { config, strapi } = await loadProjectConfig(root).finally(() => vi.unstubAllEnvs());
    expect(config.server.url).toBe('https://api.shop.example');
    expect(strapi.values['server']).toMatchObject({ app: { keys: ['x', 'b'] }, cron: { enabled: true } });
    expect(strapi.files).toContain('config/env/production/server.js');
  });

  it('is what strapi.config reads', () => {
    const configuration = createStrapiConfiguration(configurationValues(loaded.config, loaded.strapi.values));
    expect(configuration.get('shop.currency.code')).toBe('EUR');
    expect(configuration.get(['shop', 'currency.digits'])).toBe(2);
    expect(configuration.get('api.rest.maxLimit')).toBe(70);
    expect(configuration.get('server.port')).toBe(4000);
    expect(configuration.get('server.cron.enabled')).toBe(true);
    expect(configuration.get('plugin::menus.depth')).toBe(3);
    expect(configuration.get('plugin.upload.sizeLimit')).toBe(1000);
    expect(configuration.get('plugin::upload.provider')).toBe('local');
    expect(configuration.get('plugin::email.provider')).toBe('sendgrid');
    expect(configuration.get('info.strapi')).toMatch(/^5\.\d+\.\d+$/);
    expect(configuration.get('uuid')).toBe('u1');
    expect(configuration.get('shop.nothing', 'otherwise')).toBe('otherwise');
    configuration.set('shop.currency.code', 'CZK');
    expect([configuration.get('shop.currency.code'), configuration.has('shop.tax')]).toEqual(['CZK', false]);
  });

  it('is not touched where it is no folder of Strapi, and names the line that throws', async () => {
    const other = await mkdtemp(join(tmpdir(), 'strapi-config-'));
    await mkdir(join(other, 'config'));
    await writeFile(join(other, 'config/webpack.js'), "throw new Error('not evaluated');");
    expect((await loadProjectConfig(other)).strapi.files).toEqual([]);
    await writeFile(
      join(other, 'config/server.js'),
      "module.exports = () => {\n  throw new Error('broken');\n};",
    );
    await rm(join(other, 'config/webpack.js'));
    await expect(loadProjectConfig(other)).rejects.toThrow('config/server.js:2 could not be loaded: broken');
    await rm(other, { recursive: true });
  });
});

describe('env', () => {
  const env = createEnv({
    N: '12',
    F: '1.5',
    T: 'true',
    J: '{"a":1}',
    L: '["a", b]',
    D: '2026-01-02',
    O: 'x',
  });

  it('reads variables as values of a type', () => {
    expect([env('N'), env.int('N'), env.float('F'), env.bool('T'), env.bool('N')]).toEqual([
      '12',
      12,
      1.5,
      true,
      false,
    ]);
    expect([env.json('J'), env.array('L'), env.date('D')]).toEqual([
      { a: 1 },
      ['a', 'b'],
      new Date('2026-01-02'),
    ]);
    expect([env.oneOf('O', ['x', 'y'], 'y'), env.oneOf('N', ['x', 'y'], 'y')]).toEqual(['x', 'y']);
    expect([env('-', 'a'), env.int('-', 3), env.array('-', ['z'])]).toEqual(['a', 3, ['z']]);
  });

  it('names the variable that is not JSON', () => {
    expect(() => env.json('O')).toThrow('The environment variable O is not JSON.');
  });
});
