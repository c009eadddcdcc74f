import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setPermissions } from '../../../src/access/permissions/role-permissions.js';
import { databases } from '../../support/databases.js';
import { createTestbed } from './testbed.js';
import type { Testbed, TestUser } from './testbed.js';

const NOTE = 'api::note.note';
const FOLDER = 'api::folder.folder';
const POST = 'api::post.post';
const USER = 'plugin::users-permissions.user';
const OWN = { where: { owner: { id: '$user.id' } } };

interface Listed {
  readonly data: readonly { readonly title?: string; readonly documentId: string }[];
  readonly meta: { readonly pagination: { readonly total: number } };
}

describe.each(databases)('conditions of permissions on $name', (database) => {
  let testbed: Testbed;
  let ann: TestUser;
  let bob: TestUser;
  let full: string;
  let annNote: string;
  let bobNote: string;
  let folder: string;

  const make = async (path: string, data: Readonly<Record<string, unknown>>): Promise<string> => {
    const { body, status } = await testbed.request('POST', path, { as: full, body: { data } });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return (body as { data: { documentId: string } }).data.documentId;
  };
  const titles = (body: unknown): readonly (string | undefined)[] =>
    (body as Listed).data.map(({ title }) => title);
  const getAs = (person: TestUser, path: string) => testbed.request('GET', path, { as: person.jwt });
  const noteAs = async (id: string) =>
    (await testbed.request('GET', `/api/notes/${id}?populate=owner`, { as: full })).body;

  beforeAll(async () => {
    testbed = await createTestbed({ database });
    full = testbed.site.tokens['full'] ?? '';
    ann = await testbed.createUser('ann', { team: 'red' });
    bob = await testbed.createUser('bob', { team: 'blue' });
    folder = await make('/api/folders', { name: 'Shared' });
    annNote = await make('/api/notes', { title: 'of ann', body: 'a', team: 'red', owner: ann.id, folder });
    bobNote = await make('/api/notes', { title: 'of bob', body: 'b', team: 'blue', owner: bob.id, folder });
    await make('/api/notes', { title: 'of nobody', body: 'n' });
  });
  afterAll(() => testbed.site.close());
  beforeEach(async () => {
    await testbed.grant('authenticated', NOTE, {
      find: OWN,
      findOne: OWN,
      create: OWN,
      update: OWN,
      delete: OWN,
    });
    await testbed.grant('authenticated', FOLDER, { find: true });
    await testbed.grant('authenticated', USER, { find: { where: { id: '$user.id' }, fields: ['username'] } });
    await testbed.grant('authenticated', POST, {});
  });

  it('limit lists, totals and single reads to matching documents', async () => {
    const { body } = await getAs(ann, '/api/notes');
    expect(titles(body)).toEqual(['of ann']);
    expect((body as Listed).meta.pagination.total).toBe(1);
    expect(titles((await getAs(bob, '/api/notes?sort=title')).body)).toEqual(['of bob']);
    expect((await getAs(ann, `/api/notes/${annNote}`)).status).toBe(200);
    expect((await getAs(ann, `/api/notes/${bobNote}`)).status).toBe(404);
    const widened = await getAs(
      ann,
      '/api/notes?filters[$or][0][title][$contains]=o&filters[$or][1][id][$gt]=0',
    );
    expect(titles(widened.body)).toEqual(['of ann']);
    expect(titles((await getAs(ann, '/api/notes?filters[$not][title]=of%20ann')).body)).toEqual([]);
  });

  it('apply to populate, its counts, and filters over relations', async () => {
    const populated = await getAs(ann, '/api/folders?populate[notes][fields]=title');
    expect((populated.body as { data: { notes: unknown }[] }).data[0]?.notes).toEqual([
      { id: expect.any(Number), documentId: annNote, title: 'of ann' },
    ]);
    const counted = await getAs(ann, '/api/folders?populate[notes][count]=true');
    expect((counted.body as { data: { notes: unknown }[] }).data[0]?.notes).toEqual({ count: 1 });
    const found = async (query: string) =>
      ((await getAs(ann, `/api/folders?${query}`)).body as Listed).data.length;
    expect(await found('filters[notes][title]=of%20ann')).toBe(1);
    expect(await found('filters[notes][title]=of%20bob')).toBe(0);
    expect(await found('filters[$not][notes][title]=of%20ann')).toBe(0);
    expect(await found('filters[notes][body][$contains]=b')).toBe(0);
  });

  it('make an invisible target look like none', async () => {
    const hidden = await make('/api/folders', {
      name: 'Of bob alone',
      notes: [await make('/api/notes', { title: 'lonely', owner: bob.id })],
    });
    const empty = await make('/api/folders', { name: 'Empty' });
    const ids = ((await getAs(ann, '/api/folders?filters[notes][$null]=true')).body as Listed).data.map(
      ({ documentId }) => documentId,
    );
    expect(ids.toSorted()).toEqual([hidden, empty].toSorted());
    expect(
      ((await getAs(ann, '/api/folders?filters[notes][$notNull]=true')).body as Listed).data.map(
        ({ documentId }) => documentId,
      ),
    ).toEqual([folder]);
  });

  it('reject sorting by relations that are partly visible', async () => {
    expect((await getAs(ann, '/api/notes?sort=folder.name')).status).toBe(200);
    expect((await getAs(ann, '/api/notes?sort=owner.username')).status).toBe(400);
  });

  it('allow updates of own documents and no others', async () => {
    const change = (person: TestUser, id: string, data: Readonly<Record<string, unknown>>) =>
      testbed.request('PUT', `/api/notes/${id}`, { as: person.jwt, body: { data } });
    expect((await change(ann, annNote, { body: 'changed' })).status).toBe(200);
    const before = await noteAs(bobNote);
    expect((await change(ann, bobNote, { body: 'stolen' })).status).toBe(404);
    expect((await change(ann, bobNote, { owner: ann.id })).status).toBe(404);
    expect(await noteAs(bobNote)).toEqual(before);
    expect((await change(ann, 'nosuchnote', { body: 'x' })).status).toBe(404);
  });

  it('reject documents that do not match them after a write', async () => {
    const create = (data: Readonly<Record<string, unknown>>) =>
      testbed.request('POST', '/api/notes', { as: ann.jwt, body: { data } });
    const total = async () =>
      ((await testbed.request('GET', '/api/notes', { as: full })).body as Listed).meta.pagination.total;
    const before = await total();
    expect((await create({ title: 'mine', owner: ann.id })).status).toBe(201);
    expect((await create({ title: 'without owner' })).status).toBe(403);
    expect((await create({ title: 'for bob', owner: bob.id })).status).toBe(400);
    await testbed.grant('authenticated', USER, { find: true });
    expect((await create({ title: 'for bob', owner: bob.id })).status).toBe(403);
    expect(await total()).toBe(before + 1);
    const kept = await noteAs(annNote);
    expect(
      (
        await testbed.request('PUT', `/api/notes/${annNote}`, {
          as: ann.jwt,
          body: { data: { owner: bob.id } },
        })
      ).status,
    ).toBe(403);
    expect(
      (
        await testbed.request('PUT', `/api/notes/${annNote}`, {
          as: ann.jwt,
          body: { data: { owner: null } },
        })
      ).status,
    ).toBe(403);
    expect(await noteAs(annNote)).toEqual(kept);
  });

  it("prevent the deletion of others' documents", async () => {
    expect((await testbed.request('DELETE', `/api/notes/${bobNote}`, { as: ann.jwt })).status).toBe(204);
    expect((await testbed.request('GET', `/api/notes/${bobNote}`, { as: full })).status).toBe(200);
    const own = await make('/api/notes', { title: 'to go', owner: ann.id });
    expect((await testbed.request('DELETE', `/api/notes/${own}`, { as: ann.jwt })).status).toBe(204);
    expect((await testbed.request('GET', `/api/notes/${own}`, { as: full })).status).toBe(404);
    expect((await testbed.request('DELETE', `/api/notes/${own}`, { as: ann.jwt })).status).toBe(204);
  });

  it('prevent links to invisible documents', async () => {
    await testbed.grant('authenticated', FOLDER, { find: true, create: true });
    const create = (notes: unknown) =>
      testbed.request('POST', '/api/folders', { as: ann.jwt, body: { data: { name: 'x', notes } } });
    for (const notes of [[bobNote], { connect: [bobNote] }, { set: [{ documentId: bobNote }] }]) {
      const { status, body } = await create(notes);
      expect(status).toBe(400);
      expect(JSON.stringify(body)).not.toContain('of bob');
    }
    expect((await create([annNote])).status).toBe(201);
    await testbed.request('PUT', `/api/notes/${annNote}`, { as: full, body: { data: { folder } } });
  });

  it('cover only the listed attributes, in every part of a request', async () => {
    await testbed.grant('authenticated', NOTE, {
      find: { fields: ['title', 'folder'] },
      findOne: { fields: ['title'] },
      update: { fields: ['body'] },
    });
    const { body } = await getAs(ann, '/api/notes?populate=*');
    expect(Object.keys((body as { data: object[] }).data[0] ?? {}).toSorted()).toEqual([
      'createdAt',
      'documentId',
      'folder',
      'id',
      'publishedAt',
      'title',
      'updatedAt',
    ]);
    for (const query of [
      'fields=body',
      'sort=body',
      'filters[body]=a',
      'populate=owner',
      'filters[owner][id]=1',
      'fields=hidden',
      'filters[pin]=x',
      'sort=hidden',
    ]) {
      expect({ query, status: (await getAs(ann, `/api/notes?${query}`)).status }).toEqual({
        query,
        status: 400,
      });
    }
    expect((await getAs(ann, `/api/notes/${bobNote}?populate=folder`)).status).toBe(400);
    expect((await getAs(ann, '/api/folders?populate[notes][fields]=body')).status).toBe(400);
    expect((await getAs(ann, '/api/folders?filters[notes][body]=a')).status).toBe(400);
    const written = await testbed.request('PUT', `/api/notes/${annNote}`, {
      as: ann.jwt,
      body: { data: { body: 'new' } },
    });
    expect(Object.keys((written.body as { data: object }).data).toSorted()).toEqual([
      'createdAt',
      'documentId',
      'id',
      'publishedAt',
      'title',
      'updatedAt',
    ]);
    for (const data of [{ title: 'x' }, { owner: ann.id }, { hidden: 'x' }, { body: 'x', team: 'y' }]) {
      expect(
        (await testbed.request('PUT', `/api/notes/${annNote}`, { as: ann.jwt, body: { data } })).status,
      ).toBe(400);
    }
  });

  it('may refer to any public attribute of the caller, and match nothing without a value', async () => {
    await testbed.grant('authenticated', NOTE, { find: { where: { team: '$user.team' } } });
    const carl = await testbed.createUser('carl');
    expect(titles((await getAs(ann, '/api/notes')).body)).toEqual(['of ann']);
    expect(titles((await getAs(bob, '/api/notes')).body)).toEqual(['of bob']);
    expect(titles((await getAs(carl, '/api/notes')).body)).toEqual([]);
    await testbed.grant('public', NOTE, { find: OWN });
    expect(titles((await testbed.request('GET', '/api/notes')).body)).toEqual([]);
    await testbed.grant('public', NOTE, { find: { where: { title: { $startsWith: 'of a' } } } });
    expect(titles((await testbed.request('GET', '/api/notes')).body)).toEqual(['of ann']);
  });

  it('apply to drafts and published versions alike', async () => {
    await testbed.grant('authenticated', POST, {
      find: OWN,
      findOne: OWN,
      findDrafts: true,
      update: OWN,
      delete: OWN,
    });
    const post = await make('/api/posts?status=draft', { title: 'draft of bob', owner: bob.id });
    expect(((await getAs(ann, '/api/posts?status=draft')).body as Listed).data).toEqual([]);
    expect(((await getAs(bob, '/api/posts?status=draft')).body as Listed).data).toHaveLength(1);
    const put = (person: TestUser, query: string) =>
      testbed.request('PUT', `/api/posts/${post}${query}`, {
        as: person.jwt,
        body: { data: { title: 'new' } },
      });
    expect((await put(ann, '')).status).toBe(404);
    expect((await put(ann, '?status=draft')).status).toBe(404);
    expect((await put(bob, '')).status).toBe(200);
    expect((await testbed.request('DELETE', `/api/posts/${post}`, { as: ann.jwt })).status).toBe(204);
    expect((await testbed.request('GET', `/api/posts/${post}`, { as: bob.jwt })).status).toBe(200);
    expect((await testbed.request('DELETE', `/api/posts/${post}`, { as: bob.jwt })).status).toBe(204);
  });

  it('are validated when they are set', async () => {
    const state = (
      actions: readonly string[],
      uid: string,
      rule: { readonly fields?: readonly string[]; readonly where?: Readonly<Record<string, unknown>> },
    ) =>
      setPermissions(testbed.context, {
        role: 'authenticated',
        uid,
        actions,
        rule: { fields: rule.fields ?? null, where: rule.where ?? null },
      });
    await expect(state(['find'], NOTE, { fields: ['titel'] })).rejects.toMatchObject({
      code: 'access/invalid-permission-rule',
      hint: 'Did you mean title?',
    });
    await expect(state(['find'], NOTE, { where: { ownr: { id: 1 } } })).rejects.toMatchObject({
      code: 'access/invalid-permission-rule',
    });
    await expect(state(['find'], NOTE, { where: { owner: { id: '$user.nosuch' } } })).rejects.toMatchObject({
      code: 'access/invalid-permission-rule',
    });
    await expect(state(['find'], NOTE, { where: { team: '$user.secretNote' } })).rejects.toMatchObject({
      code: 'access/invalid-permission-rule',
    });
    await expect(state(['delete'], NOTE, { fields: ['title'] })).rejects.toMatchObject({
      code: 'access/invalid-permission-rule',
    });
    await expect(
      state(['callback'], 'plugin::users-permissions.auth', { where: { id: 1 } }),
    ).rejects.toMatchObject({ code: 'access/invalid-permission-rule' });
  });
});
