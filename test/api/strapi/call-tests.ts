import { beforeAll, describe, expect, it } from 'vitest';
import { errors } from '../../../src/strapi/package/utils/utils.js';
import type { Strapi } from '../../../src/strapi/strapi.js';
import type { TestDatabaseKind } from '../../support/databases.js';

const NOTE = 'api::note.note';
const STORY = 'api::story.story';

type Calls = Readonly<Record<string, (...values: readonly unknown[]) => unknown>>;

/** The calls of a part of `strapi` that is not typed. */
const callsOf = (strapi: Strapi, ...path: readonly string[]): Calls =>
  path.reduce<object>((part, name) => Reflect.get(part, name) as object, strapi) as Calls;

const hintOf = async (work: () => unknown): Promise<unknown> => {
  try {
    return await work();
  } catch (error) {
    return (error as { readonly hint?: unknown }).hint;
  }
};

/** Tests of calls that code makes less often, on the site of a suite. */
export function describeCalls(database: TestDatabaseKind, open: () => Strapi): void {
  describe('rarer calls', () => {
    let strapi: Strapi;
    beforeAll(() => {
      strapi = open();
    });

    it('check parts of a query by themselves, and lists of data', async () => {
      const type = strapi.contentType('api::story.story');
      const sanitize = callsOf(strapi, 'contentAPI', 'sanitize');
      const validate = callsOf(strapi, 'contentAPI', 'validate');
      expect(await sanitize['filters']?.({ title: 'a', secret: 'b' }, type)).toEqual({ title: 'a' });
      expect(await sanitize['sort']?.(['title', 'secret:desc'], type)).toEqual(['title']);
      expect(await sanitize['fields']?.(['secret'], type)).toEqual([]);
      expect(await sanitize['populate']?.({ shelf: true }, type)).toEqual({ shelf: true });
      await validate['filters']?.({ title: 'a' }, type);
      await expect(validate['sort']?.('secret', type)).rejects.toThrow('sort.secret');
      const list = [{ title: 'a' }, { title: 'b' }];
      expect(await validate['input']?.(list, type)).toBe(list);
      await expect(validate['input']?.([...list, { no: 1 }], type)).rejects.toThrow('no');
    });

    it('read and write what Strapi keeps as content of its own, or find nothing', async () => {
      const { db, entityService } = strapi;
      for (const uid of ['admin::user', 'admin::role', 'plugin::upload.folder']) {
        expect(await db.query(uid).findOne({ where: { name: 'icons', parent: { id: 1 } } })).toBeNull();
        expect(await db.query(uid).count()).toBe(0);
        expect(await entityService.findMany(uid, { filters: { email: 'a' } })).toEqual([]);
        await expect(db.query(uid).create({ data: { name: 'x' } })).rejects.toThrow(`'${uid}').create`);
      }
      const hooks = db.query('strapi::webhook');
      const data = { name: 'front', url: 'http://127.0.0.1:9', events: ['entry.create'], enabled: false };
      const { id } = await hooks.create({ data });
      expect(await hooks.findOne({ where: { name: 'front' } })).toMatchObject({ id, enabled: false });
      expect(await hooks.update({ where: { id }, data: { name: 'b' } })).toMatchObject({ name: 'b' });
      expect(await hooks.delete({ where: { id } })).toMatchObject({ id });
      expect(await strapi.webhookStore.findWebhooks()).toEqual([]);
      const store = db.query('strapi::core-store');
      await strapi.store({ type: 'plugin', name: 'shop', key: 'rates' }).set({ value: { eur: 1 } });
      const where = { key: 'plugin_shop_rates' };
      expect(await store.findOne({ where })).toMatchObject({ value: '{"eur":1}', type: 'object' });
      await store.update({ where, data: { value: '{"eur":2}' } });
      expect(await strapi.store({ type: 'plugin', name: 'shop', key: 'rates' }).get()).toEqual({ eur: 2 });
      await store.create({ data: { key: 'core_made', value: 'true', type: 'boolean' } });
      expect(await strapi.store.get({ key: 'made' })).toBe(true);
      expect(await store.findOne({ where: { key: { $contains: 'advanced' } } })).not.toBeNull();
      await store.deleteMany({ where: { key: { $in: ['core_made', 'plugin_shop_rates'] } } });
      expect(await store.count({ where })).toBe(0);
    });

    it('write rows for files of other servers, and none for content that is stored here', async () => {
      const file = { name: 'a.png', hash: 'far', ext: '.png', mime: 'image/png', size: 1, provider: 'local' };
      const url = 'https://example.com/a.png';
      const files = strapi.db.query('plugin::upload.file');
      const made = await files.create({ data: { ...file, url, folderPath: '/' } });
      expect(made).toMatchObject({ name: 'a.png', url });
      expect(await files.count({ where: { url } })).toBe(1);
      await files.delete({ where: { id: made.id } });
      await expect(files.create({ data: { ...file, url: '/uploads/a.png' } })).rejects.toThrow('stored here');
    });

    it('decorate the service of entities', async () => {
      const service = callsOf(strapi, 'entityService');
      service['decorate']?.(({ count }: Calls) => ({
        count: async (...values: readonly unknown[]) => Number(await count?.(...values)) + 1000,
        twice: (value: number) => 2 * value,
      }));
      expect(await strapi.entityService.count(STORY, {})).toBeGreaterThanOrEqual(1000);
      expect(service['twice']?.(2)).toBe(4);
      service['decorate']?.(({ count }: Calls) => ({
        count: async (...values: readonly unknown[]) => Number(await count?.(...values)) - 1000,
      }));
      expect(await strapi.entityService.count(STORY, {})).toBe(await strapi.documents(STORY).count({}));
    });

    it('refuse conditions that are undefined, which would match everything', async () => {
      const missing = undefined;
      const { entityService, db, documents } = strapi;
      const note = documents(NOTE);
      for (const [call, work] of [
        ['documents', () => note.findMany({ filters: { text: missing } })],
        ['documents, first', () => note.findFirst({ filters: { $or: [{ text: { $eq: missing } }] } })],
        ['documents, count', () => note.count({ filters: { text: missing } })],
        ['populate', () => documents(STORY).findMany({ populate: { shelf: { filters: { id: missing } } } })],
        ['relation', () => documents(STORY).findMany({ filters: { shelf: { id: missing } } })],
        ['entityService', () => entityService.findMany(NOTE, { filters: { text: missing } })],
        ['query', () => db.query(NOTE).findOne({ where: { id: missing } })],
        ['query, no condition', () => db.query(NOTE).findOne({ where: missing })],
        ['query, delete', () => db.query(NOTE).delete({ where: missing })],
        ['query, update', () => db.query(NOTE).update({ where: { id: missing }, data: { text: 'all' } })],
        ['query, updateMany', () => db.query(NOTE).updateMany({ where: missing, data: { text: 'all' } })],
        ['query, deleteMany', () => db.query(NOTE).deleteMany({ where: missing })],
        ['locales', () => db.query('plugin::i18n.locale').findMany({ where: { $not: missing } })],
        ['documents, delete', () => note.delete({ documentId: missing })],
      ] as const satisfies readonly (readonly [string, () => Promise<unknown>])[])
        await expect(work(), call).rejects.toThrow(/is undefined|requires \{ documentId \}/);
      expect(await note.findOne({ documentId: missing })).toBeNull();
    });

    it('throw instances of the classes of @strapi/utils', async () => {
      const faults = [
        () => strapi.documents(NOTE).create({ data: { text: 'a', price: 'much' } }),
        () => strapi.documents(NOTE).findMany({ sort: 'nope' }),
        () => strapi.entityService.findMany(NOTE, { filters: { nope: 1 } }),
        () => strapi.db.query(NOTE).findMany({ where: { nope: 1 } }),
      ];
      for (const fault of faults) {
        const error = await fault().catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(errors.ValidationError);
        expect(error).toBeInstanceOf(errors.ApplicationError);
        expect(error).not.toBeInstanceOf(errors.NotFoundError);
      }
    });

    it('validate data that are missing as empty ones', async () => {
      const stories = strapi.documents(STORY);
      await expect(stories.create({ data: undefined, status: 'published' })).rejects.toMatchObject({
        name: 'ValidationError',
      });
      const { documentId } = await strapi.documents(NOTE).create({ data: { text: 'stays' } });
      for (const data of [undefined, null])
        expect(await strapi.documents(NOTE).update({ documentId, data })).toMatchObject({ text: 'stays' });
    });

    it('name the content-type first', async () => {
      const manager = callsOf(strapi, 'db', 'entityManager');
      await manager['create']?.(NOTE, { data: { text: 'managed' } });
      expect(await manager['count']?.(NOTE, { where: { text: 'managed' } })).toBe(1);
      expect(await manager['deleteMany']?.(NOTE, { where: { text: 'managed' } })).toEqual({ count: 1 });
      expect(() => manager['createQueryBuilder']).toThrow('strapi.db.entityManager.createQueryBuilder');
    });

    it('say whether a caller may do something', async () => {
      const { verify } = callsOf(strapi, 'auth');
      await expect(verify?.(null, { scope: [] })).rejects.toMatchObject({ name: 'UnauthorizedError' });
      const refuse = (): never => {
        throw new Error('asked');
      };
      await expect(verify?.({ strategy: { verify: refuse } }, {})).rejects.toThrow('asked');
      expect(await verify?.(null, false)).toBeUndefined();
    });

    it('name the database that is used, for any config/database', () => {
      const isSqlite = database.name === 'sqlite';
      expect(strapi.config.get('database.connection.client')).toBe(isSqlite ? 'sqlite' : 'postgres');
      const driver = Reflect.get(
        callsOf(strapi, 'db', 'connection', 'client', 'config'),
        'client',
      ) as unknown;
      expect(driver).toBe(isSqlite ? 'better-sqlite3' : 'pg');
    });

    it('fail with the way to do here what Strapi keeps as content', async () => {
      const read = (uid: string): Promise<unknown> => hintOf(() => strapi.db.query(uid).findMany());
      expect(await read('admin::unknown')).toContain('no admin panel');
      expect(await read('api::none.none')).toContain('Allowed: api::article.article');
      expect(await hintOf(() => strapi.documents('admin::unknown'))).toContain('no admin panel');
      expect(Reflect.get(strapi, 'entityValidator')).toBeUndefined();
    });
  });
}
