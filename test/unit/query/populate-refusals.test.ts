import { describe, expect, it } from 'vitest';
import type { PopulateNode } from '../../../src/query/query.js';
import { modelFrom } from '../../support/models.js';
import { ARTICLE, CATEGORY, LIMITS, populateOf, refusal, TAG } from './reading.js';

const article = (populate: unknown): readonly PopulateNode[] => populateOf(ARTICLE, populate);

describe('refused', () => {
  it.each([
    [true, 'populate'],
    ['true', 'populate.true'],
    [7, 'populate'],
    [[{ author: true }], 'populate'],
    [[null], 'populate'],
    [['*'], 'populate.*'],
    ['author,*', 'populate.*'],
    ['author.*', 'populate.author.*'],
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
    [{ author: { populate: { profile: { populate: 'nope' } } } }, 'populate.author.populate.profile.populate.nope'],
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
    [{ seo: { filters: { metaTitle: 'x' } } }, 'populate.seo.filters'],
    [{ seo: { count: true } }, 'populate.seo.count'],
    [{ sections: { fields: ['text'] } }, 'populate.sections.fields'],
    [{ sections: { populate: ['tags'] } }, 'populate.sections.populate'],
    [{ sections: { populate: { tags: true } } }, 'populate.sections.populate'],
    [{ sections: { on: 'sections.quote' } }, 'populate.sections.on'],
    [{ sections: { on: { 'sections.nope': true } } }, 'populate.sections.on.sections.nope'],
    [{ sections: { on: { constructor: true } } }, 'populate.sections.on.constructor'],
    [{ sections: { on: { 'sections.quote': 'x' } } }, 'populate.sections.on.sections.quote'],
    [{ sections: { on: { 'sections.quote': { sort: 'text' } } } }, 'populate.sections.on.sections.quote.sort'],
    [{ sections: { on: { 'sections.quote': { populate: 'nope' } } } }, 'populate.sections.on.sections.quote.populate.nope'],
  ])('%j', (populate, parameter) => {
    const { code, message } = refusal(() => article(populate));
    expect(code).toBe('request/invalid-parameter');
    expect(message).toContain(`Invalid parameter ${parameter}: `);
  });

  it('both ways of pagination at once', () => {
    expect(refusal(() => article({ tags: { pagination: { page: 1, limit: 2 } } })).code).toBe('request/pagination-mixed');
    expect(refusal(() => article({ tags: { limit: 1, pagination: { page: 2 } } })).code).toBe('request/pagination-mixed');
  });

  it('private relations, which * leaves out', () => {
    const model = modelFrom({ types: { tag: { attributes: {} }, note: { attributes: { tag: { type: 'relation', relation: 'oneToOne', target: TAG, private: true } } } } });
    expect(populateOf('api::note.note', '*', { model })).toEqual([]);
    expect(refusal(() => populateOf('api::note.note', 'tag', { model })).code).toBe('request/invalid-parameter');
  });

  it('ignores __proto__', () => {
    expect(article(JSON.parse('{"__proto__": {"tags": true}, "author": {"__proto__": {"nope": 1}}}'))).toEqual(article('author'));
  });
});

describe('limits', () => {
  const deep = (levels: number): unknown => Array.from({ length: levels - 1 }).reduce<unknown>((inner) => ({ parent: { populate: inner } }), { parent: true });

  it('counts levels of populate', () => {
    expect(populateOf(CATEGORY, deep(LIMITS.populateDepth))).toHaveLength(1);
    expect(refusal(() => populateOf(CATEGORY, deep(LIMITS.populateDepth + 1)))).toMatchObject({ code: 'request/query-too-deep', kind: 'validation' });
    expect(refusal(() => populateOf(CATEGORY, deep(10_000))).code).toBe('request/query-too-deep');
    expect(refusal(() => populateOf(CATEGORY, Array.from({ length: 7 }, () => 'parent').join('.'))).code).toBe('request/query-too-deep');
    expect(refusal(() => populateOf(CATEGORY, Array.from({ length: 10_000 }, () => 'parent').join('.'))).code).toBe('request/invalid-parameter');
  });

  it('counts levels through components and zones', () => {
    const limits = { ...LIMITS, populateDepth: 1 };
    expect(refusal(() => populateOf(ARTICLE, 'seo.social', { limits })).code).toBe('request/query-too-deep');
    expect(refusal(() => populateOf(ARTICLE, { sections: { populate: '*' } }, { limits })).code).toBe('request/query-too-deep');
    expect(populateOf(ARTICLE, 'seo,sections', { limits })).toHaveLength(2);
  });

  it('counts populated attributes, whatever form asks for them', () => {
    const everywhere = (levels: number): unknown => (levels === 0 ? '*' : Object.fromEntries(['author', 'category', 'tags', 'related'].map((name) => [name, { populate: '*' }])));
    const wide = { related: { populate: { related: { populate: everywhere(1) }, tags: { populate: { articles: { populate: everywhere(1) } } } } } };
    expect(article(wide)).toHaveLength(1);
    expect(refusal(() => populateOf(ARTICLE, wide, { limits: { ...LIMITS, maxNodes: 30 } })).code).toBe('request/query-too-large');
  });

  it('shares one count with filters and sort', () => {
    const limits = { ...LIMITS, maxNodes: 3 };
    expect(populateOf(ARTICLE, { tags: { filters: { name: 'a' }, sort: 'name' } }, { limits })).toHaveLength(1);
    expect(refusal(() => populateOf(ARTICLE, { tags: { filters: { name: 'a' }, sort: 'name,weight' } }, { limits })).code).toBe('request/query-too-large');
  });

  it('refuses thousands of names at the first unknown one', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `name${index}`);
    expect(refusal(() => article(names)).message).toContain('populate.name0:');
    expect(refusal(() => article(Object.fromEntries(names.map((name) => [name, true])))).message).toContain('populate.name0:');
  });
});
