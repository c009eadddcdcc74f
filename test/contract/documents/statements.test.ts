import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi, observeStatements, uidOf, watchDatabase } from './service.js';
import type { Api, WatchedDatabase } from './service.js';

describe.each(databases)('statements of a write on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let watched: WatchedDatabase;
  let api: Api;
  let author: string;
  let category: string;
  let tags: readonly string[];

  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    watched = watchDatabase(testEnvironment.database);
    api = createApi({ model: testEnvironment.model, database: watched.database });
    author = (await api.create('author', { name: 'Ada' })).documentId;
    category = (await api.create('category', { name: 'Cat' })).documentId;
    tags = await Promise.all(
      Array.from(
        { length: 60 },
        async (_, index) => (await api.create('tag', { name: `tag ${index}` })).documentId,
      ),
    );
  });
  afterAll(() => testEnvironment.close());

  /** Statements between BEGIN and COMMIT. */
  const statementsOf = async (call: () => Promise<unknown>): Promise<readonly string[]> => {
    await call();
    return [...watched.statements];
  };

  it('creating a tag takes three: insert the document, check unique values, insert the version', async () => {
    expect(await statementsOf(() => api.create('tag', { name: 'one more' }))).toEqual([
      'insert tags_documents',
      'select',
      'insert tags',
    ]);
  });

  it('creating an author without unique values or links takes no select', async () => {
    expect(await statementsOf(() => api.create('author', { name: 'Bob' }))).toEqual([
      'insert authors_documents',
      'insert authors',
    ]);
  });

  it('creating a published article takes four, of which one inserts both versions', async () => {
    const data = {
      title: 'A',
      slug: 'a',
      author,
      category,
      tags: tags.slice(0, 3),
      seo: { metaTitle: 'm' },
      links: [{ label: 'l', tag: tags[0] }],
    };
    expect(await statementsOf(() => api.create('article', data))).toEqual([
      'insert articles_documents',
      'select',
      'insert articles',
      'insert articles_tags_links',
    ]);
  });

  it('linking sixty tags takes as many as linking one', async () => {
    const few = await statementsOf(() => api.create('article', { title: 'few', tags: tags.slice(0, 1) }));
    const many = await statementsOf(() => api.create('article', { title: 'many', tags }));
    expect(many).toEqual(few);
    const { documentId } = await api.create('article', { title: 'moved', tags });
    const move = await statementsOf(() => api.update('article', documentId, { tags: [...tags].reverse() }));
    const set = await statementsOf(() => api.update('article', documentId, { tags: tags.slice(0, 2) }));
    expect([move.length, set.length]).toEqual([5, 6]);
  });

  it.runIf(database.name === 'sqlite')('prefetch queries use indexes only', async () => {
    const queries: string[] = [];
    const plan: string[] = [];
    const explaining = observeStatements(testEnvironment.database, async (tx, sql, parameters) => {
      if (!sql.startsWith('select 0 as part')) return;
      queries.push(sql);
      plan.push(
        ...(await tx.query(`explain query plan ${sql}`, parameters)).map(({ detail }) => String(detail)),
      );
    });
    const explained = createApi({ model: testEnvironment.model, database: explaining });
    const { documentId } = await explained.create('article', {
      title: 'C',
      slug: 'c',
      author,
      category,
      tags: tags.slice(0, 3),
    });
    await explained.update('article', documentId, { slug: 'd', tags: { connect: tags.slice(3, 5) } });
    await explained.update('tag', tags[9] ?? '', { articles: { connect: [documentId] } });
    expect(queries).toHaveLength(3);
    expect(plan.filter((step) => step.startsWith('SEARCH')).length).toBeGreaterThan(10);
    expect(plan.filter((step) => /^SCAN (?!json_each)/.test(step) || step.includes('TEMP B-TREE'))).toEqual(
      [],
    );
    // Grouping by target would read all links of each target.
    expect(queries.filter((sql) => /group by "(?:\w+_)?document_id"/.test(sql))).toEqual([]);
  });

  it('publishing an unchanged document updates two rows', async () => {
    const { documentId } = await api.create('article', {
      title: 'B',
      author,
      tags: tags.slice(0, 5),
      sections: [{ __component: 'sections.text', body: 'b' }],
    });
    expect(await statementsOf(() => api.update('article', documentId, {}))).toEqual([
      'update articles_documents',
      'select',
      'select',
      'with',
    ]);
  });

  it('updating published documents in a bulk updates drafts and published versions in one step', async () => {
    const type = uidOf(testEnvironment, 'article');
    const selection = { fields: [], populate: [] };
    const created = await Promise.all(['a', 'b', 'c'].map((title) => api.create('article', { title })));
    const items = created.map(({ documentId }) => ({
      action: 'update' as const,
      params: { type, documentId, locale: 'en', selection, data: { title: 'updated', views: 1 } },
    }));
    const statements = await statementsOf(() => api.documents.bulk({ items, atomic: true }));
    expect(statements).toEqual([
      'SAVEPOINT',
      'update articles_documents',
      'select',
      'select',
      'with',
      'RELEASE',
    ]);
    for (const { documentId } of created) {
      const draft = await api.one('article', documentId, { status: 'draft' });
      expect(draft).toMatchObject({ title: 'updated', publishedAt: null });
      const published = await api.one('article', documentId);
      expect(published).toMatchObject({ title: 'updated', publishedAt: draft?.['updatedAt'] });
    }
  });

  it('setting a list from its inverse side takes a constant number', async () => {
    const articles = await Promise.all(
      Array.from(
        { length: 30 },
        async (_, index) => (await api.create('article', { title: `t${index}` })).documentId,
      ),
    );
    const one = await statementsOf(() => api.update('author', author, { articles: articles.slice(0, 1) }));
    const all = await statementsOf(() => api.update('author', author, { articles }));
    expect(all.length).toBeLessThanOrEqual(one.length + 1);
    expect(all.length).toBeLessThanOrEqual(9);
  });
});
