import { fc } from '../../support/properties.js';
import { describe, expect, it } from 'vitest';
import { assertNever } from '../../../src/lib/assert-never.js';
import { camelCase, kebabCase, lowerFirst, pascalCase, snakeCase, upperFirst, words } from '../../../src/lib/casing.js';
import { byCodePoint } from '../../../src/lib/compare.js';
import { deepFreeze } from '../../../src/lib/freeze.js';
import { isRecord } from '../../../src/lib/is-record.js';
import { nearest } from '../../../src/lib/nearest.js';

describe('deepFreeze', () => {
  it('freezes objects and arrays all the way down and returns the same value', () => {
    const value = { list: [{ name: 'a' }], nested: { deep: { n: 1 } } };
    const frozen = deepFreeze(value);
    expect(frozen).toBe(value);
    expect(() => { (value.list[0] as { name: string }).name = 'b'; }).toThrow(TypeError);
    expect(() => value.list.push({ name: 'c' })).toThrow(TypeError);
    expect(() => { value.nested.deep.n = 2; }).toThrow(TypeError);
  });

  it('leaves class instances alone and survives cycles', () => {
    const when = new Date(0);
    const cyclic: { self?: unknown; when: Date } = { when };
    cyclic.self = cyclic;
    deepFreeze(cyclic);
    expect(Object.isFrozen(cyclic)).toBe(true);
    expect(Object.isFrozen(when)).toBe(false);
  });
});

describe('assertNever', () => {
  it('names what was not handled', () => {
    expect(() => assertNever('cube' as never, 'shape')).toThrow('Unhandled shape: "cube"');
  });
});

describe('isRecord', () => {
  it('accepts plain objects only', () => {
    expect([{}, Object.create(null), JSON.parse('{"a":1}')].map(isRecord)).toEqual([true, true, true]);
    expect([null, undefined, [], new Date(), new Map(), 'x', 1, () => 1].some(isRecord)).toBe(false);
  });
});

describe('byCodePoint', () => {
  it('sorts capitals first and emoji last', () => {
    expect(['é', 'alpha', 'Zeta', '😀', '\uffee'].toSorted(byCodePoint)).toEqual(['Zeta', 'alpha', 'é', '\uffee', '😀']);
  });

  it('agrees with a comparison of the code points themselves', () => {
    const points = (text: string): number[] => [...text].map((char) => char.codePointAt(0) ?? 0);
    const compare = (a: string, b: string): number => {
      const [left, right] = [points(a), points(b)];
      const at = left.findIndex((point, index) => point !== right[index]);
      return at === -1 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
    };
    fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(Math.sign(byCodePoint(a, b))).toBe(Math.sign(compare(a, b)));
    }));
  });
});

describe('casing', () => {
  it.each([
    ['blog-post', ['blog', 'post']],
    ['publishedAt', ['published', 'At']],
    ['HTMLParser2go', ['HTML', 'Parser', '2', 'go']],
    ['plugin::users-permissions.user', ['plugin', 'users', 'permissions', 'user']],
    ['__weird--name  ', ['weird', 'name']],
    ['überGroß', ['über', 'Groß']],
    ['', []],
  ])('splits %s', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it.each([
    ['blog-post', 'blogPost', 'BlogPost', 'blog_post', 'blog-post'],
    ['seoTitle2', 'seoTitle2', 'SeoTitle2', 'seo_title_2', 'seo-title-2'],
    ['XMLHttpRequest', 'xmlHttpRequest', 'XmlHttpRequest', 'xml_http_request', 'xml-http-request'],
  ])('%s in every casing', (text, camel, pascal, snake, kebab) => {
    expect([camelCase(text), pascalCase(text), snakeCase(text), kebabCase(text)]).toEqual([camel, pascal, snake, kebab]);
  });

  it('changes only the first letter', () => {
    expect([upperFirst('aBC'), lowerFirst('ABC'), upperFirst(''), lowerFirst('')]).toEqual(['ABC', 'aBC', '', '']);
  });
});

describe('nearest', () => {
  const types = ['article', 'author', 'category', 'tag'];

  it.each([
    ['artcile', 'article'],
    ['Article', 'article'],
    ['cat', 'category'],
    ['tga', 'tag'],
    ['autor', 'author'],
    ['zebra', undefined],
    ['xyz', undefined],
    ['', undefined],
  ])('%s → %s', (text, expected) => {
    expect(nearest(text, types)).toBe(expected);
  });

  it('prefers the closest of several', () => {
    expect(nearest('lists', ['lisp', 'list', 'lists!'])).toBe('lists!');
    expect(nearest('lost', ['last', 'lot', 'lost'])).toBe('lost');
  });
});
