import { beforeAll, describe, expect, it } from 'vitest';
import { isGalleyError } from '../../../src/errors/galley-error.js';
import type { ContentModel } from '../../../src/model/model.js';
import { loadFixtureModel, modelFrom } from '../../support/models.js';
import { faultsOf, read, refusal } from './support.js';

let model: ContentModel;
beforeAll(async () => {
  model = await loadFixtureModel('magazine');
});

describe('data that are no document at all', () => {
  it.each([[undefined], [null], [[]], ['x'], [1], [new Date()]])('%s is refused without a path', async (data) => {
    expect(await faultsOf(read(model, 'tag', data))).toBe('request/no-data');
  });
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
    expect(await faultsOf(read(model, 'tag', data))).toBe('request/invalid-key');
  });

  it('are looked at before values', async () => {
    expect(await faultsOf(read(model, 'tag', { name: 5, nope: 1 }))).toBe('request/invalid-key');
  });

  it('takes and ignores publishedAt and locale', async () => {
    const { scalars } = await read(model, 'tag', { name: 'x', publishedAt: 'whenever', locale: 7 });
    expect(Object.fromEntries(scalars)).toEqual({ name: 'x', weight: null, label: null });
  });

  it('are refused at any depth of components and zones', async () => {
    expect(await faultsOf(read(model, 'article', { title: 'x', seo: { metaTitle: 'm', nope: 1 } }))).toBe('request/invalid-key');
    expect(await faultsOf(read(model, 'article', { title: 'x', seo: { metaTitle: 'm', social: [{ network: 'bluesky' }, { constructor: 1 }] } }))).toBe('request/invalid-key');
    expect(await faultsOf(read(model, 'article', { title: 'x', sections: [{ __component: 'sections.text', nope: 1 }] }))).toBe('request/invalid-key');
  });

  it('a long key is not repeated whole', async () => {
    const { message } = await refusal(read(model, 'tag', { ['k'.repeat(5000)]: 1 }));
    expect(message.length).toBeLessThan(200);
  });
});

describe('required', () => {
  it.each([[{}], [{ name: null }], [{ name: undefined }]])('refuses %o', async (data) => {
    expect(await faultsOf(read(model, 'tag', data))).toEqual(['name']);
  });

  it('accepts the empty text', async () => {
    expect((await read(model, 'tag', { name: '' })).scalars.get('name')).toBe('');
  });

  it('is skipped by drafts', async () => {
    expect((await read(model, 'tag', {}, { strictness: 'draft' })).scalars.get('name')).toBeNull();
  });

  it('asks nothing of an attribute that keeps its value', async () => {
    const { scalars } = await read(model, 'tag', { weight: '9' }, { stored: { name: 'red', weight: 1, label: null } });
    expect(Object.fromEntries(scalars)).toEqual({ weight: 9 });
  });
});

describe('defaults', () => {
  it('stand where nothing was sent, and not where null was', async () => {
    const absent = await read(model, 'article', { title: 'x' });
    expect(['kind', 'views', 'featured'].map((name) => absent.scalars.get(name))).toEqual(['news', 0, false]);
    const cleared = await read(model, 'article', { title: 'x', kind: null, views: null, featured: null });
    expect(['kind', 'views', 'featured'].map((name) => cleared.scalars.get(name))).toEqual([null, null, null]);
  });

  it('are not applied to a version that exists', async () => {
    const { scalars } = await read(model, 'setting', { siteName: 'x' }, { stored: { siteName: 'y', maintenance: true, itemsPerPage: 5 } });
    expect(Object.fromEntries(scalars)).toEqual({ siteName: 'x' });
  });
});

describe('faults', () => {
  it('are all reported, each with its whole path', async () => {
    const data = {
      title: 7, rating: 9, views: 1.5, eventDate: '2026-13-01', content: [{ type: 'video', children: [] }],
      seo: { metaTitle: 'x'.repeat(61), social: [{ network: 'bluesky' }, { network: 'myspace' }] },
      links: [{ label: 'ok' }, { href: 'no label' }], sections: [{ __component: 'sections.quote', source: 'x' }, { text: 'x' }, 5],
    };
    expect(await faultsOf(read(model, 'article', data))).toEqual([
      'title', 'content.0', 'rating', 'views', 'eventDate', 'seo.metaTitle', 'seo.social.1.network', 'links.1.label', 'sections.0.text', 'sections.1.__component', 'sections.2',
    ]);
  });

  it('are counted in the message, which names the first', async () => {
    const error = await refusal(read(model, 'article', { title: 7, views: true }));
    expect(error).toMatchObject({ code: 'request/invalid-values', kind: 'validation', message: 'title must be a string (and 1 more)' });
    expect(error.details.errors?.every(({ name, message }) => name === 'ValidationError' && message !== '')).toBe(true);
  });

  it('are cut off at a hundred', async () => {
    const links = Array.from({ length: 150 }, () => ({ href: 1 }));
    const literal = modelFrom({ types: { page: { attributes: { links: { type: 'component', repeatable: true, component: 'shared.link' } } } }, components: { 'shared.link': { attributes: { href: { type: 'string' } } } } });
    const error = await refusal(read(literal, 'page', { links }));
    expect(error.details.errors).toHaveLength(100);
    expect(error.message).toContain('and 149 more');
  });
});

describe('what publishing asks of values that were stored as a draft', () => {
  const stored = { title: null, summary: 'ab', slug: 'Not A Slug!', views: -1, rating: 9, contactEmail: 'x@y.org', secret: '$2b$10$hash', reads: 5n, startsAt: new Date(0), content: [] };

  it('is everything, of every kept value', async () => {
    expect(await faultsOf(read(model, 'article', {}, { stored, isNew: false }))).toEqual(['title', 'slug', 'summary', 'rating', 'views']);
  });

  it('is not asked when the draft is saved again', async () => {
    const { scalars } = await read(model, 'article', { body: 'x' }, { stored, isNew: false, strictness: 'draft' });
    expect(scalars.get('body')).toBe('x');
    expect(scalars.has('title')).toBe(false);
  });

  it('is satisfied by what the same write sends', async () => {
    const { scalars } = await read(model, 'article', { title: 't', summary: 'long enough', slug: 'slug', views: 1, rating: 1 }, { stored, isNew: false });
    expect(scalars.get('title')).toBe('t');
  });
});

describe('passwords', () => {
  it('are hashed, and are never stored as they were sent', async () => {
    const { scalars } = await read(model, 'article', { title: 'x', secret: 'hunter22' });
    expect(scalars.get('secret')).toMatch(/^\$2[aby]\$10\$/);
  });

  it('are checked whole even in a draft, since a hash cannot be checked later', async () => {
    expect(await faultsOf(read(model, 'article', { title: 'x', secret: 'abc' }, { strictness: 'draft' }))).toEqual(['secret']);
  });

  it('are limited in number', async () => {
    const literal = modelFrom({ types: { vault: { attributes: { keys: { type: 'component', repeatable: true, component: 'shared.key' } } } }, components: { 'shared.key': { attributes: { secret: { type: 'password' } } } } });
    const keys = Array.from({ length: 21 }, (_, index) => ({ secret: `secret number ${index}` }));
    expect(await faultsOf(read(literal, 'vault', { keys }))).toBe('request/too-many-items');
  });
});

describe('unique text', () => {
  it('must fit an index', async () => {
    expect(await faultsOf(read(model, 'tag', { name: 'é'.repeat(1001) }))).toEqual(['name']);
    expect((await read(model, 'tag', { name: 'é'.repeat(1000) })).scalars.get('name')).toHaveLength(1000);
    expect((await read(model, 'tag', { name: 'x', label: 'é'.repeat(5000) })).scalars.get('label')).toHaveLength(5000);
  });
});

describe('values made to hurt', () => {
  const values: readonly unknown[] = [
    null, undefined, true, '', '\0', '\ud800', 1e308, -0, [], {}, [[]], [null], { set: 1 }, { connect: [[]] }, { $gt: '' }, 'x'.repeat(100_000),
    JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown, { set: JSON.parse(`${'{"set":'.repeat(50_000)}1${'}'.repeat(50_000)}`) as unknown },
    JSON.parse('{"__proto__":{"polluted":true}}') as unknown, Object.create(null) as unknown, [{ __component: '__proto__' }], { id: -1 }, { id: '1e9' }, [{ id: {} }],
  ];

  it.each(['title', 'slug', 'content', 'kind', 'rating', 'reads', 'featured', 'eventDate', 'eventTime', 'startsAt', 'contactEmail', 'secret', 'extra', 'cover', 'gallery', 'tags', 'author', 'seo', 'links', 'sections'])('%s answers with the catalogue or a value', async (name) => {
    const outcomes = await Promise.all(values.map((value) => read(model, 'article', { title: 't', [name]: value }, { access: { canFind: () => true } }).then(() => null).catch((error: unknown) => error)));
    const surprises = outcomes.filter((outcome) => outcome !== null && !(isGalleyError(outcome) && outcome.kind === 'validation'));
    expect(surprises).toEqual([]);
    expect(outcomes.length - surprises.length).toBe(values.length);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
