import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createWorld } from '../../support/world.js';
import type { World } from '../../support/world.js';
import { createApi, dumpContent, faultsOf, steppingClock } from './service.js';
import type { Answer, Api } from './service.js';

const FR = { locale: 'fr' };
const DRAFT = { status: 'draft' };
const FILE = { name: 'a.png', hash: 'h', mime: 'image/png', size: 1, url: '/uploads/a.png', provider: 'local' };

describe.each(databases)('locales on $name', (database) => {
  let world: World;
  let api: Api;
  beforeAll(async () => {
    world = await createWorld({ model: 'magazine', database });
    api = createApi(world, { clock: steppingClock() });
  });
  afterAll(() => world.close());

  const idsOf = (value: unknown): readonly string[] => (value as readonly Answer[]).map(({ documentId }) => documentId);
  const views = async (documentId: string): Promise<Record<string, unknown>> => {
    const rows = [...(await api.list('article', { locale: '*', filters: { documentId } })), ...(await api.list('article', { locale: '*', ...DRAFT, filters: { documentId } }))];
    return Object.fromEntries(rows.map((row) => [`${String(row['locale'])} ${row['publishedAt'] === null ? 'draft' : 'published'}`, row['views']]));
  };

  it('a new locale takes over what is shared, and neither texts nor relations', async () => {
    const tag = await api.create('tag', { name: 'l1' });
    const [cover, one, two] = [await api.create('file', FILE), await api.create('file', FILE), await api.create('file', FILE)];
    const { documentId } = await api.create('article', { title: 'en', slug: 'en', views: 5, kind: 'review', links: [{ label: 'shared' }], seo: { metaTitle: 'en' }, tags: [tag.documentId], cover: cover.id, gallery: [two.id, one.id] });
    const populate = ['links', 'seo', 'tags', 'cover', 'gallery'];
    const fr = await api.update('article', documentId, { title: 'fr' }, { ...FR, populate });
    expect(fr).toMatchObject({ locale: 'fr', title: 'fr', slug: null, views: 5, kind: 'review', links: [{ label: 'shared' }], seo: null, tags: [], cover: { id: cover.id }, gallery: [{ id: two.id }, { id: one.id }] });
    expect(await api.one('article', documentId, { ...FR, ...DRAFT, populate: ['gallery', 'cover'] })).toMatchObject({ cover: { id: cover.id }, gallery: [{ id: two.id }, { id: one.id }] });
  });

  it('shared media are changed in every locale, statuses apart', async () => {
    const [a, b] = [await api.create('file', FILE), await api.create('file', FILE)];
    const { documentId } = await api.create('article', { title: 'en', cover: a.id, gallery: [a.id] });
    await api.update('article', documentId, { title: 'fr' }, FR);
    await api.update('article', documentId, { cover: b.id, gallery: { connect: [b.id] } }, { ...FR, ...DRAFT });
    const seen = async (params: object) => {
      const article = (await api.one('article', documentId, { ...params, populate: ['cover', 'gallery'] })) as Answer & { readonly cover: Answer; readonly gallery: readonly Answer[] };
      return [article.cover.id, article.gallery.map(({ id }) => id)];
    };
    expect([await seen({}), await seen(FR), await seen(DRAFT), await seen({ ...FR, ...DRAFT })]).toEqual([[a.id, [a.id]], [a.id, [a.id]], [b.id, [a.id, b.id]], [b.id, [a.id, b.id]]]);
    await api.update('article', documentId, {});
    expect([await seen({}), await seen(FR)]).toEqual([[b.id, [a.id, b.id]], [b.id, [a.id, b.id]]]);
  });

  it('a new locale needs what is required, and gets its own defaults', async () => {
    const { documentId } = await api.create('article', { title: 'en', featured: true });
    expect(await faultsOf(api.update('article', documentId, { body: 'x' }, FR))).toEqual(['title']);
    expect(await api.one('article', documentId, { ...FR, ...DRAFT })).toBeNull();
    expect(await api.update('article', documentId, { body: 'x' }, { ...FR, ...DRAFT })).toMatchObject({ title: null, featured: true, publishedAt: null });
    expect(await faultsOf(api.act('publish', 'article', documentId, FR))).toEqual(['title']);
  });

  it('what is shared is the same in all locales: drafts with drafts, published with published', async () => {
    const { documentId } = await api.create('article', { title: 'en', views: 1 });
    await api.update('article', documentId, { title: 'fr' }, FR);
    await api.update('article', documentId, { title: 'de' }, { locale: 'de', ...DRAFT });
    await api.update('article', documentId, { views: 2 }, { ...FR, ...DRAFT });
    expect(await views(documentId)).toEqual({ 'en draft': 2, 'fr draft': 2, 'de draft': 2, 'en published': 1, 'fr published': 1 });
    await api.update('article', documentId, { body: 'x' });
    expect(await views(documentId)).toEqual({ 'en draft': 2, 'fr draft': 2, 'de draft': 2, 'en published': 2, 'fr published': 2 });
    await api.update('article', documentId, { views: 88 }, FR);
    expect(await views(documentId)).toEqual({ 'en draft': 88, 'fr draft': 88, 'de draft': 88, 'en published': 88, 'fr published': 88 });
    await api.update('article', documentId, { title: 'en 2' });
    expect((await views(documentId))['en published']).toBe(88);
  });

  it('the time of a version moves when a shared value is changed through another locale', async () => {
    const { documentId } = await api.create('article', { title: 'en', views: 1 });
    const before = await api.update('article', documentId, { title: 'fr' }, FR);
    await api.update('article', documentId, { body: 'only en' });
    expect(await api.one('article', documentId, FR)).toEqual(before);
    await api.update('article', documentId, { views: 2 });
    const after = await api.one('article', documentId, FR);
    expect(String(after?.['updatedAt']) > String(before?.['updatedAt'])).toBe(true);
    expect(after).toMatchObject({ id: before?.id, publishedAt: before?.['publishedAt'], title: 'fr' });
  });

  it('discarding a draft brings shared values back in every locale', async () => {
    const { documentId } = await api.create('article', { title: 'en', views: 1 });
    await api.update('article', documentId, { title: 'fr' }, FR);
    await api.update('article', documentId, { title: 'fr edited' }, { ...FR, ...DRAFT });
    await api.update('article', documentId, { views: 2 }, DRAFT);
    await api.act('discardDraft', 'article', documentId);
    expect(await views(documentId)).toEqual({ 'en draft': 1, 'fr draft': 1, 'en published': 1, 'fr published': 1 });
    expect(await api.one('article', documentId, { ...FR, ...DRAFT })).toMatchObject({ title: 'fr edited' });
  });

  it('uids are unique per locale', async () => {
    const [a, b] = [await api.create('article', { title: 'a', slug: 'same' }), await api.create('article', { title: 'b', slug: 'same' }, { locale: 'fr' })];
    expect(b['slug']).toBe('same');
    expect(await faultsOf(api.update('article', a.documentId, { title: 'fr', slug: 'same' }, FR))).toEqual(['slug']);
    expect(await faultsOf(api.update('article', b.documentId, { title: 'en', slug: 'same' }))).toEqual(['slug']);
    expect(await api.update('article', a.documentId, { title: 'de', slug: 'same' }, { locale: 'de' })).toMatchObject({ slug: 'same' });
  });

  it('writes refuse a locale that is not configured, also deleting; types without locales ignore it', async () => {
    const { documentId } = await api.create('article', { title: 'en' });
    const before = await dumpContent(world);
    for (const locale of ['xx', 'EN', '*', '', 'x'.repeat(300)]) {
      expect(await faultsOf(api.create('article', { title: 'x' }, { locale }))).toBe('request/unknown-locale');
      expect(await faultsOf(api.update('article', documentId, { title: 'x' }, { locale }))).toBe('request/unknown-locale');
      expect(await faultsOf(api.act('publish', 'article', documentId, { locale }))).toBe('request/unknown-locale');
    }
    expect(await faultsOf(api.remove('article', documentId, 'xx'))).toBe('request/unknown-locale');
    expect(await dumpContent(world)).toEqual(before);
    expect(await api.create('tag', { name: 'any' }, { locale: 'xx' })).not.toHaveProperty('locale');
  });

  it('deleting a locale leaves the others; the last one takes the document with it', async () => {
    const { documentId } = await api.create('article', { title: 'en' });
    await api.update('article', documentId, { title: 'fr' }, FR);
    expect(await api.remove('article', documentId, 'de')).toBe(false);
    expect(await api.remove('article', documentId)).toBe(true);
    expect([await api.one('article', documentId, DRAFT), (await api.one('article', documentId, FR))?.['title']]).toEqual([null, 'fr']);
    expect(await api.remove('article', documentId)).toBe(false);
    expect(await api.update('article', documentId, { title: 'en again' })).toMatchObject({ title: 'en again' });
    expect(await api.remove('article', documentId, '*')).toBe(true);
    expect(await api.update('article', documentId, { title: 'x' })).toBeNull();
    expect(await api.remove('article', documentId, '*')).toBe(false);
  });

  describe('relations', () => {
    it('to a localised type need the target in the same locale', async () => {
      const [source, target] = [await api.create('article', { title: 's' }), await api.create('article', { title: 't' })];
      await api.update('article', source.documentId, { title: 's fr' }, FR);
      expect(await faultsOf(api.update('article', source.documentId, { related: [target.documentId] }, FR))).toBe('request/invalid-relation');
      expect(await faultsOf(api.update('article', source.documentId, { related: [target.id] }, FR))).toBe('request/invalid-relation');
      await api.update('article', target.documentId, { title: 't fr' }, FR);
      const populate = { related: { fields: ['title'] } };
      expect(await api.update('article', source.documentId, { related: [target.id] }, { ...FR, populate })).toMatchObject({ related: [{ title: 't fr' }] });
      expect((await api.one('article', source.documentId, { populate }))?.['related']).toEqual([]);
    });

    it('from a type without locales mean the default one, and show all that are linked', async () => {
      const { documentId: tag } = await api.create('tag', { name: 'everywhere' });
      const article = await api.create('article', { title: 'en' });
      await api.update('article', article.documentId, { title: 'fr', tags: [tag] }, FR);
      const { documentId: french } = await api.create('article', { title: 'seulement' }, FR);
      expect(await faultsOf(api.update('tag', tag, { articles: { connect: [french] } }))).toBe('request/invalid-relation');
      const populate = { articles: { fields: ['title', 'locale'] } };
      expect((await api.update('tag', tag, { articles: { connect: [article.documentId] } }, { populate }))?.['articles']).toMatchObject([{ title: 'fr' }, { title: 'en' }]);
      expect((await api.update('tag', tag, { articles: { disconnect: [article.documentId] } }, { populate }))?.['articles']).toMatchObject([{ title: 'fr' }]);
      expect((await api.update('tag', tag, { articles: { connect: [{ documentId: french, locale: 'fr', position: { start: true } }] } }, { populate }))?.['articles']).toMatchObject([{ title: 'seulement' }, { title: 'fr' }]);
      expect((await api.update('tag', tag, { articles: [] }, { populate }))?.['articles']).toEqual([]);
    });

    it('to a locale that is deleted do not come back with it', async () => {
      const [source, target] = [await api.create('article', { title: 's' }), await api.create('article', { title: 't' })];
      for (const { documentId } of [target, source]) await api.update('article', documentId, { title: 'fr', ...(documentId === source.documentId ? { related: [target.documentId] } : {}) }, FR);
      await api.update('article', source.documentId, { related: [target.documentId] });
      await api.remove('article', target.documentId, 'fr');
      await api.update('article', target.documentId, { title: 'fr again' }, FR);
      expect((await api.one('article', source.documentId, { ...FR, populate: 'related' }))?.['related']).toEqual([]);
      expect(idsOf((await api.one('article', source.documentId, { populate: 'related' }))?.['related'])).toEqual([target.documentId]);
    });
  });

  it('a single type has all its locales in one document', async () => {
    const en = await api.create('homepage', { headline: 'Hi', theme: 'dark' });
    const fr = await api.create('homepage', { headline: 'Salut' }, FR);
    expect(fr).toMatchObject({ documentId: en.documentId, theme: 'dark', headline: 'Salut', locale: 'fr' });
    expect(await api.remove('homepage', en.documentId)).toBe(true);
    expect(await api.documents.singleDocumentId('api::homepage.homepage')).toBe(en.documentId);
    expect(await api.remove('homepage', en.documentId, 'fr')).toBe(true);
    expect(await api.documents.singleDocumentId('api::homepage.homepage')).toBeNull();
  });
});
