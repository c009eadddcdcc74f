import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const DEFAULT_LIST = `'strapi::logger', 'strapi::errors', 'strapi::poweredBy', 'strapi::query',
  'strapi::session', 'strapi::favicon', 'strapi::public'`;

const ROUTES = `module.exports = { routes: [
  { method: 'GET', path: '/hello', handler: () => ({}), config: { auth: false } },
  { method: 'POST', path: '/hello', handler: (ctx) => { ctx.body = { keys: Object.keys(ctx.request.body) }; },
    config: { auth: false } },
  { method: 'GET', path: '/office', handler: (ctx) => { ctx.body = {}; }, config: { auth: false,
    middlewares: [{ name: 'strapi::ip', config: { whitelist: ['^10\\\\.'] } }] } },
  { method: 'GET', path: '/framed', handler: (ctx) => { ctx.body = {}; }, config: { auth: false,
    middlewares: [{ name: 'strapi::security', config: { frameguard: { action: 'deny' } } },
      { name: 'strapi::poweredBy', config: { poweredBy: 'A route' } }, 'strapi::body'] } },
] };`;

const middlewares = (...more: readonly string[]): Readonly<Record<string, string>> => ({
  'config/middlewares.js': `module.exports = [${[DEFAULT_LIST, ...more].join(', ')}];`,
  'src/api/hello/routes/hello.js': ROUTES,
});

const SETTINGS = middlewares(
  `{ name: 'strapi::security', config: { contentSecurityPolicy: { useDefaults: true,
     directives: { 'img-src': ["'self'", 'cdn.example.com'], upgradeInsecureRequests: null } },
     hsts: false, expectCt: false } }`,
  `{ name: 'strapi::cors', config: { origin: ['https://shop.example', 'capacitor://localhost', 'nobody'],
     headers: ['X-Own'], expose: 'X-Total, X-Page', maxAge: 77, methods: ['GET', 'POST'] } }`,
  `{ name: 'strapi::poweredBy', config: { poweredBy: 'Us' } }`,
  `{ name: 'strapi::body', config: { jsonLimit: '2kb', formLimit: 1024, textLimit: '1kb' } }`,
  `'strapi::responseTime'`,
  `{ name: 'strapi::responses', config: { handlers: { 404: (ctx) => { ctx.body = { mine: true }; } } } }`,
);

const ADDRESSES = middlewares(
  `{ name: 'strapi::ip', config: { whitelist: ['^127\\\\.', '::1'], blacklist: ['10.9.8.7'],
     handler: (ctx) => { ctx.status = 451; ctx.body = 'elsewhere'; } } }`,
  `{ name: 'strapi::cors', config: { origin: async (ctx) =>
     ctx.request.header.origin === 'https://app.example' ? ['https://app.example'] : '' } }`,
  `'strapi::body'`,
);

describe.each(databases)('config/middlewares of a Strapi project, on $name', (database) => {
  const sites: Site[] = [];
  const open = async (files: Readonly<Record<string, string>>): Promise<Site> => {
    const site = await createSite({ project: 'magazine', database, files });
    sites.push(site);
    return site;
  };
  afterAll(async () => Promise.all(sites.map(async ({ close }) => close())));

  const send = async ({ server }: Site, path: string, init: RequestInit = {}) => {
    const { status, headers } = await fetch(`${server.url}${path}`, init);
    return { status, header: (name: string) => headers.get(name) };
  };

  describe('sets', () => {
    let site: Site;
    beforeAll(async () => {
      site = await open(SETTINGS);
    });

    it('what pages of other origins may do', async () => {
      for (const origin of ['https://shop.example', 'capacitor://localhost']) {
        const { header } = await send(site, '/api/hello', { headers: { origin } });
        expect(header('access-control-allow-origin')).toBe(origin);
        expect(header('access-control-allow-credentials')).toBe('true');
        expect(header('access-control-expose-headers')).toContain('X-Total, X-Page');
      }
      const preflight = await send(site, '/api/hello', {
        method: 'OPTIONS',
        headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.header('access-control-allow-headers')).toBe('X-Own');
      expect(preflight.header('access-control-allow-methods')).toBe('GET, POST');
      expect(preflight.header('access-control-max-age')).toBe('77');
      const other = await send(site, '/api/hello', { headers: { origin: 'https://evil.example' } });
      expect(other.header('access-control-allow-origin')).toBeNull();
    });

    it('the security headers over the defaults', async () => {
      const { header } = await send(site, '/api/hello');
      expect(header('content-security-policy')).toContain("img-src 'self' cdn.example.com");
      expect(header('content-security-policy')).not.toContain('upgrade-insecure-requests');
      expect(header('strict-transport-security')).toBeNull();
      expect(header('x-content-type-options')).toBe('nosniff');
      expect(header('x-powered-by')).toBe('Us');
      expect(header('x-response-time')).toMatch(/^\d+ms$/);
    });

    it('the limits of bodies by their kind', async () => {
      const post = async (type: string, body: string): Promise<number> =>
        (await send(site, '/api/hello', { method: 'POST', body, headers: { 'content-type': type } })).status;
      expect(await post('application/x-www-form-urlencoded', `a=${'x'.repeat(1100)}`)).toBe(413);
      expect(await post('text/plain', 'x'.repeat(1100))).toBe(413);
      expect(await post('application/json', JSON.stringify({ a: 'x'.repeat(1100) }))).toBe(200);
      expect(await post('application/json', JSON.stringify({ a: 'x'.repeat(2100) }))).toBe(413);
    });

    it('the response to a status', async () => {
      const response = await fetch(`${site.server.url}/api/nothing`);
      expect([response.status, await response.json()]).toEqual([404, { mine: true }]);
    });

    it('middlewares of Strapi for one route', async () => {
      expect((await send(site, '/api/office')).status).toBe(403);
      const { header } = await send(site, '/api/framed');
      expect(header('x-frame-options')).toBe('DENY');
      expect(header('x-powered-by')).toBe('A route');
    });
  });

  describe('decides by request', () => {
    let site: Site;
    beforeAll(async () => {
      site = await open(ADDRESSES);
    });

    it('which origins an asynchronous function allows', async () => {
      const allowed = await send(site, '/api/hello', { headers: { origin: 'https://app.example' } });
      expect(allowed.header('access-control-allow-origin')).toBe('https://app.example');
      expect(allowed.header('access-control-allow-credentials')).toBe('true');
      expect(allowed.header('vary')).toContain('Origin');
      const headers = { 'access-control-request-method': 'DELETE', 'access-control-request-headers': 'x-a' };
      const preflight = await send(site, '/api/categories/1', {
        method: 'OPTIONS',
        headers: { ...headers, origin: 'https://app.example' },
      });
      expect([preflight.status, preflight.header('access-control-allow-headers')]).toEqual([204, 'x-a']);
      for (const path of ['/api/hello', '/graphql', '/api/nothing'])
        for (const method of ['GET', 'OPTIONS']) {
          const sent = { method, headers: { ...headers, origin: 'https://evil.example' } };
          expect((await send(site, path, sent)).header('access-control-allow-origin')).toBeNull();
        }
    });

    it('whose address is let in', async () => {
      expect((await send(site, '/api/hello')).status).toBe(200);
      expect((await send(site, '/api/office')).status).toBe(403);
    });
  });

  it('serves the files of public/ and the icon, and nothing else of the project', async () => {
    const site = await open({
      'config/middlewares.js': `module.exports = [{ name: 'strapi::public', config: { maxAge: 5000 } },
        { name: 'strapi::favicon', config: { path: 'icon.png', maxAge: 7000 } }];`,
      'public/robots.txt': 'User-agent: *',
      'public/deep/page.html': '<p>deep</p>',
      'public/.secret': 'hidden',
      'public/uploads/direct.txt': 'by the media library alone',
      'icon.png': 'icon',
    });
    const robots = await send(site, '/robots.txt?v=1');
    expect([robots.status, robots.header('cache-control')]).toEqual([200, 'public, max-age=5']);
    expect((await send(site, '/deep/page.html')).header('content-type')).toContain('text/html');
    const icon = await send(site, '/favicon.ico');
    expect([icon.status, icon.header('cache-control')]).toEqual([200, 'public, max-age=7']);
    for (const path of ['/.secret', '/..%2f.env', '/%2e%2e/.env', '/icon.png', '/deep', '/nothing'])
      expect([path, (await send(site, path)).status]).toEqual([path, 404]);
    expect((await send(site, '/robots.txt', { method: 'POST' })).status).toBe(404);
  });

  it('rejects everybody whose address is not listed, for every path', async () => {
    const site = await open({
      ...middlewares(`{ name: 'strapi::ip', config: { whitelist: ['10.9.8.7'] } }`, `'strapi::body'`),
      'public/robots.txt': 'User-agent: *',
    });
    for (const path of [
      '/api/hello',
      '/api/tags',
      '/graphql?query={__typename}',
      '/uploads/a.png',
      '/',
      '/robots.txt',
    ])
      expect([path, (await send(site, path)).status]).toEqual([path, 403]);
    expect((await send(site, '/_health')).status).toBe(204);
    const { header } = await send(site, '/api/tags', { headers: { origin: 'https://shop.example' } });
    expect(header('access-control-allow-origin')).toBeNull();
  });

  it('warns of what has no effect and restricts nothing, with file and line', async () => {
    const site = await open({
      'config/server.js': "module.exports = {\n  host: '127.0.0.1',\n  socket: 'galley.sock',\n  mine: 1 };",
      'config/api.js': "module.exports = { responses: { privateAttributes: ['_v', 'id'] } };",
    });
    const log = site.log.join('\n');
    expect(log).toContain('config/server.js:3 server.socket has no effect here. The server listens');
    expect(log).toContain('config/api.js:1 api.responses.privateAttributes has no effect on id, which');
    expect(log).toContain('config/server.js:4 server.mine is not an option that Strapi 5 documents');
  });
});

// The files are checked alike on every database.
describe.each(databases.slice(0, 1))('config/ of a Strapi project, on $name', (database) => {
  it.each([
    [
      'an address filter in another form',
      {
        'config/middlewares.js':
          "module.exports = ['strapi::errors',\n{ name: 'strapi::ip', config: { whitelist: '10.0.0.1' } }];",
      },
      'config/middlewares.js:2 middlewares.strapi::ip.whitelist is "10.0.0.1" but must be a list',
    ],
    [
      'a middleware that nobody knows',
      { 'config/middlewares.js': "module.exports = [\n\n'strapi::rateLimit'];" },
      'config/middlewares.js:3 middlewares.strapi::rateLimit is not a middleware of Strapi 5',
    ],
    [
      'a check of sessions',
      {
        'config/middlewares.js':
          "module.exports = [{ name: 'strapi::session', config: { valid: () => false } }];",
      },
      'strapi::session.valid has no effect here',
    ],
    [
      'types of files that cannot be understood',
      {
        'config/plugins.js':
          "module.exports = { upload: { config: { security: { allowedTypes: ['?'] } } } };",
      },
      'config/plugins.js:1 plugins.upload.config.security.allowedTypes is ["?"]',
    ],
    [
      'an address filter of a route in another form',
      {
        'src/api/hello/routes/hello.js': `module.exports = { routes: [
          { method: 'GET', path: '/hello', handler: () => 1,
            config: { middlewares: [{ name: 'strapi::ip', config: { blacklist: ['('] } }] } }] };`,
      },
      'src/api/hello/routes/hello.js:3 strapi::ip blacklist is ["("] but must be a list',
    ],
    [
      'an option of an address filter that nobody knows',
      {
        'config/middlewares.js':
          "module.exports = [{ name: 'strapi::ip', config: { allow: ['10.0.0.1'] } }];",
      },
      'strapi::ip.allow has no effect here',
    ],
    [
      'a name close to that of an option which restricts access',
      {
        'config/middlewares.js':
          "module.exports = [{ name: 'strapi::cors', config: { origins: ['https://a.example'] } }];",
      },
      'strapi::cors.origins is not an option that Strapi 5 documents; did you mean origin?',
    ],
    [
      'a wrong name for policies of a route',
      {
        'src/api/hello/routes/hello.js': `module.exports = { routes: [
          { method: 'GET', path: '/hello', handler: () => 1, config: { policy: ['is-owner'] } }] };`,
      },
      'policy has no effect here. The option is called `policies`.',
    ],
    [
      'a wrong name for the scope of a route',
      {
        'src/api/hello/routes/hello.js': `module.exports = { routes: [
          { method: 'GET', path: '/hello', handler: () => 1, config: { auth: { scopes: ['x'] } } }] };`,
      },
      'auth scopes is not an option that Strapi 5 documents; did you mean auth.scope?',
    ],
    [
      'middlewares of a route in another form',
      {
        'src/api/hello/routes/hello.js': `module.exports = { routes: [
          { method: 'GET', path: '/hello', handler: () => 1,
            config: { middlewares: { a: 'strapi::ip' } } }] };`,
      },
      'middlewares is {"a":"strapi::ip"} but must be a list',
    ],
    [
      'options that helmet rejects',
      {
        'config/middlewares.js':
          "const config = { frameguard: { action: 'ALLOW-FROM' } };\n" +
          "module.exports = [{ name: 'strapi::security', config }];",
      },
      'X-Frame-Options',
    ],
  ])('stops the start for %s', async (_, files, message) => {
    const options = {
      project: 'magazine',
      database,
      files: files as Readonly<Record<string, string>>,
    } as const;
    await expect(createSite(options)).rejects.toThrow(message);
  });
});

describe.each(databases)('plugins that config/plugins switches off, on $name', (database) => {
  let site: Site;
  beforeAll(async () => {
    site = await createSite({
      project: 'launchpad',
      database,
      files: {
        'config/plugins.js': `module.exports = { 'users-permissions': { enabled: false },
          upload: { enabled: false }, i18n: { enabled: false }, email: false };`,
        'src/api/hello/routes/hello.js': `module.exports = { routes: [{ method: 'GET', path: '/off',
          handler: (ctx) => ({ off: ['users-permissions', 'upload', 'email', 'i18n', 'graphql']
            .filter((name) => strapi.plugin(name) === undefined) }), config: { auth: false } }] };`,
      },
    });
  });
  afterAll(async () => site.close());

  const status = async (method: string, path: string, body?: unknown, token = site.tokens['full']) => {
    const response = await fetch(`${site.server.url}${path}`, {
      method,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token ?? ''}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.status;
  };

  it('serve nothing', async () => {
    const account = { username: 'mallory', email: 'm@example.com', password: 'password-1' };
    expect(await status('POST', '/api/auth/local/register', account)).toBe(404);
    for (const path of [
      '/api/users',
      '/api/users/me',
      '/api/users-permissions/roles',
      '/api/upload/files',
      '/uploads/a.png',
      '/api/i18n/locales',
    ])
      expect([path, await status('GET', path)]).toEqual([path, 404]);
  });

  it('have no fields in GraphQL, whose others stay', async () => {
    const response = await fetch(`${site.server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${site.tokens['full'] ?? ''}` },
      body: JSON.stringify({
        query: '{ __schema { queryType { fields { name } } mutationType { fields { name } } } }',
      }),
    });
    const text = await response.text();
    expect(text).toContain('"articles"');
    for (const name of [
      '"me"',
      '"login"',
      '"register"',
      '"usersPermissionsUsers"',
      '"uploadFiles"',
      'UploadFile',
    ])
      expect(text).not.toContain(name);
  });

  it('leave nobody in without a token, as in Strapi', async () => {
    expect(await status('GET', '/api/categories')).toBe(200);
    expect(await status('GET', '/api/categories', undefined, '')).toBe(403);
  });

  it('are not there for code', async () => {
    const response = await fetch(`${site.server.url}/api/off`);
    expect(await response.json()).toEqual({ off: ['users-permissions', 'upload', 'email', 'i18n'] });
  });
});
