import { fc } from '../../../support/properties.js';
import { describe, expect, it } from 'vitest';
import { isGalleyError } from '../../../../src/errors/galley-error.js';
import { parseQueryString } from '../../../../src/api/rest/parse-query-string.js';

const parse = (text: string): unknown => JSON.parse(JSON.stringify(parseQueryString(text)));

const parseOutcome = (text: string): unknown => {
  try {
    parseQueryString(text);
  } catch (error) {
    return isGalleyError(error) ? { code: error.code, kind: error.kind } : error;
  }
  return 'accepted';
};

const repeat = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join('&');

describe('forms of a query string', () => {
  it.each([
    ['', {}],
    ['?sort=name', { sort: 'name' }],
    ['sort=name&populate=*', { sort: 'name', populate: '*' }],
    ['populate', { populate: null }],
    ['populate=', { populate: '' }],
    ['sort=a&sort=b', { sort: ['a', 'b'] }],
    ['sort[]=a&sort[]=b', { sort: ['a', 'b'] }],
    ['sort[0]=a&sort[1]=b', { sort: ['a', 'b'] }],
    ['sort[1]=b&sort[0]=a', { sort: ['a', 'b'] }],
    ['sort[2]=a&sort[7]=b', { sort: ['a', 'b'] }],
    ['sort=a,b', { sort: 'a,b' }],
    ['pagination[page]=2&pagination[pageSize]=10', { pagination: { page: '2', pageSize: '10' } }],
    ['filters[name][$in]=x', { filters: { name: { $in: 'x' } } }],
    ['filters[name][$in][0]=x&filters[name][$in][1]=y', { filters: { name: { $in: ['x', 'y'] } } }],
    ['filters[$or][0][name]=a&filters[$or][1][name]=b', { filters: { $or: [{ name: 'a' }, { name: 'b' }] } }],
    ['filters%5Bname%5D%5B%24eq%5D=a%26b%3Dc', { filters: { name: { $eq: 'a&b=c' } } }],
    ['filters[name][$eq]=a]=b', { filters: { name: { $eq: 'a]=b' } } }],
    [
      'populate[sections][on][sections.quote][fields][0]=text',
      { populate: { sections: { on: { 'sections.quote': { fields: ['text'] } } } } },
    ],
    ['a.b=1', { 'a.b': '1' }],
    ['name=a+b%20c', { name: 'a b c' }],
    ['name=%C3%A9', { name: 'é' }],
    ['filters=text&filters[name]=x', { filters: ['text', { name: 'x' }] }],
  ])('%s', (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  it('parses a list of a thousand items', () => {
    expect(parse(repeat(1000, (index) => `ids[${index}]=${index}`))).toEqual({
      ids: Array.from({ length: 1000 }, (_, index) => String(index)),
    });
  });
});

describe('hostile query strings', () => {
  it.each([
    ['a=%zz', { a: '%zz' }],
    ['a=%E0%A4', { a: '%E0%A4' }],
    ['%zz=1', { '%zz': '1' }],
    ['a[=1', { a: { '[': '1' } }],
    ['a[-1]=x', { a: { '-1': 'x' } }],
  ])('tolerates %s', (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  it('treats the names of Object.prototype like any others', () => {
    const parsed = parseQueryString(
      'filters[__proto__][polluted]=1&__proto__[polluted]=1' +
        '&filters[constructor][prototype][polluted]=1&toString=x',
    );
    expect(Object.getPrototypeOf(parsed)).toBeNull();
    expect(Object.getPrototypeOf(parsed['filters'])).toBeNull();
    expect(parse('filters[__proto__][x]=1')).toEqual({ filters: {} });
    expect(parsed['toString']).toBe('x');
    expect({}).not.toHaveProperty('polluted');
  });

  it.each([
    ['1001 parameters', repeat(1001, (index) => `p${index}=x`)],
    ['1001 items', repeat(1001, () => 'a[]=x')],
    ['an item at a high index', 'a[1000]=x'],
    ['an item at an absurd index', 'a[99999999999]=x'],
    ['65 brackets', `a${'[b]'.repeat(65)}=x`],
    ['5000 brackets', `a${'[b]'.repeat(5000)}=x`],
    ['100000 separators', '&'.repeat(100_000)],
  ])('rejects %s', (_what, text) => {
    expect(parseOutcome(text)).toEqual({ code: 'request/invalid-query-string', kind: 'validation' });
  });

  // What took quadratic time would not end before the test's timeout.
  it('parses any text or throws a validation error', () => {
    const piece = fc.oneof(
      fc.constantFrom('[', ']', '&', '=', '%', '[]', '[0]', '%5B', '__proto__', 'filters', '.', ',', '+'),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 400 }), (pieces) => {
        const outcome = parseOutcome(pieces.join(''));
        expect(['accepted', { code: 'request/invalid-query-string', kind: 'validation' }]).toContainEqual(
          outcome,
        );
      }),
      { numRuns: 500 },
    );
  });
});
