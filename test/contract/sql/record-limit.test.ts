import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadConnection } from '../../../src/dialects/database-driver.js';
import type { ReadQuery } from '../../../src/query/query.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { queryOf, READ_OPTIONS } from './run-query.js';
import { parseReadQuery } from '../../../src/query/parse-read-query.js';
import { ARTICLE, AUTHOR, seedMagazine, TAG } from './magazine.js';
import { seed } from './seed.js';

const LONG = 'x'.repeat(10_240);

describe.each(databases)('the limit of records on $name', (database) => {
  let testEnvironment: TestEnvironment;
  /** That of a server, which may leave uncounted what it reads. */
  let connection: ReadConnection;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    const { dialect, url } = testEnvironment;
    connection = await dialect.driver.openReadConnection(url, { threads: 1, timeoutMs: null });
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
    await connection.close();
    await testEnvironment.close();
  });

  const read = async (query: ReadQuery): Promise<readonly unknown[]> => {
    const { sql, parameters, compiled } = testEnvironment.compiler.read(query);
    const [counted, served] = await Promise.allSettled([
      testEnvironment.database.readTexts(sql, parameters),
      connection.queryTexts(sql, parameters, undefined, compiled.uncounted),
    ]);
    expect(served).toEqual(counted);
    if (counted.status === 'rejected') throw counted.reason;
    return counted.value;
  };

  const readWithin = (maxRecords: number, type: string, params: object): Promise<readonly unknown[]> => {
    const query = queryOf(testEnvironment, type, params);
    return read({ ...query, selection: { ...query.selection, maxRecords } });
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
      message: `The answer would hold more than ${refused} records. It grew too large in ${branch}.`,
    });
    await expect(readWithin(enough - 1, type, params)).rejects.toMatchObject(tooMany);
    expect(await readWithin(enough, type, params)).not.toEqual([]);
    expect(await readWithin(1000, type, params)).not.toEqual([]);
  });

  it.runIf(database.name === 'sqlite')('leaves uncounted what the length of the answer shows', () => {
    const { compiler } = testEnvironment;
    const query = queryOf(testEnvironment, ARTICLE, {
      populate: { author: true, tags: true, localizations: true, links: true },
    });
    const { sql, compiled } = compiler.read({ ...query, selection: { ...query.selection, maxRecords: 9 } });
    const calls = (text = ''): number => text.split('galley_spend').length - 1;
    // Those of the component, of which less may be printed than is stored.
    expect([calls(sql), calls(compiled.uncounted?.sql)]).toEqual([4, 2]);
    expect(compiled.uncounted).toMatchObject({
      limit: 9,
      costPerCharacter: expect.closeTo(2 / 24 + 3 / 1024),
    });
    expect(compiler.read(query).compiled.uncounted).toBeUndefined();
  });

  it('counts rows that a page leaves out as a fraction', async () => {
    const whole = { ...ADA, populate: { articles: { limit: 3 } } };
    const first = { ...ADA, populate: { articles: { limit: 1, sort: 'title' } } };
    expect(await readWithin(5, AUTHOR, whole)).toHaveLength(1);
    await expect(readWithin(2, AUTHOR, first)).rejects.toThrow();
    expect(await readWithin(3, AUTHOR, first)).toHaveLength(1);
  });

  it('counts long texts where a page holds few records', async () => {
    const { model } = testEnvironment;
    const readLong = (maxRecords: number, pageSize: number): Promise<readonly unknown[]> => {
      const query = parseReadQuery(
        model,
        ARTICLE,
        {
          status: 'draft',
          filters: { title: 'Long' },
          populate: { author: { fields: ['bio'] } },
          pagination: { pageSize },
        },
        { ...READ_OPTIONS, limits: { ...READ_OPTIONS.limits, maxRecords } },
      );
      expect(query.selection.hasFewRecords === true).toBe(20 * pageSize <= maxRecords);
      return read(query);
    };
    await expect(readLong(49, 2)).rejects.toMatchObject({
      message: 'The answer would hold more than 49 records. It grew too large in author.',
    });
    expect(await readLong(50, 2)).toHaveLength(1);
    // All records count where they may be many.
    await expect(readLong(51, 3)).rejects.toMatchObject({ code: 'request/too-many-records' });
    expect(await readLong(52, 3)).toHaveLength(1);
  });

  it('does not count a list without populated attributes', async () => {
    expect(await readWithin(1, TAG, {})).toHaveLength(10);
  });
});
