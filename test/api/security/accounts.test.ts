import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRecord } from '../../../src/lib/is-record.js';
import { databases } from '../../support/databases.js';
import { createClub, PASSWORD } from './club.js';
import type { Answer, Club } from './club.js';

const AUTH = 'plugin::users-permissions.auth';
const TEMPLATE = 'src/extensions/users-permissions/email-templates';

const jwtOf = ({ body }: Answer): string => {
  if (!isRecord(body) || typeof body['jwt'] !== 'string') throw new Error(JSON.stringify(body));
  return body['jwt'];
};

/** The codes mailed to an address, the newest last. */
const codesFor = async (club: Club, email: string): Promise<readonly string[]> => {
  const folder = join(club.site.root, '.galley', 'mail');
  const found: readonly string[] = await readdir(folder).catch(() => []);
  const files = found.toSorted();
  const messages = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const unfolded = messages.map((message) => message.replaceAll('=\n', '').replaceAll('=3D', '='));
  return unfolded.filter((message) => message.includes(`To: ${email}`)).flatMap((message) => /(?:code|confirmation)=([0-9a-f]{64})/.exec(message)?.[1] ?? []);
};

const nextCode = async (club: Club, email: string, known: number): Promise<string> => {
  await expect.poll(async () => (await codesFor(club, email)).length, { timeout: 5000 }).toBe(known + 1);
  return (await codesFor(club, email)).at(-1) ?? '';
};

describe.each(databases)('accounts on $name', (database) => {
  let club: Club;
  const login = (identifier: string, password: string) => club.ask('POST', '/api/auth/local', { body: { identifier, password } });
  const me = async (jwt: string) => (await club.ask('GET', '/api/users/me', { as: jwt })).status;
  const reset = (code: string, password: string, extra = {}) => club.ask('POST', '/api/auth/reset-password', { body: { code, password, passwordConfirmation: password, ...extra } });
  const forgot = (email: string) => club.ask('POST', '/api/auth/forgot-password', { body: { email } });

  beforeAll(async () => {
    const files = { [`${TEMPLATE}/reset-password.txt`]: 'Subject: New password for {{USERNAME}}\n\n{{USERNAME}} goes to {{URL}}\n' };
    club = await createClub({ database, files, people: { register: { allowedFields: ['team', 'role', 'confirmed'] } } });
    await club.grant('public', AUTH, { callback: true, register: true, forgotPassword: true, resetPassword: true, emailConfirmation: true, sendEmailConfirmation: true });
    await club.grant('authenticated', AUTH, { changePassword: true });
    await club.grant('authenticated', 'plugin::users-permissions.user', { me: true });
  });
  afterAll(() => club.site.close());

  it('never let who signs up choose role, confirmation or anything that is not allowed', async () => {
    const register = (body: Readonly<Record<string, unknown>>) => club.ask('POST', '/api/auth/local/register', { body: { username: 'eve', email: 'eve@example.com', password: PASSWORD, ...body } });
    for (const extra of [{ role: 1 }, { confirmed: true }, { blocked: false }, { provider: 'x' }, { id: 1 }, { resetPasswordToken: 'x' }, { secretNote: 'x' }]) {
      expect({ extra, status: (await register(extra)).status }).toEqual({ extra, status: 400 });
    }
    const { status, body } = await register({ team: 'red' });
    expect(status).toBe(200);
    expect((body as { user: unknown }).user).toMatchObject({ team: 'red', provider: 'local', confirmed: true, blocked: false });
    expect(JSON.stringify(body)).not.toMatch(/password|secretNote|resetPasswordToken/);
  });

  it('refuse passwords that bcrypt would cut', async () => {
    const long = 'a'.repeat(73);
    const body = { username: 'longo', email: 'longo@example.com', password: long };
    const refused = await club.ask('POST', '/api/auth/local/register', { body });
    expect(refused.body).toMatchObject({ error: { name: 'ValidationError', details: { errors: [{ path: ['password'] }] } } });
    expect((await club.ask('POST', '/api/auth/local/register', { body: { ...body, password: 'a'.repeat(72) } })).status).toBe(200);
    expect((await login('longo', long)).status).toBe(400);
    expect((await login('longo', 'a'.repeat(72))).status).toBe(200);
    expect((await club.ask('POST', '/api/auth/local/register', { body: { ...body, username: 'ümlaut', email: 'u@example.com', password: 'ü'.repeat(37) } })).status).toBe(400);
  });

  it('give one answer for a wrong password and an unknown name', async () => {
    await club.join('known');
    const answers = [await login('known', 'wrong-one'), await login('nobody', 'wrong-one'), await login('known@example.com', 'a'.repeat(80))];
    expect(new Set(answers.map(({ body, status }) => JSON.stringify([status, body]))).size).toBe(1);
    const odd = await Promise.all([{ identifier: { $ne: '' }, password: 'x' }, { identifier: ['known'], password: 'x' }, { identifier: 'known', password: { $gt: '' } }].map((body) => club.ask('POST', '/api/auth/local', { body })));
    expect(odd.map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  it('do not take a name that is another one\'s address', async () => {
    await club.join('victim');
    const { body } = await club.ask('POST', '/api/auth/local/register', { body: { username: 'victim@example.com', email: 'thief@example.com', password: PASSWORD } });
    expect(body).toMatchObject({ error: { name: 'ApplicationError' } });
  });

  it('get a new password by a mailed code that works once', async () => {
    const { jwt } = await club.join('rita');
    expect((await forgot('RITA@example.com')).body).toEqual({ ok: true });
    const code = await nextCode(club, 'rita@example.com', 0);
    expect((await reset(code, PASSWORD, { passwordConfirmation: 'other-one' })).status).toBe(400);
    expect((await reset(code, '123')).status).toBe(400);
    expect((await reset(code, 'a'.repeat(73))).status).toBe(400);
    const answers = await Promise.all([reset(code, 'new-secret'), reset(code, 'new-secret')]);
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '400']);
    expect((await reset(code, 'other-secret')).status).toBe(400);
    expect(await me(jwt)).toBe(401);
    expect(await me(jwtOf(answers.find(({ status }) => status === 200) ?? answers[0]))).toBe(200);
    expect([(await login('rita', PASSWORD)).status, (await login('rita', 'new-secret')).status]).toEqual([400, 200]);
  });

  it('keep codes hashed, one a person, and let them expire', async () => {
    await club.join('otto');
    await forgot('otto@example.com');
    const first = await nextCode(club, 'otto@example.com', 0);
    await forgot('otto@example.com');
    const second = await nextCode(club, 'otto@example.com', 1);
    expect((await reset(first, 'new-secret')).status).toBe(400);
    const rows = () => club.context.database.transact((tx) => tx.model('AccountCode').findMany({}));
    expect(JSON.stringify(await rows())).not.toContain(second);
    await club.context.database.transact((tx) => tx.model('AccountCode').updateMany({ where: {}, data: { expiresAt: new Date(Date.now() - 1000) } }));
    expect((await reset(second, 'new-secret')).status).toBe(400);
    expect((await login('otto', PASSWORD)).status).toBe(200);
  });

  it('do not tell by forgot-password who has one', async () => {
    await club.join('blockhead', { blocked: false });
    await club.ask('PUT', `/api/users/${String((await club.join('mute')).id)}`, { as: club.site.tokens['full'] ?? '', body: { blocked: true } });
    for (const email of ['nobody@example.com', 'mute@example.com', 'x']) expect(await forgot(email)).toMatchObject({ status: 200, body: { ok: true } });
    expect((await club.ask('POST', '/api/auth/send-email-confirmation', { body: { email: 'nobody@example.com' } })).body).toEqual({ email: 'nobody@example.com', sent: true });
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
    expect([...(await codesFor(club, 'nobody@example.com')), ...(await codesFor(club, 'mute@example.com'))]).toEqual([]);
  });

  it('change their own password knowing the old one, which ends what was signed in with it', async () => {
    const { jwt } = await club.join('paul');
    const change = (currentPassword: string, password: string) => club.ask('POST', '/api/auth/change-password', { as: jwt, body: { currentPassword, password, passwordConfirmation: password } });
    expect((await change('wrong-one', 'new-secret')).status).toBe(400);
    expect((await change(PASSWORD, PASSWORD)).status).toBe(400);
    expect((await change(PASSWORD, 'a'.repeat(73))).status).toBe(400);
    expect((await club.ask('POST', '/api/auth/change-password', { body: {} })).status).toBe(403);
    const changed = await change(PASSWORD, 'new-secret');
    expect(changed.status).toBe(200);
    expect([await me(jwt), await me(jwtOf(changed))]).toEqual([401, 200]);
  });

  it('are out at once when they are blocked, deleted or given another password', async () => {
    const full = club.site.tokens['full'] ?? '';
    const [blocked, gone, moved] = [await club.join('bea'), await club.join('gus'), await club.join('max')];
    expect([await me(blocked.jwt), await me(gone.jwt), await me(moved.jwt)]).toEqual([200, 200, 200]);
    await club.ask('PUT', `/api/users/${blocked.id}`, { as: full, body: { blocked: true } });
    await club.ask('DELETE', `/api/users/${gone.id}`, { as: full });
    await club.ask('PUT', `/api/users/${moved.id}`, { as: full, body: { password: 'another-one' } });
    expect([await me(blocked.jwt), await me(gone.jwt), await me(moved.jwt)]).toEqual([401, 401, 401]);
    expect((await club.ask('GET', '/api/tags', { as: blocked.jwt })).status).toBe(401);
  });

  it('cannot smuggle anything through a message', async () => {
    const name = '{{CODE}}<img src=x onerror=alert(1)>${7*7}<%= 7*7 %>';
    const joined = await club.ask('POST', '/api/auth/local/register', { body: { username: name, email: 'mallet@example.com', password: PASSWORD } });
    expect(joined.status).toBe(200);
    await forgot('mallet@example.com');
    await nextCode(club, 'mallet@example.com', 0);
    const folder = join(club.site.root, '.galley', 'mail');
    const texts = await Promise.all((await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')));
    const message = texts.find((text) => text.includes('To: mallet@example.com'))?.replaceAll('=\n', '').replaceAll('=3D', '=') ?? '';
    const [, html = ''] = message.split('Content-Type: text/html');
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).not.toContain('<img');
    expect(html).toContain('{{CODE}}');
    expect(html).toContain('${7*7}&lt;%= 7*7 %&gt;');
    expect(message).toContain('goes to http');
  });

  it('never answer private attributes or passwords, nor compare by them', async () => {
    const full = club.site.tokens['full'] ?? '';
    const { id } = await club.join('quinn');
    await club.ask('PUT', `/api/users/${id}`, { as: full, body: { secretNote: 'private' } });
    for (const path of ['/api/users', `/api/users/${id}`, '/api/users?populate=*', '/api/articles?populate=*', '/api/users-permissions/roles']) {
      const { body } = await club.ask('GET', path, { as: full });
      expect(JSON.stringify(body)).not.toMatch(/"password"|resetPasswordToken|confirmationToken|secretNote|\$2[aby]\$/);
    }
    const attempts = [
      'filters[password][$startsWith]=$2', 'filters[resetPasswordToken][$startsWith]=a', 'filters[secretNote]=private', 'sort=password', 'sort=secretNote', 'fields=password', 'fields=resetPasswordToken',
      'filters[role][users][password][$startsWith]=$2', 'filters[$or][0][$not][password]=x', 'populate[role][populate][users][fields]=password', 'populate[role][populate][users][filters][password][$null]=false', 'populate[role][populate][users][sort]=password',
      'filters[role_document_id]=x', 'filters[roleDocumentId]=x', 'sort=up_users.password', 'filters[role][permissions][conditions][$null]=true',
    ];
    for (const query of attempts) expect({ query, status: (await club.ask('GET', `/api/users?${query}`, { as: full })).status }).toEqual({ query, status: 400 });
  });
});

describe.each(databases)('confirmed addresses on $name', (database) => {
  let club: Club;
  beforeAll(async () => {
    club = await createClub({ database, people: { advanced: { emailConfirmation: true, emailConfirmationRedirection: 'https://example.com/welcome' } } });
    await club.grant('public', AUTH, { callback: true, register: true, emailConfirmation: true, sendEmailConfirmation: true });
    await club.grant('authenticated', 'plugin::users-permissions.user', { me: true });
  });
  afterAll(() => club.site.close());

  it('are asked for before anybody is let in', async () => {
    const joined = await club.ask('POST', '/api/auth/local/register', { body: { username: 'iris', email: 'iris@example.com', password: PASSWORD } });
    expect(joined).toMatchObject({ status: 200, body: { user: { confirmed: false } } });
    expect(joined.body).not.toHaveProperty('jwt');
    const login = () => club.ask('POST', '/api/auth/local', { body: { identifier: 'iris', password: PASSWORD } });
    expect(await login()).toMatchObject({ status: 400, body: { error: { name: 'ApplicationError' } } });
    await nextCode(club, 'iris@example.com', 0);
    await club.ask('POST', '/api/auth/send-email-confirmation', { body: { email: 'iris@example.com' } });
    const code = await nextCode(club, 'iris@example.com', 1);
    const confirm = (value: string) => club.ask('GET', `/api/auth/email-confirmation?confirmation=${value}`);
    expect((await confirm('0'.repeat(64))).status).toBe(400);
    const confirmed = await confirm(code);
    expect([confirmed.status, confirmed.headers.get('location')]).toEqual([302, 'https://example.com/welcome']);
    expect((await confirm(code)).status).toBe(400);
    const jwt = jwtOf(await login());
    expect((await club.ask('GET', '/api/users/me', { as: jwt })).status).toBe(200);
    const users = (await club.ask('GET', '/api/users?filters[username]=iris', { as: club.site.tokens['full'] ?? '' })).body as { id: number }[];
    await club.ask('PUT', `/api/users/${String(users[0]?.id)}`, { as: club.site.tokens['full'] ?? '', body: { confirmed: false } });
    expect((await club.ask('GET', '/api/users/me', { as: jwt })).status).toBe(401);
  });
});

describe.each(databases)('refresh tokens on $name', (database) => {
  let club: Club;
  beforeAll(async () => {
    club = await createClub({ database, people: { jwtManagement: 'refresh' } });
    await club.grant('public', AUTH, { callback: true });
    await club.grant('authenticated', 'plugin::users-permissions.user', { me: true });
  });
  afterAll(() => club.site.close());

  const signIn = async (name: string) => (await club.ask('POST', '/api/auth/local', { body: { identifier: name, password: PASSWORD } })).body as { jwt: string; refreshToken: string };
  const refresh = (refreshToken: string) => club.ask('POST', '/api/auth/refresh', { body: { refreshToken } });
  const me = async (jwt: string) => (await club.ask('GET', '/api/users/me', { as: jwt })).status;

  it('are exchanged for new ones, and one used twice ends its session', async () => {
    await club.join('rosa');
    const [first, other] = [await signIn('rosa'), await signIn('rosa')];
    expect(first.refreshToken).toMatch(/^[0-9a-f]{64}$/);
    const second = (await refresh(first.refreshToken)).body as { jwt: string; refreshToken: string };
    expect([await me(first.jwt), await me(second.jwt)]).toEqual([200, 200]);
    expect((await refresh(first.refreshToken)).status).toBe(401);
    expect((await refresh(second.refreshToken)).status).toBe(401);
    expect([await me(first.jwt), await me(second.jwt), await me(other.jwt)]).toEqual([401, 401, 200]);
    expect((await refresh('0'.repeat(64))).status).toBe(401);
    expect((await refresh('')).status).toBe(400);
    const stored = JSON.stringify(await club.context.database.transact((tx) => tx.model('RefreshToken').findMany({})));
    expect(stored).not.toContain(other.refreshToken);
  });

  it('end with the session, at once', async () => {
    await club.join('lea');
    const [here, there] = [await signIn('lea'), await signIn('lea')];
    expect((await club.ask('POST', '/api/auth/logout', { as: here.jwt })).body).toEqual({ ok: true });
    expect([await me(here.jwt), (await refresh(here.refreshToken)).status, await me(there.jwt)]).toEqual([401, 401, 200]);
    expect((await club.ask('POST', '/api/auth/logout')).status).toBe(401);
  });

  it('end with the password, the block, and their time', async () => {
    const full = club.site.tokens['full'] ?? '';
    const [pat, kim] = [await club.join('pat'), await club.join('kim')];
    const [patsIn, kimsIn] = [await signIn('pat'), await signIn('kim')];
    await club.ask('PUT', `/api/users/${pat.id}`, { as: full, body: { password: 'another-one' } });
    await club.ask('PUT', `/api/users/${kim.id}`, { as: full, body: { blocked: true } });
    expect([await me(patsIn.jwt), (await refresh(patsIn.refreshToken)).status, await me(kimsIn.jwt), (await refresh(kimsIn.refreshToken)).status]).toEqual([401, 401, 401, 401]);
    await club.join('old');
    const old = await signIn('old');
    await club.context.database.transact((tx) => tx.model('RefreshToken').updateMany({ where: {}, data: { expiresAt: new Date(Date.now() - 1000) } }));
    expect((await refresh(old.refreshToken)).status).toBe(401);
  });
});
