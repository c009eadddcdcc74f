import { describe, expect, it } from 'vitest';
import type { FilterNode } from '../../../../src/query/query.js';
import { COMPARISON_OPERATORS } from '../../../../src/query/query.js';
import { modelFrom } from '../../../support/models.js';
import { and, compare, not, or } from './filter-nodes.js';
import { ARTICLE, CATEGORY, filterOf, LIMITS, read, errorOf, TAG } from './read-helpers.js';

const article = (filters: unknown): FilterNode | null => filterOf(ARTICLE, filters);
const tag = (filters: unknown): FilterNode | null => filterOf(TAG, filters);

describe('conditions on one field', () => {
  it.each([
    [{ name: 'a' }, compare('name', '$eq', 'a')],
    [{ name: '' }, compare('name', '$eq', '')],
    [{ name: ['a', 'b'] }, compare('name', '$in', ['a', 'b'])],
    [{ name: { 0: 'a', 1: 'b' } }, compare('name', '$in', ['a', 'b'])],
    [{ name: { $in: 'a' } }, compare('name', '$in', ['a'])],
    [{ name: { $in: { 1: 'b', 0: 'a' } } }, compare('name', '$in', ['a', 'b'])],
    [{ name: { $in: [] } }, compare('name', '$in', [])],
    [{ name: { $in: ['a', null] } }, compare('name', '$in', ['a'])],
    [{ name: null }, compare('name', '$null', true)],
    [{ name: { $eq: null } }, compare('name', '$null', true)],
    [{ name: { $ne: null } }, compare('name', '$notNull', true)],
    [{ name: { $eq: ['a', 'b'] } }, compare('name', '$in', ['a', 'b'])],
    [
      { name: { $contains: ['a', 'b'] } },
      or(compare('name', '$contains', 'a'), compare('name', '$contains', 'b')),
    ],
    [{ weight: '7' }, compare('weight', '$eq', 7)],
    [{ weight: { $between: ['2', 5] } }, compare('weight', '$between', [2, 5])],
    [{ weight: { $between: { 0: '2', 1: '5' } } }, compare('weight', '$between', [2, 5])],
    [{ weight: { $contains: 1 } }, compare('weight', '$contains', '1')],
    [{ weight: { $eqi: '4' } }, compare('weight', '$eq', 4)],
    [{ weight: { $nei: '4' } }, compare('weight', '$ne', 4)],
    [{ weight: { $null: 'true' } }, compare('weight', '$null', true)],
    [{ weight: { $notNull: '0' } }, compare('weight', '$notNull', false)],
    [{ weight: { $gt: 0, $lt: '5' } }, and(compare('weight', '$gt', 0), compare('weight', '$lt', 5))],
    [{ weight: 0, name: 'a' }, and(compare('weight', '$eq', 0), compare('name', '$eq', 'a'))],
    [{ documentId: 'x' }, compare('documentId', '$eq', 'x')],
    [{ createdAt: { $gt: '2001-01-01' } }, compare('createdAt', '$gt', new Date('2001-01-01T00:00:00.000Z'))],
  ])('%j', (filters, expected) => {
    expect(tag(filters)).toEqual(expected);
  });

  it.each([
    [{ featured: 'false' }, compare('featured', '$eq', false)],
    [{ rating: { $gte: '4.5' } }, compare('rating', '$gte', 4.5)],
    [{ reads: '9007199254740993' }, compare('reads', '$eq', 9_007_199_254_740_993n)],
    [{ eventTime: '10:00:00' }, compare('eventTime', '$eq', '10:00:00.000')],
    [{ eventTime: { $startsWith: '10:' } }, compare('eventTime', '$startsWith', '10:')],
    [{ kind: 'nonsense' }, compare('kind', '$eq', 'nonsense')],
    [{ extra: { $contains: 'a' } }, compare('extra', '$contains', 'a')],
    [{ locale: 'fr' }, compare('locale', '$eq', 'fr')],
    [{ publishedAt: { $notNull: true } }, compare('publishedAt', '$notNull', true)],
  ])('article %j', (filters, expected) => {
    expect(article(filters)).toEqual(expected);
  });

  it('accepts every comparison operator', () => {
    const given: Readonly<Record<string, unknown>> = {
      $in: ['a'],
      $notIn: ['a'],
      $between: ['a', 'b'],
      $null: true,
      $notNull: true,
    };
    for (const operator of COMPARISON_OPERATORS)
      expect(tag({ name: { [operator]: given[operator] ?? 'a' } })).toMatchObject({
        kind: 'compare',
        operator,
      });
  });

  it.each([
    [undefined],
    [null],
    [{}],
    [{ name: {} }],
    [{ $or: [] }],
    [{ $and: {} }],
    [{ $or: [{}, { name: {} }] }],
    [{ $not: {} }],
    [[]],
  ])('%j is no condition', (filters) => {
    expect(tag(filters)).toBeNull();
  });

  it.each([
    [{ name: undefined }, 'filters.name'],
    [{ name: { $eq: undefined } }, 'filters.name.$eq'],
    [{ name: { $not: undefined } }, 'filters.name.$not'],
    [{ name: { $in: ['a', undefined] } }, 'filters.name.$in'],
    [{ name: ['a', undefined] }, 'filters.name'],
    [{ $or: [{ name: 'a' }, { name: undefined }] }, 'filters.$or.1.name'],
    [{ $and: [undefined] }, 'filters.$and.0'],
    [{ $or: undefined }, 'filters.$or'],
    [{ $not: undefined }, 'filters.$not'],
    [{ articles: undefined }, 'filters.articles'],
    [{ articles: { id: undefined } }, 'filters.articles.id'],
    [{ articles: { $null: undefined } }, 'filters.articles.$null'],
    [{ articles: [undefined] }, 'filters.articles'],
    [[undefined], 'filters.0'],
  ])('%o is refused, since it would match everything', (filters, path) => {
    expect(errorOf(() => tag(filters)).message).toBe(`${path} is undefined.`);
  });
});

describe('logic', () => {
  const a = compare('name', '$eq', 'a');
  const b = compare('name', '$eq', 'b');

  it.each([
    [{ $or: [{ name: 'a' }, { name: 'b' }] }, or(a, b)],
    [{ $or: [[{ name: 'a' }, { id: 1 }], { name: 'b' }] }, or(and(a, compare('id', '$eq', 1)), b)],
    [{ $or: { 0: { 0: [{ name: 'a' }], 1: { name: 'b' } } } }, and(a, b)],
    [{ $not: [{ $or: [[{ name: 'a' }], []] }] }, filterOf(TAG, { name: { $not: { $eq: 'a' } } })],
    [{ $or: { 0: { name: 'a' }, 1: { name: 'b' } } }, or(a, b)],
    [{ $or: [{ name: 'a' }] }, a],
    [{ $and: [{ name: 'a' }, { name: 'b' }] }, and(a, b)],
    [[{ name: 'a' }, { name: 'b' }], and(a, b)],
    [
      { $or: [{ name: 'a', weight: 1 }, { $and: [{ name: 'b' }] }], weight: 2 },
      and(or(and(a, compare('weight', '$eq', 1)), b), compare('weight', '$eq', 2)),
    ],
    [{ $not: { name: 'a' } }, not(a)],
    [{ $not: [{ name: 'a' }, { name: 'b' }] }, or(not(a), not(b))],
    [{ name: { $not: { $eq: 'a' } } }, not(a)],
    [{ name: { $not: 'a' } }, not(a)],
    [{ name: { $not: ['a', 'b'] } }, not(compare('name', '$in', ['a', 'b']))],
    [{ name: { $not: { $not: { $eq: 'a' } } } }, a],
    [{ $not: { $or: [{ name: 'a' }, { $not: { name: 'b' } }] } }, and(not(a), b)],
    [{ $not: { weight: { $notNull: true } } }, compare('weight', '$notNull', false)],
    [{ $not: { weight: { $null: false } } }, compare('weight', '$null', true)],
  ])('%j', (filters, expected) => {
    expect(tag(filters)).toEqual(expected);
  });
});

describe('refused filters', () => {
  it.each([
    ['nope', 'filters'],
    [7, 'filters'],
    [['nope'], 'filters.0'],
    [{ nope: 1 }, 'filters.nope'],
    [{ author: { nope: 1 } }, 'filters.author.nope'],
    [{ author: { articles: { nope: 1 } } }, 'filters.author.articles.nope'],
    [{ seo: { nope: 1 } }, 'filters.seo.nope'],
    [{ seo: { documentId: 'x' } }, 'filters.seo.documentId'],
    [{ $or: [{ nope: 1 }] }, 'filters.$or.0.nope'],
    [{ title: { $like: 'x' } }, 'filters.title.$like'],
    [{ title: { $EQ: 'x' } }, 'filters.title.$EQ'],
    [{ title: { eq: 'x' } }, 'filters.title.eq'],
    [{ title: { $or: ['a', 'b'] } }, 'filters.title.$or'],
    [{ title: { $and: [{ $eq: 'a' }] } }, 'filters.title.$and'],
    [{ $eq: 'x' }, 'filters.$eq'],
    [{ $nope: 'x' }, 'filters.$nope'],
    [{ $or: 'x' }, 'filters.$or'],
    [{ $or: { title: 'x' } }, 'filters.$or'],
    [{ $and: ['x'] }, 'filters.$and.0'],
    [{ $not: 'x' }, 'filters.$not'],
    [{ views: 'abc' }, 'filters.views'],
    [{ views: { $gt: 'abc' } }, 'filters.views.$gt'],
    [{ views: { $in: ['1', 'abc'] } }, 'filters.views.$in'],
    [{ views: { $gt: null } }, 'filters.views.$gt'],
    [{ views: { $between: [1] } }, 'filters.views.$between'],
    [{ views: { $between: 1 } }, 'filters.views.$between'],
    [{ views: { $between: [1, 2, 3] } }, 'filters.views.$between'],
    [{ views: { $between: [1, null] } }, 'filters.views.$between'],
    [{ views: { $eq: { a: 1 } } }, 'filters.views.$eq'],
    [{ title: { $ne: ['a', 'b'] } }, 'filters.title.$ne'],
    [{ title: { $contains: [] } }, 'filters.title.$contains'],
    [{ title: { $eq: 'a\0' } }, 'filters.title.$eq'],
    [{ title: { $contains: 'a\0' } }, 'filters.title.$contains'],
    [{ startsAt: 'soon' }, 'filters.startsAt'],
    [{ featured: 'yes' }, 'filters.featured'],
    [{ extra: { $gt: 1 } }, 'filters.extra.$gt'],
    [{ extra: { a: 1 } }, 'filters.extra.a'],
    [{ secret: 'x' }, 'filters.secret'],
    [{ secret: { $notNull: true } }, 'filters.secret'],
    [{ internalNote: 'x' }, 'filters.internalNote'],
    [{ cover: { nope: 'x' } }, 'filters.cover.nope'],
    [{ sections: { text: 'x' } }, 'filters.sections'],
    [{ localizations: { nope: 'x' } }, 'filters.localizations.nope'],
    [{ author: { localizations: { name: 'x' } } }, 'filters.author.localizations'],
    [{ createdBy: { id: 1 } }, 'filters.createdBy'],
    [{ status: 'draft' }, 'filters.status'],
    [{ author: { $gt: 'abc' } }, 'filters.author.$gt'],
    [{ author: { $or: 'x' } }, 'filters.author.$or'],
    [{ constructor: 'x' }, 'filters.constructor'],
    [{ toString: { $eq: 'x' } }, 'filters.toString'],
    [{ author: { hasOwnProperty: 'x' } }, 'filters.author.hasOwnProperty'],
  ])('%j', (filters, parameter) => {
    const { code, kind, message } = errorOf(() => article(filters));
    expect({ code, kind }).toEqual({ code: 'request/invalid-parameter', kind: 'validation' });
    expect(message).toContain(`Invalid parameter ${parameter}: `);
  });

  it('refuses the locale of types that are not localised', () => {
    expect(errorOf(() => tag({ locale: 'en' })).message).toContain('filters.locale');
  });

  it('refuses polymorphic relations', () => {
    const model = modelFrom({
      types: { note: { attributes: { about: { type: 'relation', relation: 'morphToOne' } } } },
    });
    expect(errorOf(() => filterOf('api::note.note', { about: { id: 1 } }, { model })).message).toContain(
      'polymorphic',
    );
  });

  it('suggests a similar name, but no private one', () => {
    expect(errorOf(() => article({ titel: 'x' })).message).toContain('Did you mean title?');
    expect(errorOf(() => article({ internalNot: 'x' })).message).not.toContain('internalNote');
  });

  it('does not suggest the name that was refused', () => {
    for (const name of ['sections', 'secret', 'internalNote'])
      expect(errorOf(() => read(ARTICLE, { sort: name })).message).toMatch(
        /^Invalid parameter sort\.\w+: article has no such attribute here\.$/,
      );
  });

  it('ignores __proto__', () => {
    const hostile: unknown = JSON.parse(
      '{"__proto__": {"x": 1}, "title": {"__proto__": {"$eq": "y"}, "$eq": "a"}}',
    );
    expect(article(hostile)).toEqual(compare('title', '$eq', 'a'));
  });
});

describe('limits', () => {
  const nest = (depth: number, step: (inner: unknown) => unknown): unknown =>
    Array.from({ length: depth }).reduce<unknown>((inner) => step(inner), { name: 'x' });

  it.each([
    ['$and', (inner: unknown) => ({ $and: [inner] })],
    ['$not', (inner: unknown) => ({ $not: inner })],
    ['a relation', (inner: unknown) => ({ parent: inner })],
    ['$not under a relation', (inner: unknown) => ({ parent: { $not: inner } })],
  ])('refuses %s nested thousands of levels deep', (_what, step) => {
    expect(errorOf(() => filterOf(CATEGORY, nest(5_000, step))).code).toBe('request/query-too-deep');
  });

  it('refuses $not under a field nested thousands of levels deep', () => {
    expect(errorOf(() => tag({ name: nest(5_000, (inner) => ({ $not: inner })) })).code).toBe(
      'request/query-too-deep',
    );
  });

  it('accepts relations six levels deep', () => {
    const operators = JSON.stringify(
      filterOf(
        CATEGORY,
        nest(6, (inner) => ({ parent: inner })),
      ),
    );
    expect(operators.match(/"link"/g)).toHaveLength(6);
  });

  it.each([
    ['conditions', { $or: Array.from({ length: 300 }, () => ({ name: 'a' })) }],
    ['operators', { $or: Array.from({ length: 150 }, () => ({ name: { $gt: 'a', $lt: 'b' } })) }],
    [
      'conditions on several levels',
      {
        $or: Array.from({ length: 20 }, () => ({ $and: Array.from({ length: 20 }, () => ({ name: 'a' })) })),
      },
    ],
  ])('refuses more %s than the limit', (_what, filters) => {
    expect(errorOf(() => tag(filters)).code).toBe('request/query-too-large');
  });

  it('accepts as many conditions as the limit', () => {
    const limits = { ...LIMITS, maxNodes: 5 };
    const conditions = (count: number): unknown => ({
      $or: Array.from({ length: count }, () => ({ name: 'a' })),
    });
    expect(filterOf(TAG, conditions(5), { limits })).not.toBeNull();
    expect(errorOf(() => filterOf(TAG, conditions(6), { limits })).code).toBe('request/query-too-large');
  });

  it('treats a hundred thousand empty conditions as no condition', () => {
    expect(tag({ $or: Array.from({ length: 100_000 }, () => ({})) })).toBeNull();
  });

  it.each([
    ['text', { name: 'x'.repeat(10_000) }],
    ['text to search for', { name: { $contains: 'x'.repeat(10_000) } }],
    ['a list', { name: { $in: Array.from({ length: 1_001 }, () => 'x') } }],
    ['a name', { ['x'.repeat(10_000)]: 'x' }],
    ['an operator', { name: { [`$${'x'.repeat(10_000)}`]: 'x' } }],
  ])('refuses %s that is far too long, with a short message', (_what, filters) => {
    const { code, message } = errorOf(() => tag(filters));
    expect(code).toBe('request/invalid-parameter');
    expect(message.length).toBeLessThan(500);
  });

  it('refuses thousands of keys at the first unknown one', () => {
    const filters = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 'x']));
    expect(errorOf(() => tag(filters)).message).toContain('filters.k0');
    expect(errorOf(() => filterOf(ARTICLE, { author: filters })).message).toContain('filters.author.k0');
  });
});
