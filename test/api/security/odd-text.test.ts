import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createClub, PASSWORD } from './club.js';
import type { Answer, Club } from './club.js';

/** Texts that no database takes, or not all. */
const ODD = ['a\0b@example.com', 'ann\uD800@example.com', '\uFFFF\0'] as const;

describe.each(databases)('texts that cannot be stored, sent about people and roles on $name', (database) => {
  let club: Club;
  let full: string;
  beforeAll(async () => {
    club = await createClub({ database, rateLimit: true, people: { ratelimit: { max: 1000 } } });
    full = club.site.tokens['full'] ?? '';
    const auth = Object.fromEntries(['callback', 'register', 'forgotPassword', 'resetPassword', 'emailConfirmation', 'sendEmailConfirmation'].map((action) => [action, true as const]));
    await club.grant('public', 'plugin::users-permissions.auth', auth);
  });
  afterAll(() => club.site.close());

  const post = (path: string, body: object): Promise<Answer> => club.ask('POST', `/api/auth/${path}`, { body });

  it.each(ODD)('are a refusal wherever somebody signs in or up: %j', async (text) => {
    const answers = [
      await post('local', { identifier: text, password: PASSWORD }),
      await post('local', { identifier: 'ann', password: text }),
      await post('local/register', { username: text, email: 'odd@example.com', password: PASSWORD }),
      await post('local/register', { username: 'oddone', email: text, password: PASSWORD }),
      await post('reset-password', { code: text, password: PASSWORD, passwordConfirmation: PASSWORD }),
      await club.ask('GET', `/api/auth/email-confirmation?confirmation=${encodeURIComponent(Buffer.from(text).toString())}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
    for (const path of ['forgot-password', 'send-email-confirmation']) expect([200, 400]).toContain((await post(path, { email: text })).status);
  });

  it.each(ODD)('are a refusal where users are written: %j', async (text) => {
    const { id } = await club.join(`user${ODD.indexOf(text)}`);
    for (const body of [{ username: text }, { email: text }, { password: `secret${text}` }, { team: text }]) {
      expect([body, (await club.ask('PUT', `/api/users/${id}`, { as: full, body })).status]).toEqual([body, 400]);
      const made = await club.ask('POST', '/api/users', { as: full, body: { username: 'nobody', email: 'nobody@example.com', password: PASSWORD, ...body } });
      expect([body, made.status]).toEqual([body, 400]);
    }
  });

  it.each([...ODD, '', 'xy', 'x'.repeat(101)])('are a refusal where roles are written: %j', async (text) => {
    const before = (await club.ask('GET', '/api/users-permissions/roles', { as: full })).body;
    const [{ id } = { id: 0 }] = (before as { roles: { id: number }[] }).roles;
    const path = '/api/users-permissions/roles';
    expect((await club.ask('POST', path, { as: full, body: { name: text } })).status).toBe(400);
    expect((await club.ask('PUT', `${path}/${id}`, { as: full, body: { name: text } })).status).toBe(400);
    expect((await club.ask('GET', path, { as: full })).body).toEqual(before);
  });

  it.each(ODD)('are a refusal where roles are described and granted: %j', async (text) => {
    const path = '/api/users-permissions/roles';
    const before = (await club.ask('GET', path, { as: full })).body;
    const [{ id } = { id: 0 }] = (before as { roles: { id: number }[] }).roles;
    const permissions = { [`api::${text}`]: { controllers: { tag: { find: { enabled: true } } } } };
    const answers = [
      await club.ask('POST', path, { as: full, body: { name: 'Described', description: text } }),
      await club.ask('PUT', `${path}/${id}`, { as: full, body: { description: text } }),
      await club.ask('POST', path, { as: full, body: { name: 'Permitted', permissions } }),
      await club.ask('PUT', `${path}/${id}`, { as: full, body: { permissions } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 404, 404]);
    expect((await club.ask('GET', path, { as: full })).body).toEqual(before);
  });

  it('are none of what renames a role to what another is called', async () => {
    const path = '/api/users-permissions/roles';
    await club.ask('POST', path, { as: full, body: { name: 'Editor' } });
    const roles = ((await club.ask('GET', path, { as: full })).body as { roles: { id: number; name: string; type: string }[] }).roles;
    const editor = roles.find(({ type }) => type === 'editor')?.id;
    for (const name of ['Public', 'authenticated', ' PUBLIC ']) expect([name, (await club.ask('PUT', `${path}/${editor}`, { as: full, body: { name } })).status]).toEqual([name, 409]);
    expect((await club.ask('PUT', `${path}/${editor}`, { as: full, body: { name: ' editor ', description: 'x' } })).status).toBe(200);
    expect((await club.ask('GET', `${path}/${editor}`, { as: full })).body).toMatchObject({ role: { name: 'editor', type: 'editor' } });
  });

  it('have nothing reported', () => {
    expect(club.site.log).toEqual([]);
  });
});
