import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

interface Answer {
  readonly status: number;
  readonly body: {
    readonly data: readonly Readonly<Record<string, unknown>>[] | null;
    readonly meta?: unknown;
    readonly error?: { readonly message: string; readonly details: { readonly errors?: readonly object[] } };
    readonly errors?: readonly { readonly message: string; readonly extensions: object }[];
  };
}

describe.each(databases)('bulk on $name', (database) => {
  let site: Site;
  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
  });
  afterAll(() => site.close());

  const post = async (path: string, body: unknown, token: string | null = site.tokens['full'] ?? null) => {
    const response = await fetch(`${site.server.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  };
  const bulk = (items: readonly unknown[], query = '') => post(`/api/tags/bulk${query}`, { data: items });

  it('returns for each item the result of the same request for it alone', async () => {
    const items = ['one', 'two'].map((name) => ({ action: 'create', data: { name } }));
    const created = await bulk(items, '?fields=name');
    expect(created.status).toBe(200);
    expect(created.body.meta).toEqual({ succeeded: 2, failed: 0 });
    const [one, two] = created.body.data ?? [];
    expect(one).toEqual({
      action: 'create',
      status: 201,
      documentId: expect.stringMatching(/^[a-z0-9]{24}$/) as string,
      data: { id: expect.any(Number) as number, documentId: one?.['documentId'], name: 'one' },
    });
    const { body } = await bulk(
      [
        { action: 'update', documentId: two?.['documentId'], data: { name: '2' } },
        { action: 'create', data: { nope: 1 } },
        { action: 'delete', documentId: one?.['documentId'] },
        { action: 'update', documentId: one?.['documentId'], data: {} },
      ],
      '?atomic=false&fields=name',
    );
    expect(body.meta).toEqual({ succeeded: 2, failed: 2 });
    expect(body.data).toMatchObject([
      { action: 'update', status: 200, data: { name: '2' } },
      {
        action: 'create',
        status: 400,
        data: null,
        error: { name: 'ValidationError', message: 'Invalid key nope.' },
      },
      { action: 'delete', status: 204, documentId: one?.['documentId'], data: null },
      { action: 'update', status: 404, data: null, error: { name: 'NotFoundError' } },
    ]);
  });

  it('reports the positions of items that are not valid or cannot be written', async () => {
    const misunderstood = await bulk([
      { action: 'create', data: { name: 'x' } },
      { action: 'destroy' },
      { action: 'update', data: {} },
      { action: 'delete', documentId: 'x', data: {} },
      { action: 'create', data: [], title: 'x' },
      'create',
    ]);
    expect(misunderstood.status).toBe(400);
    expect(misunderstood.body.error?.message).toMatch(/^1\.action must be one of create, update/);
    expect(misunderstood.body.error?.details.errors).toMatchObject([
      { path: ['1', 'action'] },
      { path: ['2', 'documentId'] },
      { path: ['3', 'data'] },
      { path: ['4', 'title'] },
      { path: ['5'] },
    ]);
    const invalid = await bulk([
      { action: 'create', data: { name: 'never' } },
      { action: 'create', data: { name: 'never', weight: 'heavy' } },
    ]);
    expect(invalid.status).toBe(400);
    expect(invalid.body.error?.details.errors).toMatchObject([{ path: ['1', 'data', 'weight'] }]);
    const { body } = await post('/graphql', {
      query: '{ tags(filters: { name: { eq: "never" } }) { name } }',
    });
    expect(body.data).toEqual({ tags: [] });
  });

  it('refuses more items than it writes, other bodies, and callers who may write nothing', async () => {
    const item = { action: 'delete', documentId: 'x' };
    const tooMany = await bulk(Array.from({ length: 1001 }, () => item));
    expect([tooMany.status, tooMany.body.error?.message]).toEqual([
      400,
      'One request writes at most 1000 items, not 1001.',
    ]);
    expect((await post('/api/tags/bulk', { data: item })).status).toBe(400);
    expect((await bulk([item], '?atomic=perhaps')).status).toBe(400);
    expect((await post('/api/tags/bulk', { data: [item] }, null)).status).toBe(403);
    expect((await bulk([])).body).toEqual({ data: [], meta: { succeeded: 0, failed: 0 } });
  });

  it('takes larger bodies than single writes', async () => {
    const extra = 'x'.repeat(9000);
    const items = Array.from({ length: 200 }, (_, index) => ({
      action: 'create',
      data: { title: `Large ${index}`, body: extra },
    }));
    const { status, body } = await post('/api/articles/bulk?fields=slug&status=draft', { data: items });
    expect([status, body.meta]).toEqual([200, { succeeded: 200, failed: 0 }]);
  });

  it('is a mutation of each type', async () => {
    const query = `mutation($data: [Bulk_TagItem!]!, $atomic: Boolean) {
      bulkTags(data: $data, atomic: $atomic) { action documentId data { name } error { status message } }
    }`;
    const run = async (data: readonly object[], atomic: boolean) =>
      (await post('/graphql', { query, variables: { data, atomic } })).body;
    const data = [
      { action: 'CREATE', data: { name: 'by GraphQL' } },
      { action: 'UPDATE', documentId: 'missing', data: { name: 'x' } },
    ];
    expect((await run(data, false)).data).toEqual({
      bulkTags: [
        {
          action: 'CREATE',
          documentId: expect.any(String) as string,
          data: { name: 'by GraphQL' },
          error: null,
        },
        { action: 'UPDATE', documentId: 'missing', data: null, error: { status: 404, message: 'Not Found' } },
      ],
    });
    const refused = await run([{ action: 'CREATE', data: { name: 'never' } }, data[1] ?? {}], true);
    expect(refused.errors?.[0]?.message).toMatch(
      /^1 of 2 items cannot be written, so no item was written\. Item 1: Not Found/,
    );
  });
});
