import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi, steppingClock } from './service.js';
import type { ReturnedRecord, Api } from './service.js';

const DRAFT = { status: 'draft' };

describe.each(databases)('drafts and published versions of relations on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let api: Api;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    api = createApi(testEnvironment, { clock: steppingClock() });
  });
  afterAll(() => testEnvironment.close());

  const names = (value: unknown): readonly unknown[] =>
    (value as readonly ReturnedRecord[]).map((item) => item['title'] ?? item['name']);

  describe('relations', () => {
    it('of a draft do not appear in the published version, read from either side', async () => {
      const [red, blue] = [
        await api.create('category', { name: 'red' }),
        await api.create('category', { name: 'blue' }),
      ];
      const { documentId } = await api.create('article', { title: 'r', category: red.documentId });
      const populate = { category: { fields: ['name'] } };
      const articlesOf = async (category: ReturnedRecord, params = {}) =>
        names(
          (
            await api.one('category', category.documentId, {
              ...params,
              populate: { articles: { fields: ['title'] } },
            })
          )?.['articles'],
        );
      await api.update('article', documentId, { category: blue.documentId }, DRAFT);
      expect([
        await articlesOf(red),
        await articlesOf(blue),
        await articlesOf(red, DRAFT),
        await articlesOf(blue, DRAFT),
      ]).toEqual([['r'], [], [], ['r']]);
      await api.update('category', red.documentId, { articles: [documentId] }, DRAFT);
      expect([
        await articlesOf(red),
        await articlesOf(blue),
        await articlesOf(red, DRAFT),
        await articlesOf(blue, DRAFT),
      ]).toEqual([['r'], [], ['r'], []]);
      await api.update('category', blue.documentId, { articles: { connect: [documentId] } });
      expect((await api.one('article', documentId, { populate }))?.['category']).toMatchObject({
        name: 'blue',
      });
      expect([
        await articlesOf(red),
        await articlesOf(blue),
        await articlesOf(red, DRAFT),
        await articlesOf(blue, DRAFT),
      ]).toEqual([[], ['r'], [], ['r']]);
    });

    it('edited on the inverse side of a draft are published with it', async () => {
      const articles = await Promise.all(
        ['a', 'b', 'c'].map(async (title) => (await api.create('article', { title })).documentId),
      );
      const { documentId } = await api.create('category', { name: 'pending' });
      const listOf = async (params = {}) =>
        names(
          (
            await api.one('category', documentId, {
              ...params,
              populate: { articles: { fields: ['title'] } },
            })
          )?.['articles'],
        );
      await api.update('category', documentId, { articles: [articles[2], articles[0]] }, DRAFT);
      expect([await listOf(DRAFT), await listOf()]).toEqual([['c', 'a'], []]);
      await api.update('category', documentId, {});
      expect(await listOf()).toEqual(['c', 'a']);
      await api.update(
        'category',
        documentId,
        {
          articles: {
            connect: [{ documentId: articles[1], position: { start: true } }],
            disconnect: [articles[2]],
          },
        },
        DRAFT,
      );
      expect([await listOf(DRAFT), await listOf()]).toEqual([
        ['b', 'a'],
        ['c', 'a'],
      ]);
      await api.update('category', documentId, { position: 1 });
      expect([await listOf(DRAFT), await listOf()]).toEqual([
        ['b', 'a'],
        ['b', 'a'],
      ]);
    });

    it('edited in a draft are published with the document at either end', async () => {
      const [red, blue] = [
        await api.create('category', { name: 'red2' }),
        await api.create('category', { name: 'blue2' }),
      ];
      const { documentId } = await api.create('article', { title: 'mine', category: red.documentId });
      await api.update('article', documentId, { title: 'edited', category: blue.documentId }, DRAFT);
      const publishedCategory = async (): Promise<unknown> =>
        (await api.one('article', documentId, { populate: 'category' }))?.['category'];
      expect(await publishedCategory()).toMatchObject({ name: 'red2' });
      await api.update('category', blue.documentId, { position: 5 });
      expect(await publishedCategory()).toMatchObject({ name: 'blue2' });
      expect(await api.one('article', documentId)).toMatchObject({ title: 'mine' });
      await api.update('article', documentId, { category: null }, DRAFT);
      await api.act('publish', 'category', blue.documentId);
      expect(await publishedCategory()).toBeNull();
      await api.update('article', documentId, { category: red.documentId }, DRAFT);
      await api.update('article', documentId, {});
      expect(await publishedCategory()).toMatchObject({ name: 'red2' });
    });

    it('keep the order of the inverse side when they are published again', async () => {
      const { documentId: tag } = await api.create('tag', { name: 'ordered' });
      const articles: string[] = [];
      for (const title of ['a', 'b', 'c'])
        articles.push((await api.create('article', { title, tags: [tag] })).documentId);
      const listOf = async (params = {}) =>
        names(
          (await api.one('tag', tag, { ...params, populate: { articles: { fields: ['title'] } } }))?.[
            'articles'
          ],
        );
      expect(await listOf()).toEqual(['a', 'b', 'c']);
      await api.update('tag', tag, {
        articles: { connect: [{ documentId: articles[2], position: { start: true } }] },
      });
      expect([await listOf(), await listOf(DRAFT)]).toEqual([
        ['c', 'a', 'b'],
        ['c', 'a', 'b'],
      ]);
      for (const article of articles) await api.update('article', article, { body: 'again' });
      await api.update('article', articles[0] ?? '', { tags: [tag] });
      expect([await listOf(), await listOf(DRAFT)]).toEqual([
        ['c', 'a', 'b'],
        ['c', 'a', 'b'],
      ]);
      await api.update('tag', tag, { articles: [...articles].reverse() });
      expect([await listOf(), await listOf(DRAFT)]).toEqual([
        ['c', 'b', 'a'],
        ['c', 'b', 'a'],
      ]);
    });

    it('written from a type without drafts are in both versions, also if published later', async () => {
      const { documentId: tag } = await api.create('tag', { name: 'both' });
      const [live, hidden] = [
        await api.create('article', { title: 'live' }),
        await api.create('article', { title: 'hidden' }, DRAFT),
      ];
      await api.update('tag', tag, { articles: [hidden.documentId, live.documentId] }, DRAFT);
      const listOf = async (params = {}) =>
        names(
          (await api.one('tag', tag, { ...params, populate: { articles: { fields: ['title'] } } }))?.[
            'articles'
          ],
        );
      expect([await listOf(), await listOf(DRAFT)]).toEqual([['live'], ['hidden', 'live']]);
      await api.act('publish', 'article', hidden.documentId);
      expect([await listOf(), await listOf(DRAFT)]).toEqual([
        ['hidden', 'live'],
        ['hidden', 'live'],
      ]);
    });

    it('are returned by a write in its status, also for a type without drafts', async () => {
      const { documentId: tag } = await api.create('tag', { name: 'answer' });
      await api.create('article', { title: 'hidden', tags: [tag] }, DRAFT);
      expect(
        await api.update(
          'tag',
          tag,
          { label: 'x' },
          { ...DRAFT, populate: { articles: { fields: ['title'] } } },
        ),
      ).toMatchObject({ label: 'x', articles: [{ title: 'hidden' }] });
      expect(await api.update('tag', tag, { label: 'y' }, { populate: 'articles' })).toMatchObject({
        label: 'y',
        articles: [],
      });
    });
  });
});
