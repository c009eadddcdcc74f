import { beforeAll, describe, expect, it } from 'vitest';
import { isGalleyError } from '../../../../src/errors/galley-error.js';
import type { ContentModel } from '../../../../src/model/model.js';
import { loadFixtureModel, modelFrom } from '../../../support/models.js';
import { issuesOf, parseInput, errorOf } from './support.js';

let model: ContentModel;
beforeAll(async () => {
  model = await loadFixtureModel('magazine');
});

describe('data that is not an object', () => {
  it.each([[undefined], [null], [[]], ['x'], [1], [new Date()]])(
    '%s is refused without a path',
    async (data) => {
      expect(await issuesOf(parseInput(model, 'tag', data))).toBe('request/missing-data');
    },
  );
});

describe('keys', () => {
  it.each([
    ['an unknown attribute', { name: 'x', nope: 1 }],
    ['id', { id: 4000, name: 'x' }],
    ['documentId', { documentId: 'mine', name: 'x' }],
    ['createdAt', { name: 'x', createdAt: '2001-01-01T00:00:00.000Z' }],
    ['updatedAt', { name: 'x', updatedAt: null }],
    ['constructor', { name: 'x', constructor: 1 }],
    ['__proto__', JSON.parse('{"name":"x","__proto__":{"weight":1}}') as unknown],
    ['toString', { name: 'x', toString: null }],
  ])('%s is refused without a path', async (_, data) => {
    expect(await issuesOf(parseInput(model, 'tag', data))).toBe('request/invalid-key');
  });

  it('are checked before values', async () => {
    expect(await issuesOf(parseInput(model, 'tag', { name: 5, nope: 1 }))).toBe('request/invalid-key');
  });

  it('accept and ignore publishedAt and locale', async () => {
    const { scalars } = await parseInput(model, 'tag', { name: 'x', publishedAt: 'whenever', locale: 7 });
    expect(Object.fromEntries(scalars)).toEqual({ name: 'x', weight: null, label: null });
  });

  it('are refused at any depth of components and zones', async () => {
    expect(
      await issuesOf(parseInput(model, 'article', { title: 'x', seo: { metaTitle: 'm', nope: 1 } })),
    ).toBe('request/invalid-key');
    expect(
      await issuesOf(
        parseInput(model, 'article', {
          title: 'x',
          seo: { metaTitle: 'm', social: [{ network: 'bluesky' }, { constructor: 1 }] },
        }),
      ),
    ).toBe('request/invalid-key');
    expect(
      await issuesOf(
        parseInput(model, 'article', { title: 'x', sections: [{ __component: 'sections.text', nope: 1 }] }),
      ),
    ).toBe('request/invalid-key');
  });

  it('shorten a long key in the error message', async () => {
    const { message } = await errorOf(parseInput(model, 'tag', { ['k'.repeat(5000)]: 1 }));
    expect(message.length).toBeLessThan(200);
  });
});

describe('required', () => {
  it.each([[{}], [{ name: null }], [{ name: undefined }]])('refuses %o', async (data) => {
    expect(await issuesOf(parseInput(model, 'tag', data))).toEqual(['name']);
  });

  it('accepts the empty text, which is no value where it is unique and not required', async () => {
    expect((await parseInput(model, 'tag', { name: '' })).scalars.get('name')).toBe('');
    expect((await parseInput(model, 'tag', { name: 'x', label: '' })).scalars.get('label')).toBe('');
    expect((await parseInput(model, 'profile', { nickname: '' })).scalars.get('nickname')).toBeNull();
  });

  it('is not checked in drafts', async () => {
    expect((await parseInput(model, 'tag', {}, { strictness: 'draft' })).scalars.get('name')).toBeNull();
  });

  it('does not check an attribute that keeps its stored value', async () => {
    const { scalars } = await parseInput(
      model,
      'tag',
      { weight: '9' },
      { stored: { name: 'red', weight: 1, label: null } },
    );
    expect(Object.fromEntries(scalars)).toEqual({ weight: 9 });
  });
});

describe('defaults', () => {
  it('fill in absent attributes, but not attributes set to null', async () => {
    const absent = await parseInput(model, 'article', { title: 'x' });
    expect(['kind', 'views', 'featured'].map((name) => absent.scalars.get(name))).toEqual(['news', 0, false]);
    const cleared = await parseInput(model, 'article', {
      title: 'x',
      kind: null,
      views: null,
      featured: null,
    });
    expect(['kind', 'views', 'featured'].map((name) => cleared.scalars.get(name))).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('are not applied to a stored version', async () => {
    const { scalars } = await parseInput(
      model,
      'setting',
      { siteName: 'x' },
      { stored: { siteName: 'y', maintenance: true, itemsPerPage: 5 } },
    );
    expect(Object.fromEntries(scalars)).toEqual({ siteName: 'x' });
  });
});

describe('errors of values', () => {
  it('are all reported, each with its full path', async () => {
    const data = {
      title: 7,
      rating: 9,
      views: 1.5,
      eventDate: '2026-13-01',
      content: [{ type: 'video', children: [] }],
      seo: { metaTitle: 'x'.repeat(61), social: [{ network: 'bluesky' }, { network: 'myspace' }] },
      links: [{ label: 'ok' }, { href: 'no label' }],
      sections: [{ __component: 'sections.quote', source: 'x' }, { text: 'x' }, 5],
    };
    expect(await issuesOf(parseInput(model, 'article', data))).toEqual([
      'title',
      'content.0',
      'rating',
      'views',
      'eventDate',
      'seo.metaTitle',
      'seo.social.1.network',
      'links.1.label',
      'sections.0.text',
      'sections.1.__component',
      'sections.2',
    ]);
  });

  it('are counted in the message, which names the first', async () => {
    const error = await errorOf(parseInput(model, 'article', { title: 7, views: true }));
    expect(error).toMatchObject({
      code: 'request/invalid-values',
      kind: 'validation',
      message: 'title must be a string (and 1 more)',
    });
    expect(
      error.details.errors?.every(({ name, message }) => name === 'ValidationError' && message !== ''),
    ).toBe(true);
  });

  it('are limited to a hundred in the details', async () => {
    const links = Array.from({ length: 150 }, () => ({ href: 1 }));
    const literal = modelFrom({
      types: {
        page: { attributes: { links: { type: 'component', repeatable: true, component: 'shared.link' } } },
      },
      components: { 'shared.link': { attributes: { href: { type: 'string' } } } },
    });
    const error = await errorOf(parseInput(literal, 'page', { links }));
    expect(error.details.errors).toHaveLength(100);
    expect(error.message).toContain('and 149 more');
  });
});

describe('publishing values that were stored as a draft', () => {
  const stored = {
    title: null,
    summary: 'ab',
    slug: 'Not A Slug!',
    views: -1,
    rating: 9,
    contactEmail: 'x@y.org',
    secret: '$2b$10$hash',
    reads: 5n,
    startsAt: new Date(0),
    content: [],
  };

  it('checks every value that the write keeps', async () => {
    expect(await issuesOf(parseInput(model, 'article', {}, { stored, isNew: false }))).toEqual([
      'title',
      'slug',
      'summary',
      'rating',
      'views',
    ]);
  });

  it('is required for: saving the draft again checks only the values sent', async () => {
    const { scalars } = await parseInput(
      model,
      'article',
      { body: 'x' },
      { stored, isNew: false, strictness: 'draft' },
    );
    expect(scalars.get('body')).toBe('x');
    expect(scalars.has('title')).toBe(false);
  });

  it('accepts valid values that the same write sends', async () => {
    const { scalars } = await parseInput(
      model,
      'article',
      { title: 't', summary: 'long enough', slug: 'slug', views: 1, rating: 1 },
      { stored, isNew: false },
    );
    expect(scalars.get('title')).toBe('t');
  });
});

describe('passwords', () => {
  it('are hashed, and are never stored as they were sent', async () => {
    const { scalars } = await parseInput(model, 'article', { title: 'x', secret: 'hunter22' });
    expect(scalars.get('secret')).toMatch(/^\$2[aby]\$10\$/);
  });

  it('are checked whole even in a draft, since a hash cannot be checked later', async () => {
    expect(
      await issuesOf(parseInput(model, 'article', { title: 'x', secret: 'abc' }, { strictness: 'draft' })),
    ).toEqual(['secret']);
  });

  it('refuse more than one write may hash', async () => {
    const literal = modelFrom({
      types: {
        vault: { attributes: { keys: { type: 'component', repeatable: true, component: 'shared.key' } } },
      },
      components: { 'shared.key': { attributes: { secret: { type: 'password' } } } },
    });
    const keys = Array.from({ length: 21 }, (_, index) => ({ secret: `secret number ${index}` }));
    expect(await issuesOf(parseInput(literal, 'vault', { keys }))).toBe('request/too-many-items');
  });
});

describe('a unique text attribute', () => {
  it('must be short enough for an index', async () => {
    const attributes = { name: { type: 'text', unique: true }, label: { type: 'text' } };
    const literal = modelFrom({ types: { note: { attributes } } });
    const scalarsOf = async (data: Readonly<Record<string, unknown>>) =>
      (await parseInput(literal, 'note', data)).scalars;
    expect(await issuesOf(parseInput(literal, 'note', { name: 'é'.repeat(1001) }))).toEqual(['name']);
    expect((await scalarsOf({ name: 'é'.repeat(1000) })).get('name')).toHaveLength(1000);
    expect((await scalarsOf({ label: 'é'.repeat(5000) })).get('label')).toHaveLength(5000);
  });
});

describe('hostile values', () => {
  const values: readonly unknown[] = [
    null,
    undefined,
    true,
    '',
    '\0',
    '\ud800',
    1e308,
    -0,
    [],
    {},
    [[]],
    [null],
    { set: 1 },
    { connect: [[]] },
    { $gt: '' },
    'x'.repeat(100_000),
    JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown,
    { set: JSON.parse(`${'{"set":'.repeat(50_000)}1${'}'.repeat(50_000)}`) as unknown },
    JSON.parse('{"__proto__":{"polluted":true}}') as unknown,
    Object.create(null) as unknown,
    [{ __component: '__proto__' }],
    { id: -1 },
    { id: '1e9' },
    [{ id: {} }],
  ];

  it.each([
    'title',
    'slug',
    'content',
    'kind',
    'rating',
    'reads',
    'featured',
    'eventDate',
    'eventTime',
    'startsAt',
    'contactEmail',
    'secret',
    'extra',
    'cover',
    'gallery',
    'tags',
    'author',
    'seo',
    'links',
    'sections',
  ])('%s is parsed or refused with an error of the catalogue', async (name) => {
    const outcomes = await Promise.all(
      values.map((value) =>
        parseInput(model, 'article', { title: 't', [name]: value }, { access: { canFind: () => true } })
          .then(() => null)
          .catch((error: unknown) => error),
      ),
    );
    const unexpected = outcomes.filter(
      (outcome) => outcome !== null && !(isGalleyError(outcome) && outcome.kind === 'validation'),
    );
    expect(unexpected).toEqual([]);
    expect(outcomes.length - unexpected.length).toBe(values.length);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
