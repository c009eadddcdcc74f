import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { AUTH } from './account-messages.js';
import { createTestbed, PASSWORD } from './testbed.js';
import type { Testbed } from './testbed.js';

describe.each(databases)('refresh tokens on $name', (database) => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await createTestbed({ database, usersPermissions: { jwtManagement: 'refresh' } });
    await testbed.grant('public', AUTH, { callback: true });
    await testbed.grant('authenticated', 'plugin::users-permissions.user', { me: true });
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

  it('are exchanged for new ones, and end their session if used twice', async () => {
    await testbed.createUser('rosa');
    const [first, other] = [await signIn('rosa'), await signIn('rosa')];
    expect(first.refreshToken).toMatch(/^[0-9a-f]{64}$/);
    const second = (await refresh(first.refreshToken)).body as { jwt: string; refreshToken: string };
    expect([await me(first.jwt), await me(second.jwt)]).toEqual([200, 200]);
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
    expect(signedIn.cookie).toMatch(/^strapi_up_refresh=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=lax$/);
    const sent = (cookie: string | null) => ({ cookie: `other=1; ${cookie?.split(';')[0]}` });
    const renewed = await post('/refresh', sent(signedIn.cookie));
    expect(Object.keys(renewed.body)).toEqual(['jwt']);
    expect(renewed.cookie).not.toBe(signedIn.cookie);
    const ended = await post('/logout', { authorization: `Bearer ${renewed.body.jwt}` });
    expect(ended.cookie).toContain('Expires=Thu, 01 Jan 1970');
    expect((await post('/refresh', sent(renewed.cookie))).status).toBe(401);
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
