import { describe, expect, it } from 'vitest';
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
    // Health stands before the project's own code.
    expect((await fetch(`${url}/_health`)).status).toBe(204);
    expect([...registered, 'GET /_health', 'GET /_ready'].toSorted()).toEqual(listedRoutes.toSorted());
  });
});
