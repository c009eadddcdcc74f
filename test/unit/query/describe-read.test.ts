import { describe, expect, it } from 'vitest';
import type { RawReadParams } from '../../../src/query/read-context.js';
import { typesRead } from '../../../src/query/describe-read.js';
import { modelFrom } from '../../support/models.js';
import { ARTICLE, AUTHOR, CATEGORY, magazine, read, TAG } from './parse/read-helpers.js';

const FILE = 'plugin::upload.file';

const typesOf = (params: RawReadParams, type = ARTICLE) => typesRead(magazine, read(type, params));

describe('the types that a query reads from', () => {
  it('are that of its records', () => {
    expect(typesOf({})).toEqual([ARTICLE]);
    expect(typesOf({ sort: 'title', filters: { title: { $contains: 'a' } } })).toEqual([ARTICLE]);
  });

  it('are those that it filters by, also where only the number of links matters', () => {
    expect(typesOf({ filters: { author: { name: 'Ann' } } })).toEqual([ARTICLE, AUTHOR]);
    expect(typesOf({ filters: { $or: [{ title: 'a' }, { tags: { name: 'red' } }] } })).toEqual([
      ARTICLE,
      TAG,
    ]);
    expect(typesOf({ filters: { $not: { category: { parent: { name: 'a' } } } } })).toEqual([
      ARTICLE,
      CATEGORY,
    ]);
    expect(typesOf({ filters: { author: { $null: true } } })).toEqual([ARTICLE, AUTHOR]);
  });

  it('are those that it sorts by', () => {
    expect(typesOf({ sort: 'author.name' })).toEqual([ARTICLE, AUTHOR]);
    expect(typesOf({ sort: 'author.articles.category.name' })).toEqual([ARTICLE, AUTHOR, CATEGORY]);
  });

  it('are those that it populates, with what these filter, sort and populate by', () => {
    expect(typesOf({ populate: 'tags' })).toEqual([ARTICLE, TAG]);
    expect(typesOf({ populate: { author: { populate: ['avatar'] } } })).toEqual([ARTICLE, AUTHOR, FILE]);
    expect(
      typesOf({ populate: { tags: { filters: { articles: { author: { name: 'a' } } }, fields: ['name'] } } }),
    ).toEqual([ARTICLE, AUTHOR, TAG]);
    expect(typesOf({ populate: { tags: { sort: 'articles.category.name' } } })).toEqual([
      ARTICLE,
      CATEGORY,
      TAG,
    ]);
  });

  it('are those of other locales and of counts', () => {
    expect(typesOf({ populate: 'localizations' })).toEqual([ARTICLE]);
    expect(typesOf({ filters: { localizations: { tags: { name: 'x' } } } })).toEqual([ARTICLE, TAG]);
    expect(typesOf({ sort: 'localizations.author.name' })).toEqual([ARTICLE, AUTHOR]);
    expect(typesOf({ populate: { tags: { count: true } } })).toEqual([ARTICLE, TAG]);
  });

  it('are those that components link', () => {
    const { types } = magazine;
    const everything = typesOf({ populate: '*' });
    expect(types.map(({ uid }) => uid)).toEqual(expect.arrayContaining([...everything]));
    const model = modelFrom({
      types: {
        page: { attributes: { parts: { type: 'dynamiczone', components: ['part.quote', 'part.text'] } } },
        person: { attributes: { name: { type: 'string' } } },
      },
      components: {
        'part.quote': {
          attributes: { by: { type: 'relation', relation: 'oneToOne', target: 'api::person.person' } },
        },
        'part.text': {
          attributes: { text: { type: 'string' }, image: { type: 'media', multiple: false } },
        },
      },
    });
    const partsOf = (on: object) =>
      typesRead(model, read('api::page.page', { populate: { parts: { on } } }, { model }));
    expect(partsOf({ 'part.quote': { populate: '*' } })).toEqual(['api::page.page', 'api::person.person']);
    expect(partsOf({ 'part.text': { populate: '*' } })).toEqual(['api::page.page', FILE]);
  });

  it('are those that a condition of the caller names', () => {
    const access = {
      canFind: () => true,
      scopeOf: (uid: string) =>
        uid === TAG
          ? {
              fields: null,
              filter: {
                kind: 'link' as const,
                attribute: 'articles',
                filter: { kind: 'link-empty' as const, attribute: 'author', empty: true },
              },
            }
          : null,
    };
    expect(
      typesRead(magazine, read(CATEGORY, { populate: { articles: { populate: 'tags' } } }, { access })),
    ).toEqual([ARTICLE, AUTHOR, CATEGORY, TAG]);
  });
});
