import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createClub, PASSWORD } from '../security/club.js';
import type { Answer, Club } from '../security/club.js';

const AUTH = 'plugin::users-permissions.auth';
const USER = 'plugin::users-permissions.user';

/** One byte more than bcrypt looks at, in as few characters as possible, and as many bytes as it looks at. */
const TOO_LONG = ['a'.repeat(73), 'ü'.repeat(37), '😀'.repeat(19)];
const JUST = '😀'.repeat(18);

describe.each(databases)('codes and passwords on $name', (database) => {
  let club: Club;
  let full: string;
  beforeAll(async () => {
    club = await createClub({ database, people: { advanced: { emailConfirmation: true } } });
    full = club.site.tokens['full'] ?? '';
    await club.grant('public', AUTH, { callback: true, register: true, forgotPassword: true, resetPassword: true, emailConfirmation: true, sendEmailConfirmation: true });
    await club.grant('authenticated', AUTH, { changePassword: true });
    await club.grant('authenticated', USER, { me: true });
  });
  afterAll(() => club.site.close());

  const codesFor = async (email: string): Promise<readonly string[]> => {
    const folder = join(club.site.root, '.galley', 'mail');
    const files: readonly string[] = await readdir(folder).catch(() => []);
    const messages = await Promise.all(files.toSorted().map((file) => readFile(join(folder, file), 'utf8')));
    const unfolded = messages.map((message) => message.replaceAll('=\n', '').replaceAll('=3D', '='));
    return unfolded.filter((message) => message.includes(`To: ${email}`)).flatMap((message) => /(?:code|confirmation)=([0-9a-f]{64})/.exec(message)?.[1] ?? []);
  };
  const mailedCode = async (email: string, ask: () => Promise<Answer>): Promise<string> => {
    const known = await codesFor(email);
    expect((await ask()).status).toBe(200);
    await expect.poll(async () => (await codesFor(email)).length, { timeout: 30_000 }).toBe(known.length + 1);
    return (await codesFor(email)).find((code) => !known.includes(code)) ?? '';
  };
  const post = (path: string, body: object, as: string | null = null): Promise<Answer> => club.ask('POST', `/api/auth/${path}`, { body, as });
  const forgot = (email: string): Promise<string> => mailedCode(email, () => post('forgot-password', { email }));
  const confirmation = (email: string): Promise<string> => mailedCode(email, () => post('send-email-confirmation', { email }));
  const reset = async (code: string, password = 'brand-new-one'): Promise<number> => (await post('reset-password', { code, password, passwordConfirmation: password })).status;
  const confirm = async (code: string): Promise<number> => (await club.ask('GET', `/api/auth/email-confirmation?confirmation=${code}`)).status;
  const change = (id: number, body: object): Promise<Answer> => club.ask('PUT', `/api/users/${id}`, { as: full, body });
  const graphql = async (query: string, variables: object): Promise<string> => JSON.stringify((await club.ask('POST', '/graphql', { as: full, body: { query, variables } })).body);

  it('do one thing each: a code for a password confirms no address, and the other way round', async () => {
    const { id } = await club.join('una');
    await change(id, { confirmed: false });
    const [forReset, forAddress] = [await forgot('una@example.com'), await confirmation('una@example.com')];
    expect([await confirm(forReset), await reset(forAddress)]).toEqual([400, 400]);
    expect([await confirm(forAddress), await reset(forReset)]).toEqual([200, 200]);
  });

  it('end a code for a new password when the password is changed another way', async () => {
    const { jwt } = await club.join('vera');
    const code = await forgot('vera@example.com');
    expect((await post('change-password', { currentPassword: PASSWORD, password: 'chosen-by-her', passwordConfirmation: 'chosen-by-her' }, jwt)).status).toBe(200);
    expect(await reset(code)).toBe(400);
    const { id } = await club.join('wim');
    const other = await forgot('wim@example.com');
    expect((await change(id, { password: 'given-to-him' })).status).toBe(200);
    expect(await reset(other)).toBe(400);
    expect((await post('local', { identifier: 'wim', password: 'given-to-him' })).status).toBe(200);
  });

  it('sent to an address say nothing once the account has another', async () => {
    const { id } = await club.join('xenia');
    await change(id, { confirmed: false });
    const [forReset, forAddress] = [await forgot('xenia@example.com'), await confirmation('xenia@example.com')];
    expect((await change(id, { email: 'moved@example.com' })).status).toBe(200);
    expect([await reset(forReset), await confirm(forAddress)]).toEqual([400, 400]);
    const next = await confirmation('moved@example.com');
    expect((await change(id, { email: 'MOVED@example.com', username: 'xenia2' })).status).toBe(200);
    expect(await confirm(next)).toBe(200);
  });

  it('go with the account', async () => {
    const { id, documentId } = await club.join('yves');
    const code = await forgot('yves@example.com');
    expect((await club.ask('DELETE', `/api/users/${id}`, { as: full })).status).toBe(200);
    expect(await reset(code)).toBe(400);
    expect(await club.context.database.transact((tx) => tx.model('AccountCode').count({ where: { userDocumentId: documentId } }))).toBe(0);
  });

  it('that bcrypt would cut are refused wherever a password is set', async () => {
    const { id, jwt } = await club.join('zoe');
    const person = { username: 'long', email: 'long@example.com' };
    for (const password of TOO_LONG) {
      const code = await forgot('zoe@example.com');
      const answers: Readonly<Record<string, Answer>> = {
        register: await post('local/register', { ...person, password }),
        create: await club.ask('POST', '/api/users', { as: full, body: { ...person, password } }),
        update: await change(id, { password }),
        change: await post('change-password', { currentPassword: PASSWORD, password, passwordConfirmation: password }, jwt),
        reset: await post('reset-password', { code, password, passwordConfirmation: password }),
      };
      for (const [way, { status, body }] of Object.entries(answers)) {
        expect([way, status, body]).toMatchObject([way, 400, { error: { name: 'ValidationError', details: { errors: [{ path: ['password'] }] } } }]);
      }
      const made = await graphql('mutation($data: UsersPermissionsUserInput!) { createUsersPermissionsUser(data: $data) { data { username } } }', { data: { ...person, password } });
      const changed = await graphql('mutation($id: ID!, $data: UsersPermissionsUserInput!) { updateUsersPermissionsUser(id: $id, data: $data) { data { username } } }', { id: String(id), data: { password } });
      for (const text of [made, changed]) expect(text).toContain('"path":["password"]');
    }
    expect((await club.ask('GET', '/api/users?filters[username]=long', { as: full })).body).toEqual([]);
    expect((await post('local', { identifier: 'zoe', password: PASSWORD })).status).toBe(200);
    expect((await change(id, { password: JUST })).status).toBe(200);
    expect((await post('local', { identifier: 'zoe', password: JUST })).status).toBe(200);
    expect((await post('local', { identifier: 'zoe', password: `${JUST}x` })).status).toBe(400);
  });
});
