import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { connectHttp } from '../support/mcp-client.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

describe.each(databases)('the endpoint /mcp on $name', (database) => {
  let site: Site;
  beforeAll(async () => {
    site = await createSite({
      project: 'magazine',
      database,
      config: {
        mcp: { enabled: 'always', maxTokens: 1000 },
        server: { cors: { origin: ['https://tool.example'] } },
      },
    });
  });
  afterAll(async () => {
    await site.close();
  });

  const send = (headers: Readonly<Record<string, string>>, body: unknown = INITIALIZE): Promise<Response> =>
    fetch(`${site.server.url}/mcp`, {
      method: 'POST',
      headers: { ...ACCEPT, ...headers },
      body: JSON.stringify(body),
    });
  const bearer = (name: string) => ({ authorization: `Bearer ${site.tokens[name] ?? name}` });

  it.each([
    ['no token', {}, 401],
    ['a garbage token', { authorization: 'Bearer nonsense' }, 401],
    ['a page of another site', { origin: 'https://evil.example' }, 403],
    ['a page of an allowed site', { origin: 'https://tool.example' }, 200],
    ['a page of this machine', { origin: 'http://localhost:6274' }, 200],
  ])('responds to %s', async (name, headers, status) => {
    const token = name.includes('token') ? {} : bearer('full');
    const response = await send({ ...token, ...headers });
    expect(response.status).toBe(status);
    expect(response.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
    await response.text();
  });

  it('serves clients of earlier revisions of the protocol', async () => {
    const response = await send(bearer('full'));
    const text = await response.text();
    expect(text).toContain('"protocolVersion":"2025-06-18"');
    expect(text).toContain('"name":"galley-');
  });

  it.each([
    ['GET', 405],
    ['DELETE', 405],
    ['PUT', 405],
  ])('rejects %s', async (method, status) => {
    const response = await fetch(`${site.server.url}/mcp`, {
      method,
      headers: { ...ACCEPT, ...bearer('full') },
    });
    expect(response.status).toBe(status);
    await response.text();
  });

  it('rejects invalid messages without an internal error', async () => {
    for (const body of [
      'text',
      [],
      {},
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'nope' } },
    ]) {
      const response = await send(bearer('full'), body);
      expect(response.status).toBeLessThan(500);
      await response.text();
    }
    expect(site.log.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)).toEqual([]);
  });

  it('offers neither deletion nor changes of content-types unless they are enabled', async () => {
    const { client, call, close } = await connectHttp(site.server.url, site.tokens['full'] ?? '');
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).not.toContain('delete');
    expect(names).not.toContain('change_schema');
    await expect(call('delete', { type: 'tag', documentId: 'x' })).rejects.toThrow('delete');
    await close();
  });

  it('limits responses to the configured size', async () => {
    const { call, close } = await connectHttp(site.server.url, site.tokens['full'] ?? '');
    const items = Array.from({ length: 30 }, (_, index) => ({
      name: `tag-${index}`,
      label: 'x'.repeat(200),
    }));
    const { confirm } = (await call('create', { type: 'tag', items })).body;
    await call('create', { type: 'tag', items, confirm });
    const names: string[] = [];
    let args: Readonly<Record<string, unknown>> | null = { type: 'tag', sort: 'id' };
    while (args !== null) {
      const { text, body } = await call('find', args);
      expect(text.length).toBeLessThanOrEqual(4_400);
      const data = body['data'] as readonly ({ readonly name: string } | string)[];
      for (const record of data) if (typeof record !== 'string') names.push(record.name);
      const rest = data.find((record) => typeof record === 'string');
      const { start, limit, total } = body['meta'] as { start: number; limit: number; total: number };
      const next = /rest: find (\{.*\})\]$/.exec(rest ?? '')?.[1];
      if (next !== undefined) args = JSON.parse(next) as Readonly<Record<string, unknown>>;
      else args = start + limit < total ? { ...args, start: start + limit } : null;
    }
    expect(names).toEqual(items.map(({ name }) => name));
    await close();
  });

  it('serves the model, the documentation and OpenAPI as resources, and prompts', async () => {
    const { client, close } = await connectHttp(site.server.url, site.tokens['full'] ?? '');
    const uris = (await client.listResources()).resources.map(({ uri }) => uri);
    expect(uris).toContain('galley://model');
    for (const uri of uris) {
      const { contents } = await client.readResource({ uri });
      expect(JSON.stringify(contents).length, uri).toBeGreaterThan(500);
    }
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['model-a-site', 'import-a-table', 'translate']);
    const prompt = await client.getPrompt({
      name: 'translate',
      arguments: { type: 'article', locale: 'de' },
    });
    expect(JSON.stringify(prompt.messages)).toContain(
      'Translate the documents of article from the default locale into de.',
    );
    await close();
    const tagger = await connectHttp(site.server.url, site.tokens['tagger'] ?? '');
    const model = await tagger.client.readResource({ uri: 'galley://model' });
    expect(JSON.stringify(model)).not.toContain('api::author.author"');
    await expect(tagger.client.readResource({ uri: 'galley://openapi' })).rejects.toThrow();
    await tagger.close();
  });
});

describe('the endpoint /mcp by environment', () => {
  it('does not exist in production unless it is enabled', async () => {
    const [database] = databases;
    if (database === undefined) return;
    const site = await createSite({ project: 'magazine', database });
    const response = await fetch(`${site.server.url}/mcp`, { method: 'POST', headers: ACCEPT, body: '{}' });
    expect(response.status).toBe(404);
    await site.close();
  });
});
