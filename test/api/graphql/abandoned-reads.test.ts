import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/database/database.js';
import type { ReadConnection } from '../../../src/database/dialect/database-driver.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createEndpoint } from './support/endpoint.js';
import type { Endpoint } from './support/endpoint.js';

/** Statements without an end, which can be ended as compiled reads can. */
const ENDLESS = {
  sqlite: `with recursive n (i) as (select 1 union all select i + 1 from n where i % 251 or galley_tick())
    select max(i) || '' from n`,
  postgresql: 'select pg_sleep(1000)::text',
};

const roots = Array.from({ length: 12 }, (_, index) => `a${index}: articles { title }`);

const QUERIES = {
  'what statements print': '{ articles { title } }',
  'one document': '{ article(documentId: "a1") { title } }',
  'several roots': `{ ${roots.join(' ')} }`,
  'what resolvers print': '{ articles_aggregate { count } }',
};

describe.each(databases)('reads whose client has left, on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let endpoint: Endpoint;
  let connection: ReadConnection;
  let address = '';
  /** How the reads of the last request have ended; null while they go on. */
  let reads: unknown[] = [];
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    const { database: real, dialect, url } = testEnvironment;
    connection = await dialect.driver.openReadConnection(url, { threads: 1, timeoutMs: 60_000 });
    const readEndlessly: Database['readTexts'] = (_sql, _parameters, requester) => {
      const index = reads.push(null) - 1;
      const read = connection.queryTexts(ENDLESS[database.name], [], requester);
      read.catch((error: unknown) => {
        reads[index] = error;
      });
      return read;
    };
    endpoint = await createEndpoint({
      testEnvironment: { ...testEnvironment, database: { ...real, readTexts: readEndlessly } },
    });
    address = await endpoint.fastify.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    await endpoint.close();
    await connection.close();
    await testEnvironment.close();
  });

  const leave = async (method: 'GET' | 'POST', query: string): Promise<void> => {
    reads = [];
    const body = method === 'POST' ? JSON.stringify({ query }) : undefined;
    const search = method === 'GET' ? `?query=${encodeURIComponent(query)}` : '';
    const headers = { authorization: 'full', 'content-type': 'application/json' };
    const sent = request(`${address}/graphql${search}`, { method, headers });
    sent.on('error', () => undefined);
    sent.end(body);
    await expect.poll(() => reads.length).toBeGreaterThan(0);
    sent.destroy();
    await expect.poll(() => reads, { timeout: 20_000 }).not.toContain(null);
  };

  it.each(Object.entries(QUERIES))('end: %s', async (_what, query) => {
    for (const method of ['POST', 'GET'] as const) {
      await leave(method, query);
      const codes = reads.map((error) => Reflect.get(Object(error), 'code'));
      expect(new Set(codes)).toEqual(new Set(['request/abandoned']));
    }
    expect(endpoint.log).toEqual([]);
  });
});
