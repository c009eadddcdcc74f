import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createWorld } from '../../support/world.js';
import type { World } from '../../support/world.js';
import { createApi, faultsOf, refusal, steppingClock } from './service.js';
import type { Answer, Api } from './service.js';

const DRAFT = { status: 'draft' };

describe.each(databases)('drafts and published versions on $name', (database) => {
  let world: World;
  let api: Api;
  beforeAll(async () => {
    world = await createWorld({ model: 'magazine', database });
    api = createApi(world, { clock: steppingClock() });
  });
  afterAll(() => world.close());

  const names = (value: unknown): readonly unknown[] => (value as readonly Answer[]).map((item) => item['title'] ?? item['name']);

  it('a version keeps its id and its time of creation, and its other times move forward', async () => {
    const created = await api.create('article', { title: 'one' });
    const draft = await api.one('article', created.documentId, DRAFT);
    const again = await api.update('article', created.documentId, { title: 'two' });
    expect(again?.id).toBe(created.id);
    expect(again?.['createdAt']).toBe(created['createdAt']);
    expect([created['updatedAt'], created['publishedAt']].every((time) => String(time) < String(again?.['updatedAt']))).toBe(true);
    expect(again?.['publishedAt']).toBe(again?.['updatedAt']);
    const draftAgain = await api.one('article', created.documentId, DRAFT);
    expect(draftAgain).toMatchObject({ id: draft?.id, publishedAt: null, createdAt: created['createdAt'], updatedAt: again?.['updatedAt'] });
  });

  it('saving a draft leaves the published version, its time included', async () => {
    const created = await api.create('article', { title: 'live' });
    const saved = await api.update('article', created.documentId, { title: 'later' }, DRAFT);
    expect(saved).toMatchObject({ title: 'later', publishedAt: null });
    expect(await api.one('article', created.documentId)).toEqual(created);
  });

  it('an update never goes back in time, whatever the clock says', async () => {
    const late = createApi(world, { clock: () => new Date('2100-01-01T00:00:00.000Z') });
    const early = createApi(world, { clock: () => new Date('2000-01-01T00:00:00.000Z') });
    const { documentId } = await late.create('article', { title: 'from the future' });
    expect(await early.update('article', documentId, { title: 'now' }, DRAFT)).toMatchObject({ updatedAt: '2100-01-01T00:00:00.001Z' });
  });

  it('publishing publishes every kind of value that was saved before, nulls included', async () => {
    const full = {
      title: 't', body: 'b', content: [{ type: 'paragraph', children: [{ type: 'text', text: 'x' }] }], kind: 'review', rating: 1.5, views: 2, reads: '9007199254740993', score: 2.5, featured: true,
      eventDate: '2026-02-28', eventTime: '10:00:00.000', startsAt: '2026-02-28T10:00:00.000Z', contactEmail: 'a@b.org', extra: { a: [1, null] }, seo: { metaTitle: 'm' }, links: [{ label: 'l' }], sections: [{ __component: 'sections.text', body: 'b' }],
    };
    const { documentId } = await api.create('article', full, DRAFT);
    const params = { populate: ['seo', 'links', 'sections'] };
    const strip = ({ id: _id, updatedAt: _updated, publishedAt: _published, ...rest }: Answer) => rest;
    const published = await api.act('publish', 'article', documentId, params);
    const draft = await api.one('article', documentId, { ...params, ...DRAFT });
    expect(published).toMatchObject({ ...full, seo: { metaTitle: 'm' }, links: [{ label: 'l' }] });
    expect(strip(published as Answer)).toEqual(strip(draft as Answer));
    const nothing = Object.fromEntries(Object.keys(full).filter((key) => key !== 'title').map((key) => [key, null]));
    await api.update('article', documentId, nothing, DRAFT);
    expect(await api.one('article', documentId, params)).toEqual(published);
    expect(await api.update('article', documentId, {}, params)).toMatchObject({ ...nothing, links: [], sections: [], publishedAt: expect.any(String) as string });
  });

  it('publishing asks everything of what the draft may lack', async () => {
    const { documentId } = await api.create('article', { summary: 'ab', slug: 'Not a slug', views: -1, seo: { social: [{}] } }, DRAFT);
    for (const publish of [() => api.update('article', documentId, {}), () => api.act('publish', 'article', documentId)]) {
      expect(await faultsOf(publish())).toEqual(['title', 'slug', 'summary', 'views', 'seo.metaTitle']);
    }
    expect(await api.one('article', documentId)).toBeNull();
    expect(await api.one('article', documentId, DRAFT)).toMatchObject({ summary: 'ab', views: -1 });
    const fixed = { title: 't', slug: 'slug', summary: 'abc', views: 1, seo: { metaTitle: 'm' } };
    expect(await api.update('article', documentId, fixed)).toMatchObject({ title: 't', publishedAt: expect.any(String) as string });
  });

  it('a write that fails to publish leaves the draft as it was', async () => {
    const { documentId } = await api.create('article', { title: 't' });
    await api.update('article', documentId, { title: null }, DRAFT);
    expect(await faultsOf(api.update('article', documentId, { body: 'changed' }))).toEqual(['title']);
    expect(await api.one('article', documentId, DRAFT)).toMatchObject({ title: null, body: null });
  });

  it('unique values are unique per status', async () => {
    const first = await api.create('article', { title: 'a', slug: 'wanted' });
    await api.update('article', first.documentId, { slug: 'moved' }, DRAFT);
    const second = await api.create('article', { title: 'b', slug: 'wanted' }, DRAFT);
    expect(await faultsOf(api.act('publish', 'article', second.documentId))).toEqual(['slug']);
    await api.act('publish', 'article', first.documentId);
    expect(await api.act('publish', 'article', second.documentId)).toMatchObject({ slug: 'wanted' });
    expect(await faultsOf(api.update('article', first.documentId, { slug: 'wanted' }, DRAFT))).toEqual(['slug']);
  });

  it('two documents may swap a unique value in two steps, and keep their own', async () => {
    const [a, b] = [await api.create('article', { title: 'a', slug: 's1' }), await api.create('article', { title: 'b', slug: 's2' })];
    expect(await api.update('article', a.documentId, { slug: 's1' })).toMatchObject({ slug: 's1' });
    await api.update('article', a.documentId, { slug: null });
    await api.update('article', b.documentId, { slug: 's1' });
    expect(await api.update('article', a.documentId, { slug: 's2' })).toMatchObject({ slug: 's2' });
  });

  it('unpublishing keeps the draft and what it links', async () => {
    const tag = await api.create('tag', { name: 'unpublished' });
    const { documentId } = await api.create('article', { title: 't', tags: [tag.documentId] });
    await api.update('article', documentId, { title: 'pending' }, DRAFT);
    expect(await api.act('unpublish', 'article', documentId, { populate: { tags: { fields: ['name'] } } })).toMatchObject({ title: 'pending', publishedAt: null, tags: [{ name: 'unpublished' }] });
    expect(await api.one('article', documentId)).toBeNull();
    expect((await api.one('tag', tag.documentId, { populate: 'articles' }))?.['articles']).toEqual([]);
    expect(await api.act('unpublish', 'article', documentId)).toMatchObject({ title: 'pending' });
    expect(await api.act('publish', 'article', documentId)).toMatchObject({ title: 'pending' });
    expect(names((await api.one('tag', tag.documentId, { populate: 'articles' }))?.['articles'])).toEqual(['pending']);
  });

  it('discarding brings back what is published: values, components, links in their order', async () => {
    const tags = await Promise.all(['x', 'y', 'z'].map(async (name) => (await api.create('tag', { name })).documentId));
    const author = await api.create('author', { name: 'Ada' });
    const params = { populate: { tags: { fields: ['name'] }, author: { fields: ['name'] }, seo: true, links: true } };
    const { documentId } = await api.create('article', { title: 't', tags: [tags[2], tags[0]], author: author.documentId, seo: { metaTitle: 'm' }, links: [{ label: 'l' }] });
    const before = await api.one('article', documentId, { ...params, ...DRAFT });
    await api.update('article', documentId, { title: 'edited', body: 'b', tags, author: null, seo: null, links: [] }, DRAFT);
    expect(await api.act('discardDraft', 'article', documentId, params)).toEqual(before);
    expect((await api.one('tag', tags[1] ?? '', { ...DRAFT, populate: 'articles' }))?.['articles']).toEqual([]);
  });

  it('actions on what is not there, and on types without drafts', async () => {
    const { documentId } = await api.create('article', { title: 'only a draft' }, DRAFT);
    expect(await refusal(api.act('discardDraft', 'article', documentId))).toMatchObject({ kind: 'validation' });
    for (const action of ['publish', 'unpublish', 'discardDraft'] as const) {
      expect(await api.act(action, 'article', 'missing')).toBeNull();
      expect(await api.act(action, 'article', documentId, { locale: 'fr' })).toBeNull();
      expect(await refusal(api.act(action, 'tag', documentId))).toMatchObject({ code: 'request/invalid-parameter' });
    }
    expect(await api.one('article', documentId, { ...DRAFT, locale: 'fr' })).toBeNull();
  });

  it('a document that has no draft yet is edited from what is published', async () => {
    const tag = await api.create('tag', { name: 'kept' });
    const author = await api.create('author', { name: 'Ada' });
    const make = async () => {
      const { documentId } = await api.create('article', { title: 'old', body: 'b', seo: { metaTitle: 'm' }, tags: [tag.documentId], author: author.documentId });
      await world.database.transact((tx) => tx.model('Article').deleteMany({ where: { documentId, status: 'draft' } }));
      return documentId;
    };
    const params = { populate: { seo: true, tags: { fields: ['name'] }, author: { fields: ['name'] } } };
    const kept = { body: 'b', seo: { metaTitle: 'm' }, tags: [{ name: 'kept' }], author: { name: 'Ada' } };
    const [one, two] = [await make(), await make()];
    expect(await api.update('article', one, { title: 'new' }, params)).toMatchObject({ title: 'new', ...kept });
    expect(await api.one('article', one, { ...params, ...DRAFT })).toMatchObject({ title: 'new', ...kept });
    expect(await api.update('article', two, { title: 'draft' }, { ...params, ...DRAFT })).toMatchObject({ title: 'draft', ...kept });
    expect(await api.one('article', two, params)).toMatchObject({ title: 'old', ...kept });
  });

  describe('relations', () => {
    it('of a draft never show in the published version, from either end', async () => {
      const [red, blue] = [await api.create('category', { name: 'red' }), await api.create('category', { name: 'blue' })];
      const { documentId } = await api.create('article', { title: 'r', category: red.documentId });
      const populate = { category: { fields: ['name'] } };
      const articlesOf = async (category: Answer, params = {}) => names((await api.one('category', category.documentId, { ...params, populate: { articles: { fields: ['title'] } } }))?.['articles']);
      await api.update('article', documentId, { category: blue.documentId }, DRAFT);
      expect([await articlesOf(red), await articlesOf(blue), await articlesOf(red, DRAFT), await articlesOf(blue, DRAFT)]).toEqual([['r'], [], [], ['r']]);
      await api.update('category', red.documentId, { articles: [documentId] }, DRAFT);
      expect([await articlesOf(red), await articlesOf(blue), await articlesOf(red, DRAFT), await articlesOf(blue, DRAFT)]).toEqual([['r'], [], ['r'], []]);
      await api.update('category', blue.documentId, { articles: { connect: [documentId] } });
      expect((await api.one('article', documentId, { populate }))?.['category']).toMatchObject({ name: 'blue' });
      expect([await articlesOf(red), await articlesOf(blue), await articlesOf(red, DRAFT), await articlesOf(blue, DRAFT)]).toEqual([[], ['r'], [], ['r']]);
    });

    it('edited on the inverse side of a draft are published with it', async () => {
      const articles = await Promise.all(['a', 'b', 'c'].map(async (title) => (await api.create('article', { title })).documentId));
      const { documentId } = await api.create('category', { name: 'pending' });
      const listOf = async (params = {}) => names((await api.one('category', documentId, { ...params, populate: { articles: { fields: ['title'] } } }))?.['articles']);
      await api.update('category', documentId, { articles: [articles[2], articles[0]] }, DRAFT);
      expect([await listOf(DRAFT), await listOf()]).toEqual([['c', 'a'], []]);
      await api.update('category', documentId, {});
      expect(await listOf()).toEqual(['c', 'a']);
      await api.update('category', documentId, { articles: { connect: [{ documentId: articles[1], position: { start: true } }], disconnect: [articles[2]] } }, DRAFT);
      expect([await listOf(DRAFT), await listOf()]).toEqual([['b', 'a'], ['c', 'a']]);
      await api.update('category', documentId, { position: 1 });
      expect([await listOf(DRAFT), await listOf()]).toEqual([['b', 'a'], ['b', 'a']]);
    });

    it('edited in a draft are not published by the other end', async () => {
      const [red, blue] = [await api.create('category', { name: 'red2' }), await api.create('category', { name: 'blue2' })];
      const { documentId } = await api.create('article', { title: 'mine', category: red.documentId });
      await api.update('article', documentId, { category: blue.documentId }, DRAFT);
      for (const category of [red, blue]) await api.update('category', category.documentId, { position: 5 });
      expect((await api.one('article', documentId, { populate: 'category' }))?.['category']).toMatchObject({ name: 'red2' });
      await api.update('article', documentId, {});
      expect((await api.one('article', documentId, { populate: 'category' }))?.['category']).toMatchObject({ name: 'blue2' });
    });

    it('keep the order of the inverse side when they are published again', async () => {
      const { documentId: tag } = await api.create('tag', { name: 'ordered' });
      const articles: string[] = [];
      for (const title of ['a', 'b', 'c']) articles.push((await api.create('article', { title, tags: [tag] })).documentId);
      const listOf = async (params = {}) => names((await api.one('tag', tag, { ...params, populate: { articles: { fields: ['title'] } } }))?.['articles']);
      expect(await listOf()).toEqual(['a', 'b', 'c']);
      await api.update('tag', tag, { articles: { connect: [{ documentId: articles[2], position: { start: true } }] } });
      expect([await listOf(), await listOf(DRAFT)]).toEqual([['c', 'a', 'b'], ['c', 'a', 'b']]);
      for (const article of articles) await api.update('article', article, { body: 'again' });
      await api.update('article', articles[0] ?? '', { tags: [tag] });
      expect([await listOf(), await listOf(DRAFT)]).toEqual([['c', 'a', 'b'], ['c', 'a', 'b']]);
      await api.update('tag', tag, { articles: [...articles].reverse() });
      expect([await listOf(), await listOf(DRAFT)]).toEqual([['c', 'b', 'a'], ['c', 'b', 'a']]);
    });

    it('written from a type without drafts reach both versions, also one that is published later', async () => {
      const { documentId: tag } = await api.create('tag', { name: 'both' });
      const [live, hidden] = [await api.create('article', { title: 'live' }), await api.create('article', { title: 'hidden' }, DRAFT)];
      await api.update('tag', tag, { articles: [hidden.documentId, live.documentId] }, DRAFT);
      const listOf = async (params = {}) => names((await api.one('tag', tag, { ...params, populate: { articles: { fields: ['title'] } } }))?.['articles']);
      expect([await listOf(), await listOf(DRAFT)]).toEqual([['live'], ['hidden', 'live']]);
      await api.act('publish', 'article', hidden.documentId);
      expect([await listOf(), await listOf(DRAFT)]).toEqual([['hidden', 'live'], ['hidden', 'live']]);
    });

    it('the answer of a write is read with its status, also on a type without drafts', async () => {
      const { documentId: tag } = await api.create('tag', { name: 'answer' });
      await api.create('article', { title: 'hidden', tags: [tag] }, DRAFT);
      expect(await api.update('tag', tag, { label: 'x' }, { ...DRAFT, populate: { articles: { fields: ['title'] } } })).toMatchObject({ label: 'x', articles: [{ title: 'hidden' }] });
      expect(await api.update('tag', tag, { label: 'y' }, { populate: 'articles' })).toMatchObject({ label: 'y', articles: [] });
    });
  });
});
