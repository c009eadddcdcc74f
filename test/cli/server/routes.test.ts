import { describe, expect, it } from 'vitest';
import PermissionsSet from '../../../src/commands/permissions/set.js';
import Routes from '../../../src/commands/routes.js';
import { createMigratedSite } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import { startProcess } from '../support/server-process.js';

/** Tells every route that is registered after it. Those with a list of methods answer 405 on known paths. */
const ENTRY = `
export default {
  register({ fastify }) {
    const routes = [];
    fastify.addHook('onRoute', ({ method, url }) => {
      if (typeof method !== 'string' || method === 'HEAD' || method === 'OPTIONS') return;
      routes.push(method + ' ' + url);
    });
    fastify.route({ method: ['GET'], url: '/registered', handler: async () => routes });
  },
};
`;

describe('cms routes', () => {
  it('lists exactly the routes that the server has', async () => {
    const site = await createMigratedSite();
    site.write({ 'src/index.js': ENTRY });
    const { json } = await runCommand(Routes, ['--json'], { cwd: site.root });
    const listedRoutes = json<{ method: string; path: string }[]>().map(
      ({ method, path }) => `${method} ${path}`,
    );
    const { url } = await startProcess(['start', '--port', '0'], { cwd: site.root });
    const registered = (await (await fetch(`${url}/registered`)).json()) as readonly string[];
    expect(registered.length).toBeGreaterThan(10);
    expect(await (await fetch(`${url}/_ready`)).json()).toEqual({
      ready: true,
      schema: 'current',
      migrations: [],
    });
    // Nothing is told of in production.
    for (const path of ['/', '/api'])
      expect((await fetch(`${url}${path}`, { headers: { accept: 'text/html' } })).status).toBe(404);
    // Health stands before the project's own code.
    expect((await fetch(`${url}/_health`)).status).toBe(204);
    expect([...registered, 'GET /_health', 'GET /_ready'].toSorted()).toEqual(listedRoutes.toSorted());
  });

  it('lists what files of the project and its plugins state, with policies and sources', async () => {
    const site = await createMigratedSite();
    site.write({
      'config/plugins.js': "module.exports = { desk: { enabled: true, resolve: './src/plugins/desk' } };",
      'src/policies/is-open.js': 'module.exports = () => true;',
      'src/index.js': `
        module.exports = { register({ strapi }) {
          strapi.service('api::tag.tag').notYet.there();
          strapi.server.routes({ type: 'content-api', routes: [
            { method: 'GET', path: '/by-code', handler: () => {}, config: { auth: false } },
          ] });
          strapi.server.router.get('/plain', () => {});
        } };`,
      'src/api/tag/controllers/tag.js': `
        const { factories } = require('@strapi/strapi');
        module.exports = factories.createCoreController('api::tag.tag', ({ strapi }) => ({
          top: async (ctx) => { ctx.body = strapi.service('api::tag.tag'); },
        }));`,
      'src/api/tag/routes/tag.js': `
        const { factories } = require('@strapi/strapi');
        module.exports = factories.createCoreRouter('api::tag.tag', {
          only: ['find', 'findOne'],
          config: { find: { auth: false, policies: ['global::is-open'] } },
        });`,
      'src/api/tag/routes/top.js': `
        module.exports = { routes: [
          { method: 'GET', path: '/tags/top', handler: 'tag.top', config: { middlewares: [() => {}] } },
        ] };`,
      'src/plugins/desk/strapi-server.js': `
        module.exports = {
          controllers: { desk: { count: () => 1 } },
          routes: { 'content-api': { type: 'content-api', routes: [
            { method: 'GET', path: '/count', handler: 'desk.count' },
          ] } },
        };`,
      'src/extensions/users-permissions/strapi-server.js': `
        module.exports = (plugin) => {
          plugin.controllers.user.hello = () => 'hello';
          plugin.routes['content-api'].routes.push({
            method: 'GET', path: '/users/hello', handler: 'user.hello', config: { prefix: '' },
          });
          return plugin;
        };`,
    });
    const { json } = await runCommand(Routes, ['--json'], { cwd: site.root });
    const routes = json<{ method: string; path: string; source: string | null; policies: string[] }[]>();
    const file = 'src/api/tag/routes/tag.js';
    const ofTags = routes.filter(({ path }) => path.startsWith('/api/tags'));
    expect(ofTags.filter(({ path }) => path.startsWith('/api/tags/trash'))).toHaveLength(4);
    expect(ofTags.filter(({ path }) => !path.startsWith('/api/tags/trash'))).toEqual([
      expect.objectContaining({
        path: '/api/tags/:documentId',
        action: 'api::tag.tag.findOne',
        source: file,
      }),
      expect.objectContaining({
        path: '/api/tags/top',
        action: 'api::tag.tag.top',
        middlewares: ['function'],
        source: 'src/api/tag/routes/top.js',
      }),
      expect.objectContaining({
        path: '/api/tags',
        action: null,
        policies: ['global::is-open'],
        source: file,
      }),
      expect.objectContaining({ path: '/api/tags/aggregate', action: null, policies: ['global::is-open'] }),
    ]);
    const added = routes.filter(({ source }) => source === 'src/index.js');
    expect(added.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/by-code', 'GET /plain']);
    expect(routes.filter(({ source }) => /^src\/(?:plugins|extensions)/.test(source ?? ''))).toEqual([
      expect.objectContaining({
        path: '/api/desk/count',
        action: 'plugin::desk.desk.count',
        source: 'src/plugins/desk/strapi-server.js',
      }),
      expect.objectContaining({
        path: '/api/users/hello',
        action: 'plugin::users-permissions.user.hello',
        source: 'src/extensions/users-permissions/strapi-server.js',
      }),
    ]);
    const { stdout } = await runCommand(Routes, ['tag'], { cwd: site.root });
    expect(stdout).toMatch(/POLICIES\s+SOURCE/);
    expect(stdout).toContain(file);
  });

  it('lists the routes of one type, and those that a role may call', async () => {
    const site = await createMigratedSite();
    await runCommand(PermissionsSet, ['public', 'tag', 'find'], { cwd: site.root });
    const routes = async (...argv: readonly string[]): Promise<readonly string[]> => {
      const { json } = await runCommand(Routes, [...argv, '--json'], { cwd: site.root });
      return json<{ method: string; path: string }[]>().map(({ method, path }) => `${method} ${path}`);
    };
    expect(await routes('tag')).toHaveLength(11);
    expect(await routes('tag', '--role', 'public')).toEqual(['GET /api/tags', 'GET /api/tags/aggregate']);
    expect(await routes('article', '--role', 'Public')).toEqual([]);
    const open = await routes('--role', 'public');
    expect(open).toContain('GET /api/tags');
    expect(open).toContain('GET /_health');
    expect(open).not.toContain('POST /api/tags');
    const closed = await runCommand(Routes, ['article', '--role', 'public'], { cwd: site.root });
    expect(closed.stdout).toBe('');
    expect(closed.stderr).toContain('cms permissions set public api::article.article find');
    for (const argv of [['tga'], ['tag', '--role', 'pubic']])
      expect((await runCommand(Routes, argv, { cwd: site.root })).stderr).toMatch(/tag|public/);
  });
});
