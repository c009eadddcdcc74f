import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addLocale, removeLocale } from '../../../src/access/locales.js';
import {
  listPermissions,
  setPermissions,
  unsetPermissions,
} from '../../../src/access/permissions/role-permissions.js';
import { roleTables } from '../../../src/access/roles/role-tables.js';
import { databases } from '../../support/databases.js';
import { createAccessFixture, TAG } from '../support/access-fixture.js';
import type { AccessFixture } from '../support/access-fixture.js';

describe.each(databases)('permissions and locales on $name', (database) => {
  let fixture: AccessFixture;
  let testEnvironment: AccessFixture['testEnvironment'];
  let context: AccessFixture['context'];
  let access: AccessFixture['access'];
  let errors: AccessFixture['errors'];
  let can: AccessFixture['can'];

  beforeAll(async () => {
    fixture = await createAccessFixture(database);
    ({ testEnvironment, context, access, errors, can } = fixture);
  });
  afterAll(() => fixture.close());

  it('replaces the permissions of a role on a type, and changes nothing with dryRun', async () => {
    await setPermissions(context, { role: 'public', uid: 'api::setting.setting', actions: ['find'] });
    const first = await setPermissions(context, { role: 'public', uid: TAG, actions: ['find', 'findOne'] });
    expect(first).toMatchObject({
      role: { type: 'public' },
      added: [`${TAG}.find`, `${TAG}.findOne`],
      removed: [],
    });
    const dry = await setPermissions(context, { role: 'public', uid: TAG, actions: ['*'] }, { dryRun: true });
    expect(dry.added).toEqual([`${TAG}.create`, `${TAG}.delete`, `${TAG}.update`]);
    const second = await setPermissions(context, { role: 'Public', uid: TAG, actions: ['find', 'create'] });
    expect(second).toMatchObject({
      added: [`${TAG}.create`],
      removed: [`${TAG}.findOne`],
      actions: [`${TAG}.create`, `${TAG}.find`],
    });
    expect(
      await setPermissions(context, { role: 'public', uid: TAG, actions: ['find', 'create'] }),
    ).toMatchObject({ added: [], removed: [] });
    expect(await listPermissions(context, 'public')).toMatchObject([
      { actions: ['api::setting.setting.find', `${TAG}.create`, `${TAG}.find`] },
    ]);
    await access.refresh();
    const anonymous = await access.authenticate(undefined);
    expect(['find', 'findOne', 'create'].filter((action) => can(anonymous, TAG, action))).toEqual([
      'find',
      'create',
    ]);
    const unset = await unsetPermissions(context, {
      role: 'public',
      uid: TAG,
      actions: ['create', 'delete'],
    });
    expect(unset).toMatchObject({ removed: [`${TAG}.create`], actions: [`${TAG}.find`] });
    expect(await unsetPermissions(context, { role: 'public', uid: TAG, actions: [] })).toMatchObject({
      removed: [`${TAG}.find`],
      actions: [],
    });
    expect(await listPermissions(context, 'public')).toMatchObject([
      { actions: ['api::setting.setting.find'] },
    ]);
    await expect(setPermissions(context, { role: 'pubic', uid: TAG, actions: [] })).rejects.toMatchObject({
      code: 'access/unknown-role',
      hint: 'Did you mean public?',
    });
  });

  it('stores one complete list when two writes set it at the same time', async () => {
    await Promise.all([
      setPermissions(context, { role: 'authenticated', uid: TAG, actions: ['find', 'findOne'] }),
      setPermissions(context, { role: 'authenticated', uid: TAG, actions: ['find', 'create'] }),
    ]);
    const [{ actions } = { actions: [] }] = await listPermissions(context, 'authenticated');
    expect([`${TAG}.find,${TAG}.findOne`, `${TAG}.create,${TAG}.find`]).toContain(actions.join(','));
  });

  it('adds locales, changes the default, and removes all but the default', async () => {
    await addLocale(context, { code: 'it' });
    expect(await addLocale(context, { code: 'fr' })).toMatchObject({
      code: 'fr',
      name: 'French (fr)',
      isDefault: false,
    });
    expect(await addLocale(context, { code: 'pt-br', name: 'Brazil' })).toMatchObject({
      code: 'pt-BR',
      name: 'Brazil',
    });
    await expect(addLocale(context, { code: 'fr' })).rejects.toMatchObject({ code: 'access/locale-exists' });
    for (const code of ['', 'e', 'english language', 'xx-', '../en', 'zzzz'])
      await expect(addLocale(context, { code })).rejects.toMatchObject({ code: 'access/invalid-locale' });
    await addLocale(context, { code: 'fr', isDefault: true });
    await access.refresh();
    expect(access.locales.defaultCode()).toBe('fr');
    expect([access.locales.has('pt-BR'), access.locales.has('xx')]).toEqual([true, false]);
    await expect(removeLocale(context, { code: 'fr' })).rejects.toMatchObject({
      code: 'access/default-locale-not-removable',
    });
    await expect(removeLocale(context, { code: 'frr' })).rejects.toMatchObject({
      code: 'access/unknown-locale',
    });
    await addLocale(context, { code: 'en', isDefault: true });
    await removeLocale(context, { code: 'pt-BR' });
    await access.refresh();
    expect(access.locales.all().map(({ code, isDefault }) => [code, isDefault])).toEqual([
      ['en', true],
      ['it', false],
      ['fr', false],
    ]);
  });

  it('removes a locale that has content only with `acceptDataLoss`', async () => {
    const { storage } = testEnvironment.model.typesByUid['api::article.article'] ?? {};
    if (storage === undefined) throw new Error('the fixture has no articles');
    await testEnvironment.database.transact(async (tx) => {
      const now = new Date().toISOString();
      const version = (documentId: string, locale: string) => ({
        documentId,
        locale,
        status: 'draft',
        title: 'x',
        createdAt: now,
        updatedAt: now,
      });
      await tx
        .model(storage.document.model)
        .createMany({ data: [{ documentId: 'both' }, { documentId: 'only-it' }] });
      await tx
        .model(storage.version.model)
        .createMany({ data: [version('both', 'en'), version('both', 'it'), version('only-it', 'it')] });
    });
    await expect(removeLocale(context, { code: 'it' })).rejects.toMatchObject({
      kind: 'data-loss',
      details: { losses: [{ type: 'api::article.article', versions: 2 }] },
    });
    expect(await removeLocale(context, { code: 'it', acceptDataLoss: true }, { dryRun: true })).toMatchObject(
      { losses: [{ versions: 2 }] },
    );
    const rows = () =>
      testEnvironment.database.transact((tx) =>
        tx.model(storage.version.model).findMany({ select: { documentId: true, locale: true } }),
      );
    expect(await rows()).toHaveLength(3);
    await removeLocale(context, { code: 'it', acceptDataLoss: true });
    expect(await rows()).toEqual([{ documentId: 'both', locale: 'en' }]);
    expect(
      await testEnvironment.database.transact((tx) => tx.model(storage.document.model).findMany({})),
    ).toMatchObject([{ documentId: 'both' }]);
  });

  it('stores one document for each version of a permission', async () => {
    const tables = roleTables(testEnvironment.model);
    const permissions = await testEnvironment.database.transact((tx) =>
      tx.table(tables.permission.document).count({}),
    );
    const versions = await testEnvironment.database.transact((tx) =>
      tx.table(tables.permission.version).count({}),
    );
    expect(permissions).toBe(versions);
  });

  it('reports no errors in the background', () => {
    expect(errors).toEqual([]);
  });
});
