import { describe, expect, it } from 'vitest';
import { parseAggregate } from '../../../../src/query/parse/parse-aggregate.js';
import type { AggregateQuery, RawAggregateParams } from '../../../../src/query/aggregate.js';
import type { FilterNode } from '../../../../src/query/query.js';
import type { ReadAccess } from '../../../../src/query/read-access.js';
import { ARTICLE, AUTHOR, errorOf, LIMITS, magazine } from './read-helpers.js';

const EVERYTHING: ReadAccess = { canFind: () => true };

const parse = (raw: RawAggregateParams, access: ReadAccess = EVERYTHING): AggregateQuery =>
  parseAggregate(magazine, ARTICLE, raw, { limits: LIMITS, access, defaultLocale: 'en' });

const messageOf = (raw: RawAggregateParams, access?: ReadAccess): string =>
  errorOf(() => parse(raw, access)).message;

const OWN: FilterNode = { kind: 'compare', field: 'name', operator: '$eq', operand: 'Ada' };

describe('aggregates', () => {
  it.each([
    ['sum', 'title', 'only numbers have sums'],
    ['avg', { id: '' }, 'only numbers have sums'],
    ['sum', { views: { a: 1 } }, 'it takes no value'],
    ['sum', 5, 'it must name attributes'],
    ['min', 'featured', 'no least and greatest'],
    ['max', 'content', 'no least and greatest'],
    ['max', 'secret', 'no such attribute'],
    ['min', 'internalNote', 'no such attribute'],
    ['min', 'author', 'no such attribute'],
    ['groupBy', 'internalNote', 'no such attribute'],
    ['groupBy', 'nothing', 'no such attribute'],
    ['groupBy', 'tags', 'only scalars and links to one document'],
    ['groupBy', 'seo', 'only scalars and links to one document'],
    ['groupBy', 'sections', 'only scalars and links to one document'],
    ['groupBy', 'extra', 'cannot be grouped by'],
    ['groupBy', { createdAt: 'week' }, 'one of year, month, day, hour'],
    ['groupBy', { views: 'month' }, 'only times are grouped by a unit'],
    ['groupBy', 'id,documentId,title,kind,views,rating', 'at most 5'],
    ['sort', 'sum.views', 'it must be one of count'],
    ['sort', 'count:down', 'the direction must be asc or desc'],
    ['count', 'perhaps', 'it must be true or false'],
    ['pagination', { limit: 'x' }, 'whole number'],
  ])('refuse %s of %j', (key, value, message) => {
    expect(messageOf({ [key]: value })).toContain(message);
  });

  it('return at most 1,000 groups', () => {
    expect(parse({ groupBy: 'kind' }).slice).toEqual({ offset: 0, limit: 100 });
    expect(parse({ groupBy: 'kind', pagination: { limit: -1 } }).slice).toEqual({ offset: 0, limit: 1000 });
    expect(parse({ count: 'true' }).slice).toBeNull();
  });

  it('take each figure and key once', () => {
    const { values, keys } = parse({ sum: 'views,views', groupBy: ['kind', 'kind'] });
    expect([values, keys]).toMatchObject([[{ field: 'views' }], [{ name: 'kind' }]]);
  });

  it('see only what the caller may read', () => {
    const fields = new Set(['title', 'views']);
    const scoped: ReadAccess = { canFind: () => true, scopeOf: () => ({ fields, filter: null }) };
    expect(parse({ sum: 'views', groupBy: 'title' }, scoped).values).toHaveLength(1);
    expect(messageOf({ sum: 'rating' }, scoped)).toContain('no such attribute');
    expect(messageOf({ groupBy: 'kind' }, scoped)).toContain('no such attribute');
    expect(messageOf({ groupBy: 'author' }, scoped)).toContain('no such attribute');
  });

  it('respect conditions, also of what is linked', () => {
    const conditional: ReadAccess = {
      canFind: () => true,
      scopeOf: (type) => ({ fields: null, filter: type === AUTHOR ? OWN : null }),
    };
    expect(messageOf({ groupBy: 'author' }, conditional)).toContain('you may see only some authors');
    expect(messageOf({ groupBy: 'author' }, { canFind: () => false })).toContain('needs the find permission');
    const own: ReadAccess = { canFind: () => true, scopeOf: () => ({ fields: null, filter: OWN }) };
    expect(parse({ sum: 'views' }, own).query.filter).toEqual(OWN);
  });
});
