import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { GOLDEN_CONTENT, GOLDEN_REQUESTS } from './golden-requests.js';
import { comparableBody, normalise } from './support/normalise.js';
import { createSite } from './support/site.js';
import type { Site } from './support/site.js';

type SavedValues = Record<string, string>;

const fill = (text: string, saved: SavedValues): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, alias: string) => saved[alias] ?? `unsaved ${alias}`);

const send = (site: Site, method: string, path: string, body?: string): Promise<Response> =>
  fetch(`${site.server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${site.tokens['full'] ?? ''}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });

const write = async (site: Site): Promise<SavedValues> => {
  const saved: SavedValues = {};
  for (const [method, path, data, alias] of GOLDEN_CONTENT) {
    const response = await send(site, method, fill(path, saved), fill(JSON.stringify({ data }), saved));
    expect({ path, status: response.status }).toEqual({ path, status: method === 'POST' ? 201 : 200 });
    const { data: written } = (await response.json()) as { readonly data: { readonly documentId: string } };
    if (alias !== undefined) saved[alias] = written.documentId;
  }
  return saved;
};

const firstCursor = async (site: Site): Promise<string> => {
  const response = await send(site, 'GET', GOLDEN_REQUESTS['first-page-by-cursor'] ?? '');
  const body = (await response.json()) as {
    readonly meta: { readonly pagination: { readonly next: string } };
  };
  return body.meta.pagination.next;
};

/** Statements that the server runs by itself: several a second, and every five seconds that of migrations. */
const isBackground = (statement: string): boolean =>
  /cms_(state|schedules|releases)|_prisma_migrations/.test(statement);

/** All statements that the server runs for requests. */
const watchStatements = (site: Site): string[] => {
  const statements: string[] = [];
  const database = site.server.app.database as unknown as Record<string, unknown>;
  for (const name of ['readTexts', 'readNumber']) {
    const original = database[name] as (...parameters: readonly unknown[]) => unknown;
    database[name] = (...parameters: readonly unknown[]) => {
      const statement = String(parameters[0]);
      if (!isBackground(statement)) statements.push(statement);
      return original(...parameters);
    };
  }
  return statements;
};

describe.each(databases)('golden requests on $name', (database) => {
  let site: Site;
  let saved: SavedValues;
  let statements: string[];

  beforeAll(async () => {
    // Cached totals would leave statements out.
    site = await createSite({ project: 'magazine', database, config: { api: { cache: 0 } } });
    saved = await write(site);
    saved['cursor'] = await firstCursor(site);
    statements = watchStatements(site);
  });
  afterAll(() => site.close());

  it.each(Object.entries(GOLDEN_REQUESTS))('%s', async (name, path) => {
    statements.length = 0;
    const response = await send(site, 'GET', fill(path, saved));
    const body = normalise(comparableBody(await response.json()), saved);
    const snapshot = [
      `GET ${path}`,
      `${response.status}, ${statements.length} statement${statements.length === 1 ? '' : 's'}`,
      ...statements.map((statement) => `${statement};`),
      JSON.stringify(body, null, 1),
    ].join('\n\n');
    await expect(`${snapshot}\n`).toMatchFileSnapshot(`golden/${name}.${database.name}.txt`);
  });

  it('runs one statement for a list of any depth, and one more for the count', async () => {
    const count = async (path: string): Promise<number> => {
      statements.length = 0;
      expect((await send(site, 'GET', path)).status).toBe(200);
      return statements.length;
    };
    expect(await count('/api/articles?pagination[pageSize]=1')).toBe(2);
    // A page that is not full is the last one.
    expect(await count('/api/articles')).toBe(1);
    expect(await count('/api/articles?pagination[withCount]=false')).toBe(1);
    expect(
      await count(
        '/api/articles?pagination[withCount]=false' +
          '&populate[author][populate][articles][populate][tags][populate][articles][populate]=author',
      ),
    ).toBe(1);
  });
});
