import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { firstArticle, runQuery } from './run-query.js';
import { ARTICLE, AUTHOR, seedMagazine, TAG } from './magazine.js';
import { seed } from './seed.js';

describe.each(databases)('populate and versions on $name', (database) => {
  let testEnvironment: TestEnvironment;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    await seedMagazine(testEnvironment);
  });
  afterAll(() => testEnvironment.close());

  it('returns localizations with fields and populate', async () => {
    const { localizations } = await firstArticle(testEnvironment, {
      localizations: { fields: ['title', 'locale'], populate: { tags: { fields: ['name'] } } },
    });
    expect(localizations).toEqual([
      {
        id: 10,
        documentId: 'a1',
        title: 'Premier',
        locale: 'fr',
        tags: [{ id: 3, documentId: 't2', name: 'gamma' }],
      },
    ]);
    const french = await firstArticle(
      testEnvironment,
      { localizations: { fields: ['title'] } },
      { locale: 'fr', status: 'draft' },
    );
    expect(french).toEqual({
      id: 11,
      documentId: 'a1',
      title: 'Brouillon',
      localizations: [{ id: 1, documentId: 'a1', title: 'First' }],
    });
  });

  it('returns localizations by locale, or sorted and filtered as requested', async () => {
    const titles = async (localizations: object): Promise<unknown> =>
      (await firstArticle(testEnvironment, { localizations: { fields: ['title'], ...localizations } }, de))[
        'localizations'
      ];
    const de = { locale: 'de', filters: { documentId: 'a6' } };
    await seed(testEnvironment, ARTICLE, [
      { documentId: 'a6', locale: 'fr', values: { title: 'B' } },
      { documentId: 'a6', locale: 'de', values: { title: 'C' } },
      { documentId: 'a6', locale: 'en', values: { title: 'A' } },
    ]);
    expect(await titles({})).toMatchObject([{ title: 'A' }, { title: 'B' }]);
    expect(await titles({ sort: 'title:desc' })).toMatchObject([{ title: 'B' }, { title: 'A' }]);
    expect(await titles({ filters: { title: 'B' } })).toMatchObject([{ title: 'B' }]);
  });

  it('populates localised targets in the locale of the source', async () => {
    expect(await firstArticle(testEnvironment, { related: { fields: ['title'] } }, { locale: 'fr' })).toEqual(
      {
        id: 10,
        documentId: 'a1',
        title: 'Premier',
        related: [],
      },
    );
    expect((await firstArticle(testEnvironment, { related: { fields: ['title'] } }))['related']).toEqual([
      { id: 6, documentId: 'a3', title: 'Third' },
      { id: 4, documentId: 'a2', title: 'Second' },
    ]);
  });

  it('populates targets of all locales from a source that is not localised', async () => {
    const [ada] = await runQuery(testEnvironment, AUTHOR, {
      locale: 'fr',
      filters: { documentId: 'ada' },
      fields: [],
      populate: { articles: { fields: ['title', 'locale'], sort: 'title' } },
    });
    expect(ada).toEqual({
      id: 1,
      documentId: 'ada',
      articles: [
        { id: 2, documentId: 'a1', title: 'First', locale: 'en' },
        { id: 10, documentId: 'a1', title: 'Premier', locale: 'fr' },
        { id: 6, documentId: 'a3', title: 'Third', locale: 'en' },
      ],
    });
  });

  it('applies the status to targets of a type without draft and publish', async () => {
    const tags = {
      filters: { name: 'Beta' },
      fields: ['name'],
      populate: { articles: { fields: ['title'], sort: 'title' } },
    };
    const titles = (records: readonly Readonly<Record<string, unknown>>[]): unknown =>
      records.map(({ articles }) =>
        (articles as readonly { readonly title: string }[]).map(({ title }) => title),
      );
    expect(titles(await runQuery(testEnvironment, TAG, tags))).toEqual([['First', 'Second']]);
    expect(titles(await runQuery(testEnvironment, TAG, { ...tags, status: 'draft' }))).toEqual([
      ['First', 'Second', 'Unpublished'],
    ]);
  });

  it('populates no unpublished target from a published source', async () => {
    const third = {
      filters: { documentId: 'a3' },
      fields: ['title'],
      populate: { category: { fields: ['name'] } },
    };
    expect(await runQuery(testEnvironment, ARTICLE, third)).toEqual([
      { id: 6, documentId: 'a3', title: 'Third', category: null },
    ]);
    expect(await runQuery(testEnvironment, ARTICLE, { ...third, status: 'draft' })).toEqual([
      { id: 5, documentId: 'a3', title: 'Third', category: { id: 5, documentId: 'secret', name: 'Secret' } },
    ]);
  });
});
