import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestbed, PASSWORD } from './testbed.js';
import type { TestResponse, Testbed } from './testbed.js';

/** Texts that at least one of the databases cannot store. */
const UNSTORABLE_TEXTS = ['a\0b@example.com', 'ann\uD800@example.com', '\uFFFF\0'] as const;

describe.each(databases)('unstorable texts for accounts and roles on $name', (database) => {
  let testbed: Testbed;
  let full: string;
  beforeAll(async () => {
    testbed = await createTestbed({
      database,
      rateLimit: true,
      usersPermissions: { ratelimit: { max: 1000 } },
    });
    full = testbed.site.tokens['full'] ?? '';
    const auth = Object.fromEntries(
      [
        'callback',
        'register',
        'forgotPassword',
        'resetPassword',
        'emailConfirmation',
        'sendEmailConfirmation',
      ].map((action) => [action, true as const]),
    );
    await testbed.grant('public', 'plugin::users-permissions.auth', auth);
  });
  afterAll(() => testbed.site.close());

  const post = (path: string, body: object): Promise<TestResponse> =>
    testbed.request('POST', `/api/auth/${path}`, { body });

  it.each(UNSTORABLE_TEXTS)('are rejected when signing in or up: %j', async (text) => {
    const answers = [
      await post('local', { identifier: text, password: PASSWORD }),
      await post('local', { identifier: 'ann', password: text }),
      await post('local/register', { username: text, email: 'odd@example.com', password: PASSWORD }),
      await post('local/register', { username: 'oddone', email: text, password: PASSWORD }),
      await post('reset-password', { code: text, password: PASSWORD, passwordConfirmation: PASSWORD }),
      await testbed.request(
        'GET',
        `/api/auth/email-confirmation?confirmation=${encodeURIComponent(Buffer.from(text).toString())}`,
      ),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
    for (const path of ['forgot-password', 'send-email-confirmation'])
      expect([200, 400]).toContain((await post(path, { email: text })).status);
  });

  it.each(UNSTORABLE_TEXTS)('are rejected in writes of users: %j', async (text) => {
    const { id } = await testbed.createUser(`user${UNSTORABLE_TEXTS.indexOf(text)}`);
    for (const body of [{ username: text }, { email: text }, { password: `secret${text}` }, { team: text }]) {
      expect([body, (await testbed.request('PUT', `/api/users/${id}`, { as: full, body })).status]).toEqual([
        body,
        400,
      ]);
      const created = await testbed.request('POST', '/api/users', {
        as: full,
        body: { username: 'nobody', email: 'nobody@example.com', password: PASSWORD, ...body },
      });
      expect([body, created.status]).toEqual([body, 400]);
    }
  });

  it.each([...UNSTORABLE_TEXTS, '', 'xy', 'x'.repeat(101)])(
    'are rejected in writes of roles: %j',
    async (text) => {
      const before = (await testbed.request('GET', '/api/users-permissions/roles', { as: full })).body;
      const [{ id } = { id: 0 }] = (before as { roles: { id: number }[] }).roles;
      const path = '/api/users-permissions/roles';
      expect((await testbed.request('POST', path, { as: full, body: { name: text } })).status).toBe(400);
      expect((await testbed.request('PUT', `${path}/${id}`, { as: full, body: { name: text } })).status).toBe(
        400,
      );
      expect((await testbed.request('GET', path, { as: full })).body).toEqual(before);
    },
  );

  it.each(UNSTORABLE_TEXTS)('are rejected in descriptions and grants of roles: %j', async (text) => {
    const path = '/api/users-permissions/roles';
    const before = (await testbed.request('GET', path, { as: full })).body;
    const [{ id } = { id: 0 }] = (before as { roles: { id: number }[] }).roles;
    const permissions = { [`api::${text}`]: { controllers: { tag: { find: { enabled: true } } } } };
    const answers = [
      await testbed.request('POST', path, { as: full, body: { name: 'Described', description: text } }),
      await testbed.request('PUT', `${path}/${id}`, { as: full, body: { description: text } }),
      await testbed.request('POST', path, { as: full, body: { name: 'Permitted', permissions } }),
      await testbed.request('PUT', `${path}/${id}`, { as: full, body: { permissions } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 404, 404]);
    expect((await testbed.request('GET', path, { as: full })).body).toEqual(before);
  });

  it("do not affect renaming a role to another's name, which is rejected", async () => {
    const path = '/api/users-permissions/roles';
    await testbed.request('POST', path, { as: full, body: { name: 'Editor' } });
    const roles = (
      (await testbed.request('GET', path, { as: full })).body as {
        roles: { id: number; name: string; type: string }[];
      }
    ).roles;
    const editor = roles.find(({ type }) => type === 'editor')?.id;
    for (const name of ['Public', 'authenticated', ' PUBLIC '])
      expect([
        name,
        (await testbed.request('PUT', `${path}/${editor}`, { as: full, body: { name } })).status,
      ]).toEqual([name, 409]);
    expect(
      (
        await testbed.request('PUT', `${path}/${editor}`, {
          as: full,
          body: { name: ' editor ', description: 'x' },
        })
      ).status,
    ).toBe(200);
    expect((await testbed.request('GET', `${path}/${editor}`, { as: full })).body).toMatchObject({
      role: { name: 'editor', type: 'editor' },
    });
  });

  it('cause no log entries', () => {
    expect(testbed.site.log).toEqual([]);
  });
});
