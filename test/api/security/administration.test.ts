import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeAccess } from '../../../src/access/access.js';
import { CMS_RESOURCES } from '../../../src/access/permissions/actions.js';
import { setPermissions } from '../../../src/access/permissions/role-permissions.js';
import { insertDocuments, readRoles, roleTables } from '../../../src/access/roles/role-tables.js';
import { createToken } from '../../../src/access/tokens.js';
import { ADMINISTRATION_OPERATIONS } from '../../../src/api/administration/administration.js';
import { databases } from '../../support/databases.js';
import { createTestbed } from './testbed.js';
import type { TestResponse, Testbed } from './testbed.js';

const SALT = 'f3Wd9sKz7QyB1nVx5MtE8uRj2oLpC6hT';

/** No operation accepts this, so a caller with the right gets 400 and changes nothing. */
const NONSENSE = { nonsense: true };

type CallerName =
  | 'anonymous'
  | 'broken token'
  | 'read-only token'
  | 'preview token'
  | 'custom token of content'
  | 'user'
  | 'reader of all'
  | 'writer of all'
  | 'full-access token';

/** The status of operations that read, and of those that write. */
const EXPECTED: Readonly<Record<CallerName, Readonly<Record<'read' | 'write', number>>>> = {
  anonymous: { read: 403, write: 403 },
  'broken token': { read: 401, write: 401 },
  'read-only token': { read: 403, write: 403 },
  'preview token': { read: 403, write: 403 },
  'custom token of content': { read: 403, write: 403 },
  user: { read: 403, write: 403 },
  'reader of all': { read: 400, write: 403 },
  'writer of all': { read: 403, write: 400 },
  'full-access token': { read: 400, write: 400 },
};

describe.each(databases)('the administration of a server on $name', (database) => {
  let testbed: Testbed;
  const credentials = new Map<CallerName, string | null>();

  const key = async (name: string, permissions: readonly string[]): Promise<string> =>
    (await createToken({ ...testbed.context, salt: SALT }, { name, type: 'custom', permissions })).accessKey;

  const call = (path: string, as: string | null, body: unknown): Promise<TestResponse> =>
    testbed.request('POST', `/api/cms/${path}`, { as, body });

  beforeAll(async () => {
    testbed = await createTestbed({ database, logLevel: 'trace' });
    const { context, site } = testbed;
    await testbed.grant('authenticated', 'plugin::users-permissions.user', { find: true, update: true });
    const { jwt } = await testbed.createUser('ann');
    const tables = roleTables(context.model);
    await changeAccess(context, { action: 'permissions.apply' }, async (tx) => {
      for (const { documentId } of await readRoles(tx, tables))
        for (const resource of CMS_RESOURCES)
          await insertDocuments(
            tx,
            tables.permission,
            ['read', 'write'].map((action) => ({
              action: `plugin::cms.${resource}.${action}`,
              [tables.roleField]: documentId,
            })),
          );
    });
    const preview = await createToken(
      { ...context, salt: SALT },
      { name: 'preview', type: 'preview', types: ['api::post.post'], expiresIn: 3_600_000 },
    );
    const allOf = (action: string): readonly string[] =>
      CMS_RESOURCES.map((resource) => `plugin::cms.${resource}.${action}`);
    credentials
      .set('anonymous', null)
      .set('broken token', 'a'.repeat(128))
      .set('read-only token', site.tokens['readonly'] ?? '')
      .set('preview token', preview.accessKey)
      .set('custom token of content', await key('content', ['api::note.note.*']))
      .set('user', jwt)
      .set('reader of all', await key('reader', allOf('read')))
      .set('writer of all', await key('writer', allOf('write')))
      .set('full-access token', site.tokens['full'] ?? '');
    await site.server.app.access.refresh();
  });
  afterAll(() => testbed.site.close());

  it.each(Object.keys(EXPECTED) as CallerName[])('has no right that %s was not granted', async (caller) => {
    const found: Record<string, number> = {};
    const expected: Record<string, number> = {};
    for (const { id, path, action } of ADMINISTRATION_OPERATIONS) {
      const { status } = await testbed.request('POST', `/api${path}`, {
        as: credentials.get(caller) ?? null,
        body: NONSENSE,
      });
      found[id] = status;
      expected[id] = EXPECTED[caller][action];
    }
    expect(found).toEqual(expected);
  });

  it('cannot be granted to a role', async () => {
    const grant = { role: 'public', uid: 'plugin::cms.tokens', actions: ['read'] };
    await expect(setPermissions(testbed.context, grant)).rejects.toMatchObject({
      code: 'access/unknown-action',
    });
  });

  it('does not let a token issue one with more rights', async () => {
    const limited = await key('issuer', [
      'plugin::cms.tokens.read',
      'plugin::cms.tokens.write',
      'api::note.note.find',
    ]);
    await testbed.site.server.app.access.refresh();
    const create = (token: object): Promise<TestResponse> => call('tokens/create', limited, token);
    const statuses = [
      await create({ name: 'all', type: 'full-access' }),
      await create({ name: 'all', type: 'read-only' }),
      await create({
        name: 'more',
        type: 'custom',
        permissions: ['api::note.note.find', 'api::note.note.create'],
      }),
      await create({ name: 'full', type: 'custom', permissions: ['api::note.note.find'], replace: true }),
      await call('tokens/regenerate', limited, { name: 'full' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 403, 403, 403]);
    const within = await create({ name: 'within', type: 'custom', permissions: ['api::note.note.find'] });
    expect(within.status).toBe(200);
    expect(within.headers.get('cache-control')).toBe('no-store');
    const listed = await call('tokens/list', limited, {});
    const { data } = listed.body as { data: readonly { name: string }[] };
    expect(data.map(({ name }) => name)).not.toContain('all');
  });

  it('returns a key once, and never logs keys, passwords and secrets', async () => {
    const full = testbed.site.tokens['full'] ?? '';
    const created = await call('tokens/create', full, { name: 'once', type: 'read-only' });
    const { accessKey } = (created.body as { data: { accessKey: string } }).data;
    expect(accessKey).toMatch(/^[\da-f]{128}$/);
    const password = 'correct horse battery';
    const user = {
      username: 'bob',
      email: 'bob@example.com',
      password,
      role: 'authenticated',
      confirmed: true,
    };
    const provider = { name: 'github', values: { key: 'k', secret: 'provider-secret' } };
    const webhook = {
      name: 'build',
      url: 'https://example.com/hook',
      events: ['entry.publish'],
      headers: { authorization: 'header-secret' },
      secret: 'webhook-secret',
    };
    const responses = [
      await call('users/create', full, user),
      await call('providers/change', full, provider),
      await call('webhooks/add', full, { webhook }),
      await call('tokens/list', full, {}),
      await call('users/get', full, { user: 'bob' }),
      await call('providers/list', full, {}),
      await call('webhooks/list', full, {}),
    ];
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    const secrets = [accessKey, password, 'provider-secret', 'webhook-secret', 'header-secret', '$2'];
    const texts = [...responses.map(({ body }) => JSON.stringify(body)), ...testbed.site.log];
    expect(secrets.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
  });

  it('reports the failure of an operation as such, with its remedy', async () => {
    const full = testbed.site.tokens['full'] ?? '';
    expect(await call('tokens/revoke', full, { name: 'ful' })).toMatchObject({
      status: 400,
      body: {
        error: {
          message: 'There is no token named ful.',
          details: { code: 'access/unknown-token', hint: 'Did you mean full?' },
        },
      },
    });
    expect(await call('locales/remove', full, { code: 'xx' })).toMatchObject({ status: 400 });
    expect(await call('users/change', full, { user: 1 })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('user') as string } },
    });
    const errors = testbed.site.log.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
    expect(errors).toEqual([]);
  });
});
