import { describe, expect, it } from 'vitest';
import type { PopulateNode } from '../../../../src/query/query.js';
import { modelFrom } from '../../../support/models.js';
import { ARTICLE, CATEGORY, LIMITS, populateOf, errorOf, TAG } from './read-helpers.js';

const article = (populate: unknown): readonly PopulateNode[] => populateOf(ARTICLE, populate);

describe('refused populate parameters', () => {
  it.each([
    [true, 'populate'],
    ['true', 'populate.true'],
    [7, 'populate'],
    [[null], 'populate'],
    [{ '*': { fields: 'name' } }, 'populate.*'],
    ['*.author', 'populate.*'],
    [['*', 'nope'], 'populate.nope'],
    [['*', 'author.nope'], 'populate.author.nope'],
    ['nope', 'populate.nope'],
    [{ nope: true }, 'populate.nope'],
    [{ nope: false }, 'populate.nope'],
    ['title', 'populate.title'],
    ['createdBy', 'populate.createdBy'],
    ['author.nope', 'populate.author.nope'],
    ['author.name', 'populate.author.name'],
    ['author.', 'populate.author.'],
    ['seo.nope', 'populate.seo.nope'],
    ['sections.nope', 'populate.sections.nope'],
    ['sections.text', 'populate.sections.text'],
    ['constructor', 'populate.constructor'],
    [{ 'author.profile': true }, 'populate.author.profile'],
    [{ author: 'profile' }, 'populate.author'],
    [{ author: ['profile'] }, 'populate.author'],
    [{ author: { populate: 'nope' } }, 'populate.author.populate.nope'],
    [
      { author: { populate: { profile: { populate: 'nope' } } } },
      'populate.author.populate.profile.populate.nope',
    ],
    [{ author: { fields: ['nope'] } }, 'populate.author.fields.nope'],
    [{ author: { sort: 'nope' } }, 'populate.author.sort.nope'],
    [{ author: { filters: { nope: 1 } } }, 'populate.author.filters.nope'],
    [{ author: { filters: 'text' } }, 'populate.author.filters'],
    [{ author: { nope: 1 } }, 'populate.author.nope'],
    [{ author: { profile: true } }, 'populate.author.profile'],
    [{ author: { on: { 'sections.quote': true } } }, 'populate.author.on'],
    [{ author: { status: 'draft' } }, 'populate.author.status'],
    [{ tags: { count: 'many' } }, 'populate.tags.count'],
    [{ tags: { limit: 'x' } }, 'populate.tags.limit'],
    [{ tags: { pagination: 'x' } }, 'populate.tags.pagination'],
    [{ seo: { filters: { nope: 'x' } } }, 'populate.seo.filters.nope'],
    [{ links: { sort: 'nope' } }, 'populate.links.sort.nope'],
    [{ links: { limit: 1 } }, 'populate.links.limit'],
    [{ localizations: { sort: 'nope' } }, 'populate.localizations.sort.nope'],
    [{ seo: { count: true } }, 'populate.seo.count'],
    [{ sections: { fields: ['text'] } }, 'populate.sections.fields'],
    [{ sections: { populate: ['tags'] } }, 'populate.sections.populate'],
    [{ sections: { populate: { tags: true } } }, 'populate.sections.populate'],
    [{ sections: { on: 'sections.quote' } }, 'populate.sections.on'],
    [{ sections: { on: { 'sections.nope': true } } }, 'populate.sections.on.sections.nope'],
    [{ sections: { on: { constructor: true } } }, 'populate.sections.on.constructor'],
    [{ sections: { on: { 'sections.quote': 'x' } } }, 'populate.sections.on.sections.quote'],
    [
      { sections: { on: { 'sections.quote': { sort: 'nope' } } } },
      'populate.sections.on.sections.quote.sort.nope',
    ],
    [
      { sections: { on: { 'sections.quote': { filters: { nope: 1 } } } } },
      'populate.sections.on.sections.quote.filters.nope',
    ],
    [
      { sections: { on: { 'sections.quote': { count: true } } } },
      'populate.sections.on.sections.quote.count',
    ],
    [
      { sections: { on: { 'sections.quote': { populate: 'nope' } } } },
      'populate.sections.on.sections.quote.populate.nope',
    ],
  ])('%j', (populate, parameter) => {
    const { code, message } = errorOf(() => article(populate));
    expect(code).toBe('request/invalid-parameter');
    expect(message).toContain(`Invalid parameter ${parameter}: `);
  });

  it('refuses page and start in one pagination', () => {
    expect(errorOf(() => article({ tags: { pagination: { page: 1, limit: 2 } } })).code).toBe(
      'request/mixed-pagination',
    );
    expect(errorOf(() => article({ tags: { limit: 1, pagination: { page: 2 } } })).code).toBe(
      'request/mixed-pagination',
    );
  });

  it('refuses private relations, which * leaves out', () => {
    const model = modelFrom({
      types: {
        tag: { attributes: {} },
        note: { attributes: { tag: { type: 'relation', relation: 'oneToOne', target: TAG, private: true } } },
      },
    });
    expect(populateOf('api::note.note', '*', { model })).toEqual([]);
    expect(errorOf(() => populateOf('api::note.note', 'tag', { model })).code).toBe(
      'request/invalid-parameter',
    );
  });

  it('ignores __proto__', () => {
    expect(
      article(JSON.parse('{"__proto__": {"tags": true}, "author": {"__proto__": {"nope": 1}}}')),
    ).toEqual(article('author'));
  });
});

describe('limits', () => {
  const deep = (levels: number): unknown =>
    Array.from({ length: levels - 1 }).reduce<unknown>((inner) => ({ parent: { populate: inner } }), {
      parent: true,
    });

  it('limits the depth of populate', () => {
    expect(populateOf(CATEGORY, deep(LIMITS.populateDepth))).toHaveLength(1);
    expect(errorOf(() => populateOf(CATEGORY, deep(LIMITS.populateDepth + 1)))).toMatchObject({
      code: 'request/query-too-deep',
      kind: 'validation',
    });
    expect(errorOf(() => populateOf(CATEGORY, deep(10_000))).code).toBe('request/query-too-deep');
    expect(
      errorOf(() => populateOf(CATEGORY, Array.from({ length: 7 }, () => 'parent').join('.'))).code,
    ).toBe('request/query-too-deep');
    expect(
      errorOf(() => populateOf(CATEGORY, Array.from({ length: 10_000 }, () => 'parent').join('.'))).code,
    ).toBe('request/invalid-parameter');
  });

  it('counts components and dynamic zones as levels', () => {
    const limits = { ...LIMITS, populateDepth: 1 };
    expect(errorOf(() => populateOf(ARTICLE, 'seo.social', { limits })).code).toBe('request/query-too-deep');
    expect(errorOf(() => populateOf(ARTICLE, { sections: { populate: '*' } }, { limits })).code).toBe(
      'request/query-too-deep',
    );
    expect(populateOf(ARTICLE, 'seo,sections', { limits })).toHaveLength(2);
  });

  it('limits the number of populated attributes, in every form of populate', () => {
    const everywhere = (levels: number): unknown =>
      levels === 0
        ? '*'
        : Object.fromEntries(
            ['author', 'category', 'tags', 'related'].map((name) => [name, { populate: '*' }]),
          );
    const wide = {
      related: {
        populate: {
          related: { populate: everywhere(1) },
          tags: { populate: { articles: { populate: everywhere(1) } } },
        },
      },
    };
    expect(article(wide)).toHaveLength(1);
    expect(errorOf(() => populateOf(ARTICLE, wide, { limits: { ...LIMITS, maxNodes: 30 } })).code).toBe(
      'request/query-too-large',
    );
  });

  it('counts populate, filters and sort combined', () => {
    const limits = { ...LIMITS, maxNodes: 3 };
    expect(populateOf(ARTICLE, { tags: { filters: { name: 'a' }, sort: 'name' } }, { limits })).toHaveLength(
      1,
    );
    expect(
      errorOf(() =>
        populateOf(ARTICLE, { tags: { filters: { name: 'a' }, sort: 'name,weight' } }, { limits }),
      ).code,
    ).toBe('request/query-too-large');
  });

  it('refuses thousands of names at the first unknown one', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `name${index}`);
    expect(errorOf(() => article(names)).message).toContain('populate.name0:');
    expect(errorOf(() => article(Object.fromEntries(names.map((name) => [name, true])))).message).toContain(
      'populate.name0:',
    );
  });
});
