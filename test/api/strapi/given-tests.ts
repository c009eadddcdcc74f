import { beforeAll, describe, expect, it } from 'vitest';
import type { Strapi } from '../../../src/strapi/strapi.js';
import type { Site } from '../support/site.js';

const NOTE = 'api::note.note';
const SHELF = 'api::shelf.shelf';
const STORY = 'api::story.story';

const TIMES = { createdAt: '2020-01-01T00:00:00.000Z', updatedAt: '2020-02-02T00:00:00.000Z' };
const PUBLISHED = '2020-03-03T00:00:00.000Z';

/** Tests of what code gives new versions beside their attributes, on the site of a suite. */
export function describeGiven(open: () => { readonly site: Site; readonly strapi: Strapi }): void {
  describe('documentId, locale and times in data', () => {
    let site: Site;
    let strapi: Strapi;
    beforeAll(() => {
      ({ site, strapi } = open());
    });

    it('are kept by documents, in both versions', async () => {
      const data = { documentId: 'own-id', title: 'a', ...TIMES, publishedAt: PUBLISHED };
      const created = await strapi.documents(STORY).create({ data, status: 'published' });
      expect(created).toMatchObject({ documentId: 'own-id', ...TIMES, publishedAt: PUBLISHED });
      const draft = await strapi.documents(STORY).findOne({ documentId: 'own-id', status: 'draft' });
      expect(draft).toMatchObject({ ...TIMES, publishedAt: null, title: 'a' });
      const changed = { documentId: 'own-id', locale: 'en', createdAt: new Date(0), title: 'b' };
      const updated = await strapi.documents(STORY).update({ documentId: 'own-id', data: changed });
      expect(updated).toMatchObject({ title: 'b', createdAt: new Date(0).toISOString() });
      expect(updated?.['updatedAt']).not.toBe(TIMES.updatedAt);
    });

    it('name other locales of a document, and are refused where it has a version', async () => {
      const stories = strapi.documents(STORY);
      await stories.create({ data: { documentId: 'two', title: 'a' } });
      for (const data of [
        { documentId: 'two', title: 'b' },
        { documentId: 'two', locale: 'en', title: 'b' },
      ])
        await expect(stories.create({ data })).rejects.toMatchObject({ name: 'ApplicationError' });
      const german = await stories.create({ data: { documentId: 'two', locale: 'de', title: 'c' } });
      expect(german).toMatchObject({ documentId: 'two', locale: 'de' });
      await expect(stories.create({ data: { documentId: 'two', title: 'd' }, locale: 'de' })).rejects.toThrow(
        'already has a document two',
      );
      expect(await stories.count({ locale: '*' })).toBe(2);
    });

    it('are kept by entityService', async () => {
      const create = (data: object) => strapi.entityService.create(STORY, { data: { title: 'a', ...data } });
      const created = await create({ documentId: 'es', locale: 'de', ...TIMES, publishedAt: PUBLISHED });
      expect(created).toMatchObject({ documentId: 'es', locale: 'de', ...TIMES, publishedAt: PUBLISHED });
      await expect(create({ documentId: 'es', locale: 'de' })).rejects.toThrow('already has a document');
      expect(await create({ documentId: 'draft', publishedAt: null })).toMatchObject({ publishedAt: null });
      const updated = await strapi.entityService.update(STORY, created.id, {
        data: { ...created, views: 3 },
      });
      expect(updated).toMatchObject({ documentId: 'es', views: 3, createdAt: TIMES.createdAt });
    });

    it('are kept by db.query, for single versions', async () => {
      const query = strapi.db.query(STORY);
      const row = { documentId: 'row', locale: 'de', title: 'a', ...TIMES };
      expect(await query.create({ data: { ...row, publishedAt: null } })).toMatchObject({
        ...row,
        publishedAt: null,
      });
      expect(await query.create({ data: { ...row, publishedAt: PUBLISHED } })).toMatchObject({
        publishedAt: PUBLISHED,
      });
      for (const publishedAt of [null, PUBLISHED])
        await expect(query.create({ data: { ...row, publishedAt } })).rejects.toThrow(
          'already has a document',
        );
      const where = { documentId: 'row', publishedAt: null };
      for (const data of [{ locale: 'en' }, { documentId: 'other' }, { id: 12 }])
        await expect(query.update({ where, data })).rejects.toThrow(/data\.(?:locale|documentId|id)/);
      expect(await query.createMany({ data: [{ documentId: 'm', title: 'm' }] })).toMatchObject({ count: 1 });
      expect(await query.findOne({ where: { documentId: 'm' } })).toMatchObject({ title: 'm', locale: 'en' });
    });

    it('are refused where they cannot be kept', async () => {
      const shelves = strapi.documents(SHELF);
      const stories = strapi.documents(STORY);
      for (const [data, text] of [
        [{ documentId: '' }, 'data.documentId'],
        [{ documentId: 5 }, 'data.documentId'],
        [{ createdAt: 'yesterday' }, 'data.createdAt'],
        [{ updatedAt: {} }, 'data.updatedAt'],
        [{ id: 77 }, 'data.id'],
      ] as const) {
        await expect(shelves.create({ data: { name: 'x', ...data } })).rejects.toThrow(text);
        await expect(strapi.db.query(SHELF).create({ data: { name: 'x', ...data } })).rejects.toThrow(text);
      }
      await expect(stories.create({ data: { title: 'x', locale: 'xx' } })).rejects.toThrow('xx');
      await expect(stories.create({ data: { title: 'x', locale: 'de' }, locale: 'en' })).rejects.toThrow(
        'data.locale',
      );
      const { documentId } = await stories.create({ data: { title: 'a' } });
      for (const data of [{ documentId: 'other' }, { locale: 'de' }])
        await expect(stories.update({ documentId, data })).rejects.toThrow('data.');
      expect(await shelves.count()).toBe(0);
      expect(await stories.count({ locale: '*' })).toBe(1);
    });

    it('may be set by middlewares and survive copies', async () => {
      const remove = strapi.documents.use((context, next) => {
        const data = context.params['data'] as Record<string, unknown> | undefined;
        if (context.action === 'create' && data?.['title'] === 'marked') data['documentId'] = 'by-middleware';
        return next();
      });
      try {
        const created = await strapi.documents(STORY).create({ data: { title: 'marked', ...TIMES } });
        expect(created).toMatchObject({ documentId: 'by-middleware', ...TIMES });
      } finally {
        remove();
      }
      const copy = { documentId: 'copied', createdAt: TIMES.createdAt };
      const { documentId, entries } = await strapi
        .documents(STORY)
        .clone({ documentId: 'by-middleware', data: copy });
      expect([documentId, entries]).toMatchObject(['copied', [{ title: 'marked', ...copy }]]);
    });

    it("are kept by Galley's documents, alone and in bulks", async () => {
      const stories = (await site.server.app.openContext()).documents(STORY);
      const data = { documentId: 'mine', title: 'a', ...TIMES, publishedAt: PUBLISHED };
      expect(await stories.create({ data, status: 'published' })).toMatchObject(data);
      await expect(stories.create({ data: { documentId: 'mine', title: 'b' } })).rejects.toThrow(
        'already has a document',
      );
      await expect(stories.create({ data: { title: 'b', publishedAt: PUBLISHED } })).rejects.toThrow(
        'publishedAt',
      );
      await expect(stories.update({ documentId: 'mine', data: { documentId: 'other' } })).rejects.toThrow(
        'data.documentId',
      );
      const results = await stories.bulk({
        items: [
          { action: 'create', data: { documentId: 'bulk', locale: 'de', title: 'c', ...TIMES } },
          { action: 'update', documentId: 'mine', data: { createdAt: new Date(0), title: 'd' } },
        ],
      });
      expect(results.map(({ documentId }) => documentId)).toEqual(['bulk', 'mine']);
      expect(await stories.findOne({ documentId: 'bulk', locale: 'de' })).toMatchObject({
        title: 'c',
        ...TIMES,
      });
      const updated = await stories.findOne({ documentId: 'mine' });
      expect(updated).toMatchObject({ title: 'd', createdAt: new Date(0).toISOString() });
    });

    it('leave code alone that writes back what it has read', async () => {
      const note = await strapi.documents(NOTE).create({ data: { text: 'a' }, status: 'published' });
      const read = await strapi.documents(NOTE).findOne({ documentId: note.documentId, populate: '*' });
      const written = await strapi
        .documents(NOTE)
        .update({ documentId: note.documentId, data: { ...read, text: 'b' } });
      expect(written).toMatchObject({ text: 'b', createdAt: note['createdAt'] });
      const row = await strapi.db.query(NOTE).findOne({ where: { documentId: note.documentId } });
      await strapi.db.query(NOTE).update({ where: { id: row?.id }, data: { ...row, text: 'c' } });
      expect(await strapi.db.query(NOTE).findOne({ where: { id: row?.id } })).toMatchObject({ text: 'c' });
    });
  });
}
