import { describe, expect, it } from 'vitest';
import { defaultSelection } from '../../../../src/query/parse/server-queries.js';
import type { SortNode } from '../../../../src/query/query.js';
import { modelFrom } from '../../../support/models.js';
import {
  ARTICLE,
  AUTHOR,
  CATEGORY,
  canFindOnly,
  LIMITS,
  magazine,
  read,
  errorOf,
  TAG,
} from './read-helpers.js';
import type { ReadTestOptions } from './read-helpers.js';

const sortOf = (type: string, sort: unknown, options: ReadTestOptions = {}): readonly SortNode[] =>
  read(type, { sort }, options).sort;
const fieldsOf = (type: string, fields: unknown): readonly string[] =>
  read(type, { fields }).selection.fields;
const by = (path: string, direction = 'asc') => ({ path: path.split('.'), direction });

describe('sort', () => {
  it.each([
    [undefined, []],
    [null, []],
    ['', []],
    [',', []],
    [[], []],
    [[null], []],
    [{}, []],
    [{ title: '' }, []],
    ['title', [by('title')]],
    ['title:asc', [by('title')]],
    ['title:DESC', [by('title', 'desc')]],
    [' title : desc ', [by('title', 'desc')]],
    ['views:desc,title', [by('views', 'desc'), by('title')]],
    ['views:desc, title,', [by('views', 'desc'), by('title')]],
    [
      ['views:desc', 'title'],
      [by('views', 'desc'), by('title')],
    ],
    [['views:desc,title'], [by('views', 'desc'), by('title')]],
    [{ 0: 'views', 1: 'title' }, [by('views'), by('title')]],
    [{ title: 'desc' }, [by('title', 'desc')]],
    [{ views: 'DESC', title: 'asc' }, [by('views', 'desc'), by('title')]],
    [
      [{ views: 'asc' }, { title: 'desc' }],
      [by('views'), by('title', 'desc')],
    ],
    [
      ['views', { title: 'desc' }],
      [by('views'), by('title', 'desc')],
    ],
    ['author.name:desc', [by('author.name', 'desc')]],
    ['author.profile.nickname', [by('author.profile.nickname')]],
    [{ author: { age: 'desc', name: 'asc' } }, [by('author.age', 'desc'), by('author.name')]],
    ['category.parent.parent.name', [by('category.parent.parent.name')]],
    ['seo.metaTitle', [by('seo.metaTitle')]],
    ['cover.name', [by('cover.name')]],
    ['tags.name:desc,gallery.name', [by('tags.name', 'desc'), by('gallery.name')]],
    [{ links: { tag: { name: 'desc' } } }, [by('links.tag.name', 'desc')]],
    [
      'id:desc,documentId,createdAt,updatedAt,publishedAt,locale',
      [
        by('id', 'desc'),
        ...['documentId', 'createdAt', 'updatedAt', 'publishedAt', 'locale'].map((name) => by(name)),
      ],
    ],
  ])('%j', (sort, expected) => {
    expect(sortOf(ARTICLE, sort)).toEqual(expected);
  });

  it.each([
    [7, 'sort'],
    [true, 'sort'],
    [[['title']], 'sort'],
    ['nope', 'sort.nope'],
    ['title:up', 'sort'],
    ['title:', 'sort'],
    ['title:asc:desc', 'sort'],
    [{ title: 'up' }, 'sort'],
    [{ title: 1 }, 'sort'],
    [{ title: null }, 'sort'],
    [{ title: { name: 'asc' } }, 'sort.title'],
    ['author', 'sort.author'],
    [{ author: 'asc' }, 'sort.author'],
    ['author.nope', 'sort.author.nope'],
    ['author.name.nope', 'sort.author.name'],
    ['.title', 'sort.'],
    ['author..name', 'sort.author.'],
    ['tags', 'sort.tags'],
    ['tags.nope', 'sort.tags.nope'],
    ['links.nope', 'sort.links.nope'],
    ['sections.text', 'sort.sections'],
    ['seo', 'sort.seo'],
    ['extra', 'sort.extra'],
    ['content', 'sort.content'],
    ['secret', 'sort.secret'],
    ['internalNote', 'sort.internalNote'],
    ['createdBy.id', 'sort.createdBy'],
    ['constructor', 'sort.constructor'],
    ['author.__proto__', 'sort.author.__proto__'],
  ])('refuses %j', (sort, parameter) => {
    const { code, message } = errorOf(() => sortOf(ARTICLE, sort));
    expect(code).toBe('request/invalid-parameter');
    expect(message).toContain(`Invalid parameter ${parameter}: `);
  });

  it('requires the find permission on every relation of its path', () => {
    expect(errorOf(() => sortOf(ARTICLE, 'author.name', canFindOnly(ARTICLE))).message).toContain(AUTHOR);
    expect(errorOf(() => sortOf(CATEGORY, 'articles.title', canFindOnly(CATEGORY))).message).toContain(
      ARTICLE,
    );
    expect(sortOf(ARTICLE, 'author.name,cover.name', canFindOnly(AUTHOR))).toHaveLength(2);
  });

  it('refuses very long paths, deeply nested objects and too many keys', () => {
    const path = `${'parent.'.repeat(5_000)}name`;
    const object = Array.from({ length: 5_000 }).reduce<unknown>((inner) => ({ parent: inner }), {
      name: 'asc',
    });
    expect(errorOf(() => sortOf(CATEGORY, path)).code).toBe('request/query-too-deep');
    expect(errorOf(() => sortOf(CATEGORY, object)).code).toBe('request/query-too-deep');
    expect(errorOf(() => sortOf(TAG, 'name,'.repeat(5_000))).code).toBe('request/query-too-large');
    const deep = `${'parent.'.repeat(10)}name`;
    expect(errorOf(() => sortOf(CATEGORY, `${deep},`.repeat(100))).code).toBe('request/query-too-large');
    expect(errorOf(() => sortOf(TAG, ':'.repeat(1_000_000))).message).toContain('longer than');
  });
});

describe('fields', () => {
  const tagFields = ['name', 'weight', 'label', 'createdAt', 'updatedAt', 'publishedAt'];

  it.each([
    [undefined, tagFields],
    [null, tagFields],
    ['', tagFields],
    ['*', tagFields],
    [['*'], tagFields],
    ['*,name,id', tagFields],
    ['name', ['name']],
    ['weight,name', ['name', 'weight']],
    [' weight , name ', ['name', 'weight']],
    [
      ['createdAt', 'name'],
      ['name', 'createdAt'],
    ],
    [['weight,name'], ['name', 'weight']],
    [{ 0: 'weight', 1: 'name' }, ['name', 'weight']],
    [['name', 'name'], ['name']],
    [['id', 'documentId', 'label'], ['label']],
    ['id', []],
    [[], []],
  ])('%j', (fields, expected) => {
    expect(fieldsOf(TAG, fields)).toEqual(expected);
  });

  it.each([
    ['nope', 'fields.nope'],
    [['title', 'nope'], 'fields.nope'],
    ['*,nope', 'fields.nope'],
    [['*', 'secret'], 'fields.secret'],
    ['author', 'fields.author'],
    ['seo', 'fields.seo'],
    ['cover', 'fields.cover'],
    ['sections', 'fields.sections'],
    ['author.name', 'fields.author.name'],
    ['secret', 'fields.secret'],
    ['internalNote', 'fields.internalNote'],
    ['localizations', 'fields.localizations'],
    ['constructor', 'fields.constructor'],
    [7, 'fields'],
    [{ title: true }, 'fields'],
    [[['title']], 'fields'],
    [[null], 'fields'],
  ])('refuses %j', (fields, parameter) => {
    const { code, message } = errorOf(() => fieldsOf(ARTICLE, fields));
    expect(code).toBe('request/invalid-parameter');
    expect(message).toContain(`Invalid parameter ${parameter}: `);
  });

  it('accepts locale on localised types only', () => {
    expect(fieldsOf(ARTICLE, 'locale')).toEqual(['locale']);
    expect(errorOf(() => fieldsOf(TAG, 'locale')).message).toContain('fields.locale');
  });
});

describe('the default selection', () => {
  it('is all public scalar attributes but passwords in model order, and the timestamps', () => {
    const { fields, populate } = defaultSelection(magazine, ARTICLE);
    expect(populate).toEqual([]);
    expect(fields).toEqual([
      'title',
      'slug',
      'summary',
      'body',
      'content',
      'kind',
      'rating',
      'views',
      'reads',
      'score',
      'featured',
      'eventDate',
      'eventTime',
      'startsAt',
      'contactEmail',
      'extra',
      'createdAt',
      'updatedAt',
      'publishedAt',
      'locale',
    ]);
    expect(defaultSelection(magazine, 'plugin::users-permissions.user').fields).toEqual([
      'username',
      'email',
      'provider',
      'confirmed',
      'blocked',
      'createdAt',
      'updatedAt',
      'publishedAt',
    ]);
  });

  it('is the selection of a read without parameters', () => {
    for (const type of magazine.types)
      expect(read(type.uid, {}).selection).toEqual(defaultSelection(magazine, type.uid));
  });

  it('includes attributes named like members of Object', () => {
    const model = modelFrom({
      types: { odd: { attributes: { constructor: { type: 'string' }, valueOf: { type: 'integer' } } } },
    });
    expect(
      read(
        'api::odd.odd',
        { fields: 'constructor', filters: { valueOf: '1' }, sort: 'constructor' },
        { model, limits: LIMITS },
      ),
    ).toMatchObject({
      selection: { fields: ['constructor'] },
      filter: { field: 'valueOf', operand: 1 },
      sort: [{ path: ['constructor'] }],
    });
  });
});
