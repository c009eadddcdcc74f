import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { firstArticle, runQuery } from './run-query.js';
import { ARTICLE, AUTHOR, CATEGORY, seedMagazine } from './magazine.js';

describe.each(databases)('populate on $name', (database) => {
  let testEnvironment: TestEnvironment;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    await seedMagazine(testEnvironment);
  });
  afterAll(() => testEnvironment.close());

  it('returns no relations without populate', async () => {
    expect(await firstArticle(testEnvironment, undefined)).toEqual({
      id: 2,
      documentId: 'a1',
      title: 'First',
    });
  });

  it('returns scalars in the form of the API, without private attributes', async () => {
    const [record] = await runQuery(testEnvironment, ARTICLE, { filters: { documentId: 'a1' } });
    expect(record).toEqual({
      id: 2,
      documentId: 'a1',
      title: 'First',
      slug: null,
      summary: null,
      body: null,
      content: [{ type: 'paragraph', children: [{ type: 'text', text: 'Words, "quoted" and \\ back' }] }],
      kind: 'news',
      rating: 4.5,
      views: 10,
      reads: '9007199254740993',
      score: null,
      featured: false,
      eventDate: '2026-01-01',
      eventTime: '10:00:00.000',
      startsAt: '2026-01-01T10:00:00.000Z',
      contactEmail: null,
      extra: { b: 1, a: [1, 2.5, null, true] },
      createdAt: '2026-01-02T03:04:05.678Z',
      updatedAt: '2026-01-02T03:04:05.678Z',
      publishedAt: '2026-01-02T03:04:05.678Z',
      locale: 'en',
    });
    expect(Object.keys(record ?? {}).slice(0, 4)).toEqual(['id', 'documentId', 'title', 'slug']);
  });

  it.each([
    [
      'a to-one',
      { author: { fields: ['name'] } },
      { author: { id: 1, documentId: 'ada', name: 'Ada Lovelace' } },
    ],
    ['a to-one that its filter excludes', { author: { filters: { name: 'Nobody' } } }, { author: null }],
    [
      'a to-many in its order',
      { tags: { fields: ['name'] } },
      {
        tags: [
          { id: 2, documentId: 't1', name: 'Beta' },
          { id: 1, documentId: 't0', name: 'alpha' },
        ],
      },
    ],
    [
      'a filtered to-many',
      { tags: { fields: ['name'], filters: { name: { $containsi: 'ALPH' } } } },
      { tags: [{ id: 1, documentId: 't0', name: 'alpha' }] },
    ],
    ['a to-many that its filter empties', { tags: { filters: { name: 'nope' } } }, { tags: [] }],
    [
      'a sorted to-many',
      { tags: { fields: [], sort: 'name:desc' } },
      {
        tags: [
          { id: 1, documentId: 't0' },
          { id: 2, documentId: 't1' },
        ],
      },
    ],
    [
      'a cut to-many',
      { tags: { fields: ['weight'], pagination: { start: 1, limit: 1 } } },
      { tags: [{ id: 1, documentId: 't0', weight: 0 }] },
    ],
    ['a count', { tags: { count: true } }, { tags: { count: 2 } }],
    ['a filtered count', { tags: { count: true, filters: { weight: { $gt: 0 } } } }, { tags: { count: 1 } }],
  ])('returns %s', async (_what, populate, expected) => {
    expect(await firstArticle(testEnvironment, populate)).toEqual({
      id: 2,
      documentId: 'a1',
      title: 'First',
      ...expected,
    });
  });

  it('returns null, empty lists and zero if there are no links and components', async () => {
    const populate = {
      author: true,
      tags: true,
      cover: true,
      gallery: true,
      seo: true,
      links: true,
      sections: true,
      localizations: true,
      related: { count: true },
    };
    const [record] = await runQuery(testEnvironment, ARTICLE, {
      filters: { documentId: 'a4' },
      fields: ['title'],
      populate,
    });
    expect(record).toEqual({
      id: 8,
      documentId: 'a4',
      title: 'Fourth',
      author: null,
      tags: [],
      cover: null,
      gallery: [],
      seo: null,
      links: [],
      sections: [],
      localizations: [],
      related: { count: 0 },
    });
  });

  it('populates many levels in one statement', async () => {
    const record = await firstArticle(testEnvironment, {
      author: {
        fields: ['name'],
        populate: {
          profile: {
            fields: ['nickname'],
            populate: {
              favouriteTags: {
                fields: ['name'],
                populate: { articles: { fields: ['title'], populate: { author: { fields: ['name'] } } } },
              },
            },
          },
        },
      },
    });
    expect(record).toEqual({
      id: 2,
      documentId: 'a1',
      title: 'First',
      author: {
        id: 1,
        documentId: 'ada',
        name: 'Ada Lovelace',
        profile: {
          id: 1,
          documentId: 'p1',
          nickname: 'ada',
          favouriteTags: [
            {
              id: 3,
              documentId: 't2',
              name: 'gamma',
              articles: [
                {
                  id: 10,
                  documentId: 'a1',
                  title: 'Premier',
                  author: { id: 1, documentId: 'ada', name: 'Ada Lovelace' },
                },
              ],
            },
            {
              id: 1,
              documentId: 't0',
              name: 'alpha',
              articles: [
                {
                  id: 2,
                  documentId: 'a1',
                  title: 'First',
                  author: { id: 1, documentId: 'ada', name: 'Ada Lovelace' },
                },
              ],
            },
          ],
        },
      },
    });
  });

  it('populates the inverse side of relations', async () => {
    const authors = await runQuery(testEnvironment, AUTHOR, {
      fields: ['name'],
      populate: { articles: { fields: ['title'], filters: { locale: 'en' } } },
    });
    expect(authors).toEqual([
      {
        id: 1,
        documentId: 'ada',
        name: 'Ada Lovelace',
        articles: [
          { id: 2, documentId: 'a1', title: 'First' },
          { id: 6, documentId: 'a3', title: 'Third' },
        ],
      },
      {
        id: 2,
        documentId: 'bob',
        name: 'Bob Stone',
        articles: [{ id: 4, documentId: 'a2', title: 'Second' }],
      },
    ]);
    const categories = await runQuery(testEnvironment, CATEGORY, {
      fields: ['name'],
      populate: { children: { fields: ['name'] }, parent: { fields: ['name'] } },
      sort: 'name',
    });
    expect(categories).toEqual([
      {
        id: 4,
        documentId: 'life',
        name: 'Life',
        children: [],
        parent: { id: 2, documentId: 'tech', name: 'Tech' },
      },
      {
        id: 2,
        documentId: 'tech',
        name: 'Tech',
        children: [{ id: 4, documentId: 'life', name: 'Life' }],
        parent: null,
      },
    ]);
  });
});
