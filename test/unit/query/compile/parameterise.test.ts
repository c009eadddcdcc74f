import { beforeAll, describe, expect, it } from 'vitest';
import type { ContentModel } from '../../../../src/model/model.js';
import type { RawReadParams } from '../../../../src/query/read-context.js';
import { parameteriseCount, parameteriseRead } from '../../../../src/query/compile/parameterise.js';
import { loadFixtureModel } from '../../../support/models.js';
import { QUERIES } from './queries.js';
import { parse } from './support.js';

const ARTICLE = 'api::article.article';
const TAG = 'api::tag.tag';

describe('parameterising a query', () => {
  let model: ContentModel;
  beforeAll(async () => {
    model = await loadFixtureModel('magazine');
  });

  const parameterise = (params: RawReadParams, type = ARTICLE) =>
    parameteriseRead(parse(model, type, params));

  it('gives queries that differ only in values the same key', () => {
    const read = (title: string, limit: number, locale: string) =>
      parameterise({
        filters: { title: { $contains: title }, views: { $between: [limit, limit + 1] } },
        populate: { tags: { filters: { name: title }, pagination: { limit } } },
        pagination: { limit },
        locale,
      });
    const [left, right] = [read('a', 1, 'en'), read('b', 2, 'fr')];
    expect(left.key).toBe(right.key);
    expect(left.values).toEqual(['en', 'a', 1, 2, 1, 0, 'a', 1, 0]);
    expect(right.values).toEqual(['fr', 'b', 2, 3, 2, 0, 'b', 2, 0]);
  });

  it.each<readonly [string, RawReadParams, RawReadParams]>([
    ['status', {}, { status: 'draft' }],
    ['all locales', {}, { locale: '*' }],
    ['a restriction to published documents', { hasPublishedVersion: true }, { hasPublishedVersion: false }],
    ['fields', { fields: ['title'] }, { fields: ['slug'] }],
    ['sort', { sort: 'title' }, { sort: 'title:desc' }],
    ['an operator', { filters: { title: { $eq: 'a' } } }, { filters: { title: { $ne: 'a' } } }],
    [
      'what a null operator asks',
      { filters: { title: { $null: true } } },
      { filters: { title: { $null: false } } },
    ],
    [
      'grouping',
      { filters: { $or: [{ title: 'a' }, { views: 1 }] } },
      { filters: { $and: [{ title: 'a' }, { views: 1 }] } },
    ],
    ['negation', { filters: { title: 'a' } }, { filters: { $not: { title: 'a' } } }],
    ['what is nested', { filters: { author: { name: 'a' } } }, { filters: { category: { name: 'a' } } }],
    ['emptiness', { filters: { tags: { $null: true } } }, { filters: { tags: { $notNull: true } } }],
    ['what is populated', { populate: ['author'] }, { populate: ['category'] }],
    ['depth', { populate: ['author'] }, { populate: { author: { populate: ['profile'] } } }],
    ['a count', { populate: { tags: true } }, { populate: { tags: { count: true } } }],
    ['a slice', { populate: { tags: true } }, { populate: { tags: { pagination: { limit: 1 } } } }],
    ['a filter inside', { populate: { tags: true } }, { populate: { tags: { filters: { name: 'x' } } } }],
    ['a sort inside', { populate: { tags: true } }, { populate: { tags: { sort: 'name' } } }],
    [
      'kinds of a zone',
      { populate: { sections: { on: { 'sections.quote': true } } } },
      { populate: { sections: { on: { 'sections.text': true } } } },
    ],
  ])('gives another key for %s', (_what, left, right) => {
    expect(parameterise(left).key).not.toBe(parameterise(right).key);
  });

  it('gives each stored query its own key, and its count another one', () => {
    const keys = Object.values(QUERIES).map(({ type, params }) => parameterise(params, type).key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(parameteriseCount(parse(model, TAG)).key).not.toBe(parameterise({}, TAG).key);
  });

  it('gives fractions and integers different keys, since they are bound as different types', () => {
    const query = parse(model, TAG, { filters: { weight: { $gt: 1 } } });
    const broken = {
      ...query,
      filter: { kind: 'compare', field: 'weight', operator: '$gt', operand: 1.5 },
    } as const;
    expect(parameteriseRead(query).key).not.toBe(parameteriseRead(broken).key);
  });

  it('ignores pagination, sort and fields in the key of a count', () => {
    const key = (params: RawReadParams) => parameteriseCount(parse(model, TAG, params)).key;
    expect(key({ filters: { name: 'a' }, sort: 'name', fields: ['name'], pagination: { page: 3 } })).toBe(
      key({ filters: { name: 'b' } }),
    );
  });
});
