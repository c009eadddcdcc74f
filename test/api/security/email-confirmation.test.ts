import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { AUTH, jwtOf, nextCode } from './account-messages.js';
import { createTestbed, PASSWORD } from './testbed.js';
import type { Testbed } from './testbed.js';

describe.each(databases)('confirmation of addresses on $name', (database) => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await createTestbed({
      database,
      usersPermissions: {
        advanced: { emailConfirmation: true, emailConfirmationRedirection: 'https://example.com/welcome' },
      },
    });
    await testbed.grant('public', AUTH, {
      callback: true,
      register: true,
      emailConfirmation: true,
      sendEmailConfirmation: true,
    });
    await testbed.grant('authenticated', 'plugin::users-permissions.user', { me: true });
  });
  afterAll(() => testbed.site.close());

  it('is required before signing in', async () => {
    const joined = await testbed.request('POST', '/api/auth/local/register', {
      body: { username: 'iris', email: 'iris@example.com', password: PASSWORD },
    });
    expect(joined).toMatchObject({ status: 200, body: { user: { confirmed: false } } });
    expect(joined.body).not.toHaveProperty('jwt');
    const login = () =>
      testbed.request('POST', '/api/auth/local', { body: { identifier: 'iris', password: PASSWORD } });
    expect(await login()).toMatchObject({ status: 400, body: { error: { name: 'ApplicationError' } } });
    await nextCode(testbed, 'iris@example.com', 0);
    await testbed.request('POST', '/api/auth/send-email-confirmation', {
      body: { email: 'iris@example.com' },
    });
    const code = await nextCode(testbed, 'iris@example.com', 1);
    const confirm = (value: string) =>
      testbed.request('GET', `/api/auth/email-confirmation?confirmation=${value}`);
    expect((await confirm('0'.repeat(64))).status).toBe(400);
    const confirmed = await confirm(code);
    expect([confirmed.status, confirmed.headers.get('location')]).toEqual([
      302,
      'https://example.com/welcome',
    ]);
    // A mail scanner may have followed the link before its reader does.
    expect((await confirm(code)).status).toBe(302);
    const jwt = jwtOf(await login());
    expect((await testbed.request('GET', '/api/users/me', { as: jwt })).status).toBe(200);
    const users = (
      await testbed.request('GET', '/api/users?filters[username]=iris', {
        as: testbed.site.tokens['full'] ?? '',
      })
    ).body as { id: number }[];
    await testbed.request('PUT', `/api/users/${String(users[0]?.id)}`, {
      as: testbed.site.tokens['full'] ?? '',
      body: { confirmed: false },
    });
    expect((await testbed.request('GET', '/api/users/me', { as: jwt })).status).toBe(401);
    expect((await confirm(code)).status).toBe(400);
  });
});
