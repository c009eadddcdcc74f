import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi, dumpContent, issuesOf, steppingClock } from './service.js';
import type { ReturnedRecord, Api } from './service.js';

const FR = { locale: 'fr' };
const DRAFT = { status: 'draft' };
const FILE = {
  name: 'a.png',
  hash: 'h',
  mime: 'image/png',
  size: 1,
  url: '/uploads/a.png',
  provider: 'local',
};

describe.each(databases)('locales on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let api: Api;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    api = createApi(testEnvironment, { clock: steppingClock() });
  });
  afterAll(() => testEnvironment.close());

  const views = async (documentId: string): Promise<Record<string, unknown>> => {
    const rows = [
      ...(await api.list('article', { locale: '*', filters: { documentId } })),
      ...(await api.list('article', { locale: '*', ...DRAFT, filters: { documentId } })),
    ];
    return Object.fromEntries(
      rows.map((row) => [
        `${String(row['locale'])} ${row['publishedAt'] === null ? 'draft' : 'published'}`,
        row['views'],
      ]),
    );
  };

  it('a new locale gets the shared values, but no localized values or relations', async () => {
    const tag = await api.create('tag', { name: 'l1' });
    const [cover, one, two] = [
      await api.create('file', FILE),
      await api.create('file', FILE),
      await api.create('file', FILE),
    ];
    const { documentId } = await api.create('article', {
      title: 'en',
      slug: 'en',
      views: 5,
      kind: 'review',
      links: [{ label: 'shared' }],
      seo: { metaTitle: 'en' },
      tags: [tag.documentId],
      cover: cover.id,
      gallery: [two.id, one.id],
    });
    const populate = ['links', 'seo', 'tags', 'cover', 'gallery'];
    const fr = await api.update('article', documentId, { title: 'fr' }, { ...FR, populate });
    expect(fr).toMatchObject({
      locale: 'fr',
      title: 'fr',
      slug: null,
      views: 5,
      kind: 'review',
      links: [{ label: 'shared' }],
      seo: null,
      tags: [],
      cover: { id: cover.id },
      gallery: [{ id: two.id }, { id: one.id }],
    });
    expect(
      await api.one('article', documentId, { ...FR, ...DRAFT, populate: ['gallery', 'cover'] }),
    ).toMatchObject({ cover: { id: cover.id }, gallery: [{ id: two.id }, { id: one.id }] });
  });

  it('writing shared media changes all locales, of the written status only', async () => {
    const [a, b] = [await api.create('file', FILE), await api.create('file', FILE)];
    const { documentId } = await api.create('article', { title: 'en', cover: a.id, gallery: [a.id] });
    await api.update('article', documentId, { title: 'fr' }, FR);
    await api.update(
      'article',
      documentId,
      { cover: b.id, gallery: { connect: [b.id] } },
      { ...FR, ...DRAFT },
    );
    const seen = async (params: object) => {
      const article = (await api.one('article', documentId, {
        ...params,
        populate: ['cover', 'gallery'],
      })) as ReturnedRecord & { readonly cover: ReturnedRecord; readonly gallery: readonly ReturnedRecord[] };
      return [article.cover.id, article.gallery.map(({ id }) => id)];
    };
    expect([await seen({}), await seen(FR), await seen(DRAFT), await seen({ ...FR, ...DRAFT })]).toEqual([
      [a.id, [a.id]],
      [a.id, [a.id]],
      [b.id, [a.id, b.id]],
      [b.id, [a.id, b.id]],
    ]);
    await api.update('article', documentId, {});
    expect([await seen({}), await seen(FR)]).toEqual([
      [b.id, [a.id, b.id]],
      [b.id, [a.id, b.id]],
    ]);
  });

  it.each([
    ['published', 'published'],
    ['published', 'draft'],
    ['draft', 'published'],
    ['draft', 'draft'],
  ])('shared media keep their order where %s content gets a %s locale', async (status, statusOfFrench) => {
    const ids: unknown[] = [];
    for (const name of ['a', 'b', 'c', 'd']) ids.push((await api.create('file', { ...FILE, name })).id);
    const [a, b, c, d] = ids;
    const seen = async (documentId: string, params: object): Promise<unknown> => {
      const record = await api.one('article', documentId, { ...params, populate: ['cover', 'gallery'] });
      if (record === null) return null;
      const { cover, gallery } = record as Readonly<Record<string, unknown>> as {
        readonly cover: ReturnedRecord;
        readonly gallery: readonly ReturnedRecord[];
      };
      return [cover['name'], ...gallery.map(({ name }) => name)].join('');
    };
    const seenEverywhere = async (gallery?: readonly unknown[]): Promise<readonly unknown[]> => {
      const { documentId } = await api.create(
        'article',
        { title: 'en', cover: b, gallery: [c, a, b] },
        { status },
      );
      const data = { title: 'fr', ...(gallery === undefined ? {} : { gallery }) };
      await api.update('article', documentId, data, { ...FR, status: statusOfFrench });
      return Promise.all([{}, DRAFT, FR, { ...FR, ...DRAFT }].map((params) => seen(documentId, params)));
    };
    const isPublic = status === 'published';
    const isFrenchPublic = statusOfFrench === 'published';
    expect(await seenEverywhere()).toEqual([
      isPublic ? 'bcab' : null,
      'bcab',
      isFrenchPublic ? 'bcab' : null,
      'bcab',
    ]);
    expect(await seenEverywhere([b, c, a, d])).toEqual([
      isPublic ? (isFrenchPublic ? 'bbcad' : 'bcab') : null,
      'bbcad',
      isFrenchPublic ? 'bbcad' : null,
      'bbcad',
    ]);
  });

  it('a new locale requires its required values and gets its own defaults', async () => {
    const { documentId } = await api.create('article', { title: 'en', featured: true });
    expect(await issuesOf(api.update('article', documentId, { body: 'x' }, FR))).toEqual(['title']);
    expect(await api.one('article', documentId, { ...FR, ...DRAFT })).toBeNull();
    expect(await api.update('article', documentId, { body: 'x' }, { ...FR, ...DRAFT })).toMatchObject({
      title: null,
      featured: true,
      publishedAt: null,
    });
    expect(await issuesOf(api.act('publish', 'article', documentId, FR))).toEqual(['title']);
  });

  it('shared values are the same in all drafts, and in all published versions', async () => {
    const { documentId } = await api.create('article', { title: 'en', views: 1 });
    await api.update('article', documentId, { title: 'fr' }, FR);
    await api.update('article', documentId, { title: 'de' }, { locale: 'de', ...DRAFT });
    await api.update('article', documentId, { views: 2 }, { ...FR, ...DRAFT });
    expect(await views(documentId)).toEqual({
      'en draft': 2,
      'fr draft': 2,
      'de draft': 2,
      'en published': 1,
      'fr published': 1,
    });
    await api.update('article', documentId, { body: 'x' });
    expect(await views(documentId)).toEqual({
      'en draft': 2,
      'fr draft': 2,
      'de draft': 2,
      'en published': 2,
      'fr published': 2,
    });
    await api.update('article', documentId, { views: 88 }, FR);
    expect(await views(documentId)).toEqual({
      'en draft': 88,
      'fr draft': 88,
      'de draft': 88,
      'en published': 88,
      'fr published': 88,
    });
    await api.update('article', documentId, { title: 'en 2' });
    expect((await views(documentId))['en published']).toBe(88);
  });

  it('updatedAt changes in every locale when a shared value does', async () => {
    const { documentId } = await api.create('article', { title: 'en', views: 1 });
    const before = await api.update('article', documentId, { title: 'fr' }, FR);
    await api.update('article', documentId, { body: 'only en' });
    expect(await api.one('article', documentId, FR)).toEqual(before);
    await api.update('article', documentId, { views: 2 });
    const after = await api.one('article', documentId, FR);
    expect(String(after?.['updatedAt']) > String(before?.['updatedAt'])).toBe(true);
    expect(after).toMatchObject({ id: before?.id, publishedAt: before?.['publishedAt'], title: 'fr' });
  });

  it('discarding a draft restores shared values in every locale', async () => {
    const { documentId } = await api.create('article', { title: 'en', views: 1 });
    await api.update('article', documentId, { title: 'fr' }, FR);
    await api.update('article', documentId, { title: 'fr edited' }, { ...FR, ...DRAFT });
    await api.update('article', documentId, { views: 2 }, DRAFT);
    await api.act('discardDraft', 'article', documentId);
    expect(await views(documentId)).toEqual({
      'en draft': 1,
      'fr draft': 1,
      'en published': 1,
      'fr published': 1,
    });
    expect(await api.one('article', documentId, { ...FR, ...DRAFT })).toMatchObject({ title: 'fr edited' });
  });

  it('uids are unique per locale', async () => {
    const [a, b] = [
      await api.create('article', { title: 'a', slug: 'same' }),
      await api.create('article', { title: 'b', slug: 'same' }, { locale: 'fr' }),
    ];
    expect(b['slug']).toBe('same');
    expect(await issuesOf(api.update('article', a.documentId, { title: 'fr', slug: 'same' }, FR))).toEqual([
      'slug',
    ]);
    expect(await issuesOf(api.update('article', b.documentId, { title: 'en', slug: 'same' }))).toEqual([
      'slug',
    ]);
    expect(
      await api.update('article', a.documentId, { title: 'de', slug: 'same' }, { locale: 'de' }),
    ).toMatchObject({ slug: 'same' });
  });

  it('writes and deletions refuse an unconfigured locale; other types ignore it', async () => {
    const { documentId } = await api.create('article', { title: 'en' });
    const before = await dumpContent(testEnvironment);
    for (const locale of ['xx', 'EN', '*', '', 'x'.repeat(300)]) {
      expect(await issuesOf(api.create('article', { title: 'x' }, { locale }))).toBe(
        'request/unknown-locale',
      );
      expect(await issuesOf(api.update('article', documentId, { title: 'x' }, { locale }))).toBe(
        'request/unknown-locale',
      );
      expect(await issuesOf(api.act('publish', 'article', documentId, { locale }))).toBe(
        'request/unknown-locale',
      );
    }
    expect(await issuesOf(api.remove('article', documentId, 'xx'))).toBe('request/unknown-locale');
    expect(await dumpContent(testEnvironment)).toEqual(before);
    expect(await api.create('tag', { name: 'any' }, { locale: 'xx' })).not.toHaveProperty('locale');
  });

  it('deleting a locale keeps the others; deleting the last one deletes the document', async () => {
    const { documentId } = await api.create('article', { title: 'en' });
    await api.update('article', documentId, { title: 'fr' }, FR);
    expect(await api.remove('article', documentId, 'de')).toBe(false);
    expect(await api.remove('article', documentId)).toBe(true);
    expect([
      await api.one('article', documentId, DRAFT),
      (await api.one('article', documentId, FR))?.['title'],
    ]).toEqual([null, 'fr']);
    expect(await api.remove('article', documentId)).toBe(false);
    expect(await api.update('article', documentId, { title: 'en again' })).toMatchObject({
      title: 'en again',
    });
    expect(await api.remove('article', documentId, '*')).toBe(true);
    expect(await api.update('article', documentId, { title: 'x' })).toBeNull();
    expect(await api.remove('article', documentId, '*')).toBe(false);
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
