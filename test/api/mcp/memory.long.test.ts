import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createMcpRequests } from '../../../src/api/mcp/handle-requests.js';
import { mcpSessionOf } from '../../../src/project/open/create-mcp.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';

const MEGABYTE = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const heapUsed = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed / MEGABYTE;
};

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'find', arguments: { type: 'tag', populate: '*' } },
};
const CALLER = { kind: 'token', tokenId: 1, grants: { kind: 'all' } } as const;

/** A server that stayed in memory would keep about 0.1 MB a call. */
const CALLS = Number(process.env['MCP_CALLS'] ?? 1500);

it.each(databases)('uses no more memory after many calls on $name', async (database) => {
  const site = await createSite({ project: 'magazine', database });
  const { app } = site.server;
  const logger = createLogger({ level: 'silent', root: site.root });
  const session = mcpSessionOf(app.project, logger, {});
  const requests = createMcpRequests({
    ...session,
    services: await app.createMcp(),
    hosts: null,
    origins: [],
  });
  const run = async (calls: number): Promise<void> => {
    for (let index = 0; index < calls; index++) {
      const body = JSON.stringify(CALL);
      const request = new Request('http://localhost/mcp', { method: 'POST', headers: HEADERS, body });
      const response = await requests.handle(request, CALL, CALLER);
      expect(await response.text()).toContain('total');
    }
  };
  await run(300);
  const before = heapUsed();
  await run(CALLS);
  expect(heapUsed() - before).toBeLessThan(4);
  await requests.close();
  await site.close();
});
