import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRole } from '../../../src/access/roles/write-roles.js';
import { createToken } from '../../../src/access/tokens.js';
import { databases } from '../../support/databases.js';
import { createTestbed } from './testbed.js';
import type { TestResponse, Testbed, TestUser } from './testbed.js';

const NOTE = 'api::note.note';
const OWN = { where: { owner: { id: '$user.id' } } };
const SECRET = 'nobody-may-read-this';

type Caller =
  | 'anonymous'
  | 'broken token'
  | 'read-only token'
  | 'full-access token'
  | 'custom token'
  | 'user'
  | 'editor'
  | 'user without role'
  | 'blocked user';

/**
 * Expected statuses of reading, creating, updating and deleting, for ann's own document and for bob's. For
 * lists: how many of the two are found.
 */
interface Expected {
  readonly find: number | 'denied';
  readonly findOne: readonly [own: number, other: number];
  readonly create: readonly [own: number, other: number];
  readonly update: readonly [own: number, other: number];
  readonly delete: readonly [own: number, other: number];
}

const ALL = (status: number): Omit<Expected, 'find'> => ({
  findOne: [status, status],
  create: [status, status],
  update: [status, status],
  delete: [status, status],
});

/**
 * The configuration: the public may list ann's documents; users may list everything, read, create and update
 * their own documents and delete nothing; editors may do everything; the custom token may find and create.
 */
const MATRIX: Readonly<Record<Caller, Expected>> = {
  anonymous: { find: 1, ...ALL(403) },
  'broken token': { find: 'denied', ...ALL(401) },
  'read-only token': {
    find: 2,
    findOne: [200, 200],
    create: [403, 403],
    update: [403, 403],
    delete: [403, 403],
  },
  'full-access token': {
    find: 2,
    findOne: [200, 200],
    create: [201, 201],
    update: [200, 200],
    delete: [204, 204],
  },
  'custom token': {
    find: 2,
    findOne: [403, 403],
    create: [201, 201],
    update: [403, 403],
    delete: [403, 403],
  },
  user: { find: 2, findOne: [200, 404], create: [201, 403], update: [200, 403], delete: [403, 403] },
  editor: { find: 2, findOne: [200, 200], create: [201, 201], update: [200, 200], delete: [204, 204] },
  'user without role': { find: 'denied', ...ALL(403) },
  'blocked user': { find: 'denied', ...ALL(401) },
};

describe.each(databases)('permissions on the documents of a user and of others on $name', (database) => {
  let testbed: Testbed;
  let ann: TestUser;
  let bob: TestUser;
  const credentials = new Map<Caller, string | null>();
  const documents = { own: '', other: '' };
  const answers: TestResponse[] = [];

  const request: Testbed['request'] = async (...args) => {
    const answer = await testbed.request(...args);
    answers.push(answer);
    return answer;
  };
  const full = (): string => testbed.site.tokens['full'] ?? '';
  const makeNote = async (title: string, owner: TestUser): Promise<string> => {
    const { body } = await testbed.request('POST', '/api/notes', {
      as: full(),
      body: { data: { title, hidden: SECRET, pin: 'secret-pin', owner: owner.id } },
    });
    return (body as { data: { documentId: string } }).data.documentId;
  };
  const total = async (): Promise<number> =>
    (
      (await testbed.request('GET', '/api/notes', { as: full() })).body as {
        meta: { pagination: { total: number } };
      }
    ).meta.pagination.total;

  beforeAll(async () => {
    testbed = await createTestbed({ database });
    const editor = await createRole(testbed.context, { name: 'Editor' });
    const limited = { find: true, findOne: OWN, create: OWN, update: OWN } as const;
    await testbed.grant('public', NOTE, { find: { where: { title: 'of ann' } } });
    await testbed.grant('authenticated', NOTE, limited);
    await testbed.grant('authenticated', 'plugin::users-permissions.user', { find: true });
    await testbed.grant('editor', NOTE, {
      find: true,
      findOne: true,
      create: true,
      update: true,
      delete: true,
    });
    await testbed.grant('editor', 'plugin::users-permissions.user', { find: true });
    const custom = await createToken(
      { ...testbed.context, salt: 'f3Wd9sKz7QyB1nVx5MtE8uRj2oLpC6hT' },
      {
        name: 'custom',
        type: 'custom',
        permissions: [`${NOTE}.find`, `${NOTE}.create`, 'plugin::users-permissions.user.find'],
      },
    );
    await testbed.site.server.app.access.refresh();
    [ann, bob] = [await testbed.createUser('ann'), await testbed.createUser('bob')];
    const [blocked, userWithoutRole, editorUser] = [
      await testbed.createUser('blocked'),
      await testbed.createUser('lost', { role: null }),
      await testbed.createUser('chief', { role: editor.id }),
    ];
    await testbed.request('PUT', `/api/users/${blocked.id}`, { as: full(), body: { blocked: true } });
    credentials
      .set('anonymous', null)
      .set('broken token', 'a'.repeat(128))
      .set('read-only token', testbed.site.tokens['readonly'] ?? '')
      .set('full-access token', full())
      .set('custom token', custom.accessKey);
    credentials
      .set('user', ann.jwt)
      .set('editor', editorUser.jwt)
      .set('user without role', userWithoutRole.jwt)
      .set('blocked user', blocked.jwt);
  });
  afterAll(async () => {
    await testbed.site.close();
  });
  beforeEach(async () => {
    for (const id of Object.values(documents))
      if (id !== '') await testbed.request('DELETE', `/api/notes/${id}`, { as: full() });
    documents.own = await makeNote('of ann', ann);
    documents.other = await makeNote('of bob', bob);
    answers.length = 0;
  });

  describe.each(Object.keys(MATRIX) as Caller[])('%s', (caller) => {
    const expected = MATRIX[caller];
    const as = (): string | null => credentials.get(caller) ?? null;

    it('lists', async () => {
      const { status, body } = await request(
        'GET',
        '/api/notes?populate=*&sort=title&filters[title][$startsWith]=of',
        { as: as() },
      );
      const shown = status === 200 ? (body as { data: unknown[] }).data.length : 'denied';
      expect(shown).toBe(expected.find);
    });

    it.each(['own', 'other'] as const)('reads, creates, updates and deletes %s documents', async (whose) => {
      const index = whose === 'own' ? 0 : 1;
      const id = documents[whose];
      const before = await total();
      const one = await request('GET', `/api/notes/${id}`, { as: as() });
      const created = await request('POST', '/api/notes', {
        as: as(),
        body: { data: { title: 'new', owner: (whose === 'own' ? ann : bob).id } },
      });
      expect(await total()).toBe(before + (created.status === 201 ? 1 : 0));
      const changed = await request('PUT', `/api/notes/${id}`, {
        as: as(),
        body: { data: { body: `by ${caller}` } },
      });
      const { body } = await testbed.request('GET', `/api/notes/${id}`, { as: full() });
      expect((body as { data: { body: unknown } }).data.body).toBe(
        changed.status === 200 ? `by ${caller}` : null,
      );
      const deleted = await request('DELETE', `/api/notes/${id}`, { as: as() });
      expect((await testbed.request('GET', `/api/notes/${id}`, { as: full() })).status).toBe(
        deleted.status === 204 ? 404 : 200,
      );
      expect({
        findOne: one.status,
        create: created.status,
        update: changed.status,
        delete: deleted.status,
      }).toEqual({
        findOne: expected.findOne[index],
        create: expected.create[index],
        update: expected.update[index],
        delete: expected.delete[index],
      });
      const texts = answers.map((answer) => JSON.stringify(answer.body)).join('\n');
      expect(texts).not.toMatch(new RegExp(`${SECRET}|"hidden"|"pin"|\\$2[aby]\\$|"password"`));
    });
  });
});
