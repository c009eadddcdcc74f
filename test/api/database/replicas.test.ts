import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { examineReplicas } from '../../../src/project/doctor/examine-environment.js';
import { execute } from '../../support/execute-sql.js';
import { isSelected } from '../../support/selected-dialects.js';
import { startPostgres } from '../../support/start-postgres.js';
import type { PostgresServer } from '../../support/start-postgres.js';
import { startReplica } from '../../support/start-replica.js';
import type { PostgresReplica } from '../../support/start-replica.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const OPTIONS = { timeout: 20_000, interval: 20 };

describe.runIf(isSelected('postgresql'))('replicas', () => {
  let primary: PostgresServer;
  let replica: PostgresReplica;
  let site: Site;
  let asked = 0;

  const send = async (method: string, path: string, data?: unknown): Promise<{ data: unknown }> => {
    const response = await fetch(`${site.server.url}/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
    expect(response.status).toBeLessThan(300);
    return (await response.json()) as { data: unknown };
  };
  /** The names of all tags. Each call asks anew, past what is cached. */
  const tagNames = async (): Promise<readonly string[]> => {
    const { data } = await send('GET', `tags?sort=name&filters[weight][$lt]=${1000 + (asked += 1)}`);
    return (data as { readonly name: string }[]).map(({ name }) => name);
  };
  const pause = (): Promise<unknown> => replica.query('SELECT pg_wal_replay_pause()');
  const resume = (): Promise<unknown> => replica.query('SELECT pg_wal_replay_resume()');
  /** True if the replica was asked for rows of a table by what `work` does. */
  const isReadFrom = async (table: string, work: () => Promise<unknown>): Promise<boolean> => {
    await replica.takeStatements();
    await work();
    return (await replica.takeStatements()).some((statement) => statement.includes(`"${table}"`));
  };
  const untilReadFrom = (): Promise<unknown> => vi.waitUntil(() => isReadFrom('tags', tagNames), OPTIONS);

  beforeAll(async () => {
    primary = await startPostgres();
    replica = await startReplica(primary.url);
    await execute(`${primary.url}/postgres`, 'CREATE DATABASE site');
    site = await createSite({
      project: 'magazine',
      database: {
        name: 'postgresql',
        create: async () => ({ url: `${primary.url}/site`, drop: async () => undefined }),
      },
      config: { database: { replicas: [`${replica.url}/site`, `${primary.url}/site`] } },
    });
    await send('POST', 'tags', { name: 'first', weight: 1 });
  });
  afterAll(async () => {
    await site.close();
    await replica.remove();
    await primary.stop();
  });

  it('are read, and never written to', async () => {
    await untilReadFrom();
    expect(await tagNames()).toEqual(['first']);
    expect(await isReadFrom('tags', () => send('POST', 'tags', { name: 'second', weight: 1 }))).toBe(false);
    expect(
      await isReadFrom('tags', () => site.server.app.database.readTexts('select name from "tags"', [])),
    ).toBe(false);
    expect((await site.server.app.database.pools())['replicas']?.open).toBeGreaterThan(0);
  });

  it('that lack a write are not read from the types that it concerns', async () => {
    await untilReadFrom();
    await send('GET', 'articles?sort=title');
    await pause();
    await send('POST', 'tags', { name: 'third', weight: 1 });
    expect(await isReadFrom('tags', async () => expect(await tagNames()).toContain('third'))).toBe(false);
    expect(
      await isReadFrom('articles', () => send('GET', `articles?sort=title&filters[id]=${(asked += 1)}`)),
    ).toBe(true);
    await resume();
    await untilReadFrom();
    expect(await tagNames()).toEqual(['first', 'second', 'third']);
  });

  it('that lack what another process wrote are not read, and nothing older is cached', async () => {
    await untilReadFrom();
    const cached = (): Promise<{ data: unknown }> => send('GET', 'tags?filters[name]=fourth');
    expect((await cached()).data).toEqual([]);
    await pause();
    await execute(`${primary.url}/site`, `UPDATE "tags" SET "name" = 'fourth' WHERE "name" = 'third'`);
    await vi.waitUntil(async () => (await tagNames()).includes('fourth'), OPTIONS);
    for (let count = 0; count < 5; count++) {
      expect(await tagNames()).toContain('fourth');
      expect((await cached()).data).toHaveLength(1);
    }
    await resume();
    await untilReadFrom();
    expect((await cached()).data).toHaveLength(1);
  });

  it('that fail are replaced by the primary until they are back', async () => {
    await untilReadFrom();
    const linesWith = (text: string): readonly string[] => site.log.filter((line) => line.includes(text));
    expect(linesWith('It follows no other database.')).toHaveLength(1);
    await replica.stop();
    for (let count = 0; count < 5; count++) expect(await tagNames()).toContain('fourth');
    await vi.waitUntil(() => linesWith('the primary is read instead').length === 2, OPTIONS);
    expect(site.log.join('')).not.toContain('postgres:postgres');
    expect((await examineReplicas(site.project)).map(({ status, message }) => [status, message])).toEqual([
      ['warning', expect.stringContaining('does not respond')],
      ['warning', expect.stringContaining('It follows no other database.')],
    ]);
    await replica.start();
    await untilReadFrom();
    expect(linesWith('is read again')).toHaveLength(1);
    const [first] = await examineReplicas(site.project);
    expect(first).toMatchObject({ status: 'ok', message: expect.stringContaining('The replica') });
  });
});
