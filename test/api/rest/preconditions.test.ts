import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRecord } from '../../../src/lib/records.js';
import { databases } from '../../support/databases.js';
import { createTestbed } from '../security/testbed.js';
import type { Testbed, TestResponse } from '../security/testbed.js';

interface Written {
  readonly documentId: string;
  readonly updatedAt: string;
  readonly etag: string;
}

/** Digest of a response, in any encoding. */
const ETAG = /^"[\w-]{27}(\.(br|gzip|deflate))?"$/;

describe.each(databases)('preconditions over REST on $name', (database) => {
  let testbed: Testbed;
  let full: string;

  const send = (
    method: string,
    path: string,
    { data, ifMatch, as = full }: { data?: unknown; ifMatch?: string | undefined; as?: string | null } = {},
  ): Promise<TestResponse> =>
    testbed.request(method, path, {
      as,
      ...(data === undefined ? {} : { body: { data } }),
      headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    });
  const dataOf = ({ body }: TestResponse): Readonly<Record<string, unknown>> =>
    isRecord(body) && isRecord(body['data']) ? body['data'] : {};
  const errorOf = ({ body }: TestResponse): unknown => (isRecord(body) ? body['error'] : undefined);
  const etagOf = ({ headers }: TestResponse): string => String(headers.get('etag'));
  const presentOf = (response: TestResponse): unknown =>
    Object(Object(errorOf(response))['details'])['present'] as unknown;
  const save = async (method: string, path: string, data: unknown): Promise<Written> => {
    const response = await send(method, path, { data });
    expect([path, response.status < 300]).toEqual([path, true]);
    const { documentId, updatedAt } = dataOf(response);
    return {
      documentId: String(documentId),
      updatedAt: String(updatedAt),
      etag: String(response.headers.get('etag')),
    };
  };
  const read = async (path: string): Promise<string> => {
    const response = await send('GET', path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(etagOf(response)).toMatch(ETAG);
    return etagOf(response);
  };

  beforeAll(async () => {
    testbed = await createTestbed({ database, api: { cache: 0 } });
    full = testbed.site.tokens['full'] ?? '';
  });
  afterAll(() => testbed.site.close());

  it('rejects the second of two writes by clients that read the same version', async () => {
    const { documentId } = await save('POST', '/api/posts', { title: 'first' });
    const path = `/api/posts/${documentId}`;
    const [one, two] = [await read(path), await read(path)];
    expect(one).toBe(two);
    expect((await send('PUT', path, { data: { title: 'one' }, ifMatch: one })).status).toBe(200);
    const stale = await send('PUT', path, { data: { title: 'two' }, ifMatch: two });
    expect(stale.status).toBe(412);
    expect(errorOf(stale)).toMatchObject({
      status: 412,
      name: 'PreconditionFailedError',
      message: 'This post was changed or deleted since you read it. Nothing was written.',
      details: { documentId, present: { status: 'draft', data: { documentId, title: 'one' } } },
    });
    const { etag, updatedAt } = presentOf(stale) as Written;
    expect(etag).toBe(await read(`${path}?status=draft`));
    expect(updatedAt).toBe(dataOf(await send('GET', path))['updatedAt']);
    expect((await send('PUT', path, { data: { title: 'two' }, ifMatch: etag })).status).toBe(200);
    expect(dataOf(await send('GET', path))['title']).toBe('two');
  });

  it('sends with a written document the ETag of the next read with the same parameters', async () => {
    const created = await save('POST', '/api/posts?fields=title', { title: 'chain' });
    const path = `/api/posts/${created.documentId}`;
    expect(created.etag).toBe(await read(`${path}?fields=title`));
    let { etag } = created;
    for (const title of ['a', 'b', 'c']) {
      const written = await send('PUT', `${path}?fields=title&status=draft`, {
        data: { title },
        ifMatch: etag,
      });
      expect([title, written.status]).toEqual([title, 200]);
      etag = etagOf(written);
    }
    expect(etag).toBe(await read(`${path}?fields=title&status=draft`));
    expect((await send('PUT', path, { data: { title: 'other fields' }, ifMatch: etag })).status).toBe(412);
  });

  it('rejects a write by a client that has not read the changes of the draft', async () => {
    const { documentId, etag } = await save('POST', '/api/posts', { title: 'live' });
    const path = `/api/posts/${documentId}`;
    await save('PUT', `${path}?status=draft`, { title: 'pending' });
    expect(await read(path)).toBe(etag);
    for (const query of ['', '?status=draft']) {
      const unseen = await send('PUT', `${path}${query}`, { data: { title: 'over' }, ifMatch: etag });
      expect([query, unseen.status]).toEqual([query, 412]);
      expect(errorOf(unseen)).toMatchObject({
        message:
          'The draft of this post has unpublished changes that you have not read. Nothing was written.',
        details: { present: { status: 'draft', data: { title: 'pending' } } },
      });
    }
    const draft = await read(`${path}?status=draft`);
    expect((await send('PUT', path, { data: { title: 'both' }, ifMatch: draft })).status).toBe(200);
  });

  it('compares what a read with the same parameters returns', async () => {
    const folder = await save('POST', '/api/folders', { name: 'old' });
    const note = await save('POST', '/api/notes?populate=folder', { title: 'n', folder: folder.documentId });
    const path = `/api/notes/${note.documentId}`;
    expect(note.etag).toBe(await read(`${path}?populate=folder`));
    const plain = await read(path);
    await save('PUT', `/api/folders/${folder.documentId}`, { name: 'new' });
    const populated = await send('PUT', `${path}?populate=folder`, {
      data: { title: 'x' },
      ifMatch: note.etag,
    });
    expect(populated.status).toBe(412);
    expect(presentOf(populated)).toMatchObject({ status: 'published', data: { folder: { name: 'new' } } });
    expect((await send('PUT', path, { data: { title: 'x' }, ifMatch: plain })).status).toBe(200);
  });

  it('matches one of several ETags, and never a weak one', async () => {
    const { documentId, etag } = await save('POST', '/api/notes', { title: 'list' });
    const path = `/api/notes/${documentId}`;
    const write = async (ifMatch: string): Promise<number> =>
      (await send('PUT', path, { data: { title: 'list' }, ifMatch })).status;
    expect(await write(`W/${etag}`)).toBe(412);
    expect(await write('"other", W/"weak"')).toBe(412);
    expect(await write('nonsense')).toBe(412);
    expect(await write(`"other",${etag} , W/"weak"`)).toBe(200);
    expect(await write('*')).toBe(200);
  });

  it('matches the ETag of a compressed response', async () => {
    const { documentId } = await save('POST', '/api/notes', { title: 'long', body: 'long '.repeat(1000) });
    const path = `/api/notes/${documentId}`;
    const compressed = await testbed.request('GET', path, {
      as: full,
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(etagOf(compressed)).toMatch(/^"[\w-]{27}\.gzip"$/);
    const unchanged = await testbed.request('GET', path, {
      as: full,
      headers: { 'accept-encoding': 'gzip', 'if-none-match': etagOf(compressed) },
    });
    expect([unchanged.status, etagOf(unchanged)]).toEqual([304, etagOf(compressed)]);
    const ifMatch = etagOf(compressed);
    expect((await send('PUT', path, { data: { title: 'short' }, ifMatch })).status).toBe(200);
    expect((await send('PUT', path, { data: { title: 'short' }, ifMatch })).status).toBe(412);
  });

  it('compares the updatedAt of the document, in quotes', async () => {
    const { documentId, updatedAt } = await save('POST', '/api/posts', { title: 'first' });
    const path = `/api/posts/${documentId}`;
    const ifMatch = `"${updatedAt}"`;
    const written = await send('PUT', `${path}?status=draft`, { data: { title: 'draft' }, ifMatch });
    expect(written.status).toBe(200);
    const unseen = await send('PUT', path, { data: { title: 'x' }, ifMatch });
    expect([unseen.status, presentOf(unseen)]).toMatchObject([412, { data: { title: 'draft' } }]);
    const { updatedAt: present } = presentOf(unseen) as Written;
    const stale = await send('DELETE', `${path}?fields=title`, { ifMatch });
    expect([stale.status, presentOf(stale)]).toMatchObject([
      412,
      { updatedAt: present, data: { title: 'draft' } },
    ]);
    expect((await send('DELETE', path, { ifMatch: `"${present}"` })).status).toBe(204);
  });

  it('requires that the document exists in the written locale', async () => {
    for (const ifMatch of ['*', '"some"']) {
      const missing = await send('PUT', '/api/notes/missing', { data: { title: 'x' }, ifMatch });
      expect([missing.status, errorOf(missing)]).toMatchObject([
        412,
        { details: { documentId: 'missing', present: null } },
      ]);
      expect((await send('DELETE', '/api/notes/missing', { ifMatch })).status).toBe(412);
    }
    const { documentId } = await save('POST', '/api/articles', { title: 'english' });
    const french = `/api/articles/${documentId}?locale=fr`;
    expect((await send('PUT', french, { data: { title: 'french' }, ifMatch: '*' })).status).toBe(412);
    expect((await send('GET', french)).status).toBe(404);
    const { etag } = await save('PUT', french, { title: 'french' });
    await save('PUT', `/api/articles/${documentId}`, { title: 'changed' });
    expect((await send('PUT', french, { data: { title: 'français' }, ifMatch: etag })).status).toBe(200);
  });

  it('checks deletes', async () => {
    const note = await save('POST', '/api/notes', { title: 'gone' });
    const path = `/api/notes/${note.documentId}`;
    await save('PUT', path, { title: 'kept' });
    const stale = await send('DELETE', path, { ifMatch: note.etag });
    expect([stale.status, presentOf(stale)]).toMatchObject([412, { data: { title: 'kept' } }]);
    const query = '?populate=folder&fields=title';
    const { status } = await send('DELETE', `${path}${query}`, { ifMatch: await read(`${path}${query}`) });
    expect([status, (await send('GET', path)).status]).toEqual([204, 404]);

    const article = await save('POST', '/api/articles', { title: 'english' });
    const french = `/api/articles/${article.documentId}?locale=fr`;
    const { etag } = await save('PUT', french, { title: 'french' });
    await save('PUT', `${french}&status=draft`, { title: 'pending' });
    expect((await send('DELETE', french, { ifMatch: etag })).status).toBe(412);
    const all = await send('DELETE', `/api/articles/${article.documentId}?locale=*`, { ifMatch: etag });
    expect(all.status).toBe(400);
    const draft = await read(`${french}&status=draft`);
    expect((await send('DELETE', french, { ifMatch: draft })).status).toBe(204);
    expect((await send('GET', `/api/articles/${article.documentId}`)).status).toBe(200);
  });

  it('checks writes of single types, which may not exist yet', async () => {
    for (const [method, data] of [['PUT', { siteName: 'x' }], ['DELETE']] as const)
      expect((await send(method, '/api/setting', { data, ifMatch: '*' })).status).toBe(412);
    expect((await send('GET', '/api/setting')).status).toBe(404);
    const { etag } = await save('PUT', '/api/setting', { siteName: 'one' });
    expect(etag).toBe(await read('/api/setting'));
    await save('PUT', '/api/setting', { siteName: 'two' });
    const stale = await send('PUT', '/api/setting', { data: { siteName: 'x' }, ifMatch: etag });
    expect([stale.status, presentOf(stale)]).toMatchObject([412, { data: { siteName: 'two' } }]);
    expect((await send('DELETE', '/api/setting', { ifMatch: etag })).status).toBe(412);
    expect((await send('DELETE', '/api/setting', { ifMatch: await read('/api/setting') })).status).toBe(204);
  });

  it('checks the restoration of a published version', async () => {
    const { documentId, etag } = await save('POST', '/api/posts', { title: 'v1' });
    await save('PUT', `/api/posts/${documentId}`, { title: 'v2' });
    const path = `/api/posts/${documentId}/versions/1/restore`;
    expect((await send('POST', path, { ifMatch: etag })).status).toBe(412);
    const { documentId: restored } = dataOf(
      await send('POST', path, { ifMatch: await read(`/api/posts/${documentId}`) }),
    );
    expect(restored).toBe(documentId);
  });

  it('lets exactly one of several concurrent writes with the same ETag win', async () => {
    for (const type of ['posts', 'notes']) {
      const { documentId, etag } = await save('POST', `/api/${type}`, { title: 'race' });
      const path = `/api/${type}/${documentId}`;
      const responses = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          send('PUT', path, { data: { title: `writer ${index}` }, ifMatch: etag }),
        ),
      );
      const winners = responses.filter(({ status }) => status === 200);
      expect([type, winners.length]).toEqual([type, 1]);
      expect(responses.filter(({ status }) => status === 412)).toHaveLength(11);
      expect(dataOf(await send('GET', path))['title']).toBe(dataOf(winners[0] as TestResponse)['title']);
    }
  });

  it('increases updatedAt with each write, also within one millisecond', async () => {
    const { documentId, updatedAt } = await save('POST', '/api/notes', { title: 'clock' });
    const times = [updatedAt];
    const items = Array.from({ length: 20 }, () => ({
      action: 'update',
      documentId,
      data: { title: 'clock' },
    }));
    const { body } = await testbed.request('POST', '/api/notes/bulk', { as: full, body: { data: items } });
    const outcomes = (body as { data: readonly { data: Written }[] }).data;
    times.push(...outcomes.map(({ data }) => data.updatedAt));
    expect(times).toHaveLength(21);
    expect(times).toEqual([...new Set(times)].toSorted());
  });

  it('increases updatedAt of other locales whose shared values a discarded draft resets', async () => {
    const { documentId } = await save('POST', '/api/articles', { title: 'english', kind: 'news' });
    const path = `/api/articles/${documentId}`;
    await save('PUT', `${path}?locale=fr`, { title: 'french' });
    await save('PUT', `${path}?status=draft`, { kind: 'review' });
    const draftOf = async () => dataOf(await send('GET', `${path}?locale=fr&status=draft`));
    const before = await draftOf();
    const items = [{ action: 'discardDraft', documentId }];
    await testbed.request('POST', '/api/articles/bulk', { as: full, body: { data: items } });
    const after = await draftOf();
    expect([before['kind'], after['kind']]).toEqual(['review', 'news']);
    expect(String(after['updatedAt']) > String(before['updatedAt'])).toBe(true);
  });

  describe('for callers with limited rights', () => {
    const as = async (name: string, uid: string, rules: Parameters<Testbed['grant']>[2]): Promise<string> => {
      await testbed.grant('authenticated', uid, rules);
      return (await testbed.createUser(name)).jwt;
    };

    it('reveals no content to a caller who may not read the type', async () => {
      const { documentId, etag } = await save('POST', '/api/notes', { title: 'confidential' });
      const writer = await as('blind', 'api::note.note', { update: true, delete: true });
      const path = `/api/notes/${documentId}`;
      for (const [method, ifMatch] of [
        ['PUT', '"guess"'],
        ['PUT', etag],
        ['DELETE', etag],
      ] as const) {
        const response = await send(method, path, {
          ifMatch,
          as: writer,
          ...(method === 'PUT' ? { data: { title: 'x' } } : {}),
        });
        expect([response.status, presentOf(response)]).toEqual([412, null]);
        expect(JSON.stringify(response.body)).not.toContain('confidential');
      }
      const written = await send('PUT', path, { data: { title: 'x' }, as: writer });
      expect([written.status, written.headers.get('etag')]).toEqual([200, null]);
    });

    it('shows only the documents and attributes that the caller may read', async () => {
      const own = await save('POST', '/api/notes', {
        title: 't',
        body: 'concealed',
        hidden: 'private',
        team: 'a',
      });
      const foreign = await save('POST', '/api/notes', { title: 't', body: 'concealed', team: 'b' });
      const rule = { fields: ['title', 'team'], where: { team: 'a' } };
      const limited = await as('limited', 'api::note.note', {
        find: rule,
        findOne: rule,
        update: { where: { team: 'a' } },
      });
      const stale = await send('PUT', `/api/notes/${own.documentId}`, {
        data: { title: 'x' },
        ifMatch: own.etag,
        as: limited,
      });
      expect([stale.status, presentOf(stale)]).toMatchObject([412, { data: { title: 't', team: 'a' } }]);
      expect(JSON.stringify(stale.body)).not.toMatch(/concealed|private/);
      const hidden = await send('PUT', `/api/notes/${foreign.documentId}`, {
        data: { title: 'x' },
        ifMatch: '*',
        as: limited,
      });
      expect([hidden.status, presentOf(hidden)]).toEqual([412, null]);
      const { etag } = presentOf(stale) as Written;
      const response = await send('GET', `/api/notes/${own.documentId}`, { as: limited });
      expect(etagOf(response)).toBe(etag);
      const written = await send('PUT', `/api/notes/${own.documentId}`, {
        data: { title: 'x' },
        ifMatch: etag,
        as: limited,
      });
      expect(written.status).toBe(200);
    });

    it('rejects a caller without permission to write before it compares', async () => {
      const { documentId, etag } = await save('POST', '/api/notes', { title: 'closed', team: 'b' });
      const reader = await as('reader', 'api::note.note', {
        find: true,
        findOne: true,
        update: { where: { team: 'a' } },
      });
      for (const ifMatch of [etag, '"stale"', '*']) {
        const response = await send('PUT', `/api/notes/${documentId}`, {
          data: { title: 'x' },
          ifMatch,
          as: reader,
        });
        expect(response.status).toBe(403);
      }
    });
  });
});
