import { describe, expect, it } from 'vitest';
import type { FilterNode } from '../../../../src/query/query.js';
import { modelFrom } from '../../../support/models.js';
import { and, compare, component, link, linked, not, or } from './filter-nodes.js';
import { ARTICLE, AUTHOR, filterOf, canFindOnly, errorOf, TAG } from './read-helpers.js';

const article = (filters: unknown): FilterNode | null => filterOf(ARTICLE, filters);

describe('filters over relations', () => {
  const ada = compare('name', '$eq', 'Ada');

  it.each([
    [{ author: { name: 'Ada' } }, link('author', ada)],
    [{ author: { name: 'Ada', age: 3 } }, link('author', and(ada, compare('age', '$eq', 3)))],
    [{ author: { $or: [{ name: 'Ada' }, { age: 3 }] } }, link('author', or(ada, compare('age', '$eq', 3)))],
    [
      { author: { profile: { nickname: 'ada' } } },
      link('author', link('profile', compare('nickname', '$eq', 'ada'))),
    ],
    [{ author: '7' }, link('author', compare('id', '$eq', 7))],
    [{ author: 'bx1a' }, link('author', compare('id', '$in', []))],
    [{ author: true }, link('author', compare('id', '$in', []))],
    [{ author: ['7'] }, link('author', compare('id', '$in', [7]))],
    [{ cover: { ext: '.png' } }, link('cover', compare('ext', '$eq', '.png'))],
    [{ cover: 7 }, link('cover', compare('id', '$eq', 7))],
    [{ gallery: { $notNull: true } }, linked('gallery', false)],
    [{ author: { $in: [7, 8] } }, link('author', compare('id', '$in', [7, 8]))],
    [{ author: { id: { $gt: 7 } } }, link('author', compare('id', '$gt', 7))],
    [{ author: { $null: true } }, linked('author', true)],
    [{ author: { $null: 'false' } }, linked('author', false)],
    [{ author: { $notNull: true } }, linked('author', false)],
    [{ author: null }, linked('author', true)],
    [{ author: {} }, null],
    [{ author: { $notNull: true, name: 'Ada' } }, and(linked('author', false), link('author', ada))],
    [{ author: { $not: { name: 'Ada' } } }, link('author', not(ada))],
    [{ author: { $not: { $null: true } } }, linked('author', false)],
    [{ $not: { author: { name: 'Ada' } } }, link('author', not(ada))],
    [{ tags: { $and: [{ name: 'a' }] } }, link('tags', compare('name', '$eq', 'a'))],
    [
      { $and: [{ tags: { name: 'a' } }, { tags: { name: 'b' } }] },
      and(link('tags', compare('name', '$eq', 'a')), link('tags', compare('name', '$eq', 'b'))),
    ],
  ])('%j', (filters, expected) => {
    expect(article(filters)).toEqual(expected);
  });

  it('compare a missing record as if all its fields were null', () => {
    const noName = compare('name', '$null', true);
    expect(article({ author: { name: { $null: true } } })).toEqual(
      or(link('author', noName), linked('author', true)),
    );
    expect(article({ author: { id: { $null: true } } })).toEqual(
      or(link('author', compare('id', '$null', true)), linked('author', true)),
    );
    expect(article({ author: { name: { $notNull: true } } })).toEqual(
      link('author', compare('name', '$notNull', true)),
    );
    expect(article({ author: { profile: { $null: true } } })).toEqual(
      or(link('author', linked('profile', true)), linked('author', true)),
    );
    expect(article({ author: { name: null, age: 3 } })).toEqual(
      link('author', and(noName, compare('age', '$eq', 3))),
    );
    expect(article({ author: { $or: [{ name: null }, { age: 3 }] } })).toEqual(
      or(link('author', or(noName, compare('age', '$eq', 3))), linked('author', true)),
    );
    expect(article({ author: { age: { $not: 3 } } })).toEqual(link('author', not(compare('age', '$eq', 3))));
  });

  it('match a missing record with the negation of what they do not match', () => {
    const named = compare('name', '$notNull', false);
    expect(article({ $not: { author: { name: { $notNull: true } } } })).toEqual(
      or(link('author', named), linked('author', true)),
    );
    expect(article({ $not: { author: { name: { $null: true } } } })).toEqual(
      and(link('author', compare('name', '$null', false)), linked('author', false)),
    );
  });

  it('reach built-in types', () => {
    const user = 'plugin::users-permissions.user';
    const model = modelFrom({
      types: { note: { attributes: { owner: { type: 'relation', relation: 'manyToOne', target: user } } } },
    });
    expect(filterOf('api::note.note', { owner: { username: 'ann' } }, { model })).toEqual(
      link('owner', compare('username', '$eq', 'ann')),
    );
    expect(filterOf(user, { role: { type: 'public' } })).toEqual(
      link('role', compare('type', '$eq', 'public')),
    );
    expect(filterOf('plugin::upload.file', { ext: '.txt' })).toEqual(compare('ext', '$eq', '.txt'));
    expect(errorOf(() => filterOf('api::note.note', { owner: { password: 'x' } }, { model })).code).toBe(
      'request/invalid-parameter',
    );
    expect(
      errorOf(() => filterOf('api::note.note', { owner: { resetPasswordToken: 'x' } }, { model })).code,
    ).toBe('request/invalid-parameter');
  });

  it('require the find permission on every target', () => {
    const author = { author: { name: 'Ada' } };
    expect(errorOf(() => filterOf(ARTICLE, author, canFindOnly(ARTICLE))).message).toContain(
      'api::author.author',
    );
    expect(errorOf(() => filterOf(ARTICLE, { author: { $null: true } }, canFindOnly(ARTICLE))).code).toBe(
      'request/invalid-parameter',
    );
    expect(errorOf(() => filterOf(ARTICLE, { $or: [{ $not: author }] }, canFindOnly(ARTICLE))).code).toBe(
      'request/invalid-parameter',
    );
    expect(
      errorOf(() =>
        filterOf(ARTICLE, { author: { profile: { nickname: 'a' } } }, canFindOnly(ARTICLE, AUTHOR)),
      ).message,
    ).toContain('api::profile.profile');
    expect(
      errorOf(() => filterOf(ARTICLE, { links: { tag: { name: 'a' } } }, canFindOnly(ARTICLE))).message,
    ).toContain(TAG);
    expect(filterOf(ARTICLE, author, canFindOnly(AUTHOR))).toEqual(link('author', ada));
  });
});

describe('filters over components', () => {
  it.each([
    [{ seo: { metaTitle: 'One' } }, component('seo', compare('metaTitle', '$eq', 'One'))],
    [
      { seo: { canonical: { $null: true } } },
      or(component('seo', compare('canonical', '$null', true)), {
        kind: 'component-empty',
        attribute: 'seo',
        empty: true,
      }),
    ],
    [
      { links: { label: { $null: true } } },
      or(component('links', compare('label', '$null', true)), {
        kind: 'component-empty',
        attribute: 'links',
        empty: true,
      }),
    ],
    [{ links: { label: 'L' } }, component('links', compare('label', '$eq', 'L'))],
    [
      { links: { external: 'true', label: { $contains: 'x' } } },
      component('links', and(compare('external', '$eq', true), compare('label', '$contains', 'x'))),
    ],
    [
      { seo: { social: { network: 'bluesky' } } },
      component('seo', component('social', compare('network', '$eq', 'bluesky'))),
    ],
    [{ links: { tag: { name: 'a' } } }, component('links', link('tag', compare('name', '$eq', 'a')))],
    [{ seo: { $null: true } }, { kind: 'component-empty', attribute: 'seo', empty: true }],
    [{ seo: { $notNull: true } }, { kind: 'component-empty', attribute: 'seo', empty: false }],
    [{ links: { id: 3 } }, component('links', compare('id', '$eq', 3))],
    [{ $not: { seo: { metaTitle: 'One' } } }, component('seo', not(compare('metaTitle', '$eq', 'One')))],
  ])('%j', (filters, expected) => {
    expect(article(filters)).toEqual(expected);
  });
});

describe('filters over files', () => {
  const asClient = { access: { canFind: () => false, isOfClient: true } };
  const filesOf = (filters: unknown): FilterNode | null => filterOf(ARTICLE, filters, asClient);

  it('need no permission, as populating them does not', () => {
    expect(filesOf({ cover: { mime: { $startsWith: 'image/' } } })).toEqual(
      link('cover', compare('mime', '$startsWith', 'image/')),
    );
    expect(filesOf({ seo: { image: { $null: true } } })).toMatchObject({ kind: 'or' });
  });

  it('take the name with an operator only, as it was recorded', () => {
    expect(filesOf({ cover: { name: { $eq: 'x' } } })).toEqual(link('cover', compare('name', '$eq', 'x')));
    expect(errorOf(() => filesOf({ cover: { name: 'x' } })).message).toContain(
      'write filters[cover][name][$eq]',
    );
  });

  it('see only the attributes that the caller may see of files', () => {
    const scopeOf = () => ({ fields: new Set(['name']), filter: null });
    const options = { access: { ...asClient.access, scopeOf } };
    expect(errorOf(() => filterOf(ARTICLE, { cover: { url: 'x' } }, options)).message).toContain(
      'no such attribute',
    );
  });
});
