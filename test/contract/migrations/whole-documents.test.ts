import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { ProjectLiteral, TypeLiteral } from '../../support/models.js';
import { rejectionOf } from './migration-fixture.js';
import { createScalarFixture, printChange } from './scalar-fixture.js';

const ARTICLE = 'api::article.article';

const relation = (options: object = {}) => ({
  type: 'relation',
  relation: 'manyToMany',
  target: ARTICLE,
  ...options,
});

const project = (article: Partial<TypeLiteral>): ProjectLiteral => ({
  types: {
    article: {
      draftAndPublish: true,
      ...article,
      attributes: {
        title: { type: 'string' },
        twin: relation({ relation: 'oneToOne' }),
        others: relation(),
      },
    },
    list: {
      attributes: {
        name: { type: 'string' },
        articles: relation(),
        best: relation({ relation: 'manyToOne' }),
      },
    },
  },
});

describe.each(databases)('whole documents on $name', (kind) => {
  it('keeps the oldest published document where a collection becomes a single type', async () => {
    const fixture = await createScalarFixture(kind);
    const [before, after] = [project({}), project({ kind: 'singleType' })];
    await fixture.migrate(before);
    const kept = await fixture.withApi(before, async (api) => {
      const draft = await api.create('article', { title: 'draft' }, { status: 'draft' });
      const first = await api.create('article', { title: 'first' }, { status: 'published' });
      const second = await api.create(
        'article',
        { title: 'second', twin: first.documentId, others: [first.documentId, draft.documentId] },
        { status: 'published' },
      );
      await api.update(
        'article',
        first.documentId,
        { twin: second.documentId, others: [second.documentId, first.documentId] },
        { status: 'published' },
      );
      await api.create('list', {
        name: 'all',
        articles: [second.documentId, first.documentId],
        best: second.documentId,
      });
      return first.documentId;
    });

    const error = await rejectionOf(fixture.migrate(after));
    expect(error.code).toBe('migration/data-loss');
    expect((await fixture.preview(after)).impact.map(printChange)).toEqual([
      'dropped : 2 (a single type has one document: the oldest published one stays) []',
      'dropped articles: 2 (the documents that they point at are dropped) []',
      'dropped best: 2 (the documents that they point at are dropped) []',
    ]);

    await fixture.migrate(after, { acceptsDataLoss: true });
    const content = await fixture.withApi(after, async (api) => ({
      articles: await api.list('article', { status: 'draft', populate: '*' }),
      lists: await api.list('list', { populate: '*' }),
      written: await api.create('article', { title: 'written' }, { status: 'published' }),
    }));
    expect(content.articles).toMatchObject([
      { documentId: kept, title: 'first', twin: null, others: [{ documentId: kept }] },
    ]);
    expect(content.lists).toMatchObject([{ articles: [{ documentId: kept }], best: null }]);
    expect(content.written.documentId).toBe(kept);
  });

  it('says nothing where there is one document, and where a single type becomes a collection', async () => {
    const fixture = await createScalarFixture(kind);
    const [collection, single] = [project({}), project({ kind: 'singleType' })];
    await fixture.migrate(collection);
    await fixture.withApi(collection, (api) => api.create('article', { title: 'one' }));
    expect((await fixture.migrate(single)).impact).toEqual([]);
    expect((await fixture.migrate(collection)).impact).toEqual([]);
  });

  it('counts the documents of a removed type, once', async () => {
    const fixture = await createScalarFixture(kind);
    const before = project({});
    const after = { types: { note: { attributes: { text: { type: 'string' } } } } };
    await fixture.migrate(before);
    await fixture.withApi(before, async (api) => {
      const { documentId } = await api.create('article', { title: 'one' }, { status: 'published' });
      await api.create('article', { title: 'two', others: [documentId] }, { status: 'draft' });
    });

    const preview = await fixture.preview(after);
    expect(preview.impact.filter(({ path }) => path === null).map(printChange)).toEqual([
      'dropped : 2 (the content-type is removed) []',
    ]);
    expect((await rejectionOf(fixture.migrate(after))).code).toBe('migration/data-loss');
    await fixture.migrate(after, { acceptsDataLoss: true });
  });
});
