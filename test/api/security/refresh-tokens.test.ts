import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { AUTH } from './account-messages.js';
import { createTestbed, PASSWORD } from './testbed.js';
import type { Testbed } from './testbed.js';

describe.each(databases)('refresh tokens on $name', (database) => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await createTestbed({ database, usersPermissions: { jwtManagement: 'refresh' } });
    await testbed.grant('public', AUTH, { callback: true, register: true });
    await testbed.grant('authenticated', 'plugin::users-permissions.user', { me: true });
    await testbed.grant('authenticated', AUTH, { changePassword: true });
  });
  afterAll(() => testbed.site.close());

  const signIn = async (name: string) =>
    (await testbed.request('POST', '/api/auth/local', { body: { identifier: name, password: PASSWORD } }))
      .body as {
      jwt: string;
      refreshToken: string;
    };
  const refresh = (refreshToken: string) =>
    testbed.request('POST', '/api/auth/refresh', { body: { refreshToken } });
  const me = async (jwt: string) => (await testbed.request('GET', '/api/users/me', { as: jwt })).status;

  /** Makes it as if all used tokens had been used a minute ago. */
  const waitAMinute = () =>
    testbed.context.database.transact((tx) =>
      tx.model('RefreshToken').updateMany({
        where: { NOT: { usedAt: null } },
        data: { usedAt: new Date(Date.now() - 60_000) },
      }),
    );

  it('are exchanged for new ones, and end their session if used twice', async () => {
    await testbed.createUser('rosa');
    const [first, other] = [await signIn('rosa'), await signIn('rosa')];
    expect(first.refreshToken).toMatch(/^[0-9a-f]{64}$/);
    const second = (await refresh(first.refreshToken)).body as { jwt: string; refreshToken: string };
    expect([await me(first.jwt), await me(second.jwt)]).toEqual([200, 200]);
    await waitAMinute();
    expect((await refresh(first.refreshToken)).status).toBe(401);
    expect((await refresh(second.refreshToken)).status).toBe(401);
    expect([await me(first.jwt), await me(second.jwt), await me(other.jwt)]).toEqual([401, 401, 200]);
    expect((await refresh('0'.repeat(64))).status).toBe(401);
    expect((await refresh('')).status).toBe(400);
    const stored = JSON.stringify(
      await testbed.context.database.transact((tx) => tx.model('RefreshToken').findMany({})),
    );
    expect(stored).not.toContain(other.refreshToken);
  });

  it('give the same successor for some seconds, for tabs that refresh at the same time', async () => {
    await testbed.createUser('tabea');
    const { refreshToken } = await signIn('tabea');
    const tabs = await Promise.all(Array.from({ length: 4 }, () => refresh(refreshToken)));
    expect(tabs.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const bodies = tabs.map(({ body }) => body as { jwt: string; refreshToken: string });
    const successors = new Set(bodies.map((body) => body.refreshToken));
    expect(successors.size).toBe(1);
    for (const { jwt } of bodies) expect(await me(jwt)).toBe(200);
    expect((await refresh([...successors][0] ?? '')).status).toBe(200);
  });

  it('are in a cookie that scripts cannot read, where a client asks for it', async () => {
    await testbed.createUser('ines');
    const post = async (path: string, headers: object, body: object = {}) => {
      const response = await fetch(`${testbed.site.server.url}/api/auth${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-strapi-refresh-cookie': 'httpOnly', ...headers },
        body: JSON.stringify(body),
      });
      const cookie = response.headers.get('set-cookie');
      return { status: response.status, cookie, body: (await response.json()) as { jwt: string } };
    };
    const signedIn = await post('/local', {}, { identifier: 'ines', password: PASSWORD });
    expect(signedIn.body).not.toHaveProperty('refreshToken');
    expect(signedIn.cookie).toMatch(
      /^strapi_up_refresh=[0-9a-f]{64}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=lax$/,
    );
    const sent = (cookie: string | null) => ({ cookie: `other=1; ${cookie?.split(';')[0]}` });
    const renewed = await post('/refresh', sent(signedIn.cookie));
    expect(Object.keys(renewed.body)).toEqual(['jwt']);
    expect(renewed.cookie).not.toBe(signedIn.cookie);
    const ended = await post('/logout', { authorization: `Bearer ${renewed.body.jwt}` });
    expect(ended.cookie).toContain('Expires=Thu, 01 Jan 1970');
    expect((await post('/refresh', sent(renewed.cookie))).status).toBe(401);
    const joined = await post(
      '/local/register',
      {},
      { username: 'inga', email: 'inga@example.com', password: PASSWORD },
    );
    const changed = await post(
      '/change-password',
      { authorization: `Bearer ${joined.body.jwt}` },
      { currentPassword: PASSWORD, password: 'another-one', passwordConfirmation: 'another-one' },
    );
    for (const { status, body, cookie } of [joined, changed]) {
      expect([status, Object.keys(body)]).toEqual([200, ['jwt', 'user']]);
      expect(cookie).toMatch(/^strapi_up_refresh=[0-9a-f]{64};/);
    }
  });

  it('end with the session', async () => {
    await testbed.createUser('lea');
    const [here, there] = [await signIn('lea'), await signIn('lea')];
    expect((await testbed.request('POST', '/api/auth/logout', { as: here.jwt })).body).toEqual({ ok: true });
    expect([await me(here.jwt), (await refresh(here.refreshToken)).status, await me(there.jwt)]).toEqual([
      401, 401, 200,
    ]);
    expect((await testbed.request('POST', '/api/auth/logout')).status).toBe(401);
  });

  it('end with a new password, a block, and their lifetime', async () => {
    const full = testbed.site.tokens['full'] ?? '';
    const [pat, kim] = [await testbed.createUser('pat'), await testbed.createUser('kim')];
    const [patsIn, kimsIn] = [await signIn('pat'), await signIn('kim')];
    await testbed.request('PUT', `/api/users/${pat.id}`, { as: full, body: { password: 'another-one' } });
    await testbed.request('PUT', `/api/users/${kim.id}`, { as: full, body: { blocked: true } });
    expect([
      await me(patsIn.jwt),
      (await refresh(patsIn.refreshToken)).status,
      await me(kimsIn.jwt),
      (await refresh(kimsIn.refreshToken)).status,
    ]).toEqual([401, 401, 401, 401]);
    await testbed.createUser('old');
    const old = await signIn('old');
    await testbed.context.database.transact((tx) =>
      tx.model('RefreshToken').updateMany({ where: {}, data: { expiresAt: new Date(Date.now() - 1000) } }),
    );
    expect((await refresh(old.refreshToken)).status).toBe(401);
  });
});

describe.each(databases)('JWTs without sessions on $name', (database) => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await createTestbed({ database });
    await testbed.grant('public', AUTH, { callback: true });
    await testbed.grant('authenticated', 'plugin::users-permissions.user', { me: true });
  });
  afterAll(() => testbed.site.close());

  it('end when their user signs out, alone', async () => {
    const { id, jwt } = await testbed.createUser('lena');
    // A JWT says in which second it was issued, and is the same within one.
    const other = await testbed.createUser('olga');
    const post = (as: string) => testbed.request('POST', '/api/auth/logout', { as });
    const me = async (as: string) => (await testbed.request('GET', '/api/users/me', { as })).status;
    expect((await post(jwt)).body).toEqual({ ok: true });
    expect([await me(jwt), (await post(jwt)).status, await me(other.jwt)]).toEqual([401, 401, 200]);
    const full = testbed.site.tokens['full'] ?? '';
    for (const blocked of [true, false])
      await testbed.request('PUT', `/api/users/${id}`, { as: full, body: { blocked } });
    expect(await me(jwt)).toBe(401);
    expect((await testbed.request('POST', '/api/auth/logout', { as: full })).status).toBe(401);
    expect((await testbed.request('POST', '/api/auth/refresh', { body: {} })).status).toBe(404);
  });
});
