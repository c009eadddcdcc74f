import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadQuery } from '../../../src/query/query.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { runQuery, count, queryOf } from './run-query.js';
import { ARTICLE, AUTHOR, CATEGORY, seedMagazine, TAG } from './magazine.js';

type Case = readonly [what: string, filters: unknown, found: readonly string[]];

const ALL_TAGS = [
  '100% eta',
  'Alphabet',
  'Beta',
  'Delta',
  'Zeta_1',
  'alpha',
  'epsilon',
  'gamma',
  'iota-é',
  "o'theta",
];
const allTagsExcept = (...names: readonly string[]): readonly string[] =>
  ALL_TAGS.filter((name) => !names.includes(name));

const TAG_CASES: readonly Case[] = [
  ['$eq minds case', { name: { $eq: 'ALPHA' } }, []],
  ['$eqi does not', { name: { $eqi: 'ALPHA' } }, ['alpha']],
  ['$ne', { name: { $ne: 'alpha' } }, allTagsExcept('alpha')],
  ['$nei', { name: { $nei: 'ALPHA' } }, allTagsExcept('alpha')],
  ['$ne leaves null out', { label: { $ne: 'BETA' } }, ['Zeta_1', 'epsilon', 'gamma', 'iota-é', "o'theta"]],
  [
    '$notContainsi leaves null out',
    { label: { $notContainsi: 'beta' } },
    ['Zeta_1', 'epsilon', 'gamma', 'iota-é', "o'theta"],
  ],
  [
    '$notIn leaves null out',
    { weight: { $notIn: [0, 1] } },
    ['100% eta', 'Alphabet', 'Zeta_1', 'epsilon', 'gamma', 'iota-é'],
  ],
  ['$not leaves null out', { $not: { weight: { $gt: 2 } } }, ['Beta', 'alpha', 'gamma']],
  [
    '$lt orders text by code point',
    { name: { $lt: 'b' } },
    ['100% eta', 'Alphabet', 'Beta', 'Delta', 'Zeta_1', 'alpha'],
  ],
  ['$between includes both ends', { weight: { $between: [2, 5] } }, ['Zeta_1', 'epsilon', 'gamma']],
  ['$between on text', { name: { $between: ['Beta', 'Delta'] } }, ['Beta', 'Delta']],
  ['$in', { name: { $in: ['alpha', 'gamma', 'nope'] } }, ['alpha', 'gamma']],
  ['$in of nothing finds nothing', { name: { $in: [] } }, []],
  ['$notIn of nothing leaves nothing out', { weight: { $notIn: [] } }, ALL_TAGS],
  ['$in takes text as it is', { name: { $in: ["o'theta", 'a"b\\c', '100% eta'] } }, ['100% eta', "o'theta"]],
  ['$contains minds case', { name: { $contains: 'lph' } }, ['Alphabet', 'alpha']],
  ['$contains in capitals', { name: { $contains: 'ALPH' } }, []],
  ['$containsi', { name: { $containsi: 'ALPH' } }, ['Alphabet', 'alpha']],
  ['$containsi beyond ASCII', { name: { $containsi: 'É' } }, ['iota-é']],
  ['$contains a percent sign', { name: { $contains: '%' } }, ['100% eta']],
  ['$contains an underscore', { name: { $contains: '_' } }, ['Zeta_1']],
  ['$contains a quote', { name: { $contains: "'" } }, ["o'theta"]],
  ['$contains nothing is in everything', { name: { $contains: '' } }, ALL_TAGS],
  ['$contains in a number', { weight: { $contains: '1' } }, ['Beta']],
  ['$startsWith', { name: { $startsWith: 'al' } }, ['alpha']],
  ['$startsWithi', { name: { $startsWithi: 'AL' } }, ['Alphabet', 'alpha']],
  ['$startsWith something longer', { name: { $startsWith: 'alphabetical' } }, []],
  ['$endsWith', { name: { $endsWith: 'ta' } }, ['100% eta', 'Beta', 'Delta', "o'theta"]],
  ['$endsWith something longer', { name: { $endsWith: 'xxBeta' } }, []],
  [
    '$endsWith nothing',
    { label: { $endsWith: '' } },
    ['Beta', 'Zeta_1', 'epsilon', 'gamma', 'iota-é', "o'theta"],
  ],
  ['$endsWithi', { name: { $endsWithi: 'É' } }, ['iota-é']],
  ['$null', { weight: { $null: true } }, ['Delta', "o'theta"]],
  ['$null false', { weight: { $null: false } }, allTagsExcept('Delta', "o'theta")],
  ['$notNull false', { weight: { $notNull: false } }, ['Delta', "o'theta"]],
  [
    '$or in $and',
    { $or: [{ $and: [{ weight: { $gte: 4 } }, { name: { $startsWith: 'e' } }] }, { weight: null }] },
    ['Delta', 'epsilon', "o'theta"],
  ],
  ['$not over $or', { $not: { $or: [{ name: { $contains: 'a' } }, { name: { $contains: 'o' } }] } }, []],
  ['documentId', { documentId: { $in: ['t2', 't3'] } }, ['Delta', 'gamma']],
  ['id', { id: { $lte: 2 } }, ['Beta', 'alpha']],
  ['createdAt to the millisecond', { createdAt: '2026-01-02T03:04:05.678Z' }, ALL_TAGS],
  ['createdAt a millisecond later', { createdAt: { $gte: '2026-01-02T03:04:05.679Z' } }, []],
  ['createdAt as text', { createdAt: { $contains: '03:04:05.678Z' } }, ALL_TAGS],
  ['what looks like SQL', { name: "x' OR 1=1 --" }, []],
  ['inverse relation', { articles: { title: 'Second' } }, ['Beta']],
  ['each row once', { articles: { title: { $in: ['First', 'Second'] } } }, ['Beta', 'alpha']],
];

const SEARCHES: readonly (readonly [type: string, text: string, found: readonly string[]])[] = [
  [TAG, 'ALPHA', ['Alphabet', 'alpha']],
  [TAG, 'É', ['iota-é']],
  [TAG, '100%', ['100% eta']],
  [TAG, 'a_1', ['Zeta_1']],
  [TAG, '9', ['Alphabet', 'iota-é']],
  [TAG, 't7', ["o'theta"]],
  [TAG, '', ALL_TAGS],
  [TAG, 'nowhere', []],
  [ARTICLE, 'opinion', ['Second']],
  [ARTICLE, 'confidential', []],
  [ARTICLE, 'a4', ['Fourth']],
];

const ARTICLE_CASES: readonly Case[] = [
  ['another locale', { localizations: { title: 'Premier' } }, ['First']],
  ['the draft of another locale', { localizations: { title: 'Brouillon' } }, ['First']],
  ['its own version among all', { localizations: { title: 'Second' } }, ['Second']],
  ['no other locale', { $not: { localizations: { locale: 'fr' } } }, ['First', 'Fourth', 'Second', 'Third']],
  ['another locale than the default', { locale: 'fr' }, ['Premier']],
  ['relation', { author: { name: 'Ada Lovelace' } }, ['First', 'Third']],
  ['relation of a relation', { author: { profile: { nickname: 'ada' } } }, ['First', 'Third']],
  ['three relations deep', { author: { profile: { favouriteTags: { name: 'gamma' } } } }, ['First', 'Third']],
  ['to-many', { tags: { name: { $in: ['alpha', 'Beta'] } } }, ['First', 'Second']],
  ['two conditions on one linked record', { tags: { name: 'Beta', weight: 0 } }, []],
  ['two linked records', { $and: [{ tags: { name: 'Beta' } }, { tags: { weight: 0 } }] }, ['First']],
  [
    '$or of relations',
    { $or: [{ author: { name: 'Bob Stone' } }, { tags: { name: 'alpha' } }] },
    ['First', 'Second'],
  ],
  ['$ne of a relation leaves those without out', { author: { name: { $ne: 'Ada Lovelace' } } }, ['Second']],
  ['$not of a relation leaves those without out', { $not: { author: { name: 'Ada Lovelace' } } }, ['Second']],
  ['$not of a to-many asks for another one', { $not: { tags: { name: 'Beta' } } }, ['First']],
  ['relation $null', { author: { $null: true } }, ['Fourth']],
  ['relation $notNull', { author: { $notNull: true } }, ['First', 'Second', 'Third']],
  ['to-many $null', { tags: { $null: true } }, ['Fourth', 'Third']],
  ['a linked draft is not there for the published', { category: { $null: true } }, ['Fourth', 'Third']],
  ['$null inside of an absent relation', { author: { name: { $null: true } } }, ['Fourth']],
  [
    '$null inside of a relation that is there',
    { author: { email: { $null: true } } },
    ['First', 'Fourth', 'Second', 'Third'],
  ],
  ['id of a relation', { author: 1 }, ['First', 'Third']],
  ['document id where an id belongs', { author: 'ada' }, []],
  ['relation to the same type', { category: { parent: { name: 'Tech' } } }, ['Second']],
  ['component', { seo: { metaTitle: 'One' } }, ['First']],
  [
    '$null in a component, also in an absent one',
    { seo: { canonical: { $null: true } } },
    ['Fourth', 'Second', 'Third'],
  ],
  ['$ne in a component leaves absent ones out', { seo: { metaTitle: { $ne: 'One' } } }, ['Second']],
  ['component $null', { seo: { $null: true } }, ['Fourth', 'Third']],
  ['repeatable component', { links: { label: 'L2' } }, ['First']],
  [
    '$null in one of several components, also where there are none',
    { links: { href: { $null: true } } },
    ['First', 'Fourth', 'Second', 'Third'],
  ],
  [
    '$notNull false in one of several components',
    { links: { label: { $notNull: false } } },
    ['Fourth', 'Second', 'Third'],
  ],
  ['$not of $null in one of several components', { $not: { links: { href: { $null: true } } } }, ['First']],
  ['boolean in a component', { links: { external: false } }, ['First']],
  [
    'repeatable component $null, also where it is empty',
    { links: { $null: true } },
    ['Fourth', 'Second', 'Third'],
  ],
  ['component in a component', { seo: { social: { network: 'mastodon' } } }, ['First']],
  ['id of a component', { seo: { id: 9 } }, ['Second']],
  ['relation in a component', { links: { tag: { name: 'Beta' } } }, ['First']],
  [
    'absent relation in a component, also in an absent one',
    { links: { tag: { $null: true } } },
    ['First', 'Fourth', 'Second', 'Third'],
  ],
  ['boolean', { featured: true }, ['Second']],
  ['decimal', { rating: { $gte: 4.5 } }, ['First']],
  ['decimal as text', { rating: { $contains: '.5' } }, ['First']],
  ['whole decimal as text', { rating: { $contains: '.' } }, ['First']],
  ['biginteger beyond 2^53', { reads: '9007199254740993' }, ['First']],
  ['biginteger beside it', { reads: { $gt: '9007199254740992' } }, ['First']],
  ['biginteger in a list', { reads: { $in: ['9007199254740993', '1'] } }, ['First']],
  ['datetime', { startsAt: { $between: ['2026-01-15', '2026-03-01'] } }, ['Second']],
  ['date', { eventDate: { $lte: '2026-01-01' } }, ['First']],
  ['time without its fraction', { eventTime: '10:00:00' }, ['First']],
  ['json as text', { extra: { $contains: '"b"' } }, ['First']],
  ['json equals', { extra: { $eq: '{"a":1}' } }, ['Third']],
];

const namesOf = async (
  testEnvironment: TestEnvironment,
  type: string,
  field: string,
  filters: unknown,
): Promise<readonly unknown[]> => {
  const params = { filters, fields: [field], sort: field, pagination: { limit: 100 } };
  const found = (await runQuery(testEnvironment, type, params)).map((record) => record[field]);
  expect(await count(testEnvironment, type, params)).toBe(found.length);
  return found;
};

describe.each(databases)('filters on $name', (database) => {
  let testEnvironment: TestEnvironment;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    await seedMagazine(testEnvironment);
  });
  afterAll(() => testEnvironment.close());

  it.each(TAG_CASES)('tags by %s', async (_what, filters, found) => {
    expect(await namesOf(testEnvironment, TAG, 'name', filters)).toEqual(found);
  });

  it.each(ARTICLE_CASES)('articles by %s', async (_what, filters, found) => {
    expect(await namesOf(testEnvironment, ARTICLE, 'title', filters)).toEqual(found);
  });

  it.each(SEARCHES)('searches %s for %j', async (type, _q, found) => {
    const name = type === TAG ? 'name' : 'title';
    const records = await runQuery(testEnvironment, type, { _q });
    expect(records.map((record) => String(record[name])).toSorted()).toEqual(found);
    expect(await count(testEnvironment, type, { _q })).toBe(found.length);
  });

  it('search within what a filter finds', async () => {
    const params = { _q: 'ALPHA', filters: { weight: { $gt: 1 } } };
    expect((await runQuery(testEnvironment, TAG, params)).map(({ name }) => name)).toEqual(['Alphabet']);
  });

  it('read several locales at once', async () => {
    const params = { locale: ['en', 'fr', 'xx'], filters: { documentId: 'a1' }, sort: 'locale' };
    expect((await runQuery(testEnvironment, ARTICLE, params)).map(({ title }) => title)).toEqual([
      'First',
      'Premier',
    ]);
  });

  it('over an inverse relation match drafts when drafts are read', async () => {
    const filters = { articles: { title: 'Unpublished' } };
    expect(await runQuery(testEnvironment, AUTHOR, { filters })).toEqual([]);
    expect(
      (await runQuery(testEnvironment, AUTHOR, { filters, status: 'draft' })).map(({ name }) => name),
    ).toEqual(['Ada Lovelace']);
  });

  it('over a relation match the version of the same status', async () => {
    const filters = { category: { name: 'Secret' } };
    expect(await runQuery(testEnvironment, ARTICLE, { filters })).toEqual([]);
    expect(
      (await runQuery(testEnvironment, ARTICLE, { filters, status: 'draft' })).map(({ title }) => title),
    ).toEqual(['Third']);
    expect(
      (await runQuery(testEnvironment, CATEGORY, { filters: { children: { name: 'Life' } } })).map(
        ({ name }) => name,
      ),
    ).toEqual(['Tech']);
  });

  it('may have hundreds of conditions', async () => {
    const $or = Array.from({ length: 400 }, (_, index) => ({ name: { $eq: `tag ${index}` } }));
    expect(await namesOf(testEnvironment, TAG, 'name', { $or: [...$or, { name: 'alpha' }] })).toEqual([
      'alpha',
    ]);
  });

  it.each([
    ['text that the database cannot store', 'name', '$eq', 'alpha\0', 0],
    ['a fraction against whole numbers', 'weight', '$lt', 1.5, 2],
    ['more than any integer', 'weight', '$gt', 99_999_999_999, 0],
    ['more than any number of 64 bits', 'weight', '$lt', 2n ** 80n, 8],
    ['whole and broken numbers', 'weight', '$in', [2, 4.5, 9], 2],
    ['a year that has five digits', 'createdAt', '$lt', new Date('+012026-01-01T00:00:00.000Z'), 10],
    ['a year before the first', 'createdAt', '$lt', new Date('-000001-01-01T00:00:00.000Z'), 0],
  ] as const)('compare with %s', async (_what, field, operator, operand, found) => {
    const query: ReadQuery = {
      ...queryOf(testEnvironment, TAG),
      filter: { kind: 'compare', field, operator, operand },
    };
    const { sql, parameters } = testEnvironment.compiler.count(query);
    expect(await testEnvironment.database.readNumber(sql, parameters)).toBe(found);
  });
});
