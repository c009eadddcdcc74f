import { beforeAll, describe, expect, it } from 'vitest';
import type { Strapi } from '../../../src/strapi/strapi.js';

const SHELF = 'api::shelf.shelf';
const STORY = 'api::story.story';

/** Tests of parameters that code passes, on the site of a suite. */
export function describeParams(open: () => Strapi): void {
  describe('parameters', () => {
    let strapi: Strapi;
    beforeAll(() => {
      strapi = open();
    });

    it('are heeded by the names of the query engine, too', async () => {
      const shelves = strapi.documents(SHELF);
      for (const [rank, name] of ['c', 'a', 'b'].entries()) await shelves.create({ data: { name, rank } });
      const params = { where: { rank: { $gt: 0 } }, select: ['name'], orderBy: 'name', offset: 1 };
      const found = await shelves.findMany(params);
      expect(found.map(({ name }) => name)).toEqual(['b']);
      expect(found[0]).not.toHaveProperty('rank');
      expect(await shelves.findFirst({ where: { name: 'a' }, filters: { rank: 0 } })).toBeNull();
      expect(await shelves.count({ where: { name: 'a' } })).toBe(1);
      const query = strapi.db.query(SHELF);
      expect(await query.deleteMany({ _q: 'a', where: { name: 'a' } })).toEqual({ count: 1 });
      expect(await query.updateMany({ data: { rank: 9 }, orderBy: 'name', limit: 1 })).toEqual({ count: 1 });
      expect(await query.findMany({ where: { rank: 9 }, select: ['name'] })).toMatchObject([{ name: 'b' }]);
    });

    it('are refused where nothing would read them', async () => {
      const { db, entityService } = strapi;
      const documents = strapi.documents(STORY);
      const query = db.query(STORY);
      const { documentId } = await documents.create({ data: { title: 'kept' } });
      for (const [name, work] of [
        ['documentId', () => documents.create({ documentId: 'own', data: { title: 'x' } })],
        ['publishedAt', () => documents.update({ documentId, data: {}, publishedAt: null })],
        ['filters', () => documents.delete({ documentId, filters: { title: 'other' } })],
        ['status', () => documents.delete({ documentId, status: 'draft' })],
        ['fields', () => query.findMany({ fields: ['title'] })],
        ['pagination', () => query.findMany({ pagination: { limit: 1 } })],
        ['status', () => query.count({ status: 'draft' })],
        ['files', () => entityService.create(STORY, { data: { title: 'x' }, files: {} })],
        ['filters', () => entityService.delete(STORY, 1, { filters: {} })],
      ] as const) {
        const outcome: unknown = await work().then(
          () => `${name} is ignored`,
          (error: unknown) => error,
        );
        expect(outcome).toMatchObject({
          name: 'ValidationError',
          message: expect.stringContaining(`does not take the parameter ${name}.`) as string,
        });
      }
      expect(await documents.findOne({ documentId })).toMatchObject({ title: 'kept' });
    });

    it('are refused where they have no such value', async () => {
      const stories = strapi.documents(STORY);
      await expect(stories.findMany({ status: 'publised' })).rejects.toThrow('status');
      await expect(stories.create({ data: { title: 'a' }, status: 'live' })).rejects.toThrow('status');
      await expect(stories.create({ data: { title: 'a' }, locale: ['en'] })).rejects.toThrow('locale');
      for (const [params, name] of [
        [{ limit: 'many' }, 'limit'],
        [{ limit: -2 }, 'limit'],
        [{ start: -1 }, 'start'],
        [{ page: 0, pageSize: 1 }, 'page'],
        [{ pageSize: 1.5 }, 'pageSize'],
        [{ pagination: { limit: 'many' } }, 'limit'],
        [{ locale: {} }, 'locale'],
      ] as const)
        await expect(stories.findMany(params)).rejects.toThrow(`Invalid parameter ${name}: it must be`);
      await expect(stories.findMany({ page: 1, start: 0 })).rejects.toThrow('cannot be mixed');
      await expect(strapi.db.query(STORY).findMany({ offset: 'x' })).rejects.toThrow('parameter offset');
      const findMany = strapi.entityService.findMany(STORY, { publicationState: 'published' });
      await expect(findMany).rejects.toThrow('publicationState');
    });

    it('reach middlewares of the project that may read them', async () => {
      const seen: unknown[] = [];
      const remove = strapi.documents.use((context, next) => {
        seen.push(context.params['mark']);
        return next();
      });
      try {
        await strapi.documents(SHELF).findMany({ mark: 'own' });
      } finally {
        remove();
      }
      expect(seen).toEqual(['own']);
    });

    it('reach a second middleware as the first one left them', async () => {
      const seen: unknown[] = [];
      const removeFirst = strapi.documents.use((context, next) => {
        Object.assign(context.params, { filters: { title: 'left' }, more: 1 });
        return next();
      });
      const removeSecond = strapi.documents.use((context, next) => {
        const { filters, mark, more } = context.params;
        seen.push({ action: context.action, filters, mark, more });
        return next();
      });
      try {
        await strapi.documents(STORY).findFirst({ mark: 'own' });
      } finally {
        removeFirst();
        removeSecond();
      }
      expect(seen).toEqual([{ action: 'findFirst', filters: { title: 'left' }, mark: 'own', more: 1 }]);
    });

    it('are looked at before calls, which reject instead of throwing', async () => {
      const shelves = strapi.documents(SHELF);
      expect([shelves.publish, shelves.unpublish, shelves.discardDraft]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(strapi.documents(STORY).publish).toBeTypeOf('function');
      const calls = [
        () => shelves.update({ data: {} }),
        () => shelves.create({ data: 5 }),
        () => strapi.db.query(SHELF).create({}),
        () => strapi.entityService.update(SHELF, undefined, { data: {} }),
      ].map((call) => call());
      for (const call of calls) await expect(call).rejects.toThrow();
      expect(strapi.getModel('plugin::i18n.locale')).toMatchObject({ uid: 'plugin::i18n.locale' });
    });
  });
}
