import { beforeAll, describe, expect, it } from 'vitest';
import type { Strapi } from '../../../src/strapi/strapi.js';

const STORY = 'api::story.story';

/** Tests of copies of documents, on the site of a suite. */
export function describeClones(open: () => Strapi): void {
  describe('clones', () => {
    let strapi: Strapi;
    beforeAll(() => {
      strapi = open();
    });

    it('show listeners what their source has, with an id of their own', async () => {
      const stories = strapi.documents(STORY);
      const source = await stories.create({ data: { title: 'source', blocks: [] } });
      const seen: Record<string, unknown>[] = [];
      const unsubscribe = strapi.db.lifecycles.subscribe({
        models: [STORY],
        beforeCreate: ({ params }) => void seen.push(params['data'] as Record<string, unknown>),
      });
      const actions: unknown[] = [];
      const end = strapi.documents.use(async (context, next) => {
        actions.push([context.action, context.params.documentId]);
        return next();
      });
      const clone = await stories.clone({
        documentId: source.documentId,
        data: { title: 'copy', extra: 1 },
      });
      unsubscribe();
      end();
      const { documentId } = clone;
      expect(actions).toContainEqual(['create', documentId]);
      expect(documentId).not.toBe(source.documentId);
      const system = { locale: 'en', publishedAt: null, createdBy: null, updatedBy: null };
      expect(seen).toMatchObject([{ documentId, title: 'copy', views: 0, extra: 1, ...system }]);
      expect(seen[0]).not.toHaveProperty('hint');
      expect(await stories.findOne({ documentId: String(documentId) })).toMatchObject({ title: 'copy' });
      await strapi.db.query(STORY).deleteMany({ where: { title: { $in: ['source', 'copy'] } } });
    });
  });
}
