import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportPermissions } from '../../../src/access/operations/apply-permissions.js';
import { databases } from '../../support/databases.js';
import { createClub } from './club.js';
import type { Club, GraphqlReply, Person } from './club.js';

const NOTE = 'api::note.note';
const USER = 'plugin::users-permissions.user';
const ROLE = 'plugin::users-permissions.role';

const codes = ({ errors }: GraphqlReply): readonly string[] => errors.map(({ extensions }) => extensions.code);

interface RoleJson {
  readonly id: number;
  readonly type: string;
  readonly nb_users: number;
}

describe.each(databases)('roles by GraphQL on $name', (database) => {
  let club: Club;
  let full: string;
  let people: readonly Person[];

  const roles = async () => ((await club.ask('GET', '/api/users-permissions/roles', { as: full })).body as { roles: RoleJson[] }).roles;
  const roleNamed = async (type: string): Promise<RoleJson> => {
    const role = (await roles()).find((each) => each.type === type);
    if (role === undefined) throw new Error(`no role ${type}`);
    return role;
  };
  const change = (operation: 'create' | 'update', data: Readonly<Record<string, unknown>>, { as = full, id }: { readonly as?: string; readonly id?: number } = {}) =>
    club.query(`mutation($data: UsersPermissionsRoleInput!${id === undefined ? '' : ', $id: ID!'}) { done: ${operation}UsersPermissionsRole(data: $data${id === undefined ? '' : ', id: $id'}) { ok } }`, { as, variables: { data, ...(id === undefined ? {} : { id }) } });
  const granted = async (type: string) => {
    const { data } = await club.query('query($type: String) { usersPermissionsRoles(filters: { type: { eq: $type } }) { permissions(sort: "action", pagination: { limit: -1 }) { documentId action } users { username } } }', { as: full, variables: { type } });
    const [role] = (data?.['usersPermissionsRoles'] ?? []) as { permissions: { documentId: string; action: string }[]; users: { username: string }[] }[];
    return { permissions: role?.permissions ?? [], actions: role?.permissions.map(({ action }) => action), users: role?.users.map(({ username }) => username) };
  };
  const me = async ({ jwt }: Person) => (await club.ask('GET', '/api/notes', { as: jwt })).status;

  beforeAll(async () => {
    club = await createClub({ database });
    full = club.site.tokens['full'] ?? '';
    people = [await club.join('ann'), await club.join('bob'), await club.join('cat')];
  });
  afterAll(() => club.site.close());

  it('are made with what they may do and who has them, in one go', async () => {
    const [ann, bob] = people as [Person, Person];
    expect([await me(ann), await me(bob)]).toEqual([403, 403]);
    const made = await change('create', { name: 'Readers', description: 'Read notes', permissions: [`${NOTE}.find`, `${NOTE}.findOne`], users: [String(ann.id), bob.documentId] });
    expect(made.body).toEqual({ data: { done: { ok: true } } });
    await club.site.server.app.access.refresh();
    expect([await me(ann), await me(bob)]).toEqual([200, 200]);
    expect(await granted('readers')).toMatchObject({ actions: [`${NOTE}.find`, `${NOTE}.findOne`], users: ['ann', 'bob'] });
    expect((await roleNamed('readers')).nb_users).toBe(2);
  });

  it('are given all that is stated, and nothing else is left', async () => {
    const [ann, , cat] = people as [Person, Person, Person];
    const { id } = await roleNamed('readers');
    const [kept] = (await granted('readers')).permissions;
    expect((await change('update', { permissions: [kept?.documentId, `${NOTE}.create`], users: [cat.documentId, ann.documentId] }, { id })).body).toEqual({ data: { done: { ok: true } } });
    expect(await granted('readers')).toMatchObject({ actions: [`${NOTE}.create`, `${NOTE}.find`], users: ['cat', 'ann'] });
    await change('update', { description: 'Only this' }, { id });
    expect(await granted('readers')).toMatchObject({ actions: [`${NOTE}.create`, `${NOTE}.find`], users: ['cat', 'ann'] });
    await change('update', { users: [], permissions: [] }, { id });
    expect(await granted('readers')).toMatchObject({ actions: [], users: [] });
  });

  it('keep the limits of what they may do already, and take no permission of another role for a name', async () => {
    const { id } = await roleNamed('readers');
    await club.grant('readers', NOTE, { find: { fields: ['title'] } });
    await club.grant('authenticated', NOTE, { update: { where: { owner: { id: '$user.id' } } } });
    const [own] = (await granted('readers')).permissions;
    const [others] = (await granted('authenticated')).permissions;
    await change('update', { permissions: [own?.documentId, `${NOTE}.create`] }, { id });
    const readers = (await exportPermissions(club.context)).find(({ type }) => type === 'readers');
    expect(readers?.rules.get(`${NOTE}.find`)).toEqual({ fields: ['title'], where: null });
    expect(codes(await change('update', { permissions: [others?.documentId] }, { id }))).toEqual(['BAD_USER_INPUT']);
    expect(codes(await change('create', { name: 'Sneaks', permissions: [others?.documentId] }))).toEqual(['BAD_USER_INPUT']);
    await club.grant('authenticated', NOTE, {});
  });

  it('change nothing where anything of it is refused', async () => {
    const { id } = await roleNamed('readers');
    const before = [await roles(), await granted('readers')];
    const refused = [
      await change('create', { name: 'Ghosts', users: ['nosuchuser'] }), await change('create', { name: 'Ghosts', permissions: [`${NOTE}.fnd`] }), await change('create', { name: 'Ghosts', users: ['99999999999'] }),
      await change('update', { name: 'Other', permissions: ['api::nothing.nothing.find'] }, { id }), await change('update', { name: 'Other', users: [people[0]?.documentId, 'nosuchuser'] }, { id }), await change('update', { users: [] }, { id: 4711 }),
    ];
    expect(refused.map((reply) => [reply.status, reply.data, codes(reply)])).toEqual(refused.map(() => [200, { done: null }, ['NOT_FOUND']]));
    expect([await roles(), await granted('readers')]).toEqual(before);
  });

  it('take the right to change users for saying who has them, and the right to change roles for all the rest', async () => {
    const [ann] = people as [Person];
    const { id } = await roleNamed('readers');
    expect(codes(await change('update', { permissions: [] }, { as: ann.jwt, id }))).toEqual(['FORBIDDEN']);
    await club.grant('authenticated', ROLE, { updateRole: true, createRole: true });
    await club.ask('PUT', `/api/users/${ann.id}`, { as: full, body: { role: (await roleNamed('authenticated')).id } });
    expect(codes(await change('update', { description: 'by ann' }, { as: ann.jwt, id }))).toEqual([]);
    for (const rule of [{}, { update: { fields: ['username'] } }, { update: { where: { id: '$user.id' } } }]) {
      await club.grant('authenticated', USER, rule);
      expect(codes(await change('update', { users: [ann.documentId] }, { as: ann.jwt, id }))).toEqual(['FORBIDDEN']);
      expect(codes(await change('create', { name: 'Mine', users: [ann.documentId] }, { as: ann.jwt }))).toEqual(['FORBIDDEN']);
    }
    expect((await granted('readers')).users).toEqual([]);
    await club.grant('authenticated', USER, { update: true });
    expect(codes(await change('update', { users: [ann.documentId] }, { as: ann.jwt, id }))).toEqual([]);
    expect((await granted('readers')).users).toEqual(['ann']);
    await club.grant('authenticated', ROLE, {});
    await club.grant('authenticated', USER, {});
  });
});

describe.each(databases)('oneself by GraphQL on $name', (database) => {
  let club: Club;
  let ann: Person;
  const EVERYTHING = '{ me { id documentId username email confirmed blocked role { id name type } } }';
  beforeAll(async () => {
    club = await createClub({ database });
    ann = await club.join('ann', { team: 'red' });
  });
  afterAll(() => club.site.close());

  it('is shown with the role, without a right to either users or roles', async () => {
    await club.grant('authenticated', USER, { me: true });
    const { body } = await club.query(EVERYTHING, { as: ann.jwt });
    expect(body).toEqual({ data: { me: { id: String(ann.id), documentId: ann.documentId, username: 'ann', email: 'ann@example.com', confirmed: true, blocked: false, role: { id: expect.any(String), name: 'Authenticated', type: 'authenticated' } } } });
    expect((await club.query('{ me { name: username other: role { called: name } ...more } } fragment more on UsersPermissionsMe { mail: email }', { as: ann.jwt })).data).toEqual({ me: { name: 'ann', other: { called: 'Authenticated' }, mail: 'ann@example.com' } });
  });

  it('is shown as far as the right to it goes, by either transport', async () => {
    await club.grant('authenticated', USER, { me: { fields: ['username'] } });
    expect((await club.query('{ me { id username } }', { as: ann.jwt })).data).toEqual({ me: { id: String(ann.id), username: 'ann' } });
    for (const field of ['email', 'blocked', 'role { name }']) {
      const reply = await club.query(`{ me { username ${field} } }`, { as: ann.jwt });
      expect([reply.data, codes(reply)]).toEqual([{ me: null }, ['BAD_USER_INPUT']]);
      expect(JSON.stringify(reply.body)).not.toMatch(/ann@example|Authenticated/);
    }
    expect(Object.keys((await club.ask('GET', '/api/users/me', { as: ann.jwt })).body as object).toSorted()).toEqual(['createdAt', 'documentId', 'id', 'publishedAt', 'updatedAt', 'username']);
    await club.grant('authenticated', USER, { me: { where: { team: 'blue' } } });
    expect((await club.query(EVERYTHING, { as: ann.jwt })).body).toEqual({ data: { me: null } });
    expect((await club.ask('GET', '/api/users/me', { as: ann.jwt })).status).toBe(404);
  });

  it('is nobody for tokens and for who is not signed in', async () => {
    await club.grant('public', USER, { me: true });
    for (const as of [null, club.site.tokens['full'] ?? '']) {
      const reply = await club.query(EVERYTHING, { as });
      expect([reply.data, codes(reply)]).toEqual([{ me: null }, ['UNAUTHENTICATED']]);
    }
    await club.grant('public', USER, {});
    expect(codes(await club.query(EVERYTHING))).toEqual(['FORBIDDEN']);
  });
});
