import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addLocale } from '../../../src/access/locales.js';
import { setPermissions } from '../../../src/access/permissions/role-permissions.js';
import {
  createToken,
  findToken,
  listTokens,
  regenerateToken,
  revokeToken,
} from '../../../src/access/tokens.js';
import { databases } from '../../support/databases.js';
import { createAccessFixture, TAG } from '../support/access-fixture.js';
import type { AccessFixture } from '../support/access-fixture.js';

describe.each(databases)('API tokens on $name', (database) => {
  let fixture: AccessFixture;
  let testEnvironment: AccessFixture['testEnvironment'];
  let context: AccessFixture['context'];
  let access: AccessFixture['access'];
  let errors: AccessFixture['errors'];
  let open: AccessFixture['open'];
  let callerWith: AccessFixture['callerWith'];
  let can: AccessFixture['can'];

  beforeAll(async () => {
    fixture = await createAccessFixture(database);
    ({ testEnvironment, context, access, errors, open, callerWith, can } = fixture);
  });
  afterAll(() => fixture.close());

  it('issues tokens whose key is shown once and stored only as a hash', async () => {
    const { token, accessKey } = await createToken(context, {
      name: 'ci',
      type: 'full-access',
      description: 'builds',
    });
    expect(token).toMatchObject({
      name: 'ci',
      type: 'full-access',
      description: 'builds',
      permissions: [],
      expiresAt: null,
      lastUsedAt: null,
    });
    expect(JSON.stringify(await listTokens(context))).not.toContain(accessKey);
    const rows = await testEnvironment.database.transact((tx) => tx.model('ApiToken').findMany({}));
    expect(JSON.stringify(rows)).not.toContain(accessKey);
    const caller = await callerWith(accessKey);
    expect(caller.kind).toBe('token');
    expect(can(caller, TAG, 'delete')).toBe(true);
    await expect(createToken(context, { name: 'ci', type: 'read-only' })).rejects.toMatchObject({
      code: 'access/token-exists',
    });
  });

  it('knows a token and a permission that another process has just created', async () => {
    const { accessKey } = await createToken(context, { name: 'just-created', type: 'full-access' });
    expect((await access.authenticate(`Bearer ${accessKey}`)).kind).toBe('token');
    await expect(access.authenticateFor(undefined, TAG, 'find')).rejects.toMatchObject({
      code: 'request/forbidden',
    });
    await setPermissions(context, { role: 'public', uid: TAG, actions: ['find'] });
    expect((await access.authenticateFor(undefined, TAG, 'find')).kind).toBe('anonymous');
    await setPermissions(context, { role: 'public', uid: TAG, actions: [] });
  });

  it('loads concurrent requests with a new token once it is committed', async () => {
    const keys = await Promise.all(
      ['first', 'second', 'third'].map(async (name) => {
        const { accessKey } = await createToken(context, { name, type: 'read-only' });
        const caller = await access.authenticate(`Bearer ${accessKey}`);
        return caller.kind;
      }),
    );
    expect(keys).toEqual(['token', 'token', 'token']);
  });

  it('replaces a token of the same name with `replace`, and refuses the old key', async () => {
    const first = await createToken(context, { name: 'again', type: 'full-access' });
    const second = await createToken(context, { name: 'again', type: 'read-only', replace: true });
    expect((await callerWith(second.accessKey)).grants).toEqual({ kind: 'read' });
    await expect(callerWith(first.accessKey)).rejects.toMatchObject({ code: 'request/unauthorized' });
  });

  it('grants a custom token its own permissions, and none of the public role', async () => {
    await setPermissions(context, { role: 'public', uid: 'api::setting.setting', actions: ['find'] });
    const { token, accessKey } = await createToken(context, {
      name: 'tagger',
      type: 'custom',
      permissions: [`${TAG}.find`, `${TAG}.create`, `${TAG}.find`],
    });
    expect(token.permissions).toEqual([`${TAG}.create`, `${TAG}.find`]);
    const caller = await callerWith(accessKey);
    expect(
      ['find', 'findOne', 'create', 'update', 'delete'].filter((action) => can(caller, TAG, action)),
    ).toEqual(['find', 'create']);
    expect(can(caller, 'api::setting.setting', 'find')).toBe(false);
    expect(can(await access.authenticate(undefined), 'api::setting.setting', 'find')).toBe(true);
    expect(access.readAccessOf(caller).canFind('api::article.article')).toBe(false);
  });

  it('refuses invalid token options, and stores no token', async () => {
    const before = await listTokens(context);
    await expect(createToken(context, { name: ' ', type: 'read-only' })).rejects.toMatchObject({
      code: 'access/invalid-token',
    });
    await expect(createToken(context, { name: 'x', type: 'custom' })).rejects.toMatchObject({
      code: 'access/invalid-token',
    });
    await expect(
      createToken(context, { name: 'x', type: 'read-only', permissions: [`${TAG}.find`] }),
    ).rejects.toMatchObject({ code: 'access/invalid-token' });
    await expect(
      createToken(context, { name: 'x', type: 'custom', permissions: [`${TAG}.fnd`] }),
    ).rejects.toMatchObject({ code: 'access/unknown-action', hint: 'Did you mean find?' });
    await expect(
      createToken({ ...context, salt: null }, { name: 'x', type: 'read-only' }),
    ).rejects.toMatchObject({ code: 'access/missing-token-salt' });
    await createToken(context, { name: 'dry', type: 'read-only' }, { dryRun: true });
    expect(await listTokens(context)).toEqual(before);
  });

  it('refuses the old key of a regenerated token, and every key of a revoked one', async () => {
    const { token, accessKey } = await createToken(context, {
      name: 'short',
      type: 'full-access',
      lifespan: '7d',
    });
    expect(Date.parse(String(token.expiresAt)) - Date.parse(token.createdAt)).toBeGreaterThan(
      6.9 * 86_400_000,
    );
    const renewed = await regenerateToken(context, { name: 'short' });
    expect(renewed.token.expiresAt).toBe(token.expiresAt);
    expect((await callerWith(renewed.accessKey)).kind).toBe('token');
    await expect(callerWith(accessKey)).rejects.toMatchObject({ code: 'request/unauthorized' });
    await revokeToken(context, 'short');
    await expect(callerWith(renewed.accessKey)).rejects.toMatchObject({ code: 'request/unauthorized' });
    await expect(revokeToken(context, 'shrot')).rejects.toMatchObject({ code: 'access/unknown-token' });
    await expect(findToken(context, 'agian')).rejects.toMatchObject({
      code: 'access/unknown-token',
      hint: 'Did you mean again?',
    });
  });

  it('refuses an expired token until it is regenerated with a new lifespan', async () => {
    const { accessKey, token } = await createToken(context, {
      name: 'over',
      type: 'full-access',
      lifespan: '7d',
    });
    await callerWith(accessKey);
    await testEnvironment.database.transact((tx) =>
      tx
        .model('ApiToken')
        .update({ where: { id: token.id }, data: { expiresAt: new Date(Date.now() - 1000).toISOString() } }),
    );
    await addLocale(context, { code: 'it' });
    await expect(callerWith(accessKey)).rejects.toMatchObject({ code: 'request/unauthorized' });
    await expect(regenerateToken(context, { name: 'over' })).rejects.toMatchObject({
      code: 'access/token-expired',
    });
    const renewed = await regenerateToken(context, { name: 'over', lifespan: 'unlimited' });
    expect((await callerWith(renewed.accessKey)).kind).toBe('token');
  });

  it('stores when a token was last used, and leaves its updatedAt alone', async () => {
    const { token, accessKey } = await createToken(context, { name: 'used', type: 'read-only' });
    const recording = await open(null);
    for (let use = 0; use < 50; use++) await recording.authenticate(`Bearer ${accessKey}`);
    await Promise.all([recording.close(), recording.close()]);
    const used = await findToken(context, 'used');
    expect(Date.parse(String(used.lastUsedAt))).toBeGreaterThan(Date.now() - 60_000);
    expect(used.updatedAt).toBe(token.updatedAt);
  });

  it('reports no errors in the background', () => {
    expect(errors).toEqual([]);
  });
});
