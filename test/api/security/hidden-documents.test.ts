import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestbed } from './testbed.js';
import type { TestResponse, Testbed, TestUser } from './testbed.js';

const NOTE = 'api::note.note';
const FOLDER = 'api::folder.folder';
const USER = 'plugin::users-permissions.user';
const OWN = { where: { owner: { id: '$user.id' } } };

interface Written {
  readonly id: number;
  readonly documentId: string;
}

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
  const asMissing = ({ status, body }: TestResponse, { id, documentId }: Written): unknown => ({
    status,
    body: JSON.stringify(body)
      .replaceAll(documentId, 'missing')
      .replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '0'),
  });

  it('look like missing ones when they are linked, also together with another error', async () => {
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
    expect(asMissing({ status: 200, body: refused.body, headers: new Headers() }, hidden)).toEqual(
      asMissing(
        { status: 200, body: (await create(['missing'])).body, headers: new Headers() },
        { id: 0, documentId: 'missing' },
      ),
    );
    expect((await create([own.documentId])).data).toMatchObject({
      createFolder: { notes: [{ title: 'of ann' }] },
    });
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
