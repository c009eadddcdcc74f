import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestbed, PASSWORD } from './testbed.js';
import type { Testbed, TestUser } from './testbed.js';

const USER = 'plugin::users-permissions.user';
const ROLE = 'plugin::users-permissions.role';
const SELF = { where: { id: '$user.id' } };

describe.each(databases)('limited permissions on users on $name', (database) => {
  let testbed: Testbed;
  let ann: TestUser;
  let bob: TestUser;
  let count = 0;

  const request = (method: string, path: string, body?: unknown) =>
    testbed.request(method, path, { as: ann.jwt, ...(body === undefined ? {} : { body }) });
  const newUser = () => {
    count += 1;
    return { username: `new${count}`, email: `new${count}@example.com`, password: PASSWORD };
  };
  const mutate = (field: string, variables: Readonly<Record<string, unknown>> = {}, head = '') =>
    testbed.query(`mutation${head} { done: ${field} }`, { as: ann.jwt, variables });

  beforeAll(async () => {
    testbed = await createTestbed({ database });
    ann = await testbed.createUser('ann');
  });
  afterAll(() => testbed.site.close());
  beforeEach(async () => {
    bob = await testbed.createUser(`bob${(count += 1)}`);
    await testbed.grant('authenticated', USER, {});
    await testbed.grant('authenticated', ROLE, {});
  });

  it('allow creating users with some attributes only, over both transports', async () => {
    await testbed.grant('authenticated', USER, {
      find: true,
      create: { fields: ['username', 'email', 'password'] },
    });
    const created = await request('POST', '/api/users', newUser());
    expect(created).toMatchObject({ status: 201, body: { provider: 'local', confirmed: false } });
    const byGraphql = await mutate(
      'createUsersPermissionsUser(data: $data) { data { username provider } }',
      { data: newUser() },
      '($data: UsersPermissionsUserInput!)',
    );
    expect(byGraphql.data).toMatchObject({ done: { data: { provider: 'local' } } });
    for (const extra of [
      { confirmed: true },
      { blocked: false },
      { provider: 'x' },
      { resetPasswordToken: 'x' },
    ]) {
      expect((await request('POST', '/api/users', { ...newUser(), ...extra })).status).toBe(400);
      expect(
        (
          await mutate(
            'createUsersPermissionsUser(data: $data) { data { username } }',
            { data: { ...newUser(), ...extra } },
            '($data: UsersPermissionsUserInput!)',
          )
        ).errors[0]?.extensions.code,
      ).toBe('BAD_USER_INPUT');
    }
  });

  it('prevent users from giving themselves a role, a confirmation or another account', async () => {
    await testbed.grant('authenticated', ROLE, { find: true });
    await testbed.grant('authenticated', USER, {
      find: true,
      update: { ...SELF, fields: ['username', 'password'] },
    });
    const change = (id: number, data: Readonly<Record<string, unknown>>) =>
      mutate(
        `updateUsersPermissionsUser(id: ${id}, data: $data) { data { username } }`,
        { data },
        '($data: UsersPermissionsUserInput!)',
      );
    for (const data of [
      { role: '1' },
      { confirmed: true },
      { blocked: false },
      { email: 'x@example.com' },
      { confirmationToken: 'x' },
    ]) {
      expect((await request('PUT', `/api/users/${ann.id}`, data)).status).toBe(400);
      expect((await change(ann.id, data)).errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
    }
    expect((await change(ann.id, { username: 'ann' })).data).toEqual({ done: { data: { username: 'ann' } } });
    expect((await change(bob.id, { username: 'stolen' })).errors[0]?.extensions.code).toBe('FORBIDDEN');
    expect((await request('PUT', `/api/users/${bob.id}`, { username: 'stolen' })).status).toBe(403);
  });

  it('to count users reveal nothing that find does not show', async () => {
    const total = async (query = '') => (await request('GET', `/api/users/count${query}`)).body;
    await testbed.grant('authenticated', USER, { count: true, find: { fields: ['username'] } });
    expect(await total()).toBeGreaterThan(1);
    expect(await total('?filters[username]=ann')).toBe(1);
    for (const filter of [
      '[email][$contains]=a',
      '[confirmed]=true',
      '[role][id]=1',
      '[password][$null]=false',
      '[$or][0][email]=x',
    ])
      expect((await request('GET', `/api/users/count?filters${filter}`)).status).toBe(400);
    await testbed.grant('authenticated', USER, { count: true });
    expect((await request('GET', '/api/users/count?filters[username][$startsWith]=a')).status).toBe(400);
    expect(await total()).toBeGreaterThan(1);
    await testbed.grant('authenticated', USER, { count: SELF, find: true });
    expect([await total(), await total('?filters[username][$startsWith]=bob')]).toEqual([1, 0]);
  });

  it('to delete users reveal nothing that find does not show', async () => {
    await testbed.grant('authenticated', USER, { destroy: true, find: { ...SELF, fields: ['username'] } });
    const gone = await request('DELETE', `/api/users/${bob.id}`);
    expect(gone).toMatchObject({ status: 200, body: { id: bob.id, documentId: bob.documentId } });
    expect(Object.keys(gone.body as object)).toHaveLength(2);
    bob = await testbed.createUser(`rob${count}`);
    const byGraphql = await mutate(`deleteUsersPermissionsUser(id: ${bob.id}) { data { documentId } }`);
    expect(byGraphql.body).toEqual({ data: { done: { data: { documentId: bob.documentId } } } });
    await testbed.grant('authenticated', USER, { destroy: SELF, find: true });
    const other = await testbed.createUser(`tob${count}`);
    expect((await request('DELETE', `/api/users/${other.id}`)).status).toBe(403);
    expect(
      (await mutate(`deleteUsersPermissionsUser(id: ${other.id}) { data { email } }`)).errors.map(
        ({ extensions }) => extensions.code,
      ),
    ).toEqual(['FORBIDDEN']);
  });

  it('accept a role by its numeric id or its document id', async () => {
    await testbed.grant('authenticated', ROLE, { find: true });
    await testbed.grant('authenticated', USER, { find: true, update: true });
    const { roles } = (await request('GET', '/api/users-permissions/roles')).body as {
      roles: { id: number; documentId: string; type: string }[];
    };
    for (const { id, documentId, type } of roles) {
      for (const role of [String(id), documentId]) {
        const { data } = await mutate(
          `updateUsersPermissionsUser(id: ${bob.id}, data: { role: "${role}" }) { data { role { type } } }`,
        );
        expect(data).toEqual({ done: { data: { role: { type } } } });
      }
    }
    expect(
      (
        await mutate(
          `updateUsersPermissionsUser(id: ${bob.id}, data: { role: 4711 }) { data { documentId } }`,
        )
      ).errors[0]?.extensions.code,
    ).toBe('BAD_USER_INPUT');
  });

  it('reject ids that no database could store like missing ones', async () => {
    await testbed.grant('authenticated', USER, { findOne: true, update: true, destroy: true });
    for (const id of ['4711', '99999999999', '999999999999999', '-1', 'x', '1.5']) {
      expect([
        (await request('GET', `/api/users/${id}`)).status,
        (await request('PUT', `/api/users/${id}`, {})).status,
        (await request('DELETE', `/api/users/${id}`)).status,
      ]).toEqual([404, 404, 404]);
      expect(
        (await mutate(`deleteUsersPermissionsUser(id: "${id}") { data { documentId } }`)).errors.map(
          ({ extensions }) => extensions.code,
        ),
      ).toEqual(['STRAPI_NOT_FOUND_ERROR']);
    }
  });

  it('reject passwords over 72 bytes wherever one can be set', async () => {
    await testbed.grant('authenticated', USER, { update: SELF, create: true });
    await testbed.grant('authenticated', 'plugin::users-permissions.auth', {
      changePassword: true,
      register: true,
    });
    const long = 'ü'.repeat(37);
    const attempts = [
      mutate(
        `createUsersPermissionsUser(
          data: { username: "long1", email: "long1@example.com", password: "${long}" }
        ) { data { documentId } }`,
      ),
      mutate(
        `updateUsersPermissionsUser(id: ${ann.id}, data: { password: "${long}" }) { data { documentId } }`,
      ),
      mutate(
        `register(input: { username: "long2", email: "long2@example.com", password: "${long}" }) { jwt }`,
      ),
      mutate(
        `changePassword(
          currentPassword: "${PASSWORD}", password: "${long}", passwordConfirmation: "${long}"
        ) { jwt }`,
      ),
    ];
    for (const reply of await Promise.all(attempts)) {
      expect(reply.errors.map(({ extensions }) => extensions)).toMatchObject([
        {
          code: 'BAD_USER_INPUT',
          error: { name: 'ValidationError', details: { errors: [{ path: ['password'] }] } },
        },
      ]);
      expect(JSON.stringify(reply.body)).not.toContain('jwt":"');
    }
  });
});

describe.each(databases)('roles by their numeric id on $name', (database) => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await createTestbed({ database });
  });
  afterAll(() => testbed.site.close());

  it('are read with all that can be granted, updated and deleted', async () => {
    const as = testbed.site.tokens['full'] ?? '';
    const request = async (method: string, path: string, body?: unknown) =>
      testbed.request(method, `/api/users-permissions/roles${path}`, {
        as,
        ...(body === undefined ? {} : { body }),
      });
    await request('POST', '', {
      name: 'Writers',
      permissions: {
        'api::note': { controllers: { note: { find: { enabled: true }, create: { enabled: false } } } },
      },
    });
    const { roles } = (await request('GET', '')).body as { roles: { id: number; name: string }[] };
    const id = roles.find(({ name }) => name === 'Writers')?.id ?? 0;
    expect((await request('GET', `/${id}`)).body).toMatchObject({
      role: {
        id,
        name: 'Writers',
        type: 'writers',
        nb_users: 0,
        permissions: {
          'api::note': { controllers: { note: { find: { enabled: true }, create: { enabled: false } } } },
        },
      },
    });
    expect(
      (
        await request('PUT', `/${id}`, {
          description: 'They write',
          permissions: { 'api::note': { controllers: { note: { create: { enabled: true } } } } },
        })
      ).body,
    ).toEqual({ ok: true });
    expect((await request('GET', `/${id}`)).body).toMatchObject({
      role: {
        description: 'They write',
        permissions: {
          'api::note': { controllers: { note: { find: { enabled: false }, create: { enabled: true } } } },
        },
      },
    });
    expect((await request('DELETE', `/${id}`)).body).toEqual({ ok: true });
    expect([
      (await request('GET', `/${id}`)).status,
      (await request('PUT', `/${id}`, {})).status,
      (await request('DELETE', `/${id}`)).status,
      (await request('GET', '/x')).status,
      (await request('GET', '/999999999999999')).status,
    ]).toEqual([404, 404, 404, 404, 404]);
  });

  const full = (): string => testbed.site.tokens['full'] ?? '';

  it('never list the users of a role, at any depth, nor in responses to writes', async () => {
    const someone = await testbed.createUser('someone');
    const created = await testbed.request('POST', '/api/users-permissions/roles', {
      as: full(),
      body: { name: 'Empty', description: 'd', permissions: [] },
    });
    expect([created.status, created.body]).toEqual([200, { ok: true }]);
    for (const permissions of [null, {}, { 'api::note': null }, { 'api::note': { controllers: [] } }]) {
      const { status } = await testbed.request('POST', '/api/users-permissions/roles', {
        as: full(),
        body: { name: `Role ${JSON.stringify(permissions)}`, permissions },
      });
      expect([permissions, status]).toEqual([permissions, 200]);
    }
    for (const permissions of [['api::note.note.find'], 'find', { 'api::note': 'find' }])
      expect(
        (
          await testbed.request('POST', '/api/users-permissions/roles', {
            as: full(),
            body: { name: 'Refused', permissions },
          })
        ).status,
      ).toBe(400);
    for (const path of [
      '/api/users?populate[role][populate][0]=users',
      '/api/users?populate=role.users',
      '/api/users?populate[role][populate]=*',
      '/api/users?populate[role][populate][users][count]=true',
      '/api/users?populate[role][populate][permissions][populate][role][populate]=users',
      `/api/users/${someone.id}?populate[role][populate]=users`,
      '/api/notes?populate[owner][populate][role][populate]=users',
    ]) {
      const { status, body } = await testbed.request('GET', path, { as: full() });
      expect([path, status, JSON.stringify(body).includes('"users":')]).toEqual([path, 200, false]);
    }
    const { body } = await testbed.request('PUT', `/api/users/${someone.id}?populate[role][populate]=users`, {
      as: full(),
      body: { team: 'x' },
    });
    expect(body).toMatchObject({ role: { type: 'authenticated' } });
    expect(JSON.stringify(body)).not.toContain('"users":');
  });
});
