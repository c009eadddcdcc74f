import { beforeAll, describe, expect, it } from 'vitest';
import type { Strapi } from '../../../src/strapi/strapi.js';

const NOTE = 'api::note.note';
const SHELF = 'api::shelf.shelf';
const STORY = 'api::story.story';

/** Tests of what reads and writes single versions, on the site of a suite. */
export function describeRows(open: () => Strapi): void {
  describe('rows', () => {
    let strapi: Strapi;
    beforeAll(() => {
      strapi = open();
    });
    it('are drafts and published ones alike', async () => {
      const { documentId } = await strapi
        .documents(NOTE)
        .create({ data: { text: 'a' }, status: 'published' });
      const query = strapi.db.query(NOTE);
      const drafts = { where: { documentId, publishedAt: null }, select: ['text'] };
      expect(await query.count({ where: { documentId } })).toBe(2);
      expect(await query.findMany(drafts)).toEqual([{ text: 'a' }]);
      const [draft] = await query.findMany({ where: { documentId, publishedAt: { $null: true } } });
      await query.update({ where: { id: draft?.id }, data: { text: 'b' } });
      const texts = await query.findMany({
        where: { documentId },
        select: ['text'],
        orderBy: { text: 'desc' },
      });
      expect(texts).toEqual([{ text: 'b' }, { text: 'a' }]);
      expect(await query.updateMany({ where: { documentId }, data: { price: 2 } })).toEqual({ count: 2 });
      const published = { where: { documentId, publishedAt: { $notNull: true } } };
      expect(await query.delete(published)).toMatchObject({ text: 'a', price: 2 });
      expect(await query.findMany({ where: { documentId } })).toMatchObject([{ text: 'b', price: 2 }]);
      expect(await query.delete({ where: { documentId } })).toMatchObject({ text: 'b' });
      expect(await strapi.documents(NOTE).findOne({ documentId })).toBeNull();
    });

    it('are found by what they link, and populated with versions of their own status', async () => {
      const shelf = await strapi.db.query(SHELF).create({ data: { name: 's', rank: 1 } });
      const query = strapi.db.query(STORY);
      const data = { title: 'one', shelf: shelf.id, secret: 'x', code: 'plain text', unknown: 1 };
      const story = await query.create({ data, populate: { shelf: { select: ['name'] } } });
      expect(story).toMatchObject({ secret: 'x', shelf: { name: 's' }, locale: 'en' });
      expect(String(story['code'])).toMatch(/^\$2b\$/);
      for (const where of [
        { shelf: shelf.id },
        { shelf: { id: shelf.id } },
        { shelf: { name: { $in: ['s'] } } },
      ])
        expect(await query.findMany({ where, select: 'title' })).toEqual([{ title: 'one' }]);
      expect(await query.findMany({ where: { $not: { shelf: { rank: 1 } } } })).toEqual([]);
      await query.update({ where: { id: story.id }, data: { related: { connect: [story.id] } } });
      expect(
        await query.findOne({ where: { id: story.id }, populate: ['related', 'createdBy'] }),
      ).toMatchObject({
        related: [{ id: story.id }],
      });
      await expect(query.findMany({ populate: 'shelf,absent' })).rejects.toThrow('has no attribute absent');
      expect(await query.findMany({ populate: ['absent'] })).toHaveLength(1);
      expect(await query.load(story, 'shelf')).toMatchObject({ id: shelf.id });
      expect(await strapi.db.query(SHELF).findWithCount({ populate: { stories: { count: true } } })).toEqual([
        [expect.objectContaining({ stories: { count: 1 }, label: 'Shelf s' })],
        1,
      ]);
      await expect(query.update({ where: {}, data: {} })).rejects.toThrow('{ where }');
      expect(() => Reflect.get(query, 'attachRelations') as unknown).toThrow("query('api::story.story')");
    });

    it('are named by their ids in the entity service', async () => {
      const { entityService } = strapi;
      const draft = await entityService.create(NOTE, { data: { text: 'kept', publishedAt: null } });
      expect(await entityService.update(NOTE, draft.id, { data: { price: 3 } })).toMatchObject({
        id: draft.id,
        price: 3,
      });
      const page = await entityService.findPage(NOTE, { page: 1, pageSize: 1, filters: { text: 'kept' } });
      expect(page).toMatchObject({ results: [{ id: draft.id }], pagination: { total: 1, pageCount: 1 } });
      expect(await entityService.delete(NOTE, draft.id)).toMatchObject({ id: draft.id });
      expect(await entityService.findOne(NOTE, draft.id)).toBeNull();
      expect(await entityService.create(NOTE, { data: { text: 'out' } })).toMatchObject({
        publishedAt: expect.any(String),
      });
    });
  });
}
