import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestbed } from '../security/testbed.js';
import type { Testbed } from '../security/testbed.js';

interface Document {
  readonly documentId: string;
  readonly updatedAt: string;
  readonly title: string;
}

interface Outcome {
  readonly status: number;
  readonly data: Document | null;
  readonly error?: { readonly name: string; readonly details: unknown };
}

describe.each(databases)('ifMatch in bulk and GraphQL on $name', (database) => {
  let testbed: Testbed;
  let full: string;

  const create = async (type: string, data: object, query = ''): Promise<Document> => {
    const { status, body } = await testbed.request('POST', `/api/${type}${query}`, {
      as: full,
      body: { data },
    });
    expect(status).toBe(201);
    return (body as { readonly data: Document }).data;
  };
  const update = async (path: string, data: object): Promise<Document> => {
    const { status, body } = await testbed.request('PUT', `/api/${path}`, { as: full, body: { data } });
    expect(status).toBe(200);
    return (body as { readonly data: Document }).data;
  };
  const titleOf = async (path: string): Promise<string | null> => {
    const { status, body } = await testbed.request('GET', `/api/${path}`, { as: full });
    return status === 404 ? null : (body as { readonly data: Document }).data.title;
  };
  const bulk = async (type: string, data: readonly object[], query = '', as = full) => {
    const { status, body } = await testbed.request('POST', `/api/${type}/bulk${query}`, {
      as,
      body: { data },
    });
    return { status, body, outcomes: (body as { readonly data: readonly Outcome[] }).data };
  };
  const gql = (document: string, variables: Readonly<Record<string, unknown>> = {}) =>
    testbed.query(document, { as: full, variables });

  beforeAll(async () => {
    testbed = await createTestbed({ database });
    full = testbed.site.tokens['full'] ?? '';
  });
  afterAll(() => testbed.site.close());

  it('rejects a whole atomic bulk if one of its documents has changed', async () => {
    const [one, two] = [await create('notes', { title: 'one' }), await create('notes', { title: 'two' })];
    await update(`notes/${two.documentId}`, { title: 'changed' });
    const items = [one, two].map(({ documentId, updatedAt }) => ({
      action: 'update',
      documentId,
      data: { title: 'mine' },
      ifMatch: updatedAt,
    }));
    const { status, body } = await bulk('notes', items);
    expect([status, body]).toMatchObject([
      412,
      {
        data: null,
        error: {
          name: 'PreconditionFailedError',
          message: '1 of 2 items were changed or deleted since you read them, so no item was written.',
          details: {
            errors: [{ path: ['1', 'ifMatch'] }],
            changed: [
              {
                index: 1,
                documentId: two.documentId,
                present: { status: 'published', data: { title: 'changed' } },
              },
            ],
          },
        },
      },
    ]);
    expect(await titleOf(`notes/${one.documentId}`)).toBe('one');
    const mixed = await bulk('notes', [...items, { action: 'create', data: { nope: 1 } }]);
    expect(mixed.status).toBe(400);
  });

  it('writes the other items of a bulk that is not atomic, in batches and singly', async () => {
    for (const type of ['notes', 'posts']) {
      const documents = await Promise.all(['a', 'b', 'c'].map((title) => create(type, { title })));
      const stale = await update(`${type}/${documents[1]?.documentId}`, { title: 'changed' });
      const items = documents.map(({ documentId, updatedAt }) => ({
        action: 'update',
        documentId,
        data: { title: 'mine' },
        ifMatch: updatedAt,
      }));
      const { status, outcomes } = await bulk(type, items, '?atomic=false');
      expect([status, outcomes.map((outcome) => outcome.status)]).toEqual([200, [200, 412, 200]]);
      expect(outcomes[1]?.error).toMatchObject({
        name: 'PreconditionFailedError',
        details: {
          documentId: stale.documentId,
          present: { updatedAt: stale.updatedAt, data: { title: 'changed' } },
        },
      });
      const titles = documents.map(({ documentId }) => titleOf(`${type}/${documentId}`));
      expect(await Promise.all(titles)).toEqual(['mine', 'changed', 'mine']);
      const chained = outcomes.flatMap(({ data }) =>
        data === null ? [] : [{ action: 'delete', documentId: data.documentId, ifMatch: data.updatedAt }],
      );
      expect((await bulk(type, chained)).status).toBe(200);
    }
  });

  it('checks publishing, unpublishing, discarding and deleting by the draft', async () => {
    const { documentId, updatedAt } = await create('posts', { title: 'live' });
    const run = async (action: string, ifMatch: string): Promise<number | undefined> =>
      (await bulk('posts', [{ action, documentId, ifMatch }], '?atomic=false')).outcomes[0]?.status;
    const draft = await update(`posts/${documentId}?status=draft`, { title: 'pending' });
    for (const action of ['publish', 'unpublish', 'discardDraft', 'delete'])
      expect([action, await run(action, updatedAt)]).toEqual([action, 412]);
    expect(await titleOf(`posts/${documentId}?status=draft`)).toBe('pending');
    expect(await run('publish', draft.updatedAt)).toBe(200);
    expect(await run('publish', draft.updatedAt)).toBe(412);
    const second = await update(`posts/${documentId}?status=draft`, { title: 'again' });
    expect(await run('discardDraft', second.updatedAt)).toBe(200);
    expect(await titleOf(`posts/${documentId}?status=draft`)).toBe('pending');
    const third = await update(`posts/${documentId}?status=draft`, { title: 'third' });
    expect(await run('unpublish', third.updatedAt)).toBe(200);
    expect(await run('delete', third.updatedAt)).toBe(204);
    expect(await run('delete', third.updatedAt)).toBe(412);
  });

  it('compares the latest locale if all of them are deleted', async () => {
    const english = await create('articles', { title: 'english' });
    const path = `articles/${english.documentId}`;
    const french = await update(`${path}?locale=fr`, { title: 'french' });
    const item = { action: 'delete', documentId: english.documentId, locale: '*' };
    expect((await bulk('articles', [{ ...item, ifMatch: english.updatedAt }])).status).toBe(412);
    expect((await bulk('articles', [{ ...item, ifMatch: french.updatedAt }])).status).toBe(200);
    expect(await titleOf(path)).toBe(null);
  });

  it('rejects values that are no time, and preconditions of new documents', async () => {
    const { status, body } = await bulk('notes', [
      { action: 'update', documentId: 'x', data: {}, ifMatch: 'yesterday' },
      { action: 'create', data: {}, ifMatch: '2026-01-01T00:00:00.000Z' },
    ]);
    expect([status, body]).toMatchObject([
      400,
      { error: { details: { errors: [{ path: ['0', 'ifMatch'] }, { path: ['1', 'ifMatch'] }] } } },
    ]);
  });

  it('reveals no content to a caller who may not read the type', async () => {
    await testbed.grant('authenticated', 'api::note.note', { update: true });
    const { jwt } = await testbed.createUser('blind');
    const { documentId, updatedAt } = await create('notes', { title: 'confidential' });
    await update(`notes/${documentId}`, { title: 'confidential 2' });
    const item = { action: 'update', documentId, data: { title: 'x' }, ifMatch: updatedAt };
    const { status, body } = await bulk('notes', [item], '', jwt);
    expect([status, body]).toMatchObject([
      412,
      { error: { details: { changed: [{ index: 0, documentId, present: null }] } } },
    ]);
    expect(JSON.stringify(body)).not.toContain('confidential');
  });

  describe('over GraphQL', () => {
    it('rejects an update and a deletion by a client that has not read the changes', async () => {
      const { documentId, updatedAt } = await create('posts', { title: 'first' });
      const mutation = `mutation ($id: ID!, $title: String, $ifMatch: String) {
        updatePost(documentId: $id, data: { title: $title }, ifMatch: $ifMatch) { title updatedAt }
      }`;
      const first = await gql(mutation, { id: documentId, title: 'one', ifMatch: updatedAt });
      const second = await gql(mutation, { id: documentId, title: 'two', ifMatch: updatedAt });
      expect(first.errors).toEqual([]);
      expect(second.errors).toMatchObject([
        {
          message: 'This post was changed or deleted since you read it. Nothing was written.',
          extensions: {
            error: {
              name: 'PreconditionFailedError',
              details: { documentId, present: { status: 'draft', data: { title: 'one' } } },
            },
          },
        },
      ]);
      expect(await titleOf(`posts/${documentId}`)).toBe('one');
      const remove = `mutation ($id: ID!, $ifMatch: String) {
        deletePost(documentId: $id, ifMatch: $ifMatch) { documentId }
      }`;
      expect((await gql(remove, { id: documentId, ifMatch: updatedAt })).errors).toHaveLength(1);
      const { updatePost } = first.data as { readonly updatePost: Document };
      expect((await gql(remove, { id: documentId, ifMatch: updatePost.updatedAt })).errors).toEqual([]);
      const missing = await gql(mutation, { id: documentId, title: 'x', ifMatch: updatedAt });
      expect(missing.errors).toMatchObject([{ extensions: { error: { details: { present: null } } } }]);
      const invalid = await gql(mutation, { id: documentId, title: 'x', ifMatch: 'now' });
      expect(invalid.errors).toMatchObject([{ extensions: { error: { name: 'ValidationError' } } }]);
    });

    it('checks bulk items and single types', async () => {
      const { documentId, updatedAt } = await create('notes', { title: 'first' });
      await update(`notes/${documentId}`, { title: 'changed' });
      const result = await gql(
        `mutation ($data: [Bulk_NoteItem!]!) {
          bulkNotes(data: $data, atomic: false) { data { title } error { status name details } }
        }`,
        { data: [{ action: 'UPDATE', documentId, data: { title: 'x' }, ifMatch: updatedAt }] },
      );
      expect(result.data).toMatchObject({
        bulkNotes: [
          { data: null, error: { status: 412, details: { present: { data: { title: 'changed' } } } } },
        ],
      });
      const save = `mutation ($ifMatch: String) {
        updateSetting(data: { siteName: "x" }, ifMatch: $ifMatch) { siteName updatedAt }
      }`;
      expect((await gql(save, { ifMatch: updatedAt })).errors).toHaveLength(1);
      const created = (await gql(save)).data as { readonly updateSetting: Document };
      const ifMatch = created.updateSetting.updatedAt;
      expect((await gql(save, { ifMatch })).errors).toEqual([]);
      expect((await gql(save, { ifMatch })).errors).toHaveLength(1);
      expect(
        (await gql('mutation { deleteSetting(ifMatch: "2026-01-01") { documentId } }')).errors,
      ).toHaveLength(1);
    });
  });
});
