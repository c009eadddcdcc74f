import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueJwt, securityStampOf } from '../../../src/access/credentials.js';
import { bootstrapAccess } from '../../../src/access/bootstrap.js';
import { listLocales, readLocales } from '../../../src/access/locales.js';
import { listPermissions, setPermissions } from '../../../src/access/permissions/role-permissions.js';
import { documentTables, insertDocuments, listRoles } from '../../../src/access/roles/role-tables.js';
import { createToken, revokeToken } from '../../../src/access/tokens.js';
import { databases } from '../../support/databases.js';
import { createAccessFixture, ENGLISH, JWT_SECRET, TAG } from '../support/access-fixture.js';
import type { AccessFixture } from '../support/access-fixture.js';

describe.each(databases)('access on $name', (database) => {
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

  it('creates the two roles and the default locale once, without permissions', async () => {
    await Promise.all([
      bootstrapAccess(context, { locale: { code: 'de', name: 'German' }, grants: true }),
      bootstrapAccess(context, { locale: ENGLISH, grants: true }),
    ]);
    expect((await listRoles(context)).map(({ type, name }) => [type, name])).toEqual([
      ['authenticated', 'Authenticated'],
      ['public', 'Public'],
    ]);
    expect(await listLocales(context)).toMatchObject([{ code: 'en', name: 'English (en)', isDefault: true }]);
    expect(await listLocales(context)).toEqual(await context.database.transact(readLocales));
    expect((await listPermissions(context)).map(({ actions }) => actions)).toEqual([[], []]);
    expect(access.locales.defaultCode()).toBe('en');
  });

  it('treats requests without a bearer token as public, and refuses invalid tokens', async () => {
    for (const header of [undefined, '', 'Basic abc', 'Bearer', 'Bearer ', 'bearer   ']) {
      expect((await access.authenticate(header)).kind).toBe('anonymous');
    }
    for (const header of [
      'Bearer nonsense',
      'bearer nonsense',
      'BEARER a b',
      'Bearer null',
      `Bearer ${'a'.repeat(128)}`,
    ]) {
      await expect(access.authenticate(header)).rejects.toMatchObject({ code: 'request/unauthorized' });
    }
  });

  it('authenticates users by JWT with the permissions of their role, unless blocked or deleted', async () => {
    const user = testEnvironment.model.typesByUid['plugin::users-permissions.user'];
    if (user === undefined) throw new Error('the model has no users');
    const role = (await listRoles(context)).find(({ type }) => type === 'authenticated');
    await testEnvironment.database.transact((tx) =>
      insertDocuments(tx, documentTables(user), [
        {
          username: 'ann',
          email: 'ann@example.com',
          provider: 'local',
          confirmed: true,
          blocked: false,
          roleDocumentId: role?.documentId,
        },
      ]),
    );
    const [row] = await testEnvironment.database.transact((tx) =>
      tx.model(user.storage.version.model).findMany({}),
    );
    const stamp = securityStampOf(null, JWT_SECRET);
    const token = issueJwt(
      { userId: Number(row?.['id']), securityStamp: stamp, session: null },
      JWT_SECRET,
      3600,
    );
    await setPermissions(context, { role: 'authenticated', uid: TAG, actions: ['find'] });
    await setPermissions(context, { role: 'public', uid: 'api::setting.setting', actions: ['find'] });
    const caller = await callerWith(token);
    expect(caller).toMatchObject({ kind: 'user', userId: row?.['id'], documentId: row?.['documentId'] });
    expect([
      can(caller, TAG, 'find'),
      can(caller, TAG, 'create'),
      can(caller, 'api::setting.setting', 'find'),
    ]).toEqual([true, false, false]);
    await expect(callerWith(jwt.sign({ id: 4711, stamp }, JWT_SECRET))).rejects.toMatchObject({
      code: 'request/unauthorized',
    });
    await expect(callerWith(jwt.sign({ id: row?.['id'], stamp }, 'another secret'))).rejects.toMatchObject({
      code: 'request/unauthorized',
    });
    const set = (data: Record<string, unknown>) =>
      testEnvironment.database.transact((tx) =>
        tx.model(user.storage.version.model).updateMany({ where: { username: 'ann' }, data }),
      );
    await set({ password: '$2b$10$another' });
    await expect(callerWith(token)).rejects.toMatchObject({ code: 'request/unauthorized' });
    await set({ password: null });
    expect((await callerWith(token)).kind).toBe('user');
    await set({ blocked: true });
    await expect(callerWith(token)).rejects.toMatchObject({ code: 'request/unauthorized' });
    await set({ blocked: false, roleDocumentId: null });
    expect(can(await callerWith(token), TAG, 'find')).toBe(false);
    await testEnvironment.database.transact((tx) =>
      tx.model(user.storage.document.model).deleteMany({ where: {} }),
    );
    await expect(callerWith(token)).rejects.toMatchObject({ code: 'request/unauthorized' });
  });

  it('authenticates and authorises from memory, without reading the database', async () => {
    const { accessKey } = await createToken(context, { name: 'fast', type: 'read-only' });
    let asked = 0;
    const counted = {
      ...testEnvironment.database,
      readTexts: (...args: Parameters<typeof testEnvironment.database.readTexts>) => (
        asked++,
        testEnvironment.database.readTexts(...args)
      ),
    };
    const running = await open(null, { ...context, database: counted });
    asked = 0;
    for (let request = 0; request < 20; request++)
      running.authorise(await running.authenticate(`Bearer ${accessKey}`), TAG, 'find');
    await running.authenticate(undefined);
    expect(asked).toBe(0);
    await running.close();
  });

  it('sees changes of another process within half a second', async () => {
    const running = await open(100);
    const other = await testEnvironment.reopen();
    const { accessKey } = await createToken(
      { ...context, database: other },
      { name: 'remote', type: 'read-only' },
    );
    await expect
      .poll(
        () =>
          running.authenticate(`Bearer ${accessKey}`).then(
            ({ kind }) => kind,
            () => 'refused',
          ),
        { timeout: 500, interval: 20 },
      )
      .toBe('token');
    await revokeToken({ ...context, database: other }, 'remote');
    await expect
      .poll(
        () =>
          running.authenticate(`Bearer ${accessKey}`).then(
            ({ kind }) => kind,
            () => 'refused',
          ),
        { timeout: 500, interval: 20 },
      )
      .toBe('refused');
    await running.close();
  });

  it('reports no errors in the background', () => {
    expect(errors).toEqual([]);
  });
});
