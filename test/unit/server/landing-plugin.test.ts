import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import type { RolePermissions } from '../../../src/access/permissions/role-permissions.js';
import { UNLIMITED } from '../../../src/access/permissions/rules.js';
import { restRoutes } from '../../../src/api/rest/routes/rest-routes.js';
import { createServer } from '../../../src/server/create-server.js';
import { createLandingPlugin } from '../../../src/server/landing-plugin.js';
import { createLogger } from '../../../src/server/logger.js';
import { modelFrom } from '../../support/models.js';

const model = modelFrom({
  types: {
    tag: { attributes: { name: { type: 'string' } } },
    homepage: { kind: 'singleType', attributes: { headline: { type: 'string' } } },
  },
});

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

/** Ends a granted action that covers only some attributes. */
const LIMITED = ' limited';

const start = async (
  grants: Readonly<Record<string, readonly string[]>>,
  plugins: readonly FastifyPluginAsync[] = [],
): Promise<FastifyInstance> => {
  const permissions = Object.entries(grants).map(([type, actions]) => ({
    role: { type },
    actions: actions.map((action) => action.replace(LIMITED, '')),
    rules: new Map(
      actions.map((action) => [
        action.replace(LIMITED, ''),
        action.endsWith(LIMITED) ? { fields: ['name'], where: null } : UNLIMITED,
      ]),
    ),
  })) as unknown as readonly RolePermissions[];
  app = await createServer({
    config: {
      host: '',
      port: 0,
      bodyLimit: 10_000,
      cors: { origin: false, credentials: false },
      proxy: false,
    },
    logger: createLogger({ level: 'silent' }),
    plugins: [
      ...plugins,
      createLandingPlugin({
        model,
        prefix: '/api',
        routes: restRoutes({ model, prefix: '/api', accounts: { mode: 'plain' } }),
        graphql: { path: '/graphql', hasPlayground: true },
        reference: '/docs',
        permissions: async () => permissions,
      }),
    ],
  });
  return app;
};

const open = (server: FastifyInstance, host = 'localhost:1337') =>
  server.inject({ url: '/', headers: { accept: 'text/html,*/*;q=0.8', host } });

describe('the page at the root in development', () => {
  it('names the types, their addresses and who may call them', async () => {
    const server = await start({ public: ['api::tag.tag.find'], editor: ['api::tag.tag.create'] });
    const { body, headers, statusCode } = await open(server);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body).toContain('<a href="./api/tags"><code>/api/tags</code></a>');
    expect(body).toContain('data-label="List"><span class="role public">public</span>');
    expect(body).toContain('data-label="Create"><span class="role">editor</span>');
    expect(body).toContain('data-label="Delete"><span class="none">tokens only</span>');
    expect(body).toContain('curl &#39;http://localhost:1337/api/tags&#39;');
    expect(body).toContain('href="./graphql"');
  });

  it('marks rights that are limited', async () => {
    const server = await start({
      public: [`api::tag.tag.find${LIMITED}`],
      editor: ['api::tag.tag.find', `api::tag.tag.update${LIMITED}`],
    });
    const { body } = await open(server);
    const mark = ' <small title="Some documents or attributes only">limited</small>';
    expect(body).toContain(
      `data-label="List"><span class="role public">public${mark}</span><span class="role">editor</span>`,
    );
    expect(body).toContain(`data-label="Update"><span class="role">editor${mark}</span>`);
  });

  it('says how to open what is closed', async () => {
    const { body } = await open(await start({ public: [] }));
    expect(body).toContain('Authorization: Bearer $TOKEN');
    expect(body).toContain('npx cms permissions set public tag find findOne');
  });

  it('loads and runs nothing, for any request', async () => {
    const { body, headers } = await open(await start({}), '"><script>alert(1)</script>');
    const style = /<style>([^]*)<\/style>/.exec(body)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; ` +
        "frame-ancestors 'none'",
    );
    expect(body).not.toMatch(/<script|\ssrc=|@import|url\(/);
  });

  it('is JSON for other clients, also at the prefix', async () => {
    const server = await start({ public: ['api::tag.tag.find'] });
    const [root, api] = [await server.inject('/'), await server.inject('/api')];
    expect(root.json()).toEqual(api.json());
    expect(api.json()).toMatchObject({
      data: {
        types: [
          { uid: 'api::homepage.homepage', path: '/api/homepage' },
          {
            uid: 'api::tag.tag',
            path: '/api/tags',
            endpoints: [
              { method: 'GET', path: '/api/tags', roles: ['public'] },
              { method: 'POST', path: '/api/tags', roles: [] },
              { method: 'GET', path: '/api/tags/:documentId' },
              { method: 'GET', path: '/api/tags/aggregate', roles: ['public'] },
              { method: 'PUT' },
              { method: 'DELETE' },
              { method: 'POST', path: '/api/tags/bulk', action: 'create|update|delete', roles: [] },
              { method: 'GET', path: '/api/tags/trash', action: 'findDeleted' },
              { method: 'GET', path: '/api/tags/trash/:entry', action: 'findDeleted' },
              { method: 'POST', path: '/api/tags/trash/:entry/restore', action: 'restoreDeleted' },
              { method: 'DELETE', path: '/api/tags/trash/:entry', action: 'purgeDeleted' },
            ],
          },
        ],
        graphql: { path: '/graphql' },
      },
    });
  });

  it('leaves the root to the project', async () => {
    const own = Object.assign(
      async (fastify: FastifyInstance) => void fastify.get('/', async () => ({ own: true })),
      { [Symbol.for('skip-override')]: true },
    );
    expect((await open(await start({}, [own]))).json()).toEqual({ own: true });
  });
});
