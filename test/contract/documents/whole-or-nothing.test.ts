import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createWorld } from '../../support/world.js';
import type { World } from '../../support/world.js';
import { createApi, dumpContent, faultsOf, watchDatabase } from './service.js';
import type { Api, WatchedDatabase } from './service.js';

const FILE = { name: 'a.png', hash: 'h', mime: 'image/png', size: 1, url: '/uploads/a.png', provider: 'local' };

describe.each(databases)('a write is whole or nothing on $name', (database) => {
  let world: World;
  let watched: WatchedDatabase;
  let api: Api;
  let author: string;
  let category: string;
  let tags: readonly string[];
  let file: number;

  const everything = (title: string) => ({
    title, slug: title, views: 3, extra: { a: 1 }, secret: 'hunter22',
    author, category, tags, cover: file, gallery: [file], related: [],
    seo: { metaTitle: 'm', image: file, social: [{ network: 'bluesky' }] }, links: [{ label: 'l', tag: tags[0] }],
    sections: [{ __component: 'sections.related', tags: [...tags] }],
  });

  beforeAll(async () => {
    world = await createWorld({ model: 'magazine', database });
    watched = watchDatabase(world.database);
    api = createApi({ model: world.model, database: watched.database });
    author = (await api.create('author', { name: 'Ada' })).documentId;
    category = (await api.create('category', { name: 'Cat' })).documentId;
    tags = await Promise.all(['a', 'b', 'c'].map(async (name) => (await api.create('tag', { name })).documentId));
    file = (await api.create('file', FILE)).id;
  });
  afterAll(() => world.close());

  /** Runs a call once for each of its statements, that one failing; answers how many there were. */
  const failAtEach = async (call: () => Promise<unknown>): Promise<number> => {
    const before = await dumpContent(world);
    for (let failAt = 1; ; failAt += 1) {
      watched.failAt = failAt;
      const outcome = await call().then(() => 'done').catch((error: unknown) => (error instanceof Error ? error.message : error));
      watched.failAt = 0;
      if (outcome === 'done') return failAt - 1;
      expect(outcome).toBe(`statement ${failAt} failed`);
      expect(await dumpContent(world)).toEqual(before);
    }
  };

  it('creating with everything, whichever statement fails', async () => {
    const statements = await failAtEach(() => api.create('article', everything('one')));
    expect(watched.statements).toEqual(['insert articles_documents', 'select', 'insert articles', 'insert articles_gallery_links', 'insert articles_tags_links']);
    expect(statements).toBe(watched.statements.length);
    expect(await api.list('article', { fields: ['title'] })).toHaveLength(1);
  });

  it('updating and publishing with everything', async () => {
    const { documentId } = await api.create('article', { title: 'two' });
    await failAtEach(() => api.update('article', documentId, everything('two')));
    const article = await api.one('article', documentId, { populate: { tags: { fields: ['name'] }, author: { fields: ['name'] } } });
    expect(article).toMatchObject({ slug: 'two', author: { name: 'Ada' }, tags: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
  });

  it('a new locale, from shared attributes and links', async () => {
    const { documentId } = await api.create('article', everything('three'));
    await failAtEach(() => api.update('article', documentId, { title: 'trois', views: 9, tags: [tags[2]] }, { locale: 'fr' }));
    expect(await api.one('article', documentId)).toMatchObject({ views: 9 });
  });

  it('writing from the inverse side', async () => {
    const articles = (await api.list('article', { fields: ['title'] })).map(({ documentId }) => documentId);
    const { documentId } = await api.create('author', { name: 'Bob' });
    await failAtEach(() => api.update('author', documentId, { articles }));
    await failAtEach(() => api.update('category', category, { articles: { connect: articles.slice(0, 1), disconnect: articles.slice(1) } }));
    await failAtEach(() => api.update('tag', tags[0] ?? '', { articles: [] }));
    expect((await api.one('author', documentId, { populate: { articles: { fields: ['title'] } } }))?.['articles']).toHaveLength(articles.length);
  });

  it('publishing, unpublishing, discarding and deleting', async () => {
    const { documentId } = await api.create('article', everything('four'));
    await api.update('article', documentId, { tags: [], author: null, title: 'four edited' }, { status: 'draft' });
    await failAtEach(() => api.act('publish', 'article', documentId));
    await api.update('article', documentId, { tags: [tags[1]], title: 'edited again' }, { status: 'draft' });
    await failAtEach(() => api.act('discardDraft', 'article', documentId));
    await failAtEach(() => api.act('unpublish', 'article', documentId));
    await api.update('article', documentId, { title: 'quatre' }, { locale: 'fr' });
    await failAtEach(() => api.remove('article', documentId, 'fr'));
    await failAtEach(() => api.remove('article', documentId));
    expect(await api.one('article', documentId, { status: 'draft' })).toBeNull();
  });

  it('what the rules refuse leaves nothing either', async () => {
    const { documentId } = await api.create('article', everything('five'));
    await api.create('article', { title: 'other', slug: 'taken' });
    const before = await dumpContent(world);
    const refused: readonly (readonly [unknown, string | readonly string[]])[] = [
      [{ title: 5 }, ['title']], [{ title: 'x', nope: 1 }, 'request/invalid-key'], [{ title: 'x', slug: 'taken' }, ['slug']], [{ title: 'x', tags: ['missing'] }, 'request/invalid-relation'],
      [{ title: 'x', tags: [...tags, 99_999_999] }, 'request/invalid-relation'], [{ title: 'x', author: 99_999_999_999 }, 'request/invalid-relation'], [{ title: 'x', cover: 4_000_000 }, 'request/invalid-relation'],
      [{ title: 'x', links: [{ label: 'x', tag: 'missing' }] }, 'request/invalid-relation'], [{ title: 'x', tags: { connect: [{ documentId: tags[0], position: { before: 'missing' } }] } }, 'request/invalid-relation'],
      [{ title: 'x', sections: [{ __component: 'sections.related', tags: { connect: [{ documentId: tags[0], position: { after: tags[1] } }] } }] }, 'request/invalid-relation'],
    ];
    for (const [data, faults] of refused) {
      expect(await faultsOf(api.create('article', data))).toEqual(faults);
      const hidden = { ...(data as object), body: 'changed', summary: 'changed too' };
      expect(await faultsOf(api.update('article', documentId, hidden))).toEqual(faults);
    }
    for (const [data, faults] of refused.filter(([, each]) => !each.includes('slug'))) {
      expect(await faultsOf(api.update('article', documentId, data, { locale: 'de' }))).toEqual(faults);
    }
    expect(await dumpContent(world)).toEqual(before);
  });
});
