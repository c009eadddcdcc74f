import { describe, expect, it } from 'vitest';
import {
  all,
  article,
  author,
  base,
  component,
  FILE,
  link,
  plain,
  tags,
  withPopulate,
  zone,
} from './populate-nodes.js';
import { ARTICLE, AUTHOR, CATEGORY, errorOf, populateOf, TAG } from './read-helpers.js';

const profile = link('profile', all('api::profile.profile'));
const quote = plain('text', 'source');
const related = plain('heading');
const text = plain('body');
const seo = component('seo', 'metaTitle', 'metaDescription', 'canonical');

describe('the forms of populate', () => {
  it.each([
    [undefined, []],
    [null, []],
    ['', []],
    [[], []],
    [{}, []],
    ['author', [author]],
    ['author,tags', [author, tags]],
    ['tags, author,', [author, tags]],
    [
      ['author', 'tags'],
      [author, tags],
    ],
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
    [
      ['author.profile', 'author.avatar'],
      [link('author', withPopulate(AUTHOR, link('avatar', all(FILE)), profile))],
    ],
    [
      ['author.profile.favouriteTags', 'category.parent'],
      [
        link(
          'author',
          withPopulate(
            AUTHOR,
            link('profile', withPopulate('api::profile.profile', link('favouriteTags', all(TAG)))),
          ),
        ),
        link('category', withPopulate(CATEGORY, link('parent', all(CATEGORY)))),
      ],
    ],
    [{ author: { fields: ['name'] } }, [link('author', plain('name'))]],
    [
      { cover: true, gallery: { fields: 'name' } },
      [link('cover', all(FILE)), link('gallery', plain('name'))],
    ],
  ])('%j', (populate, expected) => {
    expect(article(populate)).toEqual(expected);
  });

  it('* populates one level of all relations, components and localizations', () => {
    expect(article('*').map((node) => `${node.kind} ${node.attribute}`)).toEqual([
      'link cover',
      'link gallery',
      'link author',
      'link category',
      'link tags',
      'link related',
      'component seo',
      'component links',
      'zone sections',
      'localizations localizations',
    ]);
    expect(article('*').find((node) => node.attribute === 'author')).toEqual(author);
    expect(article('*').find((node) => node.attribute === 'seo')).toEqual(seo);
    expect(populateOf(TAG, '*').map((node) => node.attribute)).toEqual(['articles']);
    expect(article({ author: { populate: '*' } })).toEqual([
      link(
        'author',
        withPopulate(AUTHOR, link('avatar', all(FILE)), link('articles', all(ARTICLE)), profile),
      ),
    ]);
  });

  it.each([
    [['*', 'author.profile']],
    ['*,author.profile'],
    [{ 0: '*', 1: 'author.profile' }],
    [['*', { author: { populate: 'profile' } }]],
    [{ 0: '*', author: { populate: 'profile' } }],
    [{ '*': true, author: { populate: ['profile'] } }],
    [{ '*': '*', 0: 'author.profile' }],
  ])('%j populates everything, and the profile of the author', (populate) => {
    const deeper = link('author', withPopulate(AUTHOR, profile));
    const everything = article('*');
    expect(everything).toContainEqual(author);
    expect(article(populate)).toEqual(
      everything.map((node) => (node.attribute === 'author' ? deeper : node)),
    );
  });

  it('joins paths with the options of the same attribute', () => {
    expect(article(['author.profile', { author: { fields: 'name', populate: 'avatar' } }])).toEqual([
      link('author', { fields: ['name'], populate: [link('avatar', all(FILE)), profile] }),
    ]);
  });

  it('* stands at any level, and leaves out what is switched off', () => {
    const star = article({ author: { populate: '*' } });
    expect(article('author.*')).toEqual(star);
    expect(article({ author: { populate: ['*'] } })).toEqual(star);
    expect(article('sections.*')).toEqual(article({ sections: { populate: '*' } }));
    expect(article({ sections: { populate: ['*'] } })).toEqual(article({ sections: { populate: '*' } }));
    expect(article({ '*': true, tags: false })).toEqual(
      article('*').filter((node) => node.attribute !== 'tags'),
    );
    expect(article({ '*': false, tags: true })).toEqual([tags]);
  });

  it('accepts filters, sort, fields and populate for a to-many relation', () => {
    const name = { kind: 'compare', field: 'name', operator: '$eq', operand: 'red' };
    expect(
      article({
        tags: {
          filters: { name: 'red' },
          sort: 'name:desc',
          fields: 'name',
          populate: { articles: { fields: 'title' } },
        },
      }),
    ).toEqual([
      link(
        'tags',
        { fields: ['name'], populate: [link('articles', plain('title'))] },
        { filter: name, sort: [{ path: ['name'], direction: 'desc' }] },
      ),
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
    [
      'seo.social',
      [{ ...seo, selection: { ...seo.selection, populate: [component('social', 'network', 'handle')] } }],
    ],
    [
      { links: { populate: 'tag', fields: 'label' } },
      [
        {
          ...component('links', 'label'),
          selection: { fields: ['label'], populate: [link('tag', all(TAG))] },
        },
      ],
    ],
    [
      { seo: { populate: '*', fields: [] } },
      [
        {
          ...component('seo'),
          selection: {
            fields: [],
            populate: [link('image', all(FILE)), component('social', 'network', 'handle')],
          },
        },
      ],
    ],
    ['sections', [zone('sections', on)]],
    [
      { sections: { populate: '*' } },
      [
        zone('sections', {
          ...on,
          'sections.related': { fields: ['heading'], populate: [link('tags', all(TAG))] },
        }),
      ],
    ],
    [
      'sections.tags',
      [
        zone('sections', {
          ...on,
          'sections.related': { fields: ['heading'], populate: [link('tags', all(TAG))] },
        }),
      ],
    ],
    [{ sections: { on: { 'sections.quote': true } } }, [zone('sections', { 'sections.quote': quote })]],
    [
      { sections: { on: { 'sections.quote': 'true', 'sections.text': 'false' } } },
      [zone('sections', { 'sections.quote': quote })],
    ],
    [
      { sections: { on: { 'sections.quote': { fields: ['text'] } } } },
      [zone('sections', { 'sections.quote': plain('text') })],
    ],
    [
      { sections: { on: { 'sections.related': { populate: { tags: { fields: 'name' } } } } } },
      [
        zone('sections', {
          'sections.related': { fields: ['heading'], populate: [link('tags', plain('name'))] },
        }),
      ],
    ],
    // Components that the dynamic zone does not allow are ignored.
    [
      { sections: { on: { 'shared.seo': true, 'sections.text': true } } },
      [zone('sections', { 'sections.text': text })],
    ],
  ])('%j', (populate, expected) => {
    expect(article(populate)).toEqual(expected);
  });
});

describe('localizations', () => {
  it('have the selection of their type', () => {
    expect(article('localizations')).toEqual([
      { kind: 'localizations', ...base('localizations'), selection: all(ARTICLE) },
    ]);
    expect(article({ localizations: { fields: ['title', 'locale'] } })).toEqual([
      { kind: 'localizations', ...base('localizations'), selection: plain('title', 'locale') },
    ]);
  });

  it('can be populated on localised types only', () => {
    expect(errorOf(() => populateOf(TAG, 'localizations')).message).toContain('populate.localizations');
  });

  it('can be sorted and filtered, as components can', () => {
    const sort = [{ path: ['title'], direction: 'desc' }];
    expect(article({ localizations: { sort: 'title:desc' } })).toMatchObject([{ sort }]);
    expect(article({ links: { filters: { label: 'x' } } })).toMatchObject([
      { kind: 'component', filter: { kind: 'compare', field: 'label', operator: '$eq', operand: 'x' } },
    ]);
  });
});
