import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi, issuesOf, errorOf, steppingClock } from './service.js';
import type { ReturnedRecord, Api } from './service.js';

const DRAFT = { status: 'draft' };

describe.each(databases)('drafts and published versions on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let api: Api;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    api = createApi(testEnvironment, { clock: steppingClock() });
  });
  afterAll(() => testEnvironment.close());

  const names = (value: unknown): readonly unknown[] =>
    (value as readonly ReturnedRecord[]).map((item) => item['title'] ?? item['name']);

  it('a version keeps its id and createdAt; its other times increase with each write', async () => {
    const created = await api.create('article', { title: 'one' });
    const draft = await api.one('article', created.documentId, DRAFT);
    const again = await api.update('article', created.documentId, { title: 'two' });
    expect(again?.id).toBe(created.id);
    expect(again?.['createdAt']).toBe(created['createdAt']);
    expect(
      [created['updatedAt'], created['publishedAt']].every(
        (time) => String(time) < String(again?.['updatedAt']),
      ),
    ).toBe(true);
    expect(again?.['publishedAt']).toBe(again?.['updatedAt']);
    const draftAgain = await api.one('article', created.documentId, DRAFT);
    expect(draftAgain).toMatchObject({
      id: draft?.id,
      publishedAt: null,
      createdAt: created['createdAt'],
      updatedAt: again?.['updatedAt'],
    });
  });

  it('saving a draft changes neither the published version nor its times', async () => {
    const created = await api.create('article', { title: 'live' });
    const saved = await api.update('article', created.documentId, { title: 'later' }, DRAFT);
    expect(saved).toMatchObject({ title: 'later', publishedAt: null });
    expect(await api.one('article', created.documentId)).toEqual(created);
  });

  it('updatedAt never decreases, even if the clock is set back', async () => {
    const late = createApi(testEnvironment, { clock: () => new Date('2100-01-01T00:00:00.000Z') });
    const early = createApi(testEnvironment, { clock: () => new Date('2000-01-01T00:00:00.000Z') });
    const { documentId } = await late.create('article', { title: 'from the future' });
    expect(await early.update('article', documentId, { title: 'now' }, DRAFT)).toMatchObject({
      updatedAt: '2100-01-01T00:00:00.001Z',
    });
  });

  it('publishing copies all kinds of values of the draft, including nulls', async () => {
    const full = {
      title: 't',
      body: 'b',
      content: [{ type: 'paragraph', children: [{ type: 'text', text: 'x' }] }],
      kind: 'review',
      rating: 1.5,
      views: 2,
      reads: '9007199254740993',
      score: 2.5,
      featured: true,
      eventDate: '2026-02-28',
      eventTime: '10:00:00.000',
      startsAt: '2026-02-28T10:00:00.000Z',
      contactEmail: 'a@b.org',
      extra: { a: [1, null] },
      seo: { metaTitle: 'm' },
      links: [{ label: 'l' }],
      sections: [{ __component: 'sections.text', body: 'b' }],
    };
    const { documentId } = await api.create('article', full, DRAFT);
    const params = { populate: ['seo', 'links', 'sections'] };
    const strip = ({ id: _id, updatedAt: _updated, publishedAt: _published, ...rest }: ReturnedRecord) =>
      rest;
    const published = await api.act('publish', 'article', documentId, params);
    const draft = await api.one('article', documentId, { ...params, ...DRAFT });
    expect(published).toMatchObject({ ...full, seo: { metaTitle: 'm' }, links: [{ label: 'l' }] });
    expect(strip(published as ReturnedRecord)).toEqual(strip(draft as ReturnedRecord));
    const nothing = Object.fromEntries(
      Object.keys(full)
        .filter((key) => key !== 'title')
        .map((key) => [key, null]),
    );
    await api.update('article', documentId, nothing, DRAFT);
    expect(await api.one('article', documentId, params)).toEqual(published);
    expect(await api.update('article', documentId, {}, params)).toMatchObject({
      ...nothing,
      links: [],
      sections: [],
      publishedAt: expect.any(String) as string,
    });
  });

  it('publishing applies the constraints that a draft need not meet', async () => {
    const { documentId } = await api.create(
      'article',
      { summary: 'ab', slug: 'Not a slug', views: -1, seo: { social: [{}] } },
      DRAFT,
    );
    for (const publish of [
      () => api.update('article', documentId, {}),
      () => api.act('publish', 'article', documentId),
    ]) {
      expect(await issuesOf(publish())).toEqual(['title', 'slug', 'summary', 'views', 'seo.metaTitle']);
    }
    expect(await api.one('article', documentId)).toBeNull();
    expect(await api.one('article', documentId, DRAFT)).toMatchObject({ summary: 'ab', views: -1 });
    const fixed = { title: 't', slug: 'slug', summary: 'abc', views: 1, seo: { metaTitle: 'm' } };
    expect(await api.update('article', documentId, fixed)).toMatchObject({
      title: 't',
      publishedAt: expect.any(String) as string,
    });
  });

  it('an update that cannot be published does not change the draft', async () => {
    const { documentId } = await api.create('article', { title: 't' });
    await api.update('article', documentId, { title: null }, DRAFT);
    expect(await issuesOf(api.update('article', documentId, { body: 'changed' }))).toEqual(['title']);
    expect(await api.one('article', documentId, DRAFT)).toMatchObject({ title: null, body: null });
  });

  it('a unique value may be in several drafts and in one published version', async () => {
    const first = await api.create('article', { title: 'a', slug: 'wanted' });
    await api.update('article', first.documentId, { slug: 'moved' }, DRAFT);
    const second = await api.create('article', { title: 'b', slug: 'wanted' }, DRAFT);
    expect(await issuesOf(api.act('publish', 'article', second.documentId))).toEqual(['slug']);
    await api.act('publish', 'article', first.documentId);
    expect(await api.act('publish', 'article', second.documentId)).toMatchObject({ slug: 'wanted' });
    expect(await api.update('article', first.documentId, { slug: 'wanted' }, DRAFT)).toMatchObject({
      slug: 'wanted',
    });
    expect(await issuesOf(api.act('publish', 'article', first.documentId))).toEqual(['slug']);
  });

  it('a document may be sent its own unique value, and take one that another has given up', async () => {
    const [a, b] = [
      await api.create('article', { title: 'a', slug: 's1' }),
      await api.create('article', { title: 'b', slug: 's2' }),
    ];
    expect(await api.update('article', a.documentId, { slug: 's1' })).toMatchObject({ slug: 's1' });
    await api.update('article', a.documentId, { slug: null });
    await api.update('article', b.documentId, { slug: 's1' });
    expect(await api.update('article', a.documentId, { slug: 's2' })).toMatchObject({ slug: 's2' });
  });

  it('unpublishing keeps the draft and its links', async () => {
    const tag = await api.create('tag', { name: 'unpublished' });
    const { documentId } = await api.create('article', { title: 't', tags: [tag.documentId] });
    await api.update('article', documentId, { title: 'pending' }, DRAFT);
    expect(
      await api.act('unpublish', 'article', documentId, { populate: { tags: { fields: ['name'] } } }),
    ).toMatchObject({ title: 'pending', publishedAt: null, tags: [{ name: 'unpublished' }] });
    expect(await api.one('article', documentId)).toBeNull();
    expect((await api.one('tag', tag.documentId, { populate: 'articles' }))?.['articles']).toEqual([]);
    expect(await api.act('unpublish', 'article', documentId)).toMatchObject({ title: 'pending' });
    expect(await api.act('publish', 'article', documentId)).toMatchObject({ title: 'pending' });
    expect(names((await api.one('tag', tag.documentId, { populate: 'articles' }))?.['articles'])).toEqual([
      'pending',
    ]);
  });

  it('discarding a draft restores the published values, components and links in their order', async () => {
    const tags = await Promise.all(
      ['x', 'y', 'z'].map(async (name) => (await api.create('tag', { name })).documentId),
    );
    const author = await api.create('author', { name: 'Ada' });
    const params = {
      populate: { tags: { fields: ['name'] }, author: { fields: ['name'] }, seo: true, links: true },
    };
    const { documentId } = await api.create('article', {
      title: 't',
      tags: [tags[2], tags[0]],
      author: author.documentId,
      seo: { metaTitle: 'm' },
      links: [{ label: 'l' }],
    });
    const before = await api.one('article', documentId, { ...params, ...DRAFT });
    await api.update(
      'article',
      documentId,
      { title: 'edited', body: 'b', tags, author: null, seo: null, links: [] },
      DRAFT,
    );
    expect(await api.act('discardDraft', 'article', documentId, params)).toEqual(before);
    expect((await api.one('tag', tags[1] ?? '', { ...DRAFT, populate: 'articles' }))?.['articles']).toEqual(
      [],
    );
  });

  it('actions return null for missing versions, and are refused for types without drafts', async () => {
    const { documentId } = await api.create('article', { title: 'only a draft' }, DRAFT);
    expect(await errorOf(api.act('discardDraft', 'article', documentId))).toMatchObject({
      kind: 'validation',
    });
    const VERBS = { publish: 'publish', unpublish: 'unpublish', discardDraft: 'discard' };
    for (const action of ['publish', 'unpublish', 'discardDraft'] as const) {
      expect(await api.act(action, 'article', 'missing')).toBeNull();
      expect(await api.act(action, 'article', documentId, { locale: 'fr' })).toBeNull();
      expect(await errorOf(api.act(action, 'tag', documentId))).toMatchObject({
        code: 'request/no-drafts',
        message: `tag has no drafts, so there is nothing to ${VERBS[action]}.`,
      });
    }
    expect(await api.one('article', documentId, { ...DRAFT, locale: 'fr' })).toBeNull();
  });

  it('an update of a document without a draft starts from the published version', async () => {
    const tag = await api.create('tag', { name: 'kept' });
    const author = await api.create('author', { name: 'Ada' });
    const make = async () => {
      const { documentId } = await api.create('article', {
        title: 'old',
        body: 'b',
        seo: { metaTitle: 'm' },
        tags: [tag.documentId],
        author: author.documentId,
      });
      await testEnvironment.database.transact((tx) =>
        tx.model('Article').deleteMany({ where: { documentId, status: 'draft' } }),
      );
      return documentId;
    };
    const params = { populate: { seo: true, tags: { fields: ['name'] }, author: { fields: ['name'] } } };
    const kept = { body: 'b', seo: { metaTitle: 'm' }, tags: [{ name: 'kept' }], author: { name: 'Ada' } };
    const [one, two] = [await make(), await make()];
    expect(await api.update('article', one, { title: 'new' }, params)).toMatchObject({
      title: 'new',
      ...kept,
    });
    expect(await api.one('article', one, { ...params, ...DRAFT })).toMatchObject({ title: 'new', ...kept });
    expect(await api.update('article', two, { title: 'draft' }, { ...params, ...DRAFT })).toMatchObject({
      title: 'draft',
      ...kept,
    });
    expect(await api.one('article', two, params)).toMatchObject({ title: 'old', ...kept });
  });
});
