import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Access, AccessContext, Caller } from '../../src/access/access.js';
import { bootstrapAccess } from '../../src/access/bootstrap.js';
import { createAccess } from '../../src/access/create-access.js';
import { issueJwt, passwordStamp } from '../../src/access/jwt.js';
import { addLocale } from '../../src/access/operations/add-locale.js';
import { createToken } from '../../src/access/operations/create-token.js';
import { findToken } from '../../src/access/operations/find-token.js';
import { listLocales } from '../../src/access/operations/list-locales.js';
import { listPermissions } from '../../src/access/operations/list-permissions.js';
import { listRoles } from '../../src/access/operations/list-roles.js';
import { listTokens } from '../../src/access/operations/list-tokens.js';
import { regenerateToken } from '../../src/access/operations/regenerate-token.js';
import { removeLocale } from '../../src/access/operations/remove-locale.js';
import { revokeToken } from '../../src/access/operations/revoke-token.js';
import { setPermissions } from '../../src/access/operations/set-permissions.js';
import { unsetPermissions } from '../../src/access/operations/unset-permissions.js';
import { insertDocuments, roleTables } from '../../src/access/role-tables.js';
import { databases } from '../support/databases.js';
import { createWorld } from '../support/world.js';
import type { World } from '../support/world.js';

const TAG = 'api::tag.tag';
const JWT_SECRET = 'k8Jq2vXw9ZpL4mNb7RtY6uHs3eDfGc1A';
const ENGLISH = { code: 'en', name: 'English (en)' };

describe.each(databases)('access on $name', (database) => {
  let world: World;
  let context: AccessContext;
  let access: Access;
  const errors: unknown[] = [];

  const open = (pollInterval: number | null): Promise<Access> =>
    createAccess({ context, jwtSecret: JWT_SECRET, defaultLocale: 'en', pollInterval, onError: (error) => errors.push(error) });
  const callerWith = async (key: string): Promise<Caller> => {
    await access.refresh();
    return access.authenticate(`Bearer ${key}`);
  };
  const can = (caller: Caller, uid: string, action: string): boolean => {
    try {
      access.authorise(caller, uid, action);
      return true;
    } catch {
      return false;
    }
  };

  beforeAll(async () => {
    world = await createWorld({ model: 'magazine', database });
    context = { database: world.database, model: world.model, salt: 'salt-for-tests' };
    await bootstrapAccess(context, ENGLISH);
    access = await open(null);
  });
  afterAll(async () => {
    await access.close();
    await world.close();
  });

  it('starts with the two roles, the default locale and no grants, once', async () => {
    await Promise.all([bootstrapAccess(context, { code: 'de', name: 'German' }), bootstrapAccess(context, ENGLISH)]);
    expect((await listRoles(context)).map(({ type, name }) => [type, name])).toEqual([['authenticated', 'Authenticated'], ['public', 'Public']]);
    expect(await listLocales(context)).toMatchObject([{ code: 'en', name: 'English (en)', isDefault: true }]);
    expect((await listPermissions(context)).map(({ actions }) => actions)).toEqual([[], []]);
    expect(access.locales.defaultCode()).toBe('en');
  });

  it('takes no header, another scheme and an empty credential for the public, anything else presented must be valid', async () => {
    for (const header of [undefined, '', 'Basic abc', 'Bearer', 'Bearer ', 'bearer   ']) {
      expect((await access.authenticate(header)).kind).toBe('anonymous');
    }
    for (const header of ['Bearer nonsense', 'bearer nonsense', 'BEARER a b', 'Bearer null', `Bearer ${'a'.repeat(128)}`]) {
      await expect(access.authenticate(header)).rejects.toMatchObject({ code: 'request/unauthorized' });
    }
  });

  it('issues tokens whose key is shown once and stored only as a hash', async () => {
    const { token, accessKey } = await createToken(context, { name: 'ci', type: 'full-access', description: 'builds' });
    expect(token).toMatchObject({ name: 'ci', type: 'full-access', description: 'builds', permissions: [], expiresAt: null, lastUsedAt: null });
    expect(JSON.stringify(await listTokens(context))).not.toContain(accessKey);
    const rows = await world.database.transact((tx) => tx.model('ApiToken').findMany({}));
    expect(JSON.stringify(rows)).not.toContain(accessKey);
    const caller = await callerWith(accessKey);
    expect(caller.kind).toBe('token');
    expect(can(caller, TAG, 'delete')).toBe(true);
    await expect(createToken(context, { name: 'ci', type: 'read-only' })).rejects.toMatchObject({ code: 'access/token-exists' });
  });

  it('replaces a token by that name when told to, and the old key stops working', async () => {
    const first = await createToken(context, { name: 'again', type: 'full-access' });
    const second = await createToken(context, { name: 'again', type: 'read-only', replace: true });
    expect((await callerWith(second.accessKey)).grants).toEqual({ kind: 'read' });
    await expect(callerWith(first.accessKey)).rejects.toMatchObject({ code: 'request/unauthorized' });
  });

  it('gives custom tokens what they are given and nothing of the public role', async () => {
    await setPermissions(context, { role: 'public', uid: 'api::setting.setting', actions: ['find'] });
    const { token, accessKey } = await createToken(context, { name: 'tagger', type: 'custom', permissions: [`${TAG}.find`, `${TAG}.create`, `${TAG}.find`] });
    expect(token.permissions).toEqual([`${TAG}.create`, `${TAG}.find`]);
    const caller = await callerWith(accessKey);
    expect(['find', 'findOne', 'create', 'update', 'delete'].filter((action) => can(caller, TAG, action))).toEqual(['find', 'create']);
    expect(can(caller, 'api::setting.setting', 'find')).toBe(false);
    expect(can(await access.authenticate(undefined), 'api::setting.setting', 'find')).toBe(true);
    expect(access.accessOf(caller).canFind('api::article.article')).toBe(false);
  });

  it('refuses tokens that make no sense, and writes none', async () => {
    const before = await listTokens(context);
    await expect(createToken(context, { name: ' ', type: 'read-only' })).rejects.toMatchObject({ code: 'access/invalid-token' });
    await expect(createToken(context, { name: 'x', type: 'custom' })).rejects.toMatchObject({ code: 'access/invalid-token' });
    await expect(createToken(context, { name: 'x', type: 'read-only', permissions: [`${TAG}.find`] })).rejects.toMatchObject({ code: 'access/invalid-token' });
    await expect(createToken(context, { name: 'x', type: 'custom', permissions: [`${TAG}.fnd`] })).rejects.toMatchObject({ code: 'access/unknown-action', hint: 'Did you mean find?' });
    await expect(createToken({ ...context, salt: null }, { name: 'x', type: 'read-only' })).rejects.toMatchObject({ code: 'access/no-salt' });
    await createToken(context, { name: 'dry', type: 'read-only' }, { dryRun: true });
    expect(await listTokens(context)).toEqual(before);
  });

  it('regenerates and revokes', async () => {
    const { token, accessKey } = await createToken(context, { name: 'short', type: 'full-access', lifespan: '7d' });
    expect(Date.parse(String(token.expiresAt)) - Date.parse(token.createdAt)).toBeGreaterThan(6.9 * 86_400_000);
    const renewed = await regenerateToken(context, { name: 'short' });
    expect(renewed.token.expiresAt).toBe(token.expiresAt);
    expect((await callerWith(renewed.accessKey)).kind).toBe('token');
    await expect(callerWith(accessKey)).rejects.toMatchObject({ code: 'request/unauthorized' });
    await revokeToken(context, 'short');
    await expect(callerWith(renewed.accessKey)).rejects.toMatchObject({ code: 'request/unauthorized' });
    await expect(revokeToken(context, 'shrot')).rejects.toMatchObject({ code: 'access/unknown-token' });
    await expect(findToken(context, 'agian')).rejects.toMatchObject({ code: 'access/unknown-token', hint: 'Did you mean again?' });
  });

  it('refuses a token once its time is over', async () => {
    const { accessKey, token } = await createToken(context, { name: 'over', type: 'full-access', lifespan: '7d' });
    await callerWith(accessKey);
    await world.database.transact((tx) => tx.model('ApiToken').update({ where: { id: token.id }, data: { expiresAt: new Date(Date.now() - 1000).toISOString() } }));
    await addLocale(context, { code: 'it' });
    await expect(callerWith(accessKey)).rejects.toMatchObject({ code: 'request/unauthorized' });
    await expect(regenerateToken(context, { name: 'over' })).rejects.toMatchObject({ code: 'access/token-expired' });
    const renewed = await regenerateToken(context, { name: 'over', lifespan: 'unlimited' });
    expect((await callerWith(renewed.accessKey)).kind).toBe('token');
  });

  it('states the whole list of what a role may do on a type, says what changed, and does nothing dry', async () => {
    const first = await setPermissions(context, { role: 'public', uid: TAG, actions: ['find', 'findOne'] });
    expect(first).toMatchObject({ role: { type: 'public' }, added: [`${TAG}.find`, `${TAG}.findOne`], removed: [] });
    const dry = await setPermissions(context, { role: 'public', uid: TAG, actions: ['*'] }, { dryRun: true });
    expect(dry.added).toEqual([`${TAG}.create`, `${TAG}.delete`, `${TAG}.update`]);
    const second = await setPermissions(context, { role: 'Public', uid: TAG, actions: ['find', 'create'] });
    expect(second).toMatchObject({ added: [`${TAG}.create`], removed: [`${TAG}.findOne`], actions: [`${TAG}.create`, `${TAG}.find`] });
    expect(await setPermissions(context, { role: 'public', uid: TAG, actions: ['find', 'create'] })).toMatchObject({ added: [], removed: [] });
    expect(await listPermissions(context, 'public')).toMatchObject([{ actions: ['api::setting.setting.find', `${TAG}.create`, `${TAG}.find`] }]);
    await access.refresh();
    const anonymous = await access.authenticate(undefined);
    expect(['find', 'findOne', 'create'].filter((action) => can(anonymous, TAG, action))).toEqual(['find', 'create']);
    const unset = await unsetPermissions(context, { role: 'public', uid: TAG, actions: ['create', 'delete'] });
    expect(unset).toMatchObject({ removed: [`${TAG}.create`], actions: [`${TAG}.find`] });
    expect(await unsetPermissions(context, { role: 'public', uid: TAG, actions: [] })).toMatchObject({ removed: [`${TAG}.find`], actions: [] });
    expect(await listPermissions(context, 'public')).toMatchObject([{ actions: ['api::setting.setting.find'] }]);
    await expect(setPermissions(context, { role: 'pubic', uid: TAG, actions: [] })).rejects.toMatchObject({ code: 'access/unknown-role', hint: 'Did you mean public?' });
  });

  it('keeps one list when two state it at the same time', async () => {
    await Promise.all([
      setPermissions(context, { role: 'authenticated', uid: TAG, actions: ['find', 'findOne'] }),
      setPermissions(context, { role: 'authenticated', uid: TAG, actions: ['find', 'create'] }),
    ]);
    const [{ actions } = { actions: [] }] = await listPermissions(context, 'authenticated');
    expect([`${TAG}.find,${TAG}.findOne`, `${TAG}.create,${TAG}.find`]).toContain(actions.join(','));
  });

  it('configures locales', async () => {
    expect(await addLocale(context, { code: 'fr' })).toMatchObject({ code: 'fr', name: 'French (fr)', isDefault: false });
    expect(await addLocale(context, { code: 'pt-br', name: 'Brazil' })).toMatchObject({ code: 'pt-BR', name: 'Brazil' });
    await expect(addLocale(context, { code: 'fr' })).rejects.toMatchObject({ code: 'access/locale-exists' });
    for (const code of ['', 'e', 'english language', 'xx-', '../en', 'zzzz']) await expect(addLocale(context, { code })).rejects.toMatchObject({ code: 'access/invalid-locale' });
    await addLocale(context, { code: 'fr', isDefault: true });
    await access.refresh();
    expect(access.locales.defaultCode()).toBe('fr');
    expect([access.locales.has('pt-BR'), access.locales.has('xx')]).toEqual([true, false]);
    await expect(removeLocale(context, { code: 'fr' })).rejects.toMatchObject({ code: 'access/default-locale' });
    await expect(removeLocale(context, { code: 'frr' })).rejects.toMatchObject({ code: 'access/unknown-locale' });
    await addLocale(context, { code: 'en', isDefault: true });
    await removeLocale(context, { code: 'pt-BR' });
    await access.refresh();
    expect(access.locales.all().map(({ code, isDefault }) => [code, isDefault])).toEqual([['en', true], ['it', false], ['fr', false]]);
  });

  it('never removes content with a locale unless told to', async () => {
    const { storage } = world.model.typesByUid['api::article.article'] ?? {};
    if (storage === undefined) throw new Error('the fixture has no articles');
    await world.database.transact(async (tx) => {
      const now = new Date().toISOString();
      const version = (documentId: string, locale: string) => ({ documentId, locale, status: 'draft', title: 'x', createdAt: now, updatedAt: now });
      await tx.model(storage.anchor.model).createMany({ data: [{ documentId: 'both' }, { documentId: 'only-it' }] });
      await tx.model(storage.version.model).createMany({ data: [version('both', 'en'), version('both', 'it'), version('only-it', 'it')] });
    });
    await expect(removeLocale(context, { code: 'it' })).rejects.toMatchObject({ kind: 'data-loss', details: { losses: [{ type: 'api::article.article', versions: 2 }] } });
    expect(await removeLocale(context, { code: 'it', acceptDataLoss: true }, { dryRun: true })).toMatchObject({ losses: [{ versions: 2 }] });
    const rows = () => world.database.transact((tx) => tx.model(storage.version.model).findMany({ select: { documentId: true, locale: true } }));
    expect(await rows()).toHaveLength(3);
    await removeLocale(context, { code: 'it', acceptDataLoss: true });
    expect(await rows()).toEqual([{ documentId: 'both', locale: 'en' }]);
    expect(await world.database.transact((tx) => tx.model(storage.anchor.model).findMany({}))).toMatchObject([{ documentId: 'both' }]);
  });

  it('knows users by their JWT, with their role\'s rights, unless they are blocked or gone', async () => {
    const user = world.model.typesByUid['plugin::users-permissions.user'];
    if (user === undefined) throw new Error('the model has no users');
    const role = (await listRoles(context)).find(({ type }) => type === 'authenticated');
    await world.database.transact((tx) => insertDocuments(tx, user.storage, [{ username: 'ann', email: 'ann@example.com', provider: 'local', confirmed: true, blocked: false, roleDocumentId: role?.documentId }]));
    const [row] = await world.database.transact((tx) => tx.model(user.storage.version.model).findMany({}));
    const stamp = passwordStamp(null, JWT_SECRET);
    const token = issueJwt({ userId: Number(row?.['id']), stamp, session: null }, JWT_SECRET, 3600);
    await setPermissions(context, { role: 'authenticated', uid: TAG, actions: ['find'] });
    const caller = await callerWith(token);
    expect(caller).toMatchObject({ kind: 'user', userId: row?.['id'], documentId: row?.['documentId'] });
    expect([can(caller, TAG, 'find'), can(caller, TAG, 'create'), can(caller, 'api::setting.setting', 'find')]).toEqual([true, false, false]);
    await expect(callerWith(jwt.sign({ id: 4711, stamp }, JWT_SECRET))).rejects.toMatchObject({ code: 'request/unauthorized' });
    await expect(callerWith(jwt.sign({ id: row?.['id'], stamp }, 'another secret'))).rejects.toMatchObject({ code: 'request/unauthorized' });
    const set = (data: Record<string, unknown>) => world.database.transact((tx) => tx.model(user.storage.version.model).updateMany({ where: { username: 'ann' }, data }));
    await set({ password: '$2b$10$another' });
    await expect(callerWith(token)).rejects.toMatchObject({ code: 'request/unauthorized' });
    await set({ password: null });
    expect((await callerWith(token)).kind).toBe('user');
    await set({ blocked: true });
    await expect(callerWith(token)).rejects.toMatchObject({ code: 'request/unauthorized' });
    await set({ blocked: false, roleDocumentId: null });
    expect(can(await callerWith(token), TAG, 'find')).toBe(false);
    await world.database.transact((tx) => tx.model(user.storage.anchor.model).deleteMany({ where: {} }));
    await expect(callerWith(token)).rejects.toMatchObject({ code: 'request/unauthorized' });
  });

  it('answers from memory, without asking the database', async () => {
    const { accessKey } = await createToken(context, { name: 'fast', type: 'read-only' });
    let asked = 0;
    const counted = { ...world.database, readTexts: (...args: Parameters<typeof world.database.readTexts>) => (asked++, world.database.readTexts(...args)) };
    const running = await createAccess({ context: { ...context, database: counted }, jwtSecret: JWT_SECRET, defaultLocale: 'en', pollInterval: null, onError: (error) => errors.push(error) });
    asked = 0;
    for (let request = 0; request < 20; request++) running.authorise(await running.authenticate(`Bearer ${accessKey}`), TAG, 'find');
    await running.authenticate(undefined);
    expect(asked).toBe(0);
    await running.close();
  });

  it('follows what another process changes within half a second', async () => {
    const running = await open(100);
    const other = await world.reopen();
    const { accessKey } = await createToken({ ...context, database: other }, { name: 'remote', type: 'read-only' });
    await expect.poll(() => running.authenticate(`Bearer ${accessKey}`).then(({ kind }) => kind, () => 'refused'), { timeout: 500, interval: 20 }).toBe('token');
    await revokeToken({ ...context, database: other }, 'remote');
    await expect.poll(() => running.authenticate(`Bearer ${accessKey}`).then(({ kind }) => kind, () => 'refused'), { timeout: 500, interval: 20 }).toBe('refused');
    await running.close();
  });

  it('writes down when a token was last used, once a minute, without counting that as a change', async () => {
    const { token, accessKey } = await createToken(context, { name: 'used', type: 'read-only' });
    const recording = await open(null);
    for (let use = 0; use < 50; use++) await recording.authenticate(`Bearer ${accessKey}`);
    await Promise.all([recording.close(), recording.close()]);
    const used = await findToken(context, 'used');
    expect(Date.parse(String(used.lastUsedAt))).toBeGreaterThan(Date.now() - 60_000);
    expect(used.updatedAt).toBe(token.updatedAt);
  });

  it('keeps grants in agreement with the roles table', async () => {
    const tables = roleTables(world.model);
    const permissions = await world.database.transact((tx) => tx.model(tables.permission.anchor.model).count({}));
    const versions = await world.database.transact((tx) => tx.model(tables.permission.version.model).count({}));
    expect(permissions).toBe(versions);
  });

  it('has had nothing to report in the background', () => {
    expect(errors).toEqual([]);
  });
});
