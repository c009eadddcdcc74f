import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { queryOf } from './run-query.js';
import { ARTICLE, AUTHOR, seedMagazine, TAG } from './magazine.js';
import { seed } from './seed.js';

const LONG = 'x'.repeat(10_240);

describe.each(databases)('the limit of records on $name', (database) => {
  let testEnvironment: TestEnvironment;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    await seedMagazine(testEnvironment);
    await seed(testEnvironment, AUTHOR, [
      { documentId: 'eve', values: { name: 'Eve', bio: LONG } },
      { documentId: 'ivy', values: { name: 'Ivy', bio: LONG.repeat(5) } },
    ]);
    await seed(testEnvironment, ARTICLE, [
      { documentId: 'ivys', status: 'draft', values: { title: 'Long' }, links: { author: 'ivy' } },
    ]);
  });
  afterAll(async () => {
    await testEnvironment.close();
  });

  const readWithin = (maxRecords: number, type: string, params: object): Promise<readonly unknown[]> => {
    const query = queryOf(testEnvironment, type, params);
    const limited = { ...query, selection: { ...query.selection, maxRecords } };
    const { sql, parameters } = testEnvironment.compiler.read(limited);
    return testEnvironment.database.readTexts(sql, parameters);
  };

  const ADA = { filters: { name: { $startsWith: 'Ada' } } };

  // The least limit that is enough, and the branch in which a limit of 2, or another, is passed.
  it.each([
    {
      what: 'nested lists',
      type: AUTHOR,
      params: { ...ADA, populate: { articles: { populate: ['tags'] } } },
      enough: 7,
      refused: 2,
      branch: 'articles.tags',
    },
    {
      what: 'an inverse list',
      type: TAG,
      params: { populate: 'articles', filters: { name: 'Beta' } },
      enough: 3,
      refused: 2,
      branch: 'articles',
    },
    {
      what: 'one record each',
      type: ARTICLE,
      params: { populate: ['author'] },
      enough: 7,
      refused: 1,
      branch: 'author',
    },
    {
      what: 'rows a filter leaves out',
      type: TAG,
      params: { populate: { articles: { filters: { title: 'no' } } } },
      enough: 11,
      refused: 10,
      branch: 'data',
    },
    {
      what: 'counted rows',
      type: TAG,
      params: { populate: { articles: { count: true } } },
      enough: 21,
      refused: 1,
      branch: 'articles',
    },
    {
      what: 'links in components',
      type: ARTICLE,
      params: { populate: { links: { populate: ['tag'] } } },
      enough: 5,
      refused: 1,
      branch: 'links.tag',
    },
    {
      what: 'other locales',
      type: ARTICLE,
      params: { populate: ['localizations'] },
      enough: 5,
      refused: 1,
      branch: 'localizations',
    },
    {
      what: 'long texts',
      type: AUTHOR,
      params: { filters: { name: 'Eve' }, populate: 'articles' },
      enough: 11,
      refused: 10,
      branch: 'data',
    },
  ])('counts $what', async ({ type, params, enough, refused, branch }) => {
    const tooMany = { code: 'request/too-many-records' };
    await expect(readWithin(refused, type, params)).rejects.toMatchObject({
      ...tooMany,
      message: `The response would contain more than ${refused} records. It grew too large in ${branch}.`,
    });
    await expect(readWithin(enough - 1, type, params)).rejects.toMatchObject(tooMany);
    expect(await readWithin(enough, type, params)).not.toEqual([]);
    expect(await readWithin(1000, type, params)).not.toEqual([]);
  });

  it('counts rows that a page leaves out as a fraction', async () => {
    const whole = { ...ADA, populate: { articles: { limit: 3 } } };
    const first = { ...ADA, populate: { articles: { limit: 1, sort: 'title' } } };
    expect(await readWithin(5, AUTHOR, whole)).toHaveLength(1);
    await expect(readWithin(2, AUTHOR, first)).rejects.toThrow();
    expect(await readWithin(3, AUTHOR, first)).toHaveLength(1);
  });

  it('counts long texts besides the records', async () => {
    const params = {
      status: 'draft',
      filters: { title: 'Long' },
      populate: { author: { fields: ['bio'] } },
    };
    await expect(readWithin(51, ARTICLE, params)).rejects.toMatchObject({
      message: 'The response would contain more than 51 records. It grew too large in author.',
    });
    expect(await readWithin(52, ARTICLE, params)).toHaveLength(1);
  });

  it('does not count a list without populated attributes', async () => {
    expect(await readWithin(1, TAG, {})).toHaveLength(10);
  });
});
