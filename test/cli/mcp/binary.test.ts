import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { connectClient } from '../../api/support/mcp-client.js';
import { binaryPath, plainEnvironment } from '../support/binary.js';
import { createMigratedSite, rowsOf } from '../support/migrated-project.js';
import { isProcessAlive } from '../../../src/transfer/work-folder.js';

const start = (root: string, ...argv: readonly string[]): StdioClientTransport =>
  new StdioClientTransport({
    command: process.execPath,
    args: [binaryPath, 'mcp', ...argv],
    cwd: root,
    env: plainEnvironment(),
    stderr: 'pipe',
  });

/** Output on stdout that is not of the protocol would end the session. */
const NOISY_CODE = "export const bootstrap = () => console.log('This is no message of the protocol');\n";

describe('cms mcp', () => {
  it('serves a client of the SDK over stdin and stdout, and ends with it', async () => {
    const site = await createMigratedSite();
    site.write({ 'src/index.js': NOISY_CODE });
    const transport = start(site.root, '--allow-delete');
    const { client, call, close } = await connectClient(transport);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('delete');
    const created = await call('create', { type: 'tag', data: { title: 'Over stdio' } });
    expect(created.isError, created.text).toBe(false);
    expect(rowsOf(site, 'SELECT title FROM tags')).toEqual([{ title: 'Over stdio' }]);
    const { pid } = transport;
    await close();
    expect(pid !== null && isProcessAlive(pid)).toBe(false);
  });

  it('limits the client to the rights of --as', async () => {
    const site = await createMigratedSite();
    const { call, close } = await connectClient(start(site.root, '--as', 'public'));
    const { isError, text } = await call('create', { type: 'tag', data: { title: 'No' } });
    expect(isError).toBe(true);
    expect(text).toContain('mcp/forbidden');
    expect((await call('list_types')).body['types']).toEqual([]);
    await close();
  });

  it('leaves nothing half-done when it is killed', async () => {
    const site = await createMigratedSite();
    const transport = start(site.root);
    const { call, client } = await connectClient(transport);
    const items = Array.from({ length: 600 }, (_, index) => ({ title: `Tag ${index}` }));
    const { body } = await call('create', { type: 'tag', items });
    const interrupted = call('create', { type: 'tag', items, confirm: body['confirm'] }).catch(() => null);
    const closed = new Promise<void>((resolve) => {
      client.onclose = () => resolve();
    });
    process.kill(transport.pid ?? 0, 'SIGKILL');
    await closed;
    await interrupted;
    const [row] = rowsOf(site, 'SELECT count(*) AS count FROM tags');
    expect([0, items.length]).toContain(row?.['count']);
    const next = await connectClient(start(site.root));
    expect((await next.call('find', { type: 'tag', limit: 1 })).isError).toBe(false);
    await next.close();
  });

  it('reports mistakes of the files as errors of a call, until they are corrected', async () => {
    const site = await createMigratedSite();
    const file = 'src/api/tag/content-types/tag/schema.json';
    const schema = site.read(file);
    const { call, close } = await connectClient(start(site.root));
    site.write({ [file]: schema.replace('"string"', '"strnig"') });
    const broken = await call('list_types');
    expect(broken.isError).toBe(true);
    expect(broken.text).toContain(`${file}:`);
    site.write({ [file]: schema });
    expect((await call('list_types')).isError).toBe(false);
    await close();
  });
});
