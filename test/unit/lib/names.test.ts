import { describe, expect, it } from 'vitest';
import {
  camelCase,
  createNamePool,
  kebabCase,
  lowerFirst,
  pascalCase,
  snakeCase,
  upperFirst,
  words,
} from '../../../src/lib/names.js';

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
    expect([camelCase(text), pascalCase(text), snakeCase(text), kebabCase(text)]).toEqual([
      camel,
      pascal,
      snake,
      kebab,
    ]);
  });

  it('changes only the first letter', () => {
    expect([upperFirst('aBC'), lowerFirst('ABC'), upperFirst(''), lowerFirst('')]).toEqual([
      'ABC',
      'aBC',
      '',
      '',
    ]);
  });
});

describe('a name pool', () => {
  it('numbers names that are taken', () => {
    const pool = createNamePool();
    pool.reserve(['tag', 'tag3']);
    expect(['tag', 'tag', 'tag', 'tag2'].map(pool.allocate)).toEqual(['tag2', 'tag4', 'tag5', 'tag22']);
  });

  it('derives names by its own rules', () => {
    const pool = createNamePool({
      fold: (name) => name.toLowerCase(),
      nextCandidate: (name) => `${name}_`,
    });
    expect(['Tag', 'tag', 'TAG'].map(pool.allocate)).toEqual(['Tag', 'tag_', 'TAG__']);
  });
});
