import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { databases } from '../../support/databases.js';
import { startForeignWriter } from '../support/foreign-writer.js';
import type { ForeignWriter } from '../support/foreign-writer.js';
import { askGraphql, onNotification, readsOf } from '../support/cached-site.js';
import type { Tag } from '../support/cached-site.js';
import { countTagReads } from '../support/count-tag-reads.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const READS = Number(process.env['ANSWER_READS'] ?? 200);
const TAGS = 4;

describe.each(databases)('cached responses to operations on $name', (database) => {
  let site: Site;
  let writer: ForeignWriter;
  let tagIds: readonly string[];
  let articleId: string;

  const create = async (plural: string, data: unknown): Promise<string> => {
    const response = await fetch(`${site.server.url}/api/${plural}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data }),
    });
    const body = (await response.json()) as { readonly data: Tag };
    return body.data.documentId;
  };
  const tagId = (index: number): string => tagIds[index] ?? '';
  const setWeight = (index: number, weight: number): Promise<void> =>
    writer.run(`UPDATE tags SET weight = ${weight} WHERE document_id = '${tagId(index)}'`);
  /** Each test has a document of its own, so that no other has asked for it. */
  const queryOf = (alias: string): string => `{ ${alias}: tag(documentId: "${tagId(0)}") { weight } }`;
  const etagOf = async (query: string): Promise<string | null> =>
    (await askGraphql(site, query, 'GET')).headers.get('etag');
  const countReads = (): (() => number) => countTagReads(site);

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
    writer = await startForeignWriter(site.project.config.database.url);
    const made: string[] = [];
    for (let index = 0; index < TAGS; index++)
      made.push(await create('tags', { name: `tag ${index}`, weight: index }));
    tagIds = made;
    articleId = await create('articles', { title: 'One', tags: made });
    // Until it listens, nothing is cached.
    await vi.waitUntil(async () => (await etagOf('{ tags { name } }')) !== null, { timeout: 5000 });
  });
  afterAll(async () => {
    await writer.close();
    await site.close();
  });

  it('are given without a statement until a type that they show is written', async () => {
    const query =
      '{ tags_connection(sort: "name") { nodes { weight articles { title } } pageInfo { total } } }';
    const ask = async (): Promise<string> => (await askGraphql(site, query)).text();
    const first = await ask();
    expect(JSON.parse(first)).toMatchObject({ data: { tags_connection: { pageInfo: { total: TAGS } } } });
    const count = countReads();
    expect([await ask(), await ask(), count()]).toEqual([first, first, 0]);
    await writer.run(`UPDATE authors SET name = 'nobody'`);
    expect([await ask(), count()]).toEqual([first, 0]);
    await writer.run(`UPDATE articles SET title = 'Two'`);
    await expect.poll(ask).toMatch(/"title" ?: ?"Two"/);
    // The articles do not decide about the number of tags.
    expect(count()).toBe(1);
  });

  it('have digests that clients ask by over GET, and only there', async () => {
    const query = queryOf('digest');
    const etag = await etagOf(query);
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    const address = `${site.server.url}/graphql?query=${encodeURIComponent(query)}`;
    const headers = { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' };
    const unchanged = await fetch(address, { headers: { ...headers, 'if-none-match': etag ?? '' } });
    expect([unchanged.status, unchanged.headers.get('etag'), await unchanged.text()]).toEqual([
      304,
      etag,
      '',
    ]);
    expect(unchanged.headers.get('cache-control')).toBe('private, no-cache');
    expect(unchanged.headers.get('vary')).toContain('Authorization');
    const posted = await askGraphql(site, query);
    expect([posted.headers.get('etag'), posted.headers.get('cache-control')]).toEqual([null, 'no-store']);
    await setWeight(0, 1000);
    await expect
      .poll(
        async () => (await fetch(address, { headers: { ...headers, 'if-none-match': etag ?? '' } })).status,
      )
      .toBe(200);
    // Another site could read what a browser sends on its own.
    expect((await fetch(address, { headers: { authorization: headers.authorization } })).status).toBe(400);
  });

  it('are distinguished by variables, operations and rights', async () => {
    const query = `query A($id: ID!) { tag(documentId: $id) { documentId } } query B { articles { title } }`;
    const ask = async (body: object, token = site.tokens['full']): Promise<unknown> => {
      const response = await fetch(`${site.server.url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, ...body }),
      });
      return response.json();
    };
    for (let round = 0; round < 3; round++) {
      for (const id of tagIds)
        expect(await ask({ operationName: 'A', variables: { id } })).toEqual({
          data: { tag: { documentId: id } },
        });
      expect(await ask({ operationName: 'B' })).toMatchObject({ data: { articles: [{}] } });
      expect(await ask({ operationName: 'A', variables: {} })).toMatchObject({ errors: [{}] });
      const anonymous = await fetch(`${site.server.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, operationName: 'B' }),
      });
      expect(await anonymous.json()).toMatchObject({
        errors: [{ message: expect.stringMatching(/forbidden/i) }],
      });
    }
  });

  it('are none of drafts, of batches, with errors, or with results of resolvers', async () => {
    for (const query of [
      '{ tags(status: DRAFT) { name } }',
      '{ tags(locale: "xx") { name } }',
      '{ i18NLocales { code } }',
      '{ tags(filters: {name: {eq: 5}}) { name } }',
    ])
      for (let round = 0; round < 3; round++) expect(await etagOf(query)).toBeNull();
    const query = queryOf('batched');
    await etagOf(query);
    const count = countReads();
    const batch = await fetch(`${site.server.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' },
      body: JSON.stringify([{ query }, { query }]),
    });
    expect(await batch.json()).toHaveLength(2);
    expect(count()).toBe(2);
  });

  it.runIf(database.name === 'postgresql')(
    'are never older than what the server was told, while another process writes at random',
    async () => {
      const written: (() => void)[] = [];
      const known = tagIds.map(() => 2000);
      for (const index of tagIds.keys()) await setWeight(index, 2000);
      const kinds = readsOf(site, { articleId, tagIds });
      await expect.poll(async () => (await kinds[0]?.())?.every(({ weight }) => weight >= 2000)).toBe(true);
      onTestFinished(onNotification((type) => type === 'api::tag.tag' && written.shift()?.()));
      let reads = 0;
      const write = async (): Promise<void> => {
        for (let weight = 2001; reads < READS; weight++) {
          const index = Math.floor(Math.random() * TAGS);
          // The server is told of one write after the other.
          written.push(() => {
            known[index] = weight;
          });
          await setWeight(index, weight);
        }
      };
      const read = async (): Promise<void> => {
        while (reads < READS) {
          reads += 1;
          const expected = [...known];
          const found = (await kinds[Math.floor(Math.random() * kinds.length)]?.()) ?? [];
          for (const { documentId, weight } of found)
            expect(weight).toBeGreaterThanOrEqual(expected[tagIds.indexOf(documentId)] ?? 0);
        }
      };
      await Promise.all([write(), read(), read()]);
      await expect.poll(() => written.length).toBe(0);
      expect(Math.max(...known)).toBeGreaterThan(2000 + READS / 50);
    },
  );
});
