import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi, issuesOf, steppingClock } from './service.js';
import type { ReturnedRecord, Api } from './service.js';

const FR = { locale: 'fr' };

describe.each(databases)('locales of relations on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let api: Api;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    api = createApi(testEnvironment, { clock: steppingClock() });
  });
  afterAll(() => testEnvironment.close());

  const idsOf = (value: unknown): readonly string[] =>
    (value as readonly ReturnedRecord[]).map(({ documentId }) => documentId);

  describe('relations', () => {
    it('to a localized type require the target in the same locale', async () => {
      const [source, target] = [
        await api.create('article', { title: 's' }),
        await api.create('article', { title: 't' }),
      ];
      await api.update('article', source.documentId, { title: 's fr' }, FR);
      expect(
        await issuesOf(api.update('article', source.documentId, { related: [target.documentId] }, FR)),
      ).toBe('request/invalid-relation');
      expect(await issuesOf(api.update('article', source.documentId, { related: [target.id] }, FR))).toBe(
        'request/invalid-relation',
      );
      await api.update('article', target.documentId, { title: 't fr' }, FR);
      const populate = { related: { fields: ['title'] } };
      expect(
        await api.update('article', source.documentId, { related: [target.id] }, { ...FR, populate }),
      ).toMatchObject({ related: [{ title: 't fr' }] });
      expect((await api.one('article', source.documentId, { populate }))?.['related']).toEqual([]);
    });

    it('from a type without locales link the default locale, and show all linked locales', async () => {
      const { documentId: tag } = await api.create('tag', { name: 'everywhere' });
      const article = await api.create('article', { title: 'en' });
      await api.update('article', article.documentId, { title: 'fr', tags: [tag] }, FR);
      const { documentId: french } = await api.create('article', { title: 'seulement' }, FR);
      expect(await issuesOf(api.update('tag', tag, { articles: { connect: [french] } }))).toBe(
        'request/invalid-relation',
      );
      const populate = { articles: { fields: ['title', 'locale'] } };
      expect(
        (await api.update('tag', tag, { articles: { connect: [article.documentId] } }, { populate }))?.[
          'articles'
        ],
      ).toMatchObject([{ title: 'fr' }, { title: 'en' }]);
      expect(
        (await api.update('tag', tag, { articles: { disconnect: [article.documentId] } }, { populate }))?.[
          'articles'
        ],
      ).toMatchObject([{ title: 'fr' }]);
      expect(
        (
          await api.update(
            'tag',
            tag,
            { articles: { connect: [{ documentId: french, locale: 'fr', position: { start: true } }] } },
            { populate },
          )
        )?.['articles'],
      ).toMatchObject([{ title: 'seulement' }, { title: 'fr' }]);
      expect((await api.update('tag', tag, { articles: [] }, { populate }))?.['articles']).toEqual([]);
    });

    it('to a deleted locale do not return when it is created again', async () => {
      const [source, target] = [
        await api.create('article', { title: 's' }),
        await api.create('article', { title: 't' }),
      ];
      for (const { documentId } of [target, source])
        await api.update(
          'article',
          documentId,
          { title: 'fr', ...(documentId === source.documentId ? { related: [target.documentId] } : {}) },
          FR,
        );
      await api.update('article', source.documentId, { related: [target.documentId] });
      await api.remove('article', target.documentId, 'fr');
      await api.update('article', target.documentId, { title: 'fr again' }, FR);
      expect(
        (await api.one('article', source.documentId, { ...FR, populate: 'related' }))?.['related'],
      ).toEqual([]);
      expect(
        idsOf((await api.one('article', source.documentId, { populate: 'related' }))?.['related']),
      ).toEqual([target.documentId]);
    });
  });
});
