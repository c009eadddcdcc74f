import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi, dumpContent, issuesOf, watchDatabase } from './service.js';
import type { Api, WatchedDatabase } from './service.js';

const FILE = {
  name: 'a.png',
  hash: 'h',
  mime: 'image/png',
  size: 1,
  url: '/uploads/a.png',
  provider: 'local',
};

describe.each(databases)('a failed write changes nothing on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let watched: WatchedDatabase;
  let api: Api;
  let author: string;
  let category: string;
  let tags: readonly string[];
  let file: number;

  const everything = (title: string) => ({
    title,
    slug: title,
    views: 3,
    extra: { a: 1 },
    secret: 'hunter22',
    author,
    category,
    tags,
    cover: file,
    gallery: [file],
    related: [],
    seo: { metaTitle: 'm', image: file, social: [{ network: 'bluesky' }] },
    links: [{ label: 'l', tag: tags[0] }],
    sections: [{ __component: 'sections.related', tags: [...tags] }],
  });

  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    watched = watchDatabase(testEnvironment.database);
    api = createApi({ model: testEnvironment.model, database: watched.database });
    author = (await api.create('author', { name: 'Ada' })).documentId;
    category = (await api.create('category', { name: 'Cat' })).documentId;
    tags = await Promise.all(
      ['a', 'b', 'c'].map(async (name) => (await api.create('tag', { name })).documentId),
    );
    file = (await api.create('file', FILE)).id;
  });
  afterAll(() => testEnvironment.close());

  /**
   * Runs a call until it succeeds. In the first run its first statement fails, in the second its second, and
   * so on. Expects that no failed run changes the content. Returns the number of statements.
   */
  const failAtEach = async (call: () => Promise<unknown>): Promise<number> => {
    const before = await dumpContent(testEnvironment);
    for (let failAt = 1; ; failAt += 1) {
      watched.failAt = failAt;
      const outcome = await call()
        .then(() => 'done')
        .catch((error: unknown) => (error instanceof Error ? error.message : error));
      watched.failAt = 0;
      if (outcome === 'done') return failAt - 1;
      expect(outcome).toBe(`statement ${failAt} failed`);
      expect(await dumpContent(testEnvironment)).toEqual(before);
    }
  };

  it('creating a document with all kinds of values, whichever statement fails', async () => {
    const statements = await failAtEach(() => api.create('article', everything('one')));
    expect(watched.statements).toEqual([
      'insert articles_documents',
      'select',
      'insert articles',
      'insert articles_gallery_links',
      'insert articles_tags_links',
    ]);
    expect(statements).toBe(watched.statements.length);
    expect(await api.list('article', { fields: ['title'] })).toHaveLength(1);
  });

  it('updating and publishing a document with all kinds of values', async () => {
    const { documentId } = await api.create('article', { title: 'two' });
    await failAtEach(() => api.update('article', documentId, everything('two')));
    const article = await api.one('article', documentId, {
      populate: { tags: { fields: ['name'] }, author: { fields: ['name'] } },
    });
    expect(article).toMatchObject({
      slug: 'two',
      author: { name: 'Ada' },
      tags: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
    });
  });

  it('creating a locale, which copies shared attributes and links', async () => {
    const { documentId } = await api.create('article', everything('three'));
    await failAtEach(() =>
      api.update('article', documentId, { title: 'trois', views: 9, tags: [tags[2]] }, { locale: 'fr' }),
    );
    expect(await api.one('article', documentId)).toMatchObject({ views: 9 });
  });

  it('writing relations from the inverse side', async () => {
    const articles = (await api.list('article', { fields: ['title'] })).map(({ documentId }) => documentId);
    const { documentId } = await api.create('author', { name: 'Bob' });
    await failAtEach(() => api.update('author', documentId, { articles }));
    await failAtEach(() =>
      api.update('category', category, {
        articles: { connect: articles.slice(0, 1), disconnect: articles.slice(1) },
      }),
    );
    await failAtEach(() => api.update('tag', tags[0] ?? '', { articles: [] }));
    expect(
      (await api.one('author', documentId, { populate: { articles: { fields: ['title'] } } }))?.['articles'],
    ).toHaveLength(articles.length);
  });

  it('publishing, unpublishing, discarding a draft and deleting', async () => {
    const { documentId } = await api.create('article', everything('four'));
    await api.update(
      'article',
      documentId,
      { tags: [], author: null, title: 'four edited' },
      { status: 'draft' },
    );
    await failAtEach(() => api.act('publish', 'article', documentId));
    await api.update('article', documentId, { tags: [tags[1]], title: 'edited again' }, { status: 'draft' });
    await failAtEach(() => api.act('discardDraft', 'article', documentId));
    await failAtEach(() => api.act('unpublish', 'article', documentId));
    await api.update('article', documentId, { title: 'quatre' }, { locale: 'fr' });
    await failAtEach(() => api.remove('article', documentId, 'fr'));
    await failAtEach(() => api.remove('article', documentId));
    expect(await api.one('article', documentId, { status: 'draft' })).toBeNull();
  });

  it('creating and updating with invalid data', async () => {
    const { documentId } = await api.create('article', everything('five'));
    await api.create('article', { title: 'other', slug: 'taken' });
    const before = await dumpContent(testEnvironment);
    const rejected: readonly (readonly [unknown, string | readonly string[]])[] = [
      [{ title: 5 }, ['title']],
      [{ title: 'x', nope: 1 }, 'request/invalid-key'],
      [{ title: 'x', slug: 'taken' }, ['slug']],
      [{ title: 'x', tags: ['missing'] }, 'request/invalid-relation'],
      [{ title: 'x', tags: [...tags, 99_999_999] }, 'request/invalid-relation'],
      [{ title: 'x', author: 99_999_999_999 }, 'request/invalid-relation'],
      [{ title: 'x', cover: 4_000_000 }, 'request/invalid-relation'],
      [{ title: 'x', links: [{ label: 'x', tag: 'missing' }] }, 'request/invalid-relation'],
      [
        { title: 'x', tags: { connect: [{ documentId: tags[0], position: { before: 'missing' } }] } },
        'request/invalid-relation',
      ],
      [
        {
          title: 'x',
          sections: [
            {
              __component: 'sections.related',
              tags: { connect: [{ documentId: tags[0], position: { after: tags[1] } }] },
            },
          ],
        },
        'request/invalid-relation',
      ],
    ];
    for (const [data, issues] of rejected) {
      expect(await issuesOf(api.create('article', data))).toEqual(issues);
      const hidden = { ...(data as object), body: 'changed', summary: 'changed too' };
      expect(await issuesOf(api.update('article', documentId, hidden))).toEqual(issues);
    }
    for (const [data, issues] of rejected.filter(([, each]) => !each.includes('slug'))) {
      expect(await issuesOf(api.update('article', documentId, data, { locale: 'de' }))).toEqual(issues);
    }
    expect(await dumpContent(testEnvironment)).toEqual(before);
  });
});
