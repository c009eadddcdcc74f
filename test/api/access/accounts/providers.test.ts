import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessContext } from '../../../../src/access/access.js';
import { AUTH_CONTROLLER } from '../../../../src/access/permissions/actions.js';
import { setPermissions } from '../../../../src/access/permissions/role-permissions.js';
import { openProjectDatabase } from '../../../../src/project/open/open-database.js';
import { STORE_PREFIX, createServerState } from '../../../../src/database/server-state.js';
import { databases } from '../../../support/databases.js';
import { execute } from '../../../support/execute-sql.js';
import { startOpenidService } from '../../../support/openid-service.js';
import type { OpenidService } from '../../../support/openid-service.js';
import { createSite } from '../../support/site.js';
import type { Site } from '../../support/site.js';

const API = 'https://cms.example.com/api';
const PAGE = 'https://front.example.com/done';
const SECRET = 'a secret of the service';

interface Answer {
  readonly status: number;
  readonly location: string;
  readonly cookie: string;
  readonly body: {
    readonly jwt?: string;
    readonly user?: Readonly<Record<string, unknown>>;
    readonly error?: { readonly name: string; readonly message: string; readonly details: unknown };
  };
}

describe.each(databases)('signing in with another service on $name', (database) => {
  let service: OpenidService;
  let site: Site;

  beforeAll(async () => {
    service = await startOpenidService(['acme', 'stored'].map((name) => `${API}/connect/${name}/callback`));
    const acme = { issuer: service.issuer, key: 'galley', secret: SECRET, callback: PAGE };
    const providers = {
      acme,
      off: { ...acme, enabled: false },
      wrong: { ...acme, issuer: `${service.issuer}/nowhere` },
      'no-key': { issuer: service.issuer },
      twitter: { key: 'k', secret: 's' },
      github: { key: 'k', secret: 's' },
      keycloak: { key: 'k', secret: 's' },
    };
    site = await createSite({
      project: 'magazine',
      database,
      logLevel: 'debug',
      config: {
        server: { url: 'https://cms.example.com' },
        plugins: { 'users-permissions': { config: { providers } } },
      },
    });
    await open((context) =>
      setPermissions(context, {
        role: 'public',
        uid: AUTH_CONTROLLER,
        actions: ['callback', 'connect', 'register'],
      }),
    );
  });
  afterAll(async () => {
    await site.close();
    await service.close();
  });

  const open = async (work: (context: AccessContext) => Promise<unknown>): Promise<void> => {
    const { context, close } = await openProjectDatabase(site.project);
    try {
      await work(context);
    } finally {
      await close();
    }
  };
  const store = (key: string, value: unknown): Promise<void> =>
    open((context) =>
      createServerState(context.database).write(
        `${STORE_PREFIX}plugin_users-permissions_${key}`,
        JSON.stringify(value),
      ),
    );
  const get = async (address: string, cookie = ''): Promise<Answer> => {
    const url = address.replace('https://cms.example.com', site.server.url);
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    const text = await response.text();
    return {
      status: response.status,
      location: response.headers.get('location') ?? '',
      cookie: response.headers.get('set-cookie') ?? '',
      body: text === '' ? {} : (JSON.parse(text) as Answer['body']),
    };
  };
  const begin = (name = 'acme', query = ''): Promise<Answer> => get(`${API}/connect/${name}${query}`);
  const cookieOf = ({ cookie }: Answer): string => cookie.split(';')[0] ?? '';
  /** Goes to the service and back, to the page of the front end. */
  const comeBack = async (name = 'acme', query = ''): Promise<URL> => {
    const begun = await begin(name, query);
    const { location } = await get(await service.visit(begun.location), cookieOf(begun));
    return new URL(location);
  };
  const finish = (name: string, page: URL): Promise<Answer> =>
    get(`${API}/auth/${name}/callback${page.search}`);
  const signIn = async (name = 'acme'): Promise<Answer> => finish(name, await comeBack(name));
  const as = (email: string, preferred_username: string, email_verified = true): void => {
    service.user = { email, preferred_username, email_verified };
  };
  const messageOf = ({ status, body: { error } }: Answer) => [status, error?.name, error?.message];

  it('goes from the first redirect to a JWT, and signs a new user up once', async () => {
    as('Ann@Example.com', 'ann');
    const begun = await begin();
    expect(begun.status).toBe(302);
    const asked = new URL(begun.location);
    expect(asked.origin).toBe(service.issuer);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      client_id: 'galley',
      response_type: 'code',
      redirect_uri: `${API}/connect/acme/callback`,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    });
    expect(begun.cookie).toMatch(/^cms_sign_in=[^;]+; Path=\/api\/connect; HttpOnly; Secure; SameSite=lax$/);
    const back = await get(await service.visit(begun.location), cookieOf(begun));
    const page = new URL(back.location);
    expect([back.status, `${page.origin}${page.pathname}`]).toEqual([302, PAGE]);
    expect(back.cookie).toContain('Expires=Thu, 01 Jan 1970');
    const { status, body } = await finish('acme', page);
    expect(status).toBe(200);
    expect(body.user).toMatchObject({
      username: 'ann',
      email: 'ann@example.com',
      provider: 'acme',
      confirmed: true,
    });
    const me = await fetch(`${site.server.url}/api/users/me`, {
      headers: { authorization: `Bearer ${body.jwt}` },
    });
    expect(await me.json()).toMatchObject({ username: 'ann' });
    expect((await signIn()).body.user?.['id']).toBe(body.user?.['id']);
  });

  it('gives new users names that nobody has', async () => {
    as('other@example.com', 'ann');
    expect((await signIn()).body.user).toMatchObject({ username: 'ann-2', email: 'other@example.com' });
  });

  it('refuses browsers that have not begun the sign-in, and codes that were used', async () => {
    as('ann@example.com', 'ann');
    const [first, second] = [await begin(), await begin()];
    const back = await service.visit(first.location);
    const lost = [400, 'ValidationError', 'The sign-in was not started in this browser, or it took too long'];
    expect(messageOf(await get(back))).toEqual(lost);
    expect(messageOf(await get(back, cookieOf(second)))).toEqual(lost);
    expect(messageOf(await get(back, `${cookieOf(first)}x`))).toEqual(lost);
    expect(messageOf(await get(back.replace(/state=[^&]+/, 'state=forged'), cookieOf(first)))).toEqual(lost);
    expect(messageOf(await get(back.replace('/acme/', '/wrong/'), cookieOf(first)))).toEqual(lost);
    expect((await get(back, cookieOf(first))).status).toBe(302);
    const again = await get(back, cookieOf(first));
    expect(messageOf(again).slice(0, 2)).toEqual([400, 'ApplicationError']);
    expect(again.body.error?.message).toBe('The sign-in with acme failed: it responded: invalid_grant.');
  });

  it('reports to the front end that somebody has refused', async () => {
    const begun = await begin();
    const state = new URL(begun.location).searchParams.get('state') ?? '';
    const back = await get(
      `${API}/connect/acme/callback?error=access_denied&state=${state}`,
      cookieOf(begun),
    );
    expect(back.location).toBe(`${PAGE}?error=access_denied`);
  });

  it('takes no page of others, and other queries of its own', async () => {
    for (const page of ['https://evil.example.com/done', `${PAGE}/more`, 'javascript:alert(1)', '//x'])
      expect(messageOf(await begin('acme', `?callback=${encodeURIComponent(page)}`))).toEqual([
        400,
        'ValidationError',
        'Invalid callback URL provided',
      ]);
    as('ann@example.com', 'ann');
    const page = await comeBack('acme', `?callback=${encodeURIComponent(`${PAGE}?from=home`)}`);
    expect([page.origin, page.searchParams.get('from')]).toEqual(['https://front.example.com', 'home']);
  });

  it('refuses addresses that are taken, missing or not verified', async () => {
    await fetch(`${site.server.url}/api/auth/local/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'eve', email: 'eve@example.com', password: 'a long password' }),
    });
    as('eve@example.com', 'eve');
    expect(messageOf(await signIn())).toEqual([400, 'ApplicationError', 'Email is already taken.']);
    as('new@example.com', 'new', false);
    expect(messageOf(await signIn())).toEqual([400, 'ApplicationError', 'Email was not available.']);
  });

  it('refuses tokens that it has not made, and requests without one', async () => {
    const without = await get(`${API}/auth/acme/callback`);
    expect(messageOf(without)).toEqual([400, 'ApplicationError', 'No access_token.']);
    const forged = await get(`${API}/auth/acme/callback?access_token=x`);
    expect(forged.body.error?.message).toBe('The sign-in with acme failed: the token is unknown or too old.');
  });

  it('reports which providers are disabled, unknown, unsupported or not set up', async () => {
    const messages = await Promise.all(
      ['off', 'unheard', 'twitter', 'wrong', 'no-key', 'keycloak', 'local'].map(async (name) => {
        const { status, body } = await begin(name);
        return [status, body.error?.message];
      }),
    );
    expect(messages).toEqual([
      [400, 'This provider is disabled'],
      [400, 'This provider is disabled'],
      [400, 'The provider twitter is not supported: it requires OAuth 1, which is not supported.'],
      [400, expect.stringMatching(/^The sign-in with wrong failed: /)],
      [400, 'The sign-in with no-key failed: its setting "key" is missing.'],
      [400, 'The sign-in with keycloak failed: its setting "subdomain" is missing.'],
      [400, 'This provider is disabled'],
    ]);
    const { location } = await begin('github');
    expect(location).toMatch(/^https:\/\/github\.com\/login\/oauth\/authorize\?.*scope=user%2Cuser%3Aemail/);
  });

  it('applies the stored settings of Strapi immediately, also if nobody may sign up', async () => {
    const grant = { enabled: true, issuer: service.issuer, key: 'galley', secret: SECRET };
    await store('grant', { email: { enabled: true }, stored: { ...grant, callback: `${PAGE}/stored` } });
    as('dora@example.com', 'dora');
    const page = await comeBack('stored');
    expect(page.pathname).toBe('/done/stored');
    await store('advanced', { allow_register: false });
    expect(messageOf(await finish('stored', page))).toEqual([
      400,
      'ApplicationError',
      'Register action is actually not available.',
    ]);
    await store('advanced', { allow_register: true });
    expect((await finish('stored', page)).body.user).toMatchObject({
      email: 'dora@example.com',
      provider: 'stored',
    });
    await execute(
      site.project.config.database.url,
      "UPDATE up_users SET blocked = true WHERE username = 'dora'",
    );
    expect(messageOf(await signIn('stored'))).toEqual([
      400,
      'ApplicationError',
      'Your account has been blocked by an administrator',
    ]);
    await store('grant', {});
    expect(messageOf(await begin('stored'))[2]).toBe('This provider is disabled');
  });

  it('logs neither codes nor tokens', () => {
    expect(site.log.length).toBeGreaterThan(10);
    expect(site.log.join('\n')).not.toMatch(/access_token=[^"]|code=|cms_sign_in=/);
  });
});
