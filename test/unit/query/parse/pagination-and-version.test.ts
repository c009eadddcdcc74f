import { describe, expect, it } from 'vitest';
import { printCursor } from '../../../../src/query/cursor.js';
import { LIMITS, read, errorOf, ARTICLE, TAG } from './read-helpers.js';
import type { ReadTestOptions } from './read-helpers.js';

const pageOf = (pagination: unknown, options: ReadTestOptions = {}): unknown =>
  read(TAG, { pagination }, options).page;
const paged = (offset: number, limit: number, withCount = true) => ({
  style: 'page',
  offset,
  limit,
  withCount,
});
const from = (offset: number, limit: number, withCount = true) => ({
  style: 'offset',
  offset,
  limit,
  withCount,
});

const ORDER = ['name:desc', 'weight', 'createdAt'];
const LIST = { type: TAG, sort: read(TAG, { sort: ORDER }).sort };
const VALUES = ['red', null, '2026-01-02T03:04:05.678Z', 7];
const CURSOR = printCursor(LIST, VALUES);
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('cursors', () => {
  const page = (pagination: unknown, sort: unknown = ORDER): unknown => read(TAG, { pagination, sort }).page;

  it.each([
    [{ after: '' }, { ...paged(0, 25, false), cursor: { position: null } }],
    [
      { before: '', limit: 5 },
      { ...from(0, 5, false), isReversed: true, cursor: { position: null } },
    ],
    [
      { after: '', page: 3, pageSize: 5, withCount: true },
      { ...paged(10, 5), cursor: { position: null } },
    ],
    [
      { after: CURSOR, limit: 5 },
      {
        ...from(0, 5, false),
        cursor: { position: ['red', null, new Date('2026-01-02T03:04:05.678Z'), 7] },
      },
    ],
  ])('%j', (pagination, expected) => {
    expect(page(pagination)).toEqual(expected);
  });

  it.each([
    [{ after: CURSOR, page: 2 }, 'pagination.after'],
    [{ before: '', start: 2 }, 'pagination.before'],
    [{ after: '', before: '' }, 'pagination.before'],
    [{ after: 5 }, 'pagination.after'],
    [{ after: ['x'] }, 'pagination.after'],
    [{ after: 'x' }, 'pagination.after'],
    [{ after: '\0' }, 'pagination.after'],
    [{ after: `${CURSOR}x` }, 'pagination.after'],
    [{ after: CURSOR.slice(0, -1) }, 'pagination.after'],
    [{ after: encode({ 0: 1 }) }, 'pagination.after'],
    [{ after: encode([null, ...VALUES]) }, 'pagination.after'],
    [{ after: printCursor(LIST, ['red', 'x', null, 7]) }, 'pagination.after'],
    [{ after: printCursor(LIST, ['red', 1, null, null]) }, 'pagination.after'],
    [{ after: printCursor(LIST, ['a\0', 1, null, 7]) }, 'pagination.after'],
    [{ after: printCursor(LIST, ['red', 1, 'today', 7]) }, 'pagination.after'],
    [{ after: printCursor(LIST, ['red', null, null, 1e300]) }, 'pagination.after'],
    [{ after: printCursor({ ...LIST, type: ARTICLE }, VALUES) }, 'pagination.after'],
  ])('refuses %j', (pagination, parameter) => {
    expect(errorOf(() => page(pagination))).toMatchObject({
      code: 'request/invalid-parameter',
      message: expect.stringContaining(`Invalid parameter ${parameter}: `) as unknown,
    });
  });

  it('belong to one order', () => {
    expect(() => page({ after: CURSOR }, 'name')).toThrow('no cursor of this list in this order');
    expect(() => page({ after: CURSOR }, ['name', 'weight', 'createdAt'])).toThrow('no cursor');
  });

  it('are refused in populated lists', () => {
    const pagination = { after: '' };
    expect(errorOf(() => read(ARTICLE, { populate: { tags: { pagination } } }))).toMatchObject({
      code: 'request/invalid-parameter',
    });
  });
});

describe('pagination', () => {
  it.each([
    [undefined, paged(0, 25)],
    [null, paged(0, 25)],
    [{}, paged(0, 25)],
    [{ size: 5 }, paged(0, 25)],
    [{ page: 2 }, paged(25, 25)],
    [{ page: '2', pageSize: '10' }, paged(10, 10)],
    [{ pageSize: 4 }, paged(0, 4)],
    [{ page: 0 }, paged(0, 25)],
    [{ page: -1, pageSize: 10 }, paged(0, 10)],
    [{ pageSize: 0 }, paged(0, 1)],
    [{ pageSize: -5 }, paged(0, 1)],
    [{ pageSize: -1 }, paged(0, 1)],
    [{ page: 2, pageSize: 500 }, paged(100, 100)],
    [{ start: 5, limit: 5 }, from(5, 5)],
    [{ start: '30' }, from(30, 25)],
    [{ limit: 3 }, from(0, 3)],
    [{ limit: 500 }, from(0, 100)],
    [{ limit: '-1' }, from(0, 100)],
    [{ limit: 0 }, from(0, 1)],
    [{ limit: -2 }, from(0, 1)],
    [{ start: -1 }, from(0, 25)],
    [{ start: 100 }, from(100, 25)],
    [{ page: 1, limit: null }, paged(0, 25)],
    [{ withCount: false }, paged(0, 25, false)],
    [{ withCount: 'false' }, paged(0, 25, false)],
    [{ withCount: '0' }, paged(0, 25, false)],
    [{ withCount: 'true' }, paged(0, 25)],
    [{ withCount: '1' }, paged(0, 25)],
    [{ limit: 3, withCount: 'f' }, from(0, 3, false)],
  ])('%j', (pagination, expected) => {
    expect(pageOf(pagination)).toEqual(expected);
  });

  it.each([
    ['abc', 'pagination'],
    [[1], 'pagination'],
    [{ page: 'abc' }, 'pagination.page'],
    [{ page: '' }, 'pagination.page'],
    [{ page: 1.5 }, 'pagination.page'],
    [{ page: '1e3' }, 'pagination.page'],
    [{ page: ['1', '2'] }, 'pagination.page'],
    [{ page: Number.NaN }, 'pagination.page'],
    [{ pageSize: '99999999999999999999' }, 'pagination.pageSize'],
    [{ page: Number.MAX_SAFE_INTEGER }, 'pagination.page'],
    [{ start: {} }, 'pagination.start'],
    [{ limit: true }, 'pagination.limit'],
    [{ withCount: 'maybe' }, 'pagination.withCount'],
  ])('refuses %j', (pagination, parameter) => {
    const { code, message } = errorOf(() => pageOf(pagination));
    expect(code).toBe('request/invalid-parameter');
    expect(message).toContain(`Invalid parameter ${parameter}: `);
  });

  it.each([[{ page: 1, limit: 5 }], [{ start: 0, pageSize: 5 }], [{ page: 1, start: 0 }]])(
    'refuses to mix the methods in %j',
    (pagination) => {
      expect(errorOf(() => pageOf(pagination))).toMatchObject({
        code: 'request/mixed-pagination',
        kind: 'pagination',
      });
    },
  );

  it('applies the configured limits; a maximum of -1 means no limit', () => {
    const limits = { ...LIMITS, defaultLimit: 10, maxLimit: -1 };
    expect(pageOf({}, { limits })).toEqual(paged(0, 10));
    expect(pageOf({ limit: 5_000 }, { limits })).toEqual(from(0, 5_000));
    expect(pageOf({ limit: -1 }, { limits })).toEqual(from(0, Number.MAX_SAFE_INTEGER));
    expect(pageOf({}, { limits: { ...LIMITS, defaultLimit: 50, maxLimit: 20 } })).toEqual(paged(0, 20));
  });

  it('is ignored when one document is read', () => {
    expect(read('api::setting.setting', { pagination: { page: 2 } }).page).toBeNull();
    expect(pageOf({ page: 'abc' }, { paginated: false })).toBeNull();
  });
});

describe('status', () => {
  it.each([
    [undefined, 'published'],
    [null, 'published'],
    ['published', 'published'],
    ['draft', 'draft'],
  ])('%j is %s', (status, expected) => {
    expect(read(ARTICLE, { status }).status).toBe(expected);
    // Types without draft and publish apply the status to the records they populate.
    expect(read(TAG, { status }).status).toBe(expected);
  });

  it.each([['archived'], ['DRAFT'], [''], [['draft']], [true], [{}]])('refuses %j', (status) => {
    expect(errorOf(() => read(ARTICLE, { status })).message).toContain('Invalid parameter status: ');
    expect(errorOf(() => read(TAG, { status })).code).toBe('request/invalid-parameter');
  });
});

describe('locale', () => {
  it.each([
    [undefined, 'en'],
    [null, 'en'],
    ['', 'en'],
    ['fr', 'fr'],
    ['xx', 'xx'],
    ['*', '*'],
  ])('%j is %s', (locale, expected) => {
    expect(read(ARTICLE, { locale }).locale).toBe(expected);
  });

  it('several are a condition on all of them', () => {
    expect(read(ARTICLE, { locale: ['en', 'fr'] })).toMatchObject({
      locale: '*',
      filter: { kind: 'compare', field: 'locale', operator: '$in', operand: ['en', 'fr'] },
    });
    expect(read(ARTICLE, { locale: [''] }).locale).toBe('en');
    expect(read(TAG, { locale: ['en', 'fr'] }).filter).toBeNull();
  });

  it('several cannot be read of one document', () => {
    const locale = ['en', 'fr'];
    expect(errorOf(() => read(ARTICLE, { locale }, { paginated: false })).message).toContain(
      'Invalid parameter locale: ',
    );
  });

  it('is replaced by a filter at the root, but not by one below $and', () => {
    const filters = { locale: 'fr' };
    expect(read(ARTICLE, { filters, locale: 'de' }).locale).toBe('*');
    expect(read(ARTICLE, { filters: { $and: [filters] } }).locale).toBe('en');
  });

  it.each([[[{}]], [[7, 'en']], [{}], [7], ['x'.repeat(300)], ['e\0n']])('refuses %j', (locale) => {
    expect(errorOf(() => read(ARTICLE, { locale })).message).toContain('Invalid parameter locale: ');
  });
});

describe('hasPublishedVersion', () => {
  it.each([
    [undefined, null],
    [null, null],
    ['true', true],
    [true, true],
    ['false', false],
    [false, false],
  ])('%j is %s', (hasPublishedVersion, expected) => {
    expect(read(ARTICLE, { hasPublishedVersion }).hasPublishedVersion).toBe(expected);
  });

  it.each([['yes'], ['1'], [''], [['true']]])('refuses %j', (hasPublishedVersion) => {
    expect(errorOf(() => read(ARTICLE, { hasPublishedVersion })).message).toContain(
      'Invalid parameter hasPublishedVersion: ',
    );
  });

  it('reaches what is populated from a type without draft and publish', () => {
    expect(read(TAG, { hasPublishedVersion: 'false' }).hasPublishedVersion).toBe(false);
  });
});

describe('the whole query', () => {
  it('is deeply frozen', () => {
    const query = read(ARTICLE, {
      filters: { $or: [{ title: { $in: ['a'] } }, { author: { name: 'x' } }] },
      sort: 'author.name',
      populate: { tags: { limit: 2 }, sections: true },
    });
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      expect(Object.isFrozen(value)).toBe(true);
      Object.values(value).forEach(visit);
    };
    visit(query);
  });

  it('ignores unknown parameters', () => {
    const raw: object = { nope: 1, pagination: { nope: 2 } };
    expect(read(TAG, raw)).toEqual(read(TAG, {}));
  });

  it('throws an internal error for an unknown type', () => {
    expect(errorOf(() => read('api::nope.nope', {})).code).toBe('server/internal');
  });
});
