import { describe, expect, it } from 'vitest';
import { defaultSelection } from '../../../src/query/default-selection.js';
import { parsePopulateEntry } from '../../../src/query/parse-populate.js';
import { parseSelection } from '../../../src/query/parse-read-query.js';
import { parseOptions } from '../../../src/query/populate-request.js';
import type { PopulateNode, Selection } from '../../../src/query/query.js';
import { createReadContext, typeOf } from '../../../src/query/read-context.js';
import { modelFrom } from '../../support/models.js';
import { ARTICLE, AUTHOR, CATEGORY, finding, LIMITS, magazine, populateOf, refusal, TAG } from './reading.js';

const FILE = 'plugin::upload.file';
const all = (type: string): Selection => defaultSelection(magazine, type);
const article = (populate: unknown): readonly PopulateNode[] => populateOf(ARTICLE, populate);

const base = (attribute: string) => ({ attribute, key: attribute });
const link = (attribute: string, selection: unknown, options: object = {}) =>
  ({ kind: 'link', ...base(attribute), selection, filter: null, sort: [], slice: null, count: false, ...options });
const component = (attribute: string, ...fields: readonly string[]) => ({ kind: 'component', ...base(attribute), selection: { fields, populate: [] } });
const zone = (attribute: string, on: unknown) => ({ kind: 'zone', ...base(attribute), on });
const plain = (...fields: readonly string[]) => ({ fields, populate: [] });
const withPopulate = (type: string, ...populate: readonly unknown[]) => ({ ...all(type), populate });

const author = link('author', all(AUTHOR));
const tags = link('tags', all(TAG));
const profile = link('profile', all('api::profile.profile'));
const quote = plain('text', 'source');
const related = plain('heading');
const text = plain('body');
const seo = component('seo', 'metaTitle', 'metaDescription', 'canonical');

describe('forms', () => {
  it.each([
    [undefined, []],
    [null, []],
    ['', []],
    [[], []],
    [{}, []],
    ['author', [author]],
    ['author,tags', [author, tags]],
    ['tags, author,', [author, tags]],
    [['author', 'tags'], [author, tags]],
    [['tags,author'], [author, tags]],
    [['author', 'author'], [author]],
    [{ 0: 'author', 1: 'tags' }, [author, tags]],
    [{ author: true }, [author]],
    [{ author: 'true' }, [author]],
    [{ author: '1' }, [author]],
    [{ author: '*' }, [author]],
    [{ author: {} }, [author]],
    [{ author: true, tags: false }, [author]],
    [{ author: true, tags: 'false' }, [author]],
    [{ author: true, tags: '0' }, [author]],
    [{ author: null }, []],
    [{ author: '' }, []],
    ['author.profile', [link('author', withPopulate(AUTHOR, profile))]],
    [['author.profile', 'author'], [link('author', withPopulate(AUTHOR, profile))]],
    [{ author: { populate: 'profile' } }, [link('author', withPopulate(AUTHOR, profile))]],
    [{ author: { populate: ['profile'] } }, [link('author', withPopulate(AUTHOR, profile))]],
    [{ author: { populate: { profile: true } } }, [link('author', withPopulate(AUTHOR, profile))]],
    [['author.profile', 'author.avatar'], [link('author', withPopulate(AUTHOR, link('avatar', all(FILE)), profile))]],
    [
      ['author.profile.favouriteTags', 'category.parent'],
      [
        link('author', withPopulate(AUTHOR, link('profile', withPopulate('api::profile.profile', link('favouriteTags', all(TAG)))))),
        link('category', withPopulate(CATEGORY, link('parent', all(CATEGORY)))),
      ],
    ],
    [{ author: { fields: ['name'] } }, [link('author', plain('name'))]],
    [{ cover: true, gallery: { fields: 'name' } }, [link('cover', all(FILE)), link('gallery', plain('name'))]],
  ])('%j', (populate, expected) => {
    expect(article(populate)).toEqual(expected);
  });

  it('* is one level of everything, localizations included', () => {
    expect(article('*').map((node) => `${node.kind} ${node.attribute}`)).toEqual([
      'link cover', 'link gallery', 'link author', 'link category', 'link tags', 'link related', 'component seo', 'component links', 'zone sections',
      'localizations localizations',
    ]);
    expect(article('*').find((node) => node.attribute === 'author')).toEqual(author);
    expect(article('*').find((node) => node.attribute === 'seo')).toEqual(seo);
    expect(populateOf(TAG, '*').map((node) => node.attribute)).toEqual(['articles']);
    expect(article({ author: { populate: '*' } })).toEqual([
      link('author', withPopulate(AUTHOR, link('avatar', all(FILE)), link('articles', all(ARTICLE)), profile)),
    ]);
  });

  it('takes options of a list', () => {
    const name = { kind: 'compare', field: 'name', operator: '$eq', operand: 'red' };
    expect(article({ tags: { filters: { name: 'red' }, sort: 'name:desc', fields: 'name', populate: { articles: { fields: 'title' } } } })).toEqual([
      link('tags', { fields: ['name'], populate: [link('articles', plain('title'))] }, { filter: name, sort: [{ path: ['name'], direction: 'desc' }] }),
    ]);
  });

  it.each([
    [{ count: true }, { count: true }],
    [{ count: 'true' }, { count: true }],
    [{ count: '1' }, { count: true }],
    [{ count: 'false' }, {}],
    [{ count: null }, {}],
    [{ limit: 2 }, { slice: { offset: 0, limit: 2 } }],
    [{ start: '1', limit: '2' }, { slice: { offset: 1, limit: 2 } }],
    [{ start: 3 }, { slice: { offset: 3, limit: 25 } }],
    [{ limit: 500 }, { slice: { offset: 0, limit: 100 } }],
    [{ limit: -1 }, { slice: { offset: 0, limit: 100 } }],
    [{ pagination: {} }, { slice: { offset: 0, limit: 25 } }],
    [{ pagination: { page: 2, pageSize: 10 } }, { slice: { offset: 10, limit: 10 } }],
    [{ pagination: { start: 1, limit: 5 } }, { slice: { offset: 1, limit: 5 } }],
    [{ pagination: null }, {}],
  ])('tags %j', (options, expected) => {
    expect(article({ tags: options })).toEqual([{ ...tags, ...expected }]);
  });
});

describe('components and dynamic zones', () => {
  const on = { 'sections.quote': quote, 'sections.text': text, 'sections.related': related };

  it.each([
    ['seo', [seo]],
    [['seo'], [seo]],
    [{ seo: { fields: ['metaTitle'] } }, [component('seo', 'metaTitle')]],
    ['seo.social', [{ ...seo, selection: { ...seo.selection, populate: [component('social', 'network', 'handle')] } }]],
    [{ links: { populate: 'tag', fields: 'label' } }, [{ ...component('links', 'label'), selection: { fields: ['label'], populate: [link('tag', all(TAG))] } }]],
    [
      { seo: { populate: '*', fields: [] } },
      [{ ...component('seo'), selection: { fields: [], populate: [link('image', all(FILE)), component('social', 'network', 'handle')] } }],
    ],
    ['sections', [zone('sections', on)]],
    [{ sections: { populate: '*' } }, [zone('sections', { ...on, 'sections.related': { fields: ['heading'], populate: [link('tags', all(TAG))] } })]],
    ['sections.tags', [zone('sections', { ...on, 'sections.related': { fields: ['heading'], populate: [link('tags', all(TAG))] } })]],
    [{ sections: { on: { 'sections.quote': true } } }, [zone('sections', { 'sections.quote': quote })]],
    [{ sections: { on: { 'sections.quote': 'true', 'sections.text': 'false' } } }, [zone('sections', { 'sections.quote': quote })]],
    [{ sections: { on: { 'sections.quote': { fields: ['text'] } } } }, [zone('sections', { 'sections.quote': plain('text') })]],
    [
      { sections: { on: { 'sections.related': { populate: { tags: { fields: 'name' } } } } } },
      [zone('sections', { 'sections.related': { fields: ['heading'], populate: [link('tags', plain('name'))] } })],
    ],
    // One list of components may serve several zones.
    [{ sections: { on: { 'shared.seo': true, 'sections.text': true } } }, [zone('sections', { 'sections.text': text })]],
  ])('%j', (populate, expected) => {
    expect(article(populate)).toEqual(expected);
  });
});

describe('localizations', () => {
  it('are records of the same type', () => {
    expect(article('localizations')).toEqual([{ kind: 'localizations', ...base('localizations'), selection: all(ARTICLE) }]);
    expect(article({ localizations: { fields: ['title', 'locale'] } })).toEqual([{ kind: 'localizations', ...base('localizations'), selection: plain('title', 'locale') }]);
  });

  it('exist on localised types only', () => {
    expect(refusal(() => populateOf(TAG, 'localizations')).message).toContain('populate.localizations');
    expect(refusal(() => article({ localizations: { sort: 'title' } })).message).toContain('populate.localizations.sort');
  });
});

describe('polymorphic relations', () => {
  const relation = (kind: string) => ({ type: 'relation', relation: kind });
  const model = modelFrom({
    types: {
      note: { attributes: { about: relation('morphToOne'), mentions: relation('morphToMany') } },
      page: { attributes: { title: { type: 'string' }, notes: { ...relation('morphMany'), target: 'api::note.note', morphBy: 'mentions' } } },
      place: { attributes: { name: { type: 'string' }, notes: { ...relation('morphMany'), target: 'api::note.note', morphBy: 'mentions' } } },
    },
  });
  const note = (populate: unknown, reading = {}): readonly PopulateNode[] => populateOf('api::note.note', populate, { model, ...reading });
  const [mentions] = note('mentions');

  it('select per type', () => {
    expect(mentions).toMatchObject({ kind: 'morph', attribute: 'mentions', on: { 'api::page.page': { populate: [] }, 'api::place.place': { populate: [] } } });
    expect(note({ mentions: { on: { 'api::page.page': { fields: 'title' } } } })).toEqual([{ kind: 'morph', ...base('mentions'), on: { 'api::page.page': plain('title') } }]);
    expect(note({ mentions: { populate: '*' } })[0]).toMatchObject({ on: { 'api::page.page': { populate: [{ kind: 'link', attribute: 'notes' }] } } });
  });

  it('leave out what the caller may not find', () => {
    const [node] = note('mentions', finding('api::page.page'));
    expect(node).toHaveProperty('on', { 'api::page.page': expect.anything() });
    expect(note('*', finding())).toEqual([]);
    expect(note({ mentions: { on: { 'api::place.place': true, 'api::page.page': true } } }, finding('api::page.page'))).toEqual([node]);
  });

  it('refuse unknown types and options', () => {
    expect(refusal(() => note({ mentions: { on: { 'api::nope.nope': true } } })).message).toContain('populate.mentions.on.api::nope.nope');
    expect(refusal(() => note({ mentions: { fields: 'title' } })).message).toContain('populate.mentions.fields');
    expect(refusal(() => note('mentions.nope')).message).toContain('populate.mentions.nope');
  });
});

describe('rights', () => {
  it('leaves out silently what the caller may not find', () => {
    expect(populateOf(TAG, 'articles', finding(TAG))).toEqual([]);
    expect(populateOf(TAG, '*', finding(TAG))).toEqual([]);
    expect(populateOf(TAG, { articles: { fields: 'title', count: true } }, finding(TAG))).toEqual([]);
    expect(populateOf(ARTICLE, ['author', 'tags'], finding(ARTICLE, TAG))).toEqual([tags]);
    expect(populateOf(ARTICLE, 'author.profile', finding(ARTICLE, AUTHOR))).toEqual([author]);
    expect(populateOf(ARTICLE, { links: { populate: 'tag', fields: 'label' } }, finding(ARTICLE))).toEqual([component('links', 'label')]);
    expect(populateOf(ARTICLE, 'localizations', finding(TAG))).toEqual([]);
  });

  it('answers media with what holds them', () => {
    expect(populateOf(ARTICLE, 'cover', finding(ARTICLE))).toEqual([link('cover', all(FILE))]);
  });

  it('refuses filters and sorts over what the caller may not find', () => {
    expect(refusal(() => populateOf(ARTICLE, { author: { filters: { profile: { nickname: 'x' } } } }, finding(ARTICLE, AUTHOR))).message).toContain('populate.author.filters.profile');
    expect(refusal(() => populateOf(ARTICLE, { author: { sort: 'profile.nickname' } }, finding(ARTICLE, AUTHOR))).message).toContain('populate.author.sort.profile');
  });
});

describe('what a write answers', () => {
  const options = { limits: LIMITS, access: { canFind: () => true } };

  it('is selected as for a read', () => {
    expect(parseSelection(magazine, ARTICLE, {}, options)).toEqual(all(ARTICLE));
    const selection = parseSelection(magazine, ARTICLE, { fields: 'title', populate: { tags: { fields: 'name' } } }, options);
    expect(selection).toEqual({ fields: ['title'], populate: [link('tags', plain('name'))] });
    expect(Object.isFrozen(selection.populate)).toBe(true);
  });

  it('looks at nothing else', () => {
    const raw: object = { filters: 'nonsense', sort: 'nope', status: 'archived', fields: 'title' };
    expect(parseSelection(magazine, ARTICLE, raw, options)).toEqual(plain('title'));
  });

  it.each([[{ fields: 'nope' }], [{ populate: 'nope' }]])('refuses %j', (raw) => {
    expect(refusal(() => parseSelection(magazine, ARTICLE, raw, options)).code).toBe('request/invalid-parameter');
  });
});

describe('a renamed answer', () => {
  it('keeps the attribute and has its own key', () => {
    const context = createReadContext(magazine, { limits: LIMITS, access: { canFind: () => true } });
    const place = { holder: typeOf(magazine, ARTICLE), path: 'populate', depth: 0 };
    const options = parseOptions({ fields: 'name', limit: 1 }, 'populate.first');
    if (options === null) throw new Error('no options');
    expect(parsePopulateEntry(context, place, { attribute: 'tags', key: 'first', options })).toEqual({ ...link('tags', plain('name')), key: 'first', slice: { offset: 0, limit: 1 } });
    expect(refusal(() => parsePopulateEntry(context, place, { attribute: 'title', key: 'x', options })).code).toBe('request/invalid-parameter');
    expect(refusal(() => parsePopulateEntry(context, place, { attribute: 'nope', key: 'x', options })).code).toBe('request/invalid-parameter');
  });
});
