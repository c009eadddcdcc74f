import { describe, expect, it } from 'vitest';
import { migrateProjectDatabase } from '../../support/migrate-project.js';
import { openProject } from '../../../src/project/open/open-project.js';
import TokenCreate from '../../../src/commands/token/create.js';
import { databases } from '../../support/databases.js';
import { createSite, SECRETS } from '../support/migrated-project.js';
import { runCommand } from '../support/run-command.js';
import { startProcess } from '../support/server-process.js';

const WRITES = 40;

describe.each(databases)('several workers over $name', ({ create }) => {
  it('write and read the same documents, and report the figures of all', async () => {
    const { url } = await create();
    const site = createSite({ '.env': `${SECRETS}DATABASE_URL=${url}\nMETRICS=on\n` });
    await migrateProjectDatabase(await openProject(site.root), { label: 'start' });
    const { stdout } = await runCommand(TokenCreate, ['--name', 'writer', '--type', 'full-access'], {
      cwd: site.root,
    });
    const server = await startProcess(['start', '--port', '0', '--workers', '3'], { cwd: site.root });
    const headers = {
      authorization: `Bearer ${stdout.trim()}`,
      'content-type': 'application/json',
      connection: 'close',
    };
    const writes = Array.from({ length: WRITES }, (_, index) =>
      fetch(`${server.url}/api/tags`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ data: { title: `tag ${index}` } }),
      }),
    );
    expect(new Set((await Promise.all(writes)).map(({ status }) => status))).toEqual(new Set([201]));
    const responses = await Promise.all(
      Array.from({ length: 6 }, async () => (await fetch(`${server.url}/api/tags`, { headers })).json()),
    );
    for (const response of responses)
      expect(response).toMatchObject({ meta: { pagination: { total: WRITES } } });
    const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text();
    const made = 'galley_http_request_duration_seconds_count{method="POST",route="/api/tags",status="201"}';
    expect(metrics).toContain(`${made} ${WRITES}\n`);
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
  });
});
