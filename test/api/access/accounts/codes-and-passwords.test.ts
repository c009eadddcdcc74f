import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../support/databases.js';
import { get, uploadOne } from '../../media/support/client.js';
import { createTestbed, PASSWORD } from '../../security/testbed.js';
import type { TestResponse, Testbed } from '../../security/testbed.js';

const AUTH = 'plugin::users-permissions.auth';
const USER = 'plugin::users-permissions.user';

/** Passwords of more bytes than bcrypt reads, with few characters, and one of exactly as many bytes. */
const TOO_LONG = ['a'.repeat(73), 'ü'.repeat(37), '😀'.repeat(19)];
const MAX_LENGTH_PASSWORD = '😀'.repeat(18);

describe.each(databases)('codes and passwords on $name', (database) => {
  let testbed: Testbed;
  let full: string;
  beforeAll(async () => {
    testbed = await createTestbed({
      database,
      usersPermissions: {
        advanced: { emailConfirmation: true, emailResetPassword: 'https://example.com/new?lang=de' },
      },
      server: { url: 'https://example.com/cms' },
      logLevel: 'trace',
    });
    full = testbed.site.tokens['full'] ?? '';
    await testbed.grant('public', AUTH, {
      callback: true,
      register: true,
      forgotPassword: true,
      resetPassword: true,
      emailConfirmation: true,
      sendEmailConfirmation: true,
    });
    await testbed.grant('authenticated', AUTH, { changePassword: true });
    await testbed.grant('authenticated', USER, { me: true });
  });
  afterAll(() => testbed.site.close());

  /** The files of all messages as they are. */
  const messages = async (): Promise<readonly string[]> => {
    const folder = join(testbed.site.root, '.galley', 'mail');
    const files: readonly string[] = await readdir(folder).catch(() => []);
    return Promise.all(files.toSorted().map((file) => readFile(join(folder, file), 'utf8')));
  };
  const codesFor = async (email: string): Promise<readonly string[]> =>
    (await messages())
      .filter((message) => message.includes(`To: ${email}`))
      .flatMap((message) => /(?:code|confirmation)=([0-9a-f]{64})/.exec(message)?.[1] ?? []);
  const waitForCode = async (email: string, request: () => Promise<TestResponse>): Promise<string> => {
    const known = await codesFor(email);
    expect((await request()).status).toBe(200);
    await expect.poll(async () => (await codesFor(email)).length, { timeout: 30_000 }).toBe(known.length + 1);
    return (await codesFor(email)).find((code) => !known.includes(code)) ?? '';
  };
  const post = (path: string, body: object, as: string | null = null): Promise<TestResponse> =>
    testbed.request('POST', `/api/auth/${path}`, { body, as });
  const forgot = (email: string): Promise<string> =>
    waitForCode(email, () => post('forgot-password', { email }));
  const confirmation = (email: string): Promise<string> =>
    waitForCode(email, () => post('send-email-confirmation', { email }));
  const reset = async (code: string, password = 'brand-new-one'): Promise<number> =>
    (await post('reset-password', { code, password, passwordConfirmation: password })).status;
  const confirm = async (code: string): Promise<number> =>
    (await testbed.request('GET', `/api/auth/email-confirmation?confirmation=${code}`)).status;
  const change = (id: number, body: object): Promise<TestResponse> =>
    testbed.request('PUT', `/api/users/${id}`, { as: full, body });
  const graphql = async (query: string, variables: object): Promise<string> =>
    JSON.stringify(
      (await testbed.request('POST', '/graphql', { as: full, body: { query, variables } })).body,
    );

  it('are sent in links to the configured page and the public address, and never logged', async () => {
    const { id } = await testbed.createUser('otto');
    await change(id, { confirmed: false });
    const codes = [await forgot('otto@example.com'), await confirmation('otto@example.com')] as const;
    const text = (await messages()).join('');
    expect(text).toContain(`\nhttps://example.com/new?lang=de&code=${codes[0]}\n`);
    expect(text).toContain(
      `\nhttps://example.com/cms/api/auth/email-confirmation?confirmation=${codes[1]}\n`,
    );
    expect([await confirm(codes[1]), await reset(codes[0])]).toEqual([200, 200]);
    const log = testbed.site.log.join('');
    expect(log).toContain('/api/auth/email-confirmation');
    for (const code of codes) expect(log).not.toContain(code);
  });

  it('leave the public path to the addresses of files', async () => {
    const { url } = await uploadOne(testbed.site, { name: 'note.txt', content: 'a note' });
    expect(url).toMatch(/^\/cms\/uploads\/note_/);
    expect(await (await get(testbed.site, url.slice('/cms'.length))).text()).toBe('a note');
  });

  it('cost the same whether or not there is an account', async () => {
    await testbed.createUser('kai');
    const codes = () => testbed.context.database.transact((tx) => tx.model('AccountCode').findMany({}));
    for (const path of ['forgot-password', 'send-email-confirmation']) {
      expect((await post(path, { email: 'nobody@example.com' })).status).toBe(200);
      const purpose = path === 'forgot-password' ? 'reset-password' : 'email-confirmation';
      await expect
        .poll(async () =>
          (await codes()).some((row) => row['userDocumentId'] === '' && row['purpose'] === purpose),
        )
        .toBe(true);
    }
    expect((await messages()).join('')).not.toContain('nobody@example.com');
  });

  it('are valid for one purpose only', async () => {
    const { id } = await testbed.createUser('una');
    await change(id, { confirmed: false });
    const [resetCode, confirmationCode] = [
      await forgot('una@example.com'),
      await confirmation('una@example.com'),
    ];
    expect([await confirm(resetCode), await reset(confirmationCode)]).toEqual([400, 400]);
    expect([await confirm(confirmationCode), await reset(resetCode)]).toEqual([200, 200]);
  });

  it('end when the password is changed in another way', async () => {
    const { jwt } = await testbed.createUser('vera');
    const code = await forgot('vera@example.com');
    expect(
      (
        await post(
          'change-password',
          { currentPassword: PASSWORD, password: 'chosen-by-her', passwordConfirmation: 'chosen-by-her' },
          jwt,
        )
      ).status,
    ).toBe(200);
    expect(await reset(code)).toBe(400);
    const { id } = await testbed.createUser('wim');
    const other = await forgot('wim@example.com');
    expect((await change(id, { password: 'given-to-him' })).status).toBe(200);
    expect(await reset(other)).toBe(400);
    expect((await post('local', { identifier: 'wim', password: 'given-to-him' })).status).toBe(200);
  });

  it('end when the account gets another address', async () => {
    const { id } = await testbed.createUser('xenia');
    await change(id, { confirmed: false });
    const [resetCode, confirmationCode] = [
      await forgot('xenia@example.com'),
      await confirmation('xenia@example.com'),
    ];
    expect((await change(id, { email: 'moved@example.com' })).status).toBe(200);
    expect([await reset(resetCode), await confirm(confirmationCode)]).toEqual([400, 400]);
    const next = await confirmation('moved@example.com');
    expect((await change(id, { email: 'MOVED@example.com', username: 'xenia2' })).status).toBe(200);
    expect(await confirm(next)).toBe(200);
  });

  it('are deleted with the account', async () => {
    const { id, documentId } = await testbed.createUser('yves');
    const code = await forgot('yves@example.com');
    expect((await testbed.request('DELETE', `/api/users/${id}`, { as: full })).status).toBe(200);
    expect(await reset(code)).toBe(400);
    expect(
      await testbed.context.database.transact((tx) =>
        tx.model('AccountCode').count({ where: { userDocumentId: documentId } }),
      ),
    ).toBe(0);
  });

  it('longer than bcrypt reads are rejected wherever a password is set', async () => {
    const { id, jwt } = await testbed.createUser('zoe');
    const newUser = { username: 'long', email: 'long@example.com' };
    for (const password of TOO_LONG) {
      const code = await forgot('zoe@example.com');
      const answers: Readonly<Record<string, TestResponse>> = {
        register: await post('local/register', { ...newUser, password }),
        create: await testbed.request('POST', '/api/users', { as: full, body: { ...newUser, password } }),
        update: await change(id, { password }),
        change: await post(
          'change-password',
          { currentPassword: PASSWORD, password, passwordConfirmation: password },
          jwt,
        ),
        reset: await post('reset-password', { code, password, passwordConfirmation: password }),
      };
      for (const [way, { status, body }] of Object.entries(answers)) {
        expect([way, status, body]).toMatchObject([
          way,
          400,
          { error: { name: 'ValidationError', details: { errors: [{ path: ['password'] }] } } },
        ]);
      }
      const created = await graphql(
        `
          mutation ($data: UsersPermissionsUserInput!) {
            createUsersPermissionsUser(data: $data) {
              data {
                username
              }
            }
          }
        `,
        { data: { ...newUser, password } },
      );
      const changed = await graphql(
        `
          mutation ($id: ID!, $data: UsersPermissionsUserInput!) {
            updateUsersPermissionsUser(id: $id, data: $data) {
              data {
                username
              }
            }
          }
        `,
        { id: String(id), data: { password } },
      );
      for (const text of [created, changed]) expect(text).toContain('"path":["password"]');
    }
    expect((await testbed.request('GET', '/api/users?filters[username]=long', { as: full })).body).toEqual(
      [],
    );
    expect((await post('local', { identifier: 'zoe', password: PASSWORD })).status).toBe(200);
    expect((await change(id, { password: MAX_LENGTH_PASSWORD })).status).toBe(200);
    expect((await post('local', { identifier: 'zoe', password: MAX_LENGTH_PASSWORD })).status).toBe(200);
    // bcrypt reads no further, and users of Strapi have longer ones.
    expect((await post('local', { identifier: 'zoe', password: `${MAX_LENGTH_PASSWORD}x` })).status).toBe(
      200,
    );
    expect((await post('local', { identifier: 'zoe', password: MAX_LENGTH_PASSWORD.slice(2) })).status).toBe(
      400,
    );
  });
});
