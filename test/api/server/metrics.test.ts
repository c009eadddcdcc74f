import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

describe.each(databases)('figures for Prometheus on $name', (database) => {
  let site: Site;
  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`${site.server.url}${path}`, { headers });
  const withToken = (): { readonly authorization: string } => ({
    authorization: `Bearer ${site.tokens['full']}`,
  });
  /** The samples by name and labels. */
  const scrape = async (): Promise<ReadonlyMap<string, number>> => {
    const text = await (await get('/numbers', { authorization: 'Bearer for-prometheus' })).text();
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      samples.map((line) => [line.replace(/ \S+$/, ''), Number(line.slice(line.lastIndexOf(' ') + 1))]),
    );
  };

  beforeAll(async () => {
    site = await createSite({
      project: 'magazine',
      database,
      config: { metrics: { path: '/numbers', token: 'for-prometheus' } },
    });
  });
  afterAll(() => site.close());

  it('are given to those who have the token', async () => {
    expect((await get('/numbers')).status).toBe(401);
    expect((await get('/numbers', withToken())).status).toBe(401);
    expect((await get('/metrics')).status).toBe(404);
    const { status, headers } = await get('/numbers', { authorization: 'Bearer for-prometheus' });
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('text/plain')]);
  });

  it('count requests by their route, also those that are served before Fastify sees them', async () => {
    const route = '{method="GET",route="/api/tags",status="200"}';
    const count = `galley_http_request_duration_seconds_count${route}`;
    const asked = async (result: string): Promise<number> =>
      (await scrape()).get(`galley_answers_total{result="${result}"}`) ?? 0;
    await vi.waitUntil(
      async () => {
        await get('/api/tags?sort=name', withToken());
        return (await asked('hit')) > 0;
      },
      { timeout: 5000 },
    );
    expect(await asked('miss')).toBeGreaterThan(0);
    const before = (await scrape()).get(count) ?? 0;
    for (let index = 0; index < 5; index++) await get('/api/tags?sort=name', withToken());
    for (const id of ['one', 'two', 'three']) await get(`/nowhere/${id}`);
    await get('/api/tags/unknown', withToken());
    const after = await scrape();
    expect((after.get(count) ?? 0) - before).toBe(5);
    expect(after.get(`galley_http_request_duration_seconds_sum${route}`)).toBeGreaterThan(0);
    const routes = [...after.keys()].filter((name) => name.includes('_request_duration_seconds_count'));
    expect(routes.filter((name) => /nowhere|unknown/.test(name))).toEqual([]);
    expect(routes.join(' ')).toContain('route="/api/tags/:documentId",status="404"');
    expect(after.get('galley_answers_bytes')).toBeGreaterThan(0);
  });

  it('measure the database, and report what waits', async () => {
    const before = await scrape();
    const countOf = (samples: ReadonlyMap<string, number>, kind: string): number =>
      samples.get(`galley_database_duration_seconds_count{kind="${kind}"}`) ?? 0;
    await fetch(`${site.server.url}/api/tags`, {
      method: 'POST',
      headers: { ...withToken(), 'content-type': 'application/json' },
      body: JSON.stringify({ data: { name: 'measured', weight: 1 } }),
    });
    await get('/api/tags?filters[name]=measured', withToken());
    const after = await scrape();
    for (const kind of ['read', 'transaction'])
      expect(countOf(after, kind), kind).toBeGreaterThan(countOf(before, kind));
    expect(after.get('galley_webhooks_pending')).toBe(0);
    const reads = (state: string): number | undefined =>
      after.get(`galley_database_connections{pool="reads",state="${state}"}`);
    expect(reads('waiting')).toBe(0);
    // Threads of SQLite start when they are needed.
    expect(reads('open')).toBeGreaterThanOrEqual(database.name === 'postgresql' ? 1 : 0);
    expect(after.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(after.get('process_resident_memory_bytes')).toBeGreaterThan(0);
  });
});
