import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRole } from '../../../src/access/roles/write-roles.js';
import { createToken } from '../../../src/access/tokens.js';
import { databases } from '../../support/databases.js';
import { createCallerClient } from './matrix/caller-client.js';
import type { CallerClient, Result } from './matrix/caller-client.js';
import { createTestbed } from './testbed.js';
import type { Testbed, TestUser } from './testbed.js';

const STORY = 'api::story.story';
const USER = 'plugin::users-permissions.user';
const SALT = 'f3Wd9sKz7QyB1nVx5MtE8uRj2oLpC6hT';

const localized = { pluginOptions: { i18n: { localized: true } } };
const user = (relation: string, extra: object = {}) => ({
  type: 'relation',
  relation,
  target: USER,
  default: '$caller',
  ...extra,
});

/** Stories with an owner, which users list, with editors, and with a translator of each locale. */
const FILES = {
  'src/api/story/content-types/story/schema.json': JSON.stringify({
    kind: 'collectionType',
    collectionName: 'stories',
    info: { singularName: 'story', pluralName: 'stories', displayName: 'Story' },
    options: { draftAndPublish: true },
    ...localized,
    attributes: {
      title: { type: 'string', ...localized },
      owner: user('manyToOne', { inversedBy: 'stories', required: true }),
      editors: user('manyToMany'),
      translator: user('oneToOne', localized),
    },
  }),
  'src/extensions/users-permissions/content-types/user/schema.json': JSON.stringify({
    attributes: {
      team: { type: 'string' },
      stories: { type: 'relation', relation: 'oneToMany', target: STORY, mappedBy: 'owner' },
    },
  }),
};

interface Story {
  readonly documentId: string;
  readonly title: string;
  readonly owner: { readonly username: string } | null;
  readonly editors: readonly { readonly username: string }[];
  readonly translator: { readonly username: string } | null;
}

type Create = (client: CallerClient, data: object) => Promise<Result>;
type Update = (client: CallerClient, documentId: string, data: object) => Promise<Result>;

const CREATES: Readonly<Record<string, Create>> = {
  rest: (client, data) => client.rest('POST', '/api/stories', { data }),
  draft: (client, data) => client.rest('POST', '/api/stories?status=draft', { data }),
  bulk: (client, data) =>
    client.bulk('/api/stories', [
      { action: 'create', data },
      { action: 'create', data },
    ]),
  graphql: (client, data) =>
    client.graphql('mutation($data: StoryInput!) { done: createStory(data: $data) { documentId title } }', {
      data,
    }),
  mcp: (client, data) => client.mcp('create', { type: 'story', data, status: 'published' }),
};

const UPDATES: Readonly<Record<string, Update>> = {
  rest: (client, id, data) => client.rest('PUT', `/api/stories/${id}`, { data }),
  draft: (client, id, data) => client.rest('PUT', `/api/stories/${id}?status=draft`, { data }),
  bulk: (client, documentId, data) => client.bulk('/api/stories', [{ action: 'update', documentId, data }]),
  graphql: (client, id, data) =>
    client.graphql(
      'mutation($id: ID!, $data: StoryInput!) { done: updateStory(documentId: $id, data: $data) { title } }',
      { id, data },
    ),
  mcp: (client, documentId, data) => client.mcp('update', { type: 'story', documentId, data }),
};

describe.each(databases)('owners set by the server on $name', (database) => {
  let testbed: Testbed;
  let ann: TestUser;
  let bob: TestUser;
  const clients: Record<'full' | 'ann' | 'bob' | 'chief' | 'nobody' | 'token', CallerClient> =
    Object.create(null);

  /** The stories with a title, as a caller with all rights reads them. */
  const stories = async (title: string, query = ''): Promise<readonly Story[]> => {
    const path = `/api/stories?status=draft&filters[title]=${title}&populate=*&sort=id${query}`;
    const { body } = await clients.full.rest('GET', path);
    return (body as { readonly data: readonly Story[] }).data;
  };
  const names = ({ owner, editors, translator }: Story) => [
    owner?.username ?? null,
    editors.map(({ username }) => username).join(' '),
    translator?.username ?? null,
  ];
  const clear = async (): Promise<void> => {
    const { body } = await clients.full.rest(
      'GET',
      '/api/stories?status=draft&locale=*&pagination[pageSize]=100',
    );
    for (const { documentId } of (body as { readonly data: readonly Story[] }).data)
      await clients.full.rest('DELETE', `/api/stories/${documentId}?locale=*`);
  };
  const storyOf = async (person: TestUser, title = 'given'): Promise<string> => {
    const { documentId } = person;
    const data = { title, owner: documentId, editors: [documentId], translator: documentId };
    const { body } = await clients.full.rest('POST', '/api/stories', { data });
    return (body as { readonly data: Story }).data.documentId;
  };

  beforeAll(async () => {
    testbed = await createTestbed({
      database,
      files: FILES,
      usersPermissions: { register: { allowedFields: ['team', 'stories'] } },
    });
    const { context, site } = testbed;
    const chief = await createRole(context, { name: 'chief' });
    ann = await testbed.createUser('ann');
    bob = await testbed.createUser('bob');
    const boss = await testbed.createUser('boss', { role: chief.id });
    const { accessKey } = await createToken(
      { ...context, salt: SALT },
      {
        name: 'writer',
        type: 'custom',
        permissions: [`${STORY}.create`, `${STORY}.update`, `${STORY}.find`],
      },
    );
    await testbed.grant('chief', STORY, {
      find: true,
      findOne: true,
      create: true,
      update: true,
      setOwner: true,
    });
    await testbed.grant('chief', USER, { find: true, findOne: true, update: true });
    await site.server.app.access.refresh();
    const client = (key: string | null) => createCallerClient(testbed, key);
    clients.full = client(site.tokens['full'] ?? '');
    clients.ann = client(ann.jwt);
    clients.bob = client(bob.jwt);
    clients.chief = client(boss.jwt);
    clients.nobody = client(null);
    clients.token = client(accessKey);
  });
  beforeEach(async () => {
    const all = {
      find: true,
      findOne: true,
      create: true,
      update: true,
      delete: true,
      findDrafts: true,
    } as const;
    for (const role of ['authenticated', 'public']) await testbed.grant(role, STORY, all);
    await testbed.grant('authenticated', USER, { me: true });
    await clear();
  });
  afterAll(() => testbed.site.close());

  it.each(Object.entries(CREATES))('%s: are the user who creates a document', async (_name, create) => {
    for (const [index, owners] of [{}, { owner: null, editors: [] }, { owner: ann.documentId }].entries()) {
      const created = await create(clients.ann, { title: `made ${index}`, ...owners });
      expect([created.outcome, created.body]).toEqual(['ok', expect.anything()]);
      const made = await stories(`made ${index}`);
      expect(made.length).toBeGreaterThan(0);
      expect(made.map(names)).toEqual(made.map(() => ['ann', 'ann', 'ann']));
    }
    for (const owners of [
      { owner: bob.documentId },
      { editors: [ann.documentId, bob.documentId] },
      { owner: { connect: [bob.documentId] } },
      { owner: 'nosuchuser' },
      { translator: bob.documentId },
    ]) {
      const name = Object.keys(owners).join();
      const { outcome, body } = await create(clients.ann, { title: 'stolen', ...owners });
      // GraphQL accepts ids alone.
      expect([name, ['forbidden', 'invalid'].includes(outcome) || outcome]).toEqual([name, true]);
      expect(JSON.stringify(body)).toMatch(/story\\.\w+\. Changing|story\.\w+\. Changing|connect/);
    }
    expect(await stories('stolen')).toEqual([]);
    expect(clients.ann.responses.join(' ')).not.toContain('ann@example.com');
  });

  it.each(Object.entries(CREATES))('%s: are empty for tokens and commands', async (_name, create) => {
    const draft = { title: 'of nobody', translator: null };
    const owner = { owner: ann.documentId };
    for (const client of [clients.token, clients.nobody]) {
      const refused = await create(client, { ...draft, ...owner });
      expect(refused.outcome).toBe(client.isAnonymous && _name === 'mcp' ? 'unauthorised' : 'forbidden');
    }
    // The attribute is required, so publishing without it is invalid.
    const { outcome } = await create(clients.token, draft);
    expect(outcome).toBe(_name === 'draft' ? 'ok' : 'invalid');
    expect((await create(clients.full, { ...draft, ...owner })).outcome).toBe('ok');
    const owners = (await stories('of nobody')).map(names);
    expect(new Set(owners.map(String))).toEqual(new Set([...(_name === 'draft' ? [',,'] : []), 'ann,,']));
  });

  it.each(Object.entries(UPDATES))('%s: change only with the right to', async (_name, update) => {
    const documentId = await storyOf(ann);
    const same = { title: 'given', owner: ann.documentId, editors: [ann.documentId] };
    for (const data of [{ title: 'given' }, same]) {
      const { outcome, body } = await update(clients.ann, documentId, data);
      expect([outcome, body]).toEqual(['ok', expect.anything()]);
    }
    for (const data of [
      { owner: bob.documentId },
      { editors: [] },
      { editors: [bob.documentId] },
      { editors: [ann.documentId, bob.documentId] },
      { translator: null },
    ]) {
      const { outcome, body } = await update(clients.ann, documentId, data);
      expect([data, outcome]).toEqual([data, 'forbidden']);
      expect(JSON.stringify(body)).toContain(`${STORY}.${Object.keys(data).join()}`);
      expect(JSON.stringify(body)).toContain(`${STORY}.setOwner`);
    }
    // Whether ann is the owner does not show from the responses that bob gets.
    const guesses = [ann.documentId, bob.documentId, 'nosuchuser'];
    for (const owner of guesses)
      expect((await update(clients.bob, documentId, { owner })).outcome).toBe('forbidden');
    expect((await update(clients.token, documentId, { owner: bob.documentId })).outcome).toBe('forbidden');
    expect((await stories('given')).map(names)).toEqual([['ann', 'ann', 'ann']]);
    expect((await update(clients.chief, documentId, { owner: bob.documentId })).outcome).toBe('ok');
    expect((await update(clients.full, documentId, { editors: [bob.documentId] })).outcome).toBe('ok');
    expect((await stories('given')).map(names)).toEqual([['bob', 'bob', 'ann']]);
  });

  it('accept no changes of lists one by one', async () => {
    const documentId = await storyOf(ann);
    const change = (client: CallerClient, data: object) =>
      client.rest('PUT', `/api/stories/${documentId}`, { data });
    const operations = [
      { editors: { disconnect: [ann.documentId] } },
      { editors: { connect: [bob.documentId] } },
      { editors: { connect: [bob.id] } },
      { owner: { disconnect: [ann.documentId] } },
      { owner: { connect: [bob.documentId] } },
      { owner: { set: [bob.id] } },
    ];
    for (const data of operations)
      expect([data, (await change(clients.ann, data)).outcome]).toEqual([data, 'forbidden']);
    for (const id of [ann.id, 999_999])
      expect((await change(clients.bob, { editors: { disconnect: [id] } })).outcome).toBe('forbidden');
    for (const before of [ann.documentId, 'nosuchuser']) {
      const connect = [{ documentId: bob.documentId, position: { before } }];
      expect((await change(clients.bob, { editors: { connect } })).outcome).toBe('forbidden');
    }
    await testbed.grant('authenticated', USER, { find: { where: { id: '$caller' } } });
    for (const id of [ann.id, 999_999]) {
      expect((await change(clients.bob, { editors: { disconnect: [id] } })).outcome).toBe('forbidden');
      expect((await change(clients.bob, { owner: id })).outcome).toBe('forbidden');
    }
    expect((await change(clients.ann, { editors: { connect: [ann.id] } })).outcome).toBe('ok');
    expect((await stories('given')).map(names)).toEqual([['ann', 'ann', 'ann']]);
  });

  it('change from the side of the users with the same right', async () => {
    const documentId = await storyOf(ann);
    await testbed.grant('authenticated', USER, { find: true, update: true });
    const change = (client: CallerClient, person: TestUser, data: object) =>
      client.rest('PUT', `/api/users/${person.id}`, data);
    expect((await change(clients.bob, bob, { stories: [documentId] })).outcome).toBe('forbidden');
    expect((await change(clients.bob, ann, { stories: { disconnect: [documentId] } })).outcome).toBe(
      'forbidden',
    );
    const graphql = await clients.bob.graphql(
      `mutation($id: ID!, $data: UsersPermissionsUserInput!) {
        done: updateUsersPermissionsUser(id: $id, data: $data) { data { username } }
      }`,
      { id: bob.id, data: { stories: [documentId] } },
    );
    expect(graphql.outcome).toBe('forbidden');
    expect((await stories('given')).map(names)).toEqual([['ann', 'ann', 'ann']]);
    await testbed.grant('authenticated', USER, { find: true, update: true, create: true });
    await testbed.grant('public', 'plugin::users-permissions.auth', { register: true, callback: true });
    const account = { username: 'eve', email: 'eve@example.com', password: 'secret123' };
    const claimed = { ...account, stories: [documentId] };
    expect((await clients.bob.rest('POST', '/api/users', claimed)).outcome).toBe('forbidden');
    expect((await clients.nobody.rest('POST', '/api/auth/local/register', claimed)).outcome).toBe('invalid');
    const registered = await clients.nobody.rest('POST', '/api/auth/local/register', {
      ...account,
      team: 'red',
    });
    expect(registered.outcome).toBe('ok');
    expect((await stories('given')).map(names)).toEqual([['ann', 'ann', 'ann']]);
    expect((await change(clients.bob, ann, { team: 'red' })).outcome).toBe('ok');
    expect((await change(clients.chief, bob, { stories: [documentId] })).outcome).toBe('ok');
    expect((await stories('given')).map(names)).toEqual([['bob', 'ann', 'ann']]);
  });

  it('stay in other locales, in copies and in what is restored', async () => {
    const documentId = await storyOf(ann);
    const add = await clients.bob.rest('PUT', `/api/stories/${documentId}?locale=de`, {
      data: { title: 'zwei' },
    });
    expect(add.outcome).toBe('ok');
    expect((await stories('zwei', '&locale=de')).map(names)).toEqual([['ann', 'ann', 'bob']]);
    const french = await clients.bob.rest('POST', `/api/stories/${documentId}?locale=fr`, {
      data: { title: 'deux' },
    });
    expect(french.outcome).toBe('ok');
    expect((await stories('deux', '&locale=fr')).map(names)).toEqual([['ann', 'ann', 'bob']]);
    await clients.full.rest('PUT', `/api/stories/${documentId}?status=draft`, {
      data: { owner: bob.documentId },
    });
    const send = (action: string) => clients.ann.bulk('/api/stories', [{ action, documentId }]);
    expect((await send('discardDraft')).outcome).toBe('ok');
    expect((await stories('given')).map(names)).toEqual([['ann', 'ann', 'ann']]);
    await clients.full.rest('PUT', `/api/stories/${documentId}`, {
      data: { title: 'given', owner: bob.documentId },
    });
    expect((await send('publish')).outcome).toBe('ok');
    await testbed.grant('authenticated', STORY, {
      find: true,
      findOne: true,
      findDrafts: true,
      update: true,
      findVersions: true,
      restoreVersion: true,
      restoreDeleted: true,
    });
    const restored = await clients.ann.rest('POST', `/api/stories/${documentId}/versions/1/restore`);
    expect([restored.outcome, JSON.stringify(restored.body)]).toEqual([
      'ok',
      expect.stringContaining('setOwner'),
    ]);
    expect((await stories('given')).map(names)).toEqual([['bob', 'ann', 'ann']]);
    await clients.full.rest('DELETE', `/api/stories/${documentId}?locale=*`);
    const { body } = await clients.full.rest('GET', '/api/stories/trash?limit=1');
    const { data } = body as { readonly data: readonly { readonly id: number }[] };
    expect((await clients.ann.rest('POST', `/api/stories/trash/${data[0]?.id}/restore`)).outcome).toBe('ok');
    expect((await stories('given')).map(names)).toEqual([['bob', 'ann', 'ann']]);
  });

  it('limit permissions to documents of the caller, who sees no users', async () => {
    const own = { where: { owner: { id: '$caller' } } };
    await testbed.grant('authenticated', STORY, {
      find: own,
      findOne: own,
      create: own,
      update: own,
      delete: own,
      findDrafts: true,
    });
    const theirs = await storyOf(bob, 'theirs');
    const created = await clients.ann.rest('POST', '/api/stories', { data: { title: 'mine' } });
    expect(created.outcome).toBe('ok');
    const { documentId } = (created.body as { readonly data: Story }).data;
    const listed = await clients.ann.rest('GET', '/api/stories?populate=*');
    expect(listed.body).toMatchObject({ data: [{ title: 'mine' }], meta: { pagination: { total: 1 } } });
    expect(JSON.stringify(listed.body)).not.toMatch(/owner|editors|translator|username/);
    const steps: readonly (readonly [string, string, object?])[] = [
      ['GET', ''],
      ['PUT', '', { data: { title: 'mine too' } }],
      ['PUT', '?status=draft', { data: { title: 'draft' } }],
      ['DELETE', ''],
    ];
    for (const [method, query, body] of steps) {
      const send = (id: string) => clients.ann.rest(method, `/api/stories/${id}${query}`, body);
      expect([method, (await send(theirs)).outcome]).toEqual([
        method,
        method === 'DELETE' ? 'ok' : 'missing',
      ]);
      if (method === 'DELETE')
        for (const action of ['publish', 'unpublish'])
          await clients.ann.bulk('/api/stories', [{ action, documentId }]);
      expect([method, (await send(documentId)).outcome]).toEqual([method, 'ok']);
    }
    const publish = await clients.ann.bulk('/api/stories', [{ action: 'publish', documentId: theirs }]);
    expect(publish.outcome).toBe('missing');
    expect((await stories('theirs')).map(names)).toEqual([['bob', 'bob', 'bob']]);
    expect(await stories('mine')).toEqual([]);
    expect(clients.ann.responses.join(' ')).not.toContain('theirs');
  });
});
