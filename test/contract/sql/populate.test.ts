import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawReadParams } from '../../../src/query/query.js';
import { databases } from '../../support/databases.js';
import { createWorld } from '../../support/world.js';
import type { World } from '../../support/world.js';
import { ask } from './ask.js';
import { ARTICLE, AUTHOR, CATEGORY, seedMagazine, TAG } from './magazine.js';

describe.each(databases)('populate on $name', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ model: 'magazine', database });
    await seedMagazine(world);
  });
  afterAll(() => world.close());

  /** The first article with its title and whatever is populated. */
  const first = async (populate: unknown, more: RawReadParams = {}): Promise<Readonly<Record<string, unknown>>> => {
    const [record = {}] = await ask(world, ARTICLE, { filters: { documentId: 'a1' }, fields: ['title'], populate, ...more });
    return record;
  };

  it('answers nothing that is not asked for', async () => {
    expect(await first(undefined)).toEqual({ id: 2, documentId: 'a1', title: 'First' });
  });

  it('answers scalars as the API writes them, and never what is private', async () => {
    const [record] = await ask(world, ARTICLE, { filters: { documentId: 'a1' } });
    expect(record).toEqual({
      id: 2, documentId: 'a1', title: 'First', slug: null, summary: null, body: null,
      content: [{ type: 'paragraph', children: [{ type: 'text', text: 'Words, "quoted" and \\ back' }] }],
      kind: 'news', rating: 4.5, views: 10, reads: '9007199254740993', score: null, featured: false, eventDate: '2026-01-01', eventTime: '10:00:00.000',
      startsAt: '2026-01-01T10:00:00.000Z', contactEmail: null, extra: { b: 1, a: [1, 2.5, null, true] },
      createdAt: '2026-01-02T03:04:05.678Z', updatedAt: '2026-01-02T03:04:05.678Z', publishedAt: '2026-01-02T03:04:05.678Z', locale: 'en',
    });
    expect(Object.keys(record ?? {}).slice(0, 4)).toEqual(['id', 'documentId', 'title', 'slug']);
  });

  it.each([
    ['a to-one', { author: { fields: ['name'] } }, { author: { id: 1, documentId: 'ada', name: 'Ada Lovelace' } }],
    ['a to-one that its filter excludes', { author: { filters: { name: 'Nobody' } } }, { author: null }],
    ['a to-many in its order', { tags: { fields: ['name'] } }, { tags: [{ id: 2, documentId: 't1', name: 'Beta' }, { id: 1, documentId: 't0', name: 'alpha' }] }],
    ['a filtered to-many', { tags: { fields: ['name'], filters: { name: { $containsi: 'ALPH' } } } }, { tags: [{ id: 1, documentId: 't0', name: 'alpha' }] }],
    ['a to-many that its filter empties', { tags: { filters: { name: 'nope' } } }, { tags: [] }],
    ['a sorted to-many', { tags: { fields: [], sort: 'name:desc' } }, { tags: [{ id: 1, documentId: 't0' }, { id: 2, documentId: 't1' }] }],
    ['a cut to-many', { tags: { fields: ['weight'], pagination: { start: 1, limit: 1 } } }, { tags: [{ id: 1, documentId: 't0', weight: 0 }] }],
    ['a count', { tags: { count: true } }, { tags: { count: 2 } }],
    ['a filtered count', { tags: { count: true, filters: { weight: { $gt: 0 } } } }, { tags: { count: 1 } }],
    ['media', { cover: { fields: ['name'] }, gallery: { fields: ['name'] } }, { cover: { id: 1, documentId: 'f1', name: 'one.png' }, gallery: [{ id: 2, documentId: 'f2', name: 'two.png' }, { id: 1, documentId: 'f1', name: 'one.png' }] }],
    ['a component', { seo: { fields: ['metaTitle', 'metaDescription'] } }, { seo: { id: 1, metaTitle: 'One', metaDescription: null } }],
    ['a component in a component', { seo: { fields: ['canonical'], populate: { social: true } } }, { seo: { id: 1, canonical: 'https://x/1', social: [{ id: 2, network: 'bluesky', handle: '@a' }, { id: 3, network: 'mastodon', handle: null }] } }],
    ['media in a component', { seo: { fields: ['metaTitle'], populate: { image: { fields: ['name'] } } } }, { seo: { id: 1, metaTitle: 'One', image: { id: 1, documentId: 'f1', name: 'one.png' } } }],
    ['a repeatable component', { links: true }, { links: [{ id: 4, label: 'L1', href: 'https://a', external: false }, { id: 5, label: 'L2', href: null, external: null }] }],
    ['a relation in a repeatable component', { links: { fields: ['label'], populate: { tag: { fields: ['name'] } } } }, { links: [{ id: 4, label: 'L1', tag: { id: 2, documentId: 't1', name: 'Beta' } }, { id: 5, label: 'L2', tag: null }] }],
    ['a zone', { sections: true }, { sections: [{ __component: 'sections.quote', id: 6, text: 'Q', source: 'S' }, { __component: 'sections.related', id: 7, heading: 'R' }, { __component: 'sections.text', id: 8, body: 'T' }] }],
    ['part of a zone', { sections: { on: { 'sections.text': true, 'sections.related': { fields: [], populate: { tags: { fields: ['name'] } } } } } }, { sections: [{ __component: 'sections.related', id: 7, tags: [{ id: 5, documentId: 't4', name: 'epsilon' }, { id: 2, documentId: 't1', name: 'Beta' }] }, { __component: 'sections.text', id: 8, body: 'T' }] }],
    ['nothing of a zone', { sections: { on: {} } }, { sections: [] }],
  ])('answers %s', async (_what, populate, expected) => {
    expect(await first(populate)).toEqual({ id: 2, documentId: 'a1', title: 'First', ...expected });
  });

  it('answers null, empty lists and zero where nothing is linked or held', async () => {
    const populate = { author: true, tags: true, cover: true, gallery: true, seo: true, links: true, sections: true, localizations: true, related: { count: true } };
    const [record] = await ask(world, ARTICLE, { filters: { documentId: 'a4' }, fields: ['title'], populate });
    expect(record).toEqual({ id: 8, documentId: 'a4', title: 'Fourth', author: null, tags: [], cover: null, gallery: [], seo: null, links: [], sections: [], localizations: [], related: { count: 0 } });
  });

  it('goes as deep as asked, in one statement', async () => {
    const record = await first({ author: { fields: ['name'], populate: { profile: { fields: ['nickname'], populate: { favouriteTags: { fields: ['name'], populate: { articles: { fields: ['title'], populate: { author: { fields: ['name'] } } } } } } } } } });
    expect(record).toEqual({
      id: 2, documentId: 'a1', title: 'First',
      author: {
        id: 1, documentId: 'ada', name: 'Ada Lovelace',
        profile: {
          id: 1, documentId: 'p1', nickname: 'ada',
          favouriteTags: [
            { id: 3, documentId: 't2', name: 'gamma', articles: [{ id: 10, documentId: 'a1', title: 'Premier', author: { id: 1, documentId: 'ada', name: 'Ada Lovelace' } }] },
            { id: 1, documentId: 't0', name: 'alpha', articles: [{ id: 2, documentId: 'a1', title: 'First', author: { id: 1, documentId: 'ada', name: 'Ada Lovelace' } }] },
          ],
        },
      },
    });
  });

  it('answers inverse sides', async () => {
    const authors = await ask(world, AUTHOR, { fields: ['name'], populate: { articles: { fields: ['title'], filters: { locale: 'en' } } } });
    expect(authors).toEqual([
      { id: 1, documentId: 'ada', name: 'Ada Lovelace', articles: [{ id: 2, documentId: 'a1', title: 'First' }, { id: 6, documentId: 'a3', title: 'Third' }] },
      { id: 2, documentId: 'bob', name: 'Bob Stone', articles: [{ id: 4, documentId: 'a2', title: 'Second' }] },
    ]);
    const categories = await ask(world, CATEGORY, { fields: ['name'], populate: { children: { fields: ['name'] }, parent: { fields: ['name'] } }, sort: 'name' });
    expect(categories).toEqual([
      { id: 4, documentId: 'life', name: 'Life', children: [], parent: { id: 2, documentId: 'tech', name: 'Tech' } },
      { id: 2, documentId: 'tech', name: 'Tech', children: [{ id: 4, documentId: 'life', name: 'Life' }], parent: null },
    ]);
  });

  it('answers localizations in full', async () => {
    const { localizations } = await first({ localizations: { fields: ['title', 'locale'], populate: { tags: { fields: ['name'] } } } });
    expect(localizations).toEqual([{ id: 10, documentId: 'a1', title: 'Premier', locale: 'fr', tags: [{ id: 3, documentId: 't2', name: 'gamma' }] }]);
    const french = await first({ localizations: { fields: ['title'] } }, { locale: 'fr', status: 'draft' });
    expect(french).toEqual({ id: 11, documentId: 'a1', title: 'Brouillon', localizations: [{ id: 1, documentId: 'a1', title: 'First' }] });
  });

  it('keeps to the locale of a localised source', async () => {
    expect(await first({ related: { fields: ['title'] } }, { locale: 'fr' })).toEqual({ id: 10, documentId: 'a1', title: 'Premier', related: [] });
    expect((await first({ related: { fields: ['title'] } }))['related']).toEqual([{ id: 6, documentId: 'a3', title: 'Third' }, { id: 4, documentId: 'a2', title: 'Second' }]);
  });

  it('shows all locales from a source that has none', async () => {
    const [ada] = await ask(world, AUTHOR, { locale: 'fr', filters: { documentId: 'ada' }, fields: [], populate: { articles: { fields: ['title', 'locale'], sort: 'title' } } });
    expect(ada).toEqual({
      id: 1, documentId: 'ada',
      articles: [{ id: 2, documentId: 'a1', title: 'First', locale: 'en' }, { id: 10, documentId: 'a1', title: 'Premier', locale: 'fr' }, { id: 6, documentId: 'a3', title: 'Third', locale: 'en' }],
    });
  });

  it('hands the status on through types without drafts', async () => {
    const tags = { filters: { name: 'Beta' }, fields: ['name'], populate: { articles: { fields: ['title'], sort: 'title' } } };
    const titles = (records: readonly Readonly<Record<string, unknown>>[]): unknown => records.map(({ articles }) => (articles as readonly { readonly title: string }[]).map(({ title }) => title));
    expect(titles(await ask(world, TAG, tags))).toEqual([['First', 'Second']]);
    expect(titles(await ask(world, TAG, { ...tags, status: 'draft' }))).toEqual([['First', 'Second', 'Unpublished']]);
  });

  it('shows a published source nothing of an unpublished target', async () => {
    const third = { filters: { documentId: 'a3' }, fields: ['title'], populate: { category: { fields: ['name'] } } };
    expect(await ask(world, ARTICLE, third)).toEqual([{ id: 6, documentId: 'a3', title: 'Third', category: null }]);
    expect(await ask(world, ARTICLE, { ...third, status: 'draft' })).toEqual([{ id: 5, documentId: 'a3', title: 'Third', category: { id: 5, documentId: 'secret', name: 'Secret' } }]);
  });
});
