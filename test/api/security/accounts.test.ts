import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { AUTH } from './account-messages.js';
import { createTestbed, PASSWORD } from './testbed.js';
import type { Testbed } from './testbed.js';

describe.each(databases)('accounts on $name', (database) => {
  let testbed: Testbed;
  const login = (identifier: string, password: string) =>
    testbed.request('POST', '/api/auth/local', { body: { identifier, password } });
  const me = async (jwt: string) => (await testbed.request('GET', '/api/users/me', { as: jwt })).status;

  beforeAll(async () => {
    testbed = await createTestbed({
      database,
      usersPermissions: { register: { allowedFields: ['team', 'role', 'confirmed'] } },
    });
    await testbed.grant('public', AUTH, {
      callback: true,
      register: true,
      forgotPassword: true,
      resetPassword: true,
      emailConfirmation: true,
      sendEmailConfirmation: true,
    });
    await testbed.grant('authenticated', AUTH, { changePassword: true });
    await testbed.grant('authenticated', 'plugin::users-permissions.user', { me: true });
  });
  afterAll(() => testbed.site.close());

  it('accept neither role nor confirmation nor any other protected field at sign-up', async () => {
    const register = (body: Readonly<Record<string, unknown>>) =>
      testbed.request('POST', '/api/auth/local/register', {
        body: { username: 'eve', email: 'eve@example.com', password: PASSWORD, ...body },
      });
    for (const extra of [
      { role: 1 },
      { confirmed: true },
      { blocked: false },
      { provider: 'x' },
      { id: 1 },
      { resetPasswordToken: 'x' },
      { secretNote: 'x' },
    ]) {
      expect({ extra, status: (await register(extra)).status }).toEqual({ extra, status: 400 });
    }
    const { status, body } = await register({ team: 'red' });
    expect(status).toBe(200);
    expect((body as { user: unknown }).user).toMatchObject({
      team: 'red',
      provider: 'local',
      confirmed: true,
      blocked: false,
    });
    expect(JSON.stringify(body)).not.toMatch(/password|secretNote|resetPasswordToken/);
  });

  it('reject passwords that bcrypt would cut', async () => {
    const long = 'a'.repeat(73);
    const body = { username: 'longo', email: 'longo@example.com', password: long };
    const refused = await testbed.request('POST', '/api/auth/local/register', { body });
    expect(refused.body).toMatchObject({
      error: { name: 'ValidationError', details: { errors: [{ path: ['password'] }] } },
    });
    expect(
      (
        await testbed.request('POST', '/api/auth/local/register', {
          body: { ...body, password: 'a'.repeat(72) },
        })
      ).status,
    ).toBe(200);
    // Users of Strapi have longer ones, whose hashes hold as much.
    expect((await login('longo', long)).status).toBe(200);
    expect((await login('longo', 'a'.repeat(71))).status).toBe(400);
    expect((await login('longo', 'a'.repeat(72))).status).toBe(200);
    expect(
      (
        await testbed.request('POST', '/api/auth/local/register', {
          body: { ...body, username: 'ümlaut', email: 'u@example.com', password: 'ü'.repeat(37) },
        })
      ).status,
    ).toBe(400);
  });

  it('give the same response for a wrong password and an unknown name', async () => {
    await testbed.createUser('known');
    const answers = [
      await login('known', 'wrong-one'),
      await login('nobody', 'wrong-one'),
      await login('known@example.com', 'a'.repeat(80)),
    ];
    expect(new Set(answers.map(({ body, status }) => JSON.stringify([status, body]))).size).toBe(1);
    const odd = await Promise.all(
      [
        { identifier: { $ne: '' }, password: 'x' },
        { identifier: ['known'], password: 'x' },
        { identifier: 'known', password: { $gt: '' } },
      ].map((body) => testbed.request('POST', '/api/auth/local', { body })),
    );
    expect(odd.map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  it("reject a name that is another user's address", async () => {
    await testbed.createUser('victim');
    const { body } = await testbed.request('POST', '/api/auth/local/register', {
      body: { username: 'victim@example.com', email: 'thief@example.com', password: PASSWORD },
    });
    expect(body).toMatchObject({ error: { name: 'ApplicationError' } });
  });

  it('reject names that differ from another in case or in space around it', async () => {
    const full = testbed.site.tokens['full'] ?? '';
    const { id } = await testbed.createUser('émile');
    const signUp = (username: string) =>
      testbed.request('POST', '/api/auth/local/register', {
        body: { username, email: 'other@example.com', password: PASSWORD },
      });
    expect((await signUp('ÉMILE')).body).toMatchObject({ error: { name: 'ApplicationError' } });
    for (const name of [' émile', 'émile ', '\u00a0émile'])
      expect((await signUp(name)).body).toMatchObject({
        error: { name: 'ValidationError', details: { errors: [{ path: ['username'] }] } },
      });
    const rename = async (username: string) =>
      (await testbed.request('PUT', `/api/users/${id}`, { as: full, body: { username } })).status;
    expect([await rename('Émile'), await rename('Émile'), await rename('Émile ')]).toEqual([200, 200, 400]);
    expect((await signUp('emile')).status).toBe(200);
  });

  it('are signed out immediately when they are blocked, deleted or given another password', async () => {
    const full = testbed.site.tokens['full'] ?? '';
    const [blocked, gone, moved] = [
      await testbed.createUser('bea'),
      await testbed.createUser('gus'),
      await testbed.createUser('max'),
    ];
    expect([await me(blocked.jwt), await me(gone.jwt), await me(moved.jwt)]).toEqual([200, 200, 200]);
    await testbed.request('PUT', `/api/users/${blocked.id}`, { as: full, body: { blocked: true } });
    await testbed.request('DELETE', `/api/users/${gone.id}`, { as: full });
    await testbed.request('PUT', `/api/users/${moved.id}`, { as: full, body: { password: 'another-one' } });
    expect([await me(blocked.jwt), await me(gone.jwt), await me(moved.jwt)]).toEqual([401, 401, 401]);
    expect((await testbed.request('GET', '/api/tags', { as: blocked.jwt })).status).toBe(401);
  });

  it('never show private attributes or passwords, nor filter and sort by them', async () => {
    const full = testbed.site.tokens['full'] ?? '';
    const { id } = await testbed.createUser('quinn');
    await testbed.request('PUT', `/api/users/${id}`, { as: full, body: { secretNote: 'private' } });
    for (const path of [
      '/api/users',
      `/api/users/${id}`,
      '/api/users?populate=*',
      '/api/articles?populate=*',
      '/api/users-permissions/roles',
    ]) {
      const { body } = await testbed.request('GET', path, { as: full });
      expect(JSON.stringify(body)).not.toMatch(
        /"password"|resetPasswordToken|confirmationToken|secretNote|\$2[aby]\$/,
      );
    }
    const attempts = [
      'filters[password][$startsWith]=$2',
      'filters[resetPasswordToken][$startsWith]=a',
      'filters[secretNote]=private',
      'sort=password',
      'sort=secretNote',
      'fields=password',
      'fields=resetPasswordToken',
      'filters[role][users][password][$startsWith]=$2',
      'filters[$or][0][$not][password]=x',
      'populate[role][populate][users][fields]=password',
      'populate[role][populate][users][filters][password][$null]=false',
      'populate[role][populate][users][sort]=password',
      'filters[role_document_id]=x',
      'filters[roleDocumentId]=x',
      'sort=up_users.password',
      'filters[role][permissions][conditions][$null]=true',
    ];
    for (const query of attempts)
      expect({
        query,
        status: (await testbed.request('GET', `/api/users?${query}`, { as: full })).status,
      }).toEqual({
        query,
        status: 400,
      });
  });
});
