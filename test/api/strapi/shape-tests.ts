import { beforeAll, describe, expect, it } from 'vitest';
import type { Strapi } from '../../../src/strapi/strapi.js';

const NOTE = 'api::note.note';
const SHELF = 'api::shelf.shelf';
const STORY = 'api::story.story';

/** Tests of what results, types and listeners' data consist of, on the site of a suite. */
export function describeShapes(open: () => Strapi): void {
  describe('shapes', () => {
    let strapi: Strapi;
    beforeAll(() => {
      strapi = open();
    });

    it('has what rows of Strapi have, and what they are asked for', async () => {
      const shelf = await strapi.documents(SHELF).create({ data: { name: 'a' }, populate: '*' });
      expect(shelf).toMatchObject({ locale: null, createdBy: null, updatedBy: null, localizations: [] });
      const story = await strapi.documents(STORY).create({
        data: { title: 'One', shelf: shelf.documentId },
        fields: ['title'],
        populate: ['createdBy', 'shelf.updatedBy'],
      });
      expect(story).toMatchObject({ title: 'One', createdBy: null, shelf: { name: 'a', locale: null } });
      expect(story).not.toHaveProperty('updatedBy');
      const query = { select: ['title'], populate: { shelf: { select: ['name', 'locale'] } } };
      expect(await strapi.db.query(STORY).findOne(query)).toEqual({
        id: story.id,
        title: 'One',
        shelf: { name: 'a', locale: null },
      });
      const located = await strapi.documents(SHELF).findFirst({ fields: ['locale'] });
      expect(located).toMatchObject({ id: shelf.id, documentId: shelf.documentId, locale: null });
      expect(located).not.toHaveProperty('name');
    });

    it('writes, moves and reads polymorphic relations of components, which drafts show', async () => {
      const { documentId: shelf } = await strapi.documents(SHELF).create({ data: { name: 'c' } });
      const note = await strapi.documents(NOTE).create({ data: { text: 'n' } });
      const about = [
        { __type: SHELF, documentId: shelf },
        { __type: NOTE, id: note.id },
      ];
      const block = (items: readonly object[]) => ({ __component: 'parts.quote', body: 'b', about: items });
      const stories = strapi.documents(STORY);
      const populate = { blocks: { on: { 'parts.quote': { populate: '*' } } } };
      const aboutOf = async (documentId: string, status: 'draft' | 'published'): Promise<unknown> => {
        const found = (await stories.findOne({ documentId, status, populate })) as unknown as {
          readonly blocks: readonly { readonly about: readonly object[] }[];
        };
        return found.blocks[0]?.about.map((item) => [
          Reflect.get(item, '__type'),
          Reflect.get(item, 'documentId'),
        ]);
      };
      const both = [
        [SHELF, shelf],
        [NOTE, note.documentId],
      ];
      const { documentId } = await stories.create({ data: { title: 'Three', blocks: [block(about)] } });
      expect(await aboutOf(documentId, 'draft')).toEqual(both);
      await stories.publish?.({ documentId });
      expect([await aboutOf(documentId, 'draft'), await aboutOf(documentId, 'published')]).toEqual([
        both,
        [],
      ]);
      await stories.update({ documentId, data: { blocks: [block(about.toReversed())] } });
      expect(await aboutOf(documentId, 'draft')).toEqual(both.toReversed());
      await stories.discardDraft?.({ documentId });
      expect(await aboutOf(documentId, 'draft')).toEqual(both);
      await strapi.documents(SHELF).delete({ documentId: shelf });
      expect(await aboutOf(documentId, 'draft')).toEqual(both.slice(1));
    });

    it('describes types as Strapi does, and hides what is its own', () => {
      const type = strapi.contentType(SHELF);
      const { attributes } = type as unknown as { readonly attributes: Readonly<Record<string, unknown>> };
      expect(attributes['rank']).toEqual({ type: 'integer', min: 0 });
      expect(Object.keys(attributes)).toEqual([
        'name',
        'rank',
        'stories',
        'createdAt',
        'updatedAt',
        'publishedAt',
        'createdBy',
        'updatedBy',
        'locale',
        'localizations',
      ]);
      expect(attributes['createdBy']).toMatchObject({ target: 'admin::user', private: true });
      expect(JSON.stringify(type)).not.toContain('storage');
    });

    it('reports to middlewares which read requests one document', async () => {
      const actions: string[] = [];
      const end = strapi.documents.use(async ({ action }, next) => {
        const result = await next();
        actions.push(`${action} ${Array.isArray(result) ? 'list' : JSON.stringify(result)}`);
        return result;
      });
      await strapi.documents(NOTE).findFirst();
      await strapi.documents(NOTE).findMany();
      end();
      expect(actions).toEqual(['findFirst null', 'findMany list']);
    });

    it('gives listeners defaults, times, linked documents, and what is no attribute', async () => {
      const seen: Readonly<Record<string, unknown>>[] = [];
      const keep = ({ params }: { readonly params: { readonly data?: unknown } }): void =>
        void seen.push({ ...(params.data as object) });
      const stop = strapi.db.lifecycles.subscribe({
        models: [STORY],
        beforeCreate: keep,
        beforeUpdate: keep,
      });
      const { documentId: shelf, id } = await strapi.documents(SHELF).create({ data: { name: 'b' } });
      const data = { title: 'Two', shelf, isImported: true, hint: { text: 'psst' } };
      const story = await strapi.documents(STORY).create({ data, status: 'published' });
      await strapi.db.query(STORY).update({ where: { id: story.id }, data: { views: 3 } });
      stop();
      const [draft, published, updated] = seen;
      expect(draft).toMatchObject({ views: 0, blocks: [], isImported: true, shelf: { set: [{ id }] } });
      expect(published).toMatchObject({
        documentId: story.documentId,
        shelf: { set: [{ id }] },
        related: { set: [] },
        hint: { id: expect.any(Number) as number },
        createdBy: null,
      });
      expect(published?.['hint']).not.toHaveProperty('text');
      expect(updated).toEqual({ views: 3, updatedAt: expect.any(Date) as Date });
    });
  });
}
