import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestbed } from './testbed.js';
import type { TestResponse, Testbed, TestUser } from './testbed.js';

const NOTE = 'api::note.note';
const FOLDER = 'api::folder.folder';
const POST = 'api::post.post';
const USER = 'plugin::users-permissions.user';
const OWN = { where: { owner: { id: '$user.id' } } };

interface Written {
  readonly id: number;
  readonly documentId: string;
}

type Seen = Pick<TestResponse, 'status' | 'body'>;

const ALONE = ['documentId', 'id'];

describe.each(databases)('documents a caller may not see on $name', (database) => {
  let testbed: Testbed;
  let ann: TestUser;
  let bob: TestUser;
  let full: string;
  let hidden: Written;
  let own: Written;

  const make = async (path: string, data: Readonly<Record<string, unknown>>): Promise<Written> => {
    const { body, status } = await testbed.request('POST', path, { as: full, body: { data } });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return (body as { data: Written }).data;
  };

  beforeAll(async () => {
    testbed = await createTestbed({ database });
    full = testbed.site.tokens['full'] ?? '';
    ann = await testbed.createUser('ann');
    bob = await testbed.createUser('bob');
  });
  afterAll(() => testbed.site.close());
  beforeEach(async () => {
    await testbed.grant('authenticated', NOTE, { find: OWN });
    await testbed.grant('authenticated', FOLDER, { find: true, create: true, update: true });
    await testbed.grant('authenticated', USER, { find: true });
    own = await make('/api/notes', { title: 'of ann', owner: ann.id });
    hidden = await make('/api/notes', { title: 'of bob', owner: bob.id });
  });

  /** Returns a response about an existing document with its names replaced by those of a missing one. */
  const asMissing = ({ status, body }: Seen, { id, documentId }: Written): unknown => ({
    status,
    body: JSON.stringify(body)
      .replaceAll(documentId, 'missing')
      .replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '0'),
  });

  it('look like missing ones when they are linked, also next to another error', async () => {
    const folder = await make('/api/folders', { name: 'mine', notes: [own.documentId] });
    const links = (id: unknown, documentId: string): readonly unknown[] => [
      [documentId],
      [id],
      { connect: [documentId] },
      { connect: [{ id }] },
      { set: [{ documentId }] },
      { connect: [{ documentId: own.documentId, position: { before: documentId } }] },
      { connect: [{ documentId: own.documentId, position: { after: id } }] },
    ];
    const missing = { id: 0, documentId: 'missing' };
    for (const name of ['fine', 7]) {
      const send = (notes: unknown): Promise<TestResponse> =>
        testbed.request('PUT', `/api/folders/${folder.documentId}`, {
          as: ann.jwt,
          body: { data: { name, notes } },
        });
      const [real, none] = [links(hidden.id, hidden.documentId), links(4711, 'missing')];
      for (const [index, notes] of real.entries()) {
        const answer = await send(notes);
        expect(answer.status).toBe(400);
        expect(JSON.stringify(answer.body)).not.toContain('of bob');
        expect(
          JSON.stringify(answer.body).includes(hidden.documentId) &&
            !JSON.stringify(notes).includes(hidden.documentId),
        ).toBe(false);
        expect({ notes, answer: asMissing(answer, hidden) }).toEqual({
          notes,
          answer: asMissing(await send(none[index]), { ...missing, id: 4711 }),
        });
      }
    }
  });

  it('are not revealed as linked by ordering others around them', async () => {
    const folder = await make('/api/folders', { name: 'shared', notes: [hidden.documentId] });
    const beside = (reference: string) =>
      testbed.request('PUT', `/api/folders/${folder.documentId}`, {
        as: ann.jwt,
        body: {
          data: { notes: { connect: [{ documentId: own.documentId, position: { before: reference } }] } },
        },
      });
    const answers = [await beside(hidden.documentId), await beside('missing')];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const { body } = await testbed.request('GET', `/api/folders/${folder.documentId}?populate=notes`, {
      as: full,
    });
    expect((body as { data: { notes: Written[] } }).data.notes.map(({ documentId }) => documentId)).toEqual([
      hidden.documentId,
    ]);
  });

  it('cannot be linked over GraphQL either', async () => {
    const create = (notes: readonly string[]) =>
      testbed.query(
        `mutation($notes: [ID]) {
          createFolder(data: { name: "x", notes: $notes }) { documentId notes { title } }
        }`,
        { as: ann.jwt, variables: { notes } },
      );
    const refused = await create([hidden.documentId]);
    expect([refused.data, refused.errors[0]?.extensions.code]).toEqual([
      { createFolder: null },
      'BAD_USER_INPUT',
    ]);
    expect(asMissing({ status: 200, body: refused.body }, hidden)).toEqual(
      asMissing({ status: 200, body: (await create(['missing'])).body }, { id: 0, documentId: 'missing' }),
    );
    expect((await create([own.documentId])).data).toMatchObject({
      createFolder: { notes: [{ title: 'of ann' }] },
    });
  });

  it('look like missing ones when they are written', async () => {
    const post = await make('/api/posts', { title: 'of bob', owner: bob.id });
    const rules = { find: OWN, findOne: OWN, update: OWN, delete: OWN };
    await testbed.grant('authenticated', NOTE, rules);
    await testbed.grant('authenticated', POST, { ...rules, restoreVersion: true });
    const send = async (method: string, path: string, body?: unknown) =>
      testbed.request(method, path, { as: ann.jwt, ...(body === undefined ? {} : { body }) });
    const bulk = (action: string, documentId: string) => ({
      data: [{ action, documentId, ...(action === 'update' ? { data: { title: 'new' } } : {}) }],
    });
    const mutation = (text: string) => (documentId: string) =>
      testbed.query(`mutation($id: ID!) { ${text} }`, { as: ann.jwt, variables: { id: documentId } });
    const writes: readonly (readonly [string, Written, (documentId: string) => Promise<Seen>])[] = [
      ['PUT', hidden, (id) => send('PUT', `/api/notes/${id}`, { data: { title: 'new' } })],
      ['PUT of mistakes', hidden, (id) => send('PUT', `/api/notes/${id}`, { data: { title: 7 } })],
      ['DELETE', hidden, (id) => send('DELETE', `/api/notes/${id}`)],
      ['PUT of a draft', post, (id) => send('PUT', `/api/posts/${id}?status=draft`, { data: {} })],
      ['schedule', post, (id) => send('GET', `/api/posts/${id}/schedule`)],
      ['PUT schedule', post, (id) => send('PUT', `/api/posts/${id}/schedule`, { data: { publishAt: null } })],
      ['restore', post, (id) => send('POST', `/api/posts/${id}/versions/1/restore`)],
      ...['update', 'delete', 'publish', 'unpublish', 'discardDraft'].map(
        (action) =>
          [
            `bulk ${action}`,
            post,
            (id: string) => send('POST', '/api/posts/bulk', bulk(action, id)),
          ] as const,
      ),
      ['GraphQL update', hidden, mutation('updateNote(documentId: $id, data: {}) { documentId }')],
      ['GraphQL delete', hidden, mutation('deleteNote(documentId: $id) { documentId }')],
      ['GraphQL schedule', post, mutation('schedulePost(documentId: $id, publishAt: null) { publishAt }')],
    ];
    for (const [what, document, write] of writes) {
      const [real, none] = [await write(document.documentId), await write('missing')];
      expect([what, asMissing(real, document)]).toEqual([what, asMissing(none, document)]);
    }
    const { body } = await testbed.request('GET', '/api/notes', { as: full });
    expect(JSON.stringify(body)).toContain('of bob');
  });

  it('look like missing ones when files are linked to them', async () => {
    const article = await make('/api/articles', { title: 'of somebody' });
    const mine = { where: { title: 'mine' } };
    await testbed.grant('authenticated', 'api::article.article', { find: mine, update: mine });
    await testbed.grant('authenticated', 'plugin::upload.content-api', { upload: true });
    const upload = async (refId: string): Promise<Seen> => {
      const form = new FormData();
      form.set('files', new Blob(['text'], { type: 'text/plain' }), 'file.txt');
      for (const [name, value] of Object.entries({ ref: 'api::article.article', refId, field: 'cover' }))
        form.set(name, value);
      const response = await fetch(`${testbed.site.server.url}/api/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ann.jwt}` },
        body: form,
      });
      return { status: response.status, body: await response.json() };
    };
    const none = await upload('4711');
    expect(none.status).toBe(400);
    for (const refId of [article.documentId, String(article.id)])
      expect(asMissing(await upload(refId), article)).toEqual(
        asMissing(await upload(refId === article.documentId ? 'nothing' : '4711'), {
          id: 4711,
          documentId: 'nothing',
        }),
      );
  });

  it('look like missing users when these are changed or removed', async () => {
    const self = { where: { id: '$user.id' } };
    await testbed.grant('authenticated', USER, { find: self, findOne: self, update: self, destroy: self });
    const send = (method: string, id: number, body?: object) =>
      testbed.request(method, `/api/users/${id}`, {
        as: ann.jwt,
        ...(body === undefined ? {} : { body }),
      });
    for (const [method, body] of [
      ['PUT', { title: 'new' }],
      ['PUT', { username: 'ann' }],
      ['PUT', { email: 'no address' }],
      ['DELETE', undefined],
    ] as const) {
      const [real, none] = [await send(method, bob.id, body), await send(method, 4711, body)];
      expect([method, body, real.status, real.body]).toEqual([method, body, none.status, none.body]);
    }
    expect((await testbed.request('GET', `/api/users/${bob.id}`, { as: full })).body).toMatchObject({
      username: 'bob',
    });
    await testbed.grant('authenticated', USER, { find: true, update: self });
    expect((await send('PUT', bob.id, { title: 'new' })).status).toBe(403);
  });

  it('are returned with only their ids if they may be written', async () => {
    await testbed.grant('authenticated', NOTE, { find: OWN, create: true, update: { fields: ['body'] } });
    const put = (id: string) =>
      testbed.request('PUT', `/api/notes/${id}?populate=owner`, {
        as: ann.jwt,
        body: { data: { body: 'new' } },
      });
    const others = await put(hidden.documentId);
    expect([others.status, Object.keys((others.body as { data: object }).data).toSorted()]).toEqual([
      200,
      ALONE,
    ]);
    expect((await put(own.documentId)).body).toMatchObject({
      data: { title: 'of ann', body: 'new', owner: { username: 'ann' } },
    });
    const created = await testbed.request('POST', '/api/notes', {
      as: ann.jwt,
      body: { data: { title: 'for bob', owner: bob.id } },
    });
    expect([created.status, Object.keys((created.body as { data: object }).data).toSorted()]).toEqual([
      201,
      ALONE,
    ]);
    const byGraphql = await testbed.query(
      `mutation($id: ID!) {
        updateNote(documentId: $id, data: { body: "newer" }) { documentId title body owner { username } }
      }`,
      { as: ann.jwt, variables: { id: hidden.documentId } },
    );
    expect(byGraphql.data).toEqual({
      updateNote: { documentId: hidden.documentId, title: null, body: null, owner: null },
    });
    expect(JSON.stringify(byGraphql.body)).not.toMatch(/of bob|newer|"bob"/);
  });

  it('show what the permission to write covers if there is none to find', async () => {
    await testbed.grant('authenticated', NOTE, { update: { fields: ['body'] } });
    const { body } = await testbed.request('PUT', `/api/notes/${hidden.documentId}`, {
      as: ann.jwt,
      body: { data: { body: 'new' } },
    });
    expect(Object.keys((body as { data: object }).data).toSorted()).toEqual([
      'body',
      'createdAt',
      'documentId',
      'id',
      'publishedAt',
      'updatedAt',
    ]);
  });
});
