import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createClub, PASSWORD } from './club.js';
import type { Club, Person } from './club.js';

const USER = 'plugin::users-permissions.user';
const ROLE = 'plugin::users-permissions.role';
const SELF = { where: { id: '$user.id' } };

describe.each(databases)('limited rights over users on $name', (database) => {
  let club: Club;
  let ann: Person;
  let bob: Person;
  let count = 0;

  const ask = (method: string, path: string, body?: unknown) => club.ask(method, path, { as: ann.jwt, ...(body === undefined ? {} : { body }) });
  const newUser = () => {
    count += 1;
    return { username: `new${count}`, email: `new${count}@example.com`, password: PASSWORD };
  };
  const mutate = (field: string, variables: Readonly<Record<string, unknown>> = {}, head = '') => club.query(`mutation${head} { done: ${field} }`, { as: ann.jwt, variables });

  beforeAll(async () => {
    club = await createClub({ database });
    ann = await club.join('ann');
  });
  afterAll(() => club.site.close());
  beforeEach(async () => {
    bob = await club.join(`bob${(count += 1)}`);
    await club.grant('authenticated', USER, {});
    await club.grant('authenticated', ROLE, {});
  });

  it('can be to make them with some attributes only, by either transport', async () => {
    await club.grant('authenticated', USER, { find: true, create: { fields: ['username', 'email', 'password'] } });
    const made = await ask('POST', '/api/users', newUser());
    expect(made).toMatchObject({ status: 201, body: { provider: 'local', confirmed: false } });
    const byGraphql = await mutate('createUsersPermissionsUser(data: $data) { data { username provider } }', { data: newUser() }, '($data: UsersPermissionsUserInput!)');
    expect(byGraphql.data).toMatchObject({ done: { data: { provider: 'local' } } });
    for (const extra of [{ confirmed: true }, { blocked: false }, { provider: 'x' }, { resetPasswordToken: 'x' }]) {
      expect((await ask('POST', '/api/users', { ...newUser(), ...extra })).status).toBe(400);
      expect((await mutate('createUsersPermissionsUser(data: $data) { data { username } }', { data: { ...newUser(), ...extra } }, '($data: UsersPermissionsUserInput!)')).errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
    }
  });

  it('do not let anybody give themselves a role, a confirmation or another one\'s account', async () => {
    await club.grant('authenticated', ROLE, { find: true });
    await club.grant('authenticated', USER, { find: true, update: { ...SELF, fields: ['username', 'password'] } });
    const change = (id: number, data: Readonly<Record<string, unknown>>) => mutate(`updateUsersPermissionsUser(id: ${id}, data: $data) { data { username } }`, { data }, '($data: UsersPermissionsUserInput!)');
    for (const data of [{ role: '1' }, { confirmed: true }, { blocked: false }, { email: 'x@example.com' }, { confirmationToken: 'x' }]) {
      expect((await ask('PUT', `/api/users/${ann.id}`, data)).status).toBe(400);
      expect((await change(ann.id, data)).errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
    }
    expect((await change(ann.id, { username: 'ann' })).data).toEqual({ done: { data: { username: 'ann' } } });
    expect((await change(bob.id, { username: 'stolen' })).errors[0]?.extensions.code).toBe('FORBIDDEN');
    expect((await ask('PUT', `/api/users/${bob.id}`, { username: 'stolen' })).status).toBe(403);
  });

  it('to count them tell nothing that finding would not show', async () => {
    const total = async (query = '') => (await ask('GET', `/api/users/count${query}`)).body;
    await club.grant('authenticated', USER, { count: true, find: { fields: ['username'] } });
    expect(await total()).toBeGreaterThan(1);
    expect(await total('?filters[username]=ann')).toBe(1);
    for (const filter of ['[email][$contains]=a', '[confirmed]=true', '[role][id]=1', '[password][$null]=false', '[$or][0][email]=x']) expect((await ask('GET', `/api/users/count?filters${filter}`)).status).toBe(400);
    await club.grant('authenticated', USER, { count: true });
    expect((await ask('GET', '/api/users/count?filters[username][$startsWith]=a')).status).toBe(400);
    expect(await total()).toBeGreaterThan(1);
    await club.grant('authenticated', USER, { count: SELF, find: true });
    expect([await total(), await total('?filters[username][$startsWith]=bob')]).toEqual([1, 0]);
  });

  it('to remove them show nothing that finding would not show', async () => {
    await club.grant('authenticated', USER, { destroy: true, find: { ...SELF, fields: ['username'] } });
    const gone = await ask('DELETE', `/api/users/${bob.id}`);
    expect(gone).toMatchObject({ status: 200, body: { id: bob.id, documentId: bob.documentId } });
    expect(Object.keys(gone.body as object)).toHaveLength(2);
    bob = await club.join(`rob${count}`);
    const byGraphql = await mutate(`deleteUsersPermissionsUser(id: ${bob.id}) { data { documentId } }`);
    expect(byGraphql.body).toEqual({ data: { done: { data: { documentId: bob.documentId } } } });
    await club.grant('authenticated', USER, { destroy: SELF, find: true });
    const other = await club.join(`tob${count}`);
    expect((await ask('DELETE', `/api/users/${other.id}`)).status).toBe(403);
    expect((await mutate(`deleteUsersPermissionsUser(id: ${other.id}) { data { email } }`)).errors.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
  });

  it('take a role by its number or its document id', async () => {
    await club.grant('authenticated', ROLE, { find: true });
    await club.grant('authenticated', USER, { find: true, update: true });
    const { roles } = (await ask('GET', '/api/users-permissions/roles')).body as { roles: { id: number; documentId: string; type: string }[] };
    for (const { id, documentId, type } of roles) {
      for (const role of [String(id), documentId]) {
        const { data } = await mutate(`updateUsersPermissionsUser(id: ${bob.id}, data: { role: "${role}" }) { data { role { type } } }`);
        expect(data).toEqual({ done: { data: { role: { type } } } });
      }
    }
    expect((await mutate(`updateUsersPermissionsUser(id: ${bob.id}, data: { role: 4711 }) { data { documentId } }`)).errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });

  it('are refused for ids no database could hold as for any that is not there', async () => {
    await club.grant('authenticated', USER, { findOne: true, update: true, destroy: true });
    for (const id of ['4711', '99999999999', '999999999999999', '-1', 'x', '1.5']) {
      expect([(await ask('GET', `/api/users/${id}`)).status, (await ask('PUT', `/api/users/${id}`, {})).status, (await ask('DELETE', `/api/users/${id}`)).status]).toEqual([404, 404, 404]);
      expect((await mutate(`deleteUsersPermissionsUser(id: "${id}") { data { documentId } }`)).errors.map(({ extensions }) => extensions.code)).toEqual(['NOT_FOUND']);
    }
  });

  it('passwords over 72 bytes are refused wherever one can be set', async () => {
    await club.grant('authenticated', USER, { update: SELF, create: true });
    await club.grant('authenticated', 'plugin::users-permissions.auth', { changePassword: true, register: true });
    const long = 'ü'.repeat(37);
    const attempts = [
      mutate(`createUsersPermissionsUser(data: { username: "long1", email: "long1@example.com", password: "${long}" }) { data { documentId } }`),
      mutate(`updateUsersPermissionsUser(id: ${ann.id}, data: { password: "${long}" }) { data { documentId } }`),
      mutate(`register(input: { username: "long2", email: "long2@example.com", password: "${long}" }) { jwt }`),
      mutate(`changePassword(currentPassword: "${PASSWORD}", password: "${long}", passwordConfirmation: "${long}") { jwt }`),
    ];
    for (const reply of await Promise.all(attempts)) {
      expect(reply.errors.map(({ extensions }) => extensions)).toMatchObject([{ code: 'BAD_USER_INPUT', error: { name: 'ValidationError', details: { errors: [{ path: ['password'] }] } } }]);
      expect(JSON.stringify(reply.body)).not.toContain('jwt":"');
    }
  });
});

describe.each(databases)('roles by their number on $name', (database) => {
  let club: Club;
  beforeAll(async () => {
    club = await createClub({ database });
  });
  afterAll(() => club.site.close());

  it('are shown with all that can be granted, changed and removed', async () => {
    const as = club.site.tokens['full'] ?? '';
    const ask = async (method: string, path: string, body?: unknown) => club.ask(method, `/api/users-permissions/roles${path}`, { as, ...(body === undefined ? {} : { body }) });
    await ask('POST', '', { name: 'Writers', permissions: { 'api::note': { controllers: { note: { find: { enabled: true }, create: { enabled: false } } } } } });
    const { roles } = (await ask('GET', '')).body as { roles: { id: number; name: string }[] };
    const id = roles.find(({ name }) => name === 'Writers')?.id ?? 0;
    expect((await ask('GET', `/${id}`)).body).toMatchObject({ role: { id, name: 'Writers', type: 'writers', nb_users: 0, permissions: { 'api::note': { controllers: { note: { find: { enabled: true }, create: { enabled: false } } } } } } });
    expect((await ask('PUT', `/${id}`, { description: 'They write', permissions: { 'api::note': { controllers: { note: { create: { enabled: true } } } } } })).body).toEqual({ ok: true });
    expect((await ask('GET', `/${id}`)).body).toMatchObject({ role: { description: 'They write', permissions: { 'api::note': { controllers: { note: { find: { enabled: false }, create: { enabled: true } } } } } } });
    expect((await ask('DELETE', `/${id}`)).body).toEqual({ ok: true });
    expect([(await ask('GET', `/${id}`)).status, (await ask('PUT', `/${id}`, {})).status, (await ask('DELETE', `/${id}`)).status, (await ask('GET', '/x')).status, (await ask('GET', '/999999999999999')).status]).toEqual([404, 404, 404, 404, 404]);
  });
});
