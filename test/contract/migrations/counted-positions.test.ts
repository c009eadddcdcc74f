import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createContentFixture } from './content-fixture.js';
import { at, createDocuments, project, readLinks, relation } from './linked-documents.js';
import { findDrift } from './migration-fixture.js';

const PROJECT = project({
  article: {
    tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
    main: relation('manyToOne', 'tag', { inversedBy: 'mains' }),
    authors: relation('manyToMany', 'author', { inversedBy: 'articles' }),
  },
  tag: {
    articles: relation('manyToMany', 'article', { mappedBy: 'tags' }),
    mains: relation('oneToMany', 'article', { mappedBy: 'main' }),
  },
  author: { articles: relation('manyToMany', 'article', { mappedBy: 'authors' }) },
});

const DRAFT = { status: 'draft' };

describe.each(databases)('positions that each version counted on $name', (kind) => {
  it('become comparable, and lists keep their order', async () => {
    const fixture = await createContentFixture(kind);
    const counted = fixture.prismaSchema(PROJECT).replaceAll(/(osition +)Float/g, '$1Int');
    await fixture.migrate(PROJECT, { nextSchema: counted });
    const old = await fixture.open(PROJECT);
    const { article, tag, author } = await createDocuments(old);
    const [first = '', second = '', third = ''] = article;
    const links = { tags: at(tag, 0), main: tag[0], authors: at(author, 0) };
    for (const documentId of article) await old.update('article', documentId, links, DRAFT);
    for (const documentId of [third, first]) await old.act('publish', 'article', documentId);
    // In published lists, the third article comes before the first, each counted from 1.
    for (const [documentId, position] of [
      [third, 1],
      [first, 2],
    ] as const) {
      const version = `select id from articles where document_id = '${documentId}' and status = 'published'
        and locale = 'en'`;
      await fixture.run(`update articles set main_position = ${position} where id in (${version})`);
      for (const table of ['articles_tags_links', 'articles_authors_links'])
        await fixture.run(
          `update ${table} set inverse_position = ${position} where source_id in (${version})`,
        );
    }
    const listsIn = async (api: typeof old) => ({
      articles: await readLinks(api, 'tag', tag[0] ?? '', 'articles'),
      mains: await readLinks(api, 'tag', tag[0] ?? '', 'mains'),
      ofAuthor: await readLinks(api, 'author', author[0] ?? '', 'articles'),
    });
    const before = await listsIn(old);
    expect(before.articles).toEqual({ draft: [first, second, third], published: [third, first] });

    const { sql } = await fixture.migrate(PROJECT);
    expect(sql.match(/^with links/gm)).toHaveLength(5);
    expect(await findDrift(kind, fixture, fixture.prismaSchema(PROJECT))).toBe('');
    const api = await fixture.open(PROJECT);
    expect(await listsIn(api)).toEqual(before);

    await api.update('tag', tag[0] ?? '', { articles: at(article, 0, 1, 2), mains: at(article, 0, 1, 2) });
    await api.act('publish', 'article', second);
    const after = await listsIn(api);
    expect([after.articles, after.mains]).toEqual([
      { draft: [first, second, third], published: [first, second, third] },
      { draft: [first, second, third], published: [first, second, third] },
    ]);
  });

  it('have links published to their places', async () => {
    const fixture = await createContentFixture(kind);
    const counted = fixture.prismaSchema(PROJECT).replaceAll(/(osition +)Float/g, '$1Int');
    await fixture.migrate(PROJECT, { nextSchema: counted });
    const old = await fixture.open(PROJECT);
    const { article, tag } = await createDocuments(old);
    const [first = '', second = '', third = ''] = article;
    const links = { tags: at(tag, 0), main: tag[0] };
    for (const documentId of article) await old.update('article', documentId, links, DRAFT);
    for (const documentId of [first, third]) await old.act('publish', 'article', documentId);
    const version = `select id from articles where document_id = '${third}' and status = 'published'`;
    await fixture.run(`update articles set main_position = 2 where id in (${version})`);
    await fixture.run(`update articles_tags_links set inverse_position = 2 where source_id in (${version})`);
    await fixture.migrate(PROJECT);
    const api = await fixture.open(PROJECT);
    await api.act('publish', 'article', second);
    for (const name of ['articles', 'mains'])
      expect(await readLinks(api, 'tag', tag[0] ?? '', name)).toEqual({
        draft: [first, second, third],
        published: [first, second, third],
      });
  });
});
