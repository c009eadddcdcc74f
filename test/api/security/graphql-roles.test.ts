import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportPermissions } from '../../../src/access/permissions/permission-file.js';
import { databases } from '../../support/databases.js';
import { createTestbed } from './testbed.js';
import type { Testbed, GraphqlResponse, TestUser } from './testbed.js';

const NOTE = 'api::note.note';
const USER = 'plugin::users-permissions.user';
const ROLE = 'plugin::users-permissions.role';

const codes = ({ errors }: GraphqlResponse): readonly string[] =>
  errors.map(({ extensions }) => extensions.code);

interface RoleJson {
  readonly id: number;
  readonly type: string;
  readonly nb_users: number;
}

describe.each(databases)('roles over GraphQL on $name', (database) => {
  let testbed: Testbed;
  let full: string;
  let users: readonly TestUser[];

  const roles = async () =>
    (
      (await testbed.request('GET', '/api/users-permissions/roles', { as: full })).body as {
        roles: RoleJson[];
      }
    ).roles;
  const roleNamed = async (type: string): Promise<RoleJson> => {
    const role = (await roles()).find((each) => each.type === type);
    if (role === undefined) throw new Error(`no role ${type}`);
    return role;
  };
  const change = (
    operation: 'create' | 'update',
    data: Readonly<Record<string, unknown>>,
    { as = full, id }: { readonly as?: string; readonly id?: number } = {},
  ) =>
    testbed.query(
      `mutation($data: UsersPermissionsRoleInput!${id === undefined ? '' : ', $id: ID!'}) {
        done: ${operation}UsersPermissionsRole(data: $data${id === undefined ? '' : ', id: $id'}) { ok }
      }`,
      { as, variables: { data, ...(id === undefined ? {} : { id }) } },
    );
  const granted = async (type: string) => {
    const { data } = await testbed.query(
      `query($type: String) {
        usersPermissionsRoles(filters: { type: { eq: $type } }) {
          permissions(sort: "action", pagination: { limit: -1 }) { documentId action }
          users { username }
        }
      }`,
      { as: full, variables: { type } },
    );
    const [role] = (data?.['usersPermissionsRoles'] ?? []) as {
      permissions: { documentId: string; action: string }[];
      users: { username: string }[];
    }[];
    return {
      permissions: role?.permissions ?? [],
      actions: role?.permissions.map(({ action }) => action),
      users: role?.users.map(({ username }) => username),
    };
  };
  const me = async ({ jwt }: TestUser) => (await testbed.request('GET', '/api/notes', { as: jwt })).status;

  beforeAll(async () => {
    testbed = await createTestbed({ database });
    full = testbed.site.tokens['full'] ?? '';
    users = [
      await testbed.createUser('ann'),
      await testbed.createUser('bob'),
      await testbed.createUser('cat'),
    ];
  });
  afterAll(() => testbed.site.close());

  it('are created with their permissions and users in one request', async () => {
    const [ann, bob] = users as [TestUser, TestUser];
    expect([await me(ann), await me(bob)]).toEqual([403, 403]);
    const created = await change('create', {
      name: 'Readers',
      description: 'Read notes',
      permissions: [`${NOTE}.find`, `${NOTE}.findOne`],
      users: [String(ann.id), bob.documentId],
    });
    expect(created.body).toEqual({ data: { done: { ok: true } } });
    await testbed.site.server.app.access.refresh();
    expect([await me(ann), await me(bob)]).toEqual([200, 200]);
    expect(await granted('readers')).toMatchObject({
      actions: [`${NOTE}.find`, `${NOTE}.findOne`],
      users: ['ann', 'bob'],
    });
    expect((await roleNamed('readers')).nb_users).toBe(2);
  });

  it('get exactly the permissions and users that are sent', async () => {
    const [ann, , cat] = users as [TestUser, TestUser, TestUser];
    const { id } = await roleNamed('readers');
    const [kept] = (await granted('readers')).permissions;
    expect(
      (
        await change(
          'update',
          { permissions: [kept?.documentId, `${NOTE}.create`], users: [cat.documentId, ann.documentId] },
          { id },
        )
      ).body,
    ).toEqual({ data: { done: { ok: true } } });
    expect(await granted('readers')).toMatchObject({
      actions: [`${NOTE}.create`, `${NOTE}.find`],
      users: ['cat', 'ann'],
    });
    await change('update', { description: 'Only this' }, { id });
    expect(await granted('readers')).toMatchObject({
      actions: [`${NOTE}.create`, `${NOTE}.find`],
      users: ['cat', 'ann'],
    });
    await change('update', { users: [], permissions: [] }, { id });
    expect(await granted('readers')).toMatchObject({ actions: [], users: [] });
  });

  it("keep the limits of their permissions, and accept no id of another role's permission", async () => {
    const { id } = await roleNamed('readers');
    await testbed.grant('readers', NOTE, { find: { fields: ['title'] } });
    await testbed.grant('authenticated', NOTE, { update: { where: { owner: { id: '$user.id' } } } });
    const [own] = (await granted('readers')).permissions;
    const [others] = (await granted('authenticated')).permissions;
    await change('update', { permissions: [own?.documentId, `${NOTE}.create`] }, { id });
    const readers = (await exportPermissions(testbed.context)).find(({ type }) => type === 'readers');
    expect(readers?.rules.get(`${NOTE}.find`)).toEqual({ fields: ['title'], where: null });
    expect(codes(await change('update', { permissions: [others?.documentId] }, { id }))).toEqual([
      'BAD_USER_INPUT',
    ]);
    expect(codes(await change('create', { name: 'Sneaks', permissions: [others?.documentId] }))).toEqual([
      'BAD_USER_INPUT',
    ]);
    await testbed.grant('authenticated', NOTE, {});
  });

  it('stay unchanged if any part is rejected', async () => {
    const { id } = await roleNamed('readers');
    const before = [await roles(), await granted('readers')];
    const refused = [
      await change('create', { name: 'Ghosts', users: ['nosuchuser'] }),
      await change('create', { name: 'Ghosts', permissions: [`${NOTE}.fnd`] }),
      await change('create', { name: 'Ghosts', users: ['99999999999'] }),
      await change('update', { name: 'Other', permissions: ['api::nothing.nothing.find'] }, { id }),
      await change('update', { name: 'Other', users: [users[0]?.documentId, 'nosuchuser'] }, { id }),
      await change('update', { users: [] }, { id: 4711 }),
    ];
    expect(refused.map((reply) => [reply.status, reply.data, codes(reply)])).toEqual(
      refused.map(() => [200, { done: null }, ['STRAPI_NOT_FOUND_ERROR']]),
    );
    expect([await roles(), await granted('readers')]).toEqual(before);
  });

  it('require the permission to update users for their users, and to update roles for the rest', async () => {
    const [ann] = users as [TestUser];
    const { id } = await roleNamed('readers');
    expect(codes(await change('update', { permissions: [] }, { as: ann.jwt, id }))).toEqual(['FORBIDDEN']);
    await testbed.grant('authenticated', ROLE, { updateRole: true, createRole: true });
    await testbed.request('PUT', `/api/users/${ann.id}`, {
      as: full,
      body: { role: (await roleNamed('authenticated')).id },
    });
    expect(codes(await change('update', { description: 'by ann' }, { as: ann.jwt, id }))).toEqual([]);
    for (const rule of [
      {},
      { update: { fields: ['username'] } },
      { update: { where: { id: '$user.id' } } },
    ]) {
      await testbed.grant('authenticated', USER, rule);
      expect(codes(await change('update', { users: [ann.documentId] }, { as: ann.jwt, id }))).toEqual([
        'FORBIDDEN',
      ]);
      expect(
        codes(await change('create', { name: 'Mine', users: [ann.documentId] }, { as: ann.jwt })),
      ).toEqual(['FORBIDDEN']);
    }
    expect((await granted('readers')).users).toEqual([]);
    await testbed.grant('authenticated', USER, { update: true });
    expect(codes(await change('update', { users: [ann.documentId] }, { as: ann.jwt, id }))).toEqual([]);
    expect((await granted('readers')).users).toEqual(['ann']);
    await testbed.grant('authenticated', ROLE, {});
    await testbed.grant('authenticated', USER, {});
  });
});

describe.each(databases)('the signed-in user over GraphQL on $name', (database) => {
  let testbed: Testbed;
  let ann: TestUser;
  const EVERYTHING = '{ me { id documentId username email confirmed blocked role { id name type } } }';
  beforeAll(async () => {
    testbed = await createTestbed({ database });
    ann = await testbed.createUser('ann', { team: 'red' });
  });
  afterAll(() => testbed.site.close());

  it('is shown with the role, without permissions on users and roles', async () => {
    await testbed.grant('authenticated', USER, { me: true });
    const { body } = await testbed.query(EVERYTHING, { as: ann.jwt });
    expect(body).toEqual({
      data: {
        me: {
          id: String(ann.id),
          documentId: ann.documentId,
          username: 'ann',
          email: 'ann@example.com',
          confirmed: true,
          blocked: false,
          role: { id: expect.any(String), name: 'Authenticated', type: 'authenticated' },
        },
      },
    });
    expect(
      (
        await testbed.query(
          `{ me { name: username other: role { called: name } ...more } }
        fragment more on UsersPermissionsMe { mail: email }`,
          { as: ann.jwt },
        )
      ).data,
    ).toEqual({ me: { name: 'ann', other: { called: 'Authenticated' }, mail: 'ann@example.com' } });
  });

  it('is shown within the limits of the permission, over both transports', async () => {
    await testbed.grant('authenticated', USER, { me: { fields: ['username'] } });
    expect((await testbed.query('{ me { id username } }', { as: ann.jwt })).data).toEqual({
      me: { id: String(ann.id), username: 'ann' },
    });
    for (const field of ['email', 'blocked', 'role { name }']) {
      const reply = await testbed.query(`{ me { username ${field} } }`, { as: ann.jwt });
      expect([reply.data, codes(reply)]).toEqual([{ me: null }, ['BAD_USER_INPUT']]);
      expect(JSON.stringify(reply.body)).not.toMatch(/ann@example|Authenticated/);
    }
    expect(
      Object.keys((await testbed.request('GET', '/api/users/me', { as: ann.jwt })).body as object).toSorted(),
    ).toEqual(['createdAt', 'documentId', 'id', 'publishedAt', 'updatedAt', 'username']);
    await testbed.grant('authenticated', USER, { me: { where: { team: 'blue' } } });
    expect((await testbed.query(EVERYTHING, { as: ann.jwt })).body).toEqual({ data: { me: null } });
    expect((await testbed.request('GET', '/api/users/me', { as: ann.jwt })).status).toBe(404);
  });

  it('does not exist for tokens and anonymous callers', async () => {
    await testbed.grant('public', USER, { me: true });
    for (const as of [null, testbed.site.tokens['full'] ?? '']) {
      const reply = await testbed.query(EVERYTHING, { as });
      expect([reply.data, codes(reply)]).toEqual([{ me: null }, ['FORBIDDEN']]);
    }
    await testbed.grant('public', USER, {});
    expect(codes(await testbed.query(EVERYTHING))).toEqual(['FORBIDDEN']);
  });
});
