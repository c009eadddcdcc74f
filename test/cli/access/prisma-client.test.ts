import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProject } from '../../../src/project/open/open-project.js';
import { writeGenerated } from '../../../src/project/generated-files.js';
import { databases } from '../../support/databases.js';
import { migrateProjectDatabase } from '../../support/migrate-project.js';
import { createLoadLog, loadedModules } from '../support/loaded-modules.js';
import { createSite, SECRETS } from '../support/migrated-project.js';
import { startProcess } from '../support/server-process.js';
import type { TempProject } from '../support/temp-project.js';

const PASSWORD = 'correct horse battery staple';

const COMMANDS: readonly (readonly string[])[] = [
  ['token', 'create', '--name', 'ci', '--type', 'custom', '--permission', 'article.*'],
  ['token', 'list'],
  ['permissions', 'set', 'public', 'plugin::users-permissions.auth', 'register', 'callback'],
  ['role', 'create', 'Editor'],
  ['locale', 'add', 'fr', '--default'],
  ['user', 'create', 'ann', '--email', 'ann@example.com', '--password-file', 'password.txt'],
  ['content', 'create', 'tag', '--set', 'title=Red'],
];

const migratedSite = async (url: string): Promise<TempProject> => {
  const site = createSite({ '.env': `${SECRETS}DATABASE_URL=${url}\n` });
  const project = await openProject(site.root);
  await migrateProjectDatabase(project, { label: 'start' });
  await writeGenerated(project);
  writeFileSync(join(site.root, 'password.txt'), PASSWORD);
  return site;
};

const post = async (url: string, body: object): Promise<number> => {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  await response.arrayBuffer();
  return response.status;
};

/** The modules of Prisma Client among those that were loaded. */
const clientModules = (loaded: readonly string[]): readonly string[] =>
  loaded.filter((name) => /@prisma\/client\//.test(name));

describe.each(databases.filter(({ name }) => name === 'sqlite'))('access on $name', ({ create }) => {
  it('is managed, and served, without loading Prisma Client', async () => {
    const { url } = await create();
    const site = await migratedSite(url);
    for (const argv of COMMANDS) {
      const loaded = loadedModules(argv, site.root);
      expect(loaded).toContain('src/database/table.ts');
      expect({ argv, client: clientModules(loaded) }).toEqual({ argv, client: [] });
    }
    const log = createLoadLog();
    const server = await startProcess(['start', '--port', '0'], { cwd: site.root, env: log.env });
    const user = { username: 'bob', email: 'bob@example.com', password: PASSWORD };
    expect(await post(`${server.url}/api/auth/local/register`, user)).toBe(200);
    const credentials = { identifier: 'bob', password: PASSWORD };
    expect(await post(`${server.url}/api/auth/local`, credentials)).toBe(200);
    server.signal('SIGTERM');
    await server.ended;
    const loaded = log.read();
    // Required modules, such as Prisma Client, are logged when the process ends.
    expect(loaded.some((name) => /^\/.*node_modules\//.test(name))).toBe(true);
    expect(clientModules(loaded)).toEqual([]);
  });
});
