import { describe, expect, it } from 'vitest';
import PermissionsSet from '../../src/commands/permissions/set.js';
import Routes from '../../src/commands/routes.js';
import { createMigratedSite } from './support/migrated-project.js';
import { runCommand } from './support/run-command.js';
import { startProcess } from './support/server-process.js';

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
  it('tells exactly the routes the server has', async () => {
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

  it('lists the routes of one type, and those that a role may call', async () => {
    const site = await createMigratedSite();
    await runCommand(PermissionsSet, ['public', 'tag', 'find'], { cwd: site.root });
    const routes = async (...argv: readonly string[]): Promise<readonly string[]> => {
      const { json } = await runCommand(Routes, [...argv, '--json'], { cwd: site.root });
      return json<{ method: string; path: string }[]>().map(({ method, path }) => `${method} ${path}`);
    };
    expect(await routes('tag')).toHaveLength(7);
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
