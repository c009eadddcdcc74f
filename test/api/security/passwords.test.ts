import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../../src/lib/assert.js';
import { databases } from '../../support/databases.js';
import { AUTH, codesFor, jwtOf, nextCode, sentMessages } from './account-messages.js';
import { createTestbed, PASSWORD } from './testbed.js';
import type { Testbed } from './testbed.js';

const TEMPLATE = 'src/extensions/users-permissions/email-templates';

describe.each(databases)('passwords of accounts on $name', (database) => {
  let testbed: Testbed;
  const login = (identifier: string, password: string) =>
    testbed.request('POST', '/api/auth/local', { body: { identifier, password } });
  const me = async (jwt: string) => (await testbed.request('GET', '/api/users/me', { as: jwt })).status;
  const reset = (code: string, password: string, extra = {}) =>
    testbed.request('POST', '/api/auth/reset-password', {
      body: { code, password, passwordConfirmation: password, ...extra },
    });
  const forgot = (email: string) => testbed.request('POST', '/api/auth/forgot-password', { body: { email } });

  beforeAll(async () => {
    const files = {
      [`${TEMPLATE}/reset-password.txt`]:
        'Subject: New password for {{USERNAME}}\n\n{{USERNAME}} goes to {{URL}}\n',
    };
    testbed = await createTestbed({
      database,
      files,
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

  it('can be reset with a code that works once', async () => {
    const { jwt } = await testbed.createUser('rita');
    expect((await forgot('RITA@example.com')).body).toEqual({ ok: true });
    const code = await nextCode(testbed, 'rita@example.com', 0);
    expect((await reset(code, PASSWORD, { passwordConfirmation: 'other-one' })).status).toBe(400);
    expect((await reset(code, '123')).status).toBe(400);
    expect((await reset(code, 'a'.repeat(73))).status).toBe(400);
    const answers = await Promise.all([reset(code, 'new-secret'), reset(code, 'new-secret')]);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400']);
    expect((await reset(code, 'other-secret')).status).toBe(400);
    expect(await me(jwt)).toBe(401);
    expect(await me(jwtOf(answers.find(({ status }) => status === 200) ?? answers[0]))).toBe(200);
    expect([(await login('rita', PASSWORD)).status, (await login('rita', 'new-secret')).status]).toEqual([
      400, 200,
    ]);
  });

  it('have hashed codes that expire, one per user', async () => {
    await testbed.createUser('otto');
    await forgot('otto@example.com');
    const first = await nextCode(testbed, 'otto@example.com', 0);
    await forgot('otto@example.com');
    const second = await nextCode(testbed, 'otto@example.com', 1);
    expect((await reset(first, 'new-secret')).status).toBe(400);
    const rows = () => testbed.context.database.transact((tx) => tx.model('AccountCode').findMany({}));
    expect(JSON.stringify(await rows())).not.toContain(second);
    await testbed.context.database.transact((tx) =>
      tx.model('AccountCode').updateMany({ where: {}, data: { expiresAt: new Date(Date.now() - 1000) } }),
    );
    expect((await reset(second, 'new-secret')).status).toBe(400);
    expect((await login('otto', PASSWORD)).status).toBe(200);
  });

  it('are reset without revealing who has an account', async () => {
    await testbed.createUser('blockhead', { blocked: false });
    await testbed.request('PUT', `/api/users/${String((await testbed.createUser('mute')).id)}`, {
      as: testbed.site.tokens['full'] ?? '',
      body: { blocked: true },
    });
    for (const email of ['nobody@example.com', 'mute@example.com', 'x'])
      expect(await forgot(email)).toMatchObject({ status: 200, body: { ok: true } });
    expect(
      (
        await testbed.request('POST', '/api/auth/send-email-confirmation', {
          body: { email: 'nobody@example.com' },
        })
      ).body,
    ).toEqual({ email: 'nobody@example.com', sent: true });
    // A message of the requests above would have arrived by the time that a later one does.
    await testbed.createUser('sentinel');
    await forgot('sentinel@example.com');
    await expect
      .poll(async () => (await codesFor(testbed, 'sentinel@example.com')).length, { timeout: 20_000 })
      .toBe(1);
    expect([
      ...(await codesFor(testbed, 'nobody@example.com')),
      ...(await codesFor(testbed, 'mute@example.com')),
    ]).toEqual([]);
  });

  it('are changed by users who know the old one, which ends their sessions', async () => {
    const { jwt } = await testbed.createUser('paul');
    const change = (currentPassword: string, password: string) =>
      testbed.request('POST', '/api/auth/change-password', {
        as: jwt,
        body: { currentPassword, password, passwordConfirmation: password },
      });
    expect((await change('wrong-one', 'new-secret')).status).toBe(400);
    expect((await change(PASSWORD, PASSWORD)).status).toBe(400);
    expect((await change(PASSWORD, 'a'.repeat(73))).status).toBe(400);
    expect((await testbed.request('POST', '/api/auth/change-password', { body: {} })).status).toBe(403);
    const changed = await change(PASSWORD, 'new-secret');
    expect(changed.status).toBe(200);
    expect([await me(jwt), await me(jwtOf(changed))]).toEqual([401, 200]);
  });

  it('are reset with messages in which names are escaped', async () => {
    const name = '{{CODE}}<img src=x onerror=alert(1)>${7*7}<%= 7*7 %>';
    const joined = await testbed.request('POST', '/api/auth/local/register', {
      body: { username: name, email: 'mallet@example.com', password: PASSWORD },
    });
    expect(joined.status).toBe(200);
    await forgot('mallet@example.com');
    await nextCode(testbed, 'mallet@example.com', 0);
    const message = defined(
      (await sentMessages(testbed)).find((text) => text.includes('To: mallet@example.com')),
      'the message to Mallet',
    );
    const [, html = ''] = message.split('Content-Type: text/html');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).not.toContain('<img');
    expect(html).toContain('{{CODE}}');
    expect(html).toContain('${7*7}&lt;%= 7*7 %&gt;');
    expect(message).toContain('goes to http');
  });
});
