import { fc } from '../../../support/properties.js';
import { describe, expect, it } from 'vitest';
import { isGalleyError } from '../../../../src/errors/galley-error.js';
import { COMPARISON_OPERATORS } from '../../../../src/query/query.js';
import type { FilterNode, ReadQuery } from '../../../../src/query/query.js';
import type { RawReadParams } from '../../../../src/query/read-context.js';
import { ARTICLE, CATEGORY, read, TAG } from './read-helpers.js';

const KINDS = ['validation', 'pagination', 'application'];

/** A value that only code can pass. */
const UNDEFINED = 'project/undefined-condition';

/** Returns null where the input is refused with a client error. Any other error fails the test. */
const outcome = (type: string, raw: RawReadParams): ReadQuery | null => {
  try {
    return read(type, raw);
  } catch (error) {
    if (!isGalleyError(error) || !(KINDS.includes(error.kind) || error.code === UNDEFINED)) throw error;
    expect(error.message.length).toBeLessThan(1_000);
    return null;
  }
};

const word = fc.oneof(
  fc.constantFrom(
    'title',
    'views',
    'author',
    'tags',
    'category',
    'parent',
    'articles',
    'seo',
    'social',
    'links',
    'sections',
    'cover',
    'name',
    'id',
    'documentId',
    'localizations',
    'secret',
    'internalNote',
    'extra',
    'createdAt',
    'locale',
    '*',
    '',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'length',
    '0',
    '1',
    '-1',
    'true',
    'false',
    'populate',
    'fields',
    'filters',
    'sort',
    'on',
    'count',
    'limit',
    'start',
    'page',
    'pageSize',
    'pagination',
    'withCount',
    'sections.quote',
    'author.name:desc',
    'title:asc',
    'author.profile',
    '$and',
    '$or',
    '$not',
    'draft',
    'published',
    'asc',
    'desc',
    'parent.parent.parent',
    ...COMPARISON_OPERATORS,
  ),
  fc.string({ maxLength: 12 }),
);

const leaf = fc.oneof(
  word,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, undefined),
  fc.date(),
  fc.bigInt(),
  fc.string({ unit: 'binary', maxLength: 5 }),
);

const { node: anything } = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    leaf,
    fc.array(tie('node'), { maxLength: 4 }),
    fc.array(fc.tuple(word, tie('node')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
    fc
      .array(fc.tuple(word, tie('node')), { maxLength: 4 })
      .map((entries) => Object.assign(Object.create(null), Object.fromEntries(entries))),
  ),
}));

const params = fc.record(
  {
    filters: anything,
    sort: anything,
    fields: anything,
    populate: anything,
    pagination: anything,
    status: anything,
    locale: anything,
    hasPublishedVersion: anything,
  },
  { requiredKeys: [] },
);

const sort = fc.constantFrom(
  'title',
  'views:desc,title',
  { title: 'desc' },
  [{ title: 'asc' }, 'views'],
  'author.name:desc',
  { author: { age: 'desc' } },
  'seo.metaTitle',
);
const fields = fc.constantFrom('*', 'title', 'title,views', ['title', 'createdAt'], []);
const range = fc.constantFrom(
  {},
  { page: 2 },
  { pageSize: '5', withCount: 'false' },
  { start: 1, limit: '-1' },
);
const condition = fc.oneof(
  fc.constantFrom(
    { title: 'a' },
    { views: ['1', 2] },
    { author: { name: { $startsWith: 'A' } } },
    { seo: { canonical: { $null: true } } },
    { tags: { id: 7 } },
    { id: { $notIn: [1] } },
  ),
  fc
    .tuple(
      fc.constantFrom('title', 'body', 'slug'),
      fc.constantFrom('$eq', '$nei', '$lt', '$in', '$contains', '$endsWithi'),
      fc.string({ unit: 'grapheme' }),
    )
    .map(([name, operator, value]) => ({ [name]: { [operator]: value } })),
);
const filters = fc.oneof(
  condition,
  fc.record({ $or: fc.array(condition, { maxLength: 5 }) }),
  fc.record({ $not: condition }),
  fc.array(condition, { maxLength: 3 }),
);
const related = fc.record(
  {
    fields: fc.constantFrom('*', 'name', ['id']),
    sort: fc.constantFrom('name', 'createdAt:desc'),
    pagination: range,
    count: fc.boolean(),
  },
  { requiredKeys: [] },
);
const populate = fc.oneof(
  fc.constantFrom('*', 'author', 'author.profile,tags', ['seo.social', 'sections']),
  fc.record(
    {
      author: fc.oneof(fc.boolean(), related),
      tags: related,
      cover: fc.constantFrom('true', '*'),
      sections: fc.constantFrom(true, { populate: '*' }, { on: { 'sections.text': true } }),
    },
    { requiredKeys: [] },
  ),
);
const plausible = fc.record(
  {
    filters,
    sort,
    fields,
    populate,
    pagination: range,
    status: fc.constantFrom('draft', 'published'),
    locale: fc.constantFrom('fr', '*'),
  },
  { requiredKeys: [] },
);

const type = fc.constantFrom(
  ARTICLE,
  CATEGORY,
  TAG,
  'api::homepage.homepage',
  'plugin::users-permissions.user',
  'plugin::upload.file',
);

const assertNegationsAtTheBottom = (filter: FilterNode | null): void => {
  if (filter === null) return;
  if (filter.kind === 'not') expect(filter.item.kind).toBe('compare');
  if (filter.kind === 'and' || filter.kind === 'or') {
    expect(filter.items.length).toBeGreaterThan(1);
    filter.items.forEach(assertNegationsAtTheBottom);
  }
  if (filter.kind === 'link' || filter.kind === 'component') assertNegationsAtTheBottom(filter.filter);
};

describe('any input', () => {
  it('is parsed, or refused with a client error', () => {
    fc.assert(
      fc.property(type, params, (uid, raw) => {
        const query = outcome(uid, raw);
        if (query === null) return;
        expect(Object.isFrozen(query)).toBe(true);
        assertNegationsAtTheBottom(query.filter);
      }),
      { numRuns: 3_000 },
    );
  });

  it('is parsed when it combines valid forms', () => {
    fc.assert(
      fc.property(plausible, (raw) => {
        expect(outcome(ARTICLE, raw)).not.toBeNull();
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(['filters', 'sort', 'fields', 'populate', 'pagination'])(
    'is parsed, or refused with a client error, as %s alone',
    (name) => {
      fc.assert(
        fc.property(type, anything, (uid, value) => void outcome(uid, { [name]: value })),
        { numRuns: 1_500 },
      );
    },
  );

  // What took quadratic time would not end before the test's timeout.
  it('is handled, for any size', () => {
    const wide = (value: unknown): unknown =>
      Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, value]));
    const list = (value: unknown): unknown => Array.from({ length: 100_000 }, () => value);
    const deep = (key: string): unknown =>
      Array.from({ length: 100_000 }).reduce<unknown>((inner) => ({ [key]: inner }), 'x');
    const nested = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], 'x');
    const values: readonly unknown[] = [
      wide('x'),
      wide(true),
      list('title'),
      list({ title: 'x' }),
      list(null),
      list({}),
      nested,
      'title,'.repeat(100_000),
      'author.'.repeat(100_000),
      'x'.repeat(1_000_000),
      ...['$not', '$and', 'author', 'parent', 'title', 'populate', 'on', 'filters', '0', '__proto__'].map(
        deep,
      ),
      { title: list('x') },
      { title: wide('x') },
      { title: nested },
      { extra: nested },
      { author: wide('x') },
      { sections: { on: wide(true) } },
      { tags: { filters: nested } },
    ];
    for (const value of values) {
      for (const name of [
        'filters',
        'sort',
        'fields',
        'populate',
        'pagination',
        'status',
        'locale',
        'hasPublishedVersion',
      ]) {
        outcome(ARTICLE, { [name]: value });
        outcome(CATEGORY, { [name]: value });
      }
    }
  });

  it('does not change Object.prototype', () => {
    const hostile: unknown = JSON.parse(
      '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}',
    );
    for (const name of ['filters', 'sort', 'fields', 'populate', 'pagination'])
      outcome(ARTICLE, { [name]: hostile });
    expect({}).not.toHaveProperty('polluted');
  });
});
