import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { Api } from '../documents/service.js';
import { createContentFixture } from './content-fixture.js';
import { at, createDocuments, project, readLinks, relation } from './linked-documents.js';
import type { Documents, Ends } from './linked-documents.js';
import { findDrift, rejectionOf } from './migration-fixture.js';

const TAGS_BOTH = {
  article: { tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }) },
  tag: { articles: relation('manyToMany', 'article', { mappedBy: 'tags' }) },
};

describe.each(databases)('links that change their storage on $name', (kind) => {
  /**
   * Migrates from one project to another after writing links, and reads a list of attributes before and
   * after.
   */
  const story = async (
    before: Ends,
    after: Ends,
    write: (api: Api, documents: Documents) => Promise<unknown>,
    options: { readonly acceptsDataLoss?: boolean } = {},
  ) => {
    const fixture = await createContentFixture(kind);
    await fixture.migrate(project(before));
    const api = await fixture.open(project(before));
    const documents = await createDocuments(api);
    await write(api, documents);
    const preview = await fixture.preview(project(after));
    if (options.acceptsDataLoss === true) {
      const refusal = await rejectionOf(fixture.migrate(project(after)));
      expect(refusal.code).toBe('migration/data-loss');
    }
    await fixture.migrate(project(after), options);
    expect(await findDrift(kind, fixture, fixture.prismaSchema(project(after)))).toBe('');
    return {
      after: await fixture.open(project(after)),
      documents,
      changes: preview.impact,
    };
  };

  const linkTags = async (api: Api, { article, tag }: Documents): Promise<void> => {
    await api.update('article', article[0] ?? '', { tags: at(tag, 2, 0) });
    await api.update('article', article[1] ?? '', { tags: at(tag, 0, 1) });
    await api.update('article', article[0] ?? '', { tags: at(tag, 1) }, { locale: 'fr', status: 'draft' });
    await api.update('tag', tag[0] ?? '', { articles: at(article, 1, 0) });
  };

  it('keeps both lists and their order where the other side becomes the owner', async () => {
    const { after, documents, changes } = await story(
      TAGS_BOTH,
      {
        article: { tags: relation('manyToMany', 'tag', { mappedBy: 'articles' }) },
        tag: { articles: relation('manyToMany', 'article', { inversedBy: 'tags' }) },
      },
      linkTags,
    );
    const { article, tag } = documents;
    expect(changes).toEqual([]);
    expect(await readLinks(after, 'article', article[0] ?? '', 'tags')).toEqual({
      'en draft': at(tag, 2, 0),
      'en published': at(tag, 2, 0),
      'fr draft': at(tag, 1),
      'fr published': [],
    });
    expect(await readLinks(after, 'tag', tag[0] ?? '', 'articles')).toEqual({
      draft: at(article, 1, 0),
      published: at(article, 1, 0),
    });
    await after.update('tag', tag[0] ?? '', { articles: at(article, 0) });
    expect(await readLinks(after, 'article', article[1] ?? '', 'tags')).toMatchObject({
      'en published': at(tag, 1),
    });
  });

  it('keeps the links of the other side where the owning side is removed', async () => {
    const { after, documents, changes } = await story(
      TAGS_BOTH,
      { tag: { articles: relation('manyToMany', 'article') } },
      linkTags,
    );
    const { article, tag } = documents;
    expect(changes).toEqual([]);
    expect(await readLinks(after, 'tag', tag[0] ?? '', 'articles')).toEqual({
      draft: at(article, 1, 0),
      published: at(article, 1, 0),
    });
  });

  it('keeps the links of both sides where they become two relations, and joins them again', async () => {
    const apart = {
      article: { tags: relation('manyToMany', 'tag') },
      tag: { articles: relation('manyToMany', 'article') },
    };
    const split = await story(TAGS_BOTH, apart, linkTags);
    expect(split.changes).toEqual([]);
    expect(await readLinks(split.after, 'article', split.documents.article[0] ?? '', 'tags')).toMatchObject({
      'en draft': at(split.documents.tag, 2, 0),
      'fr draft': at(split.documents.tag, 1),
    });
    expect(await readLinks(split.after, 'tag', split.documents.tag[0] ?? '', 'articles')).toEqual({
      draft: at(split.documents.article, 1, 0),
      published: at(split.documents.article, 1, 0),
    });
    const joined = await story(apart, TAGS_BOTH, async (api, { article, tag }) => {
      await api.update('article', article[0] ?? '', { tags: at(tag, 2, 0) });
      await api.update('tag', tag[1] ?? '', { articles: at(article, 0, 1) });
    });
    expect(joined.changes).toEqual([]);
    expect(await readLinks(joined.after, 'article', joined.documents.article[0] ?? '', 'tags')).toMatchObject(
      {
        'en draft': at(joined.documents.tag, 2, 0, 1),
        'en published': at(joined.documents.tag, 2, 0, 1),
      },
    );
    expect(await readLinks(joined.after, 'tag', joined.documents.tag[1] ?? '', 'articles')).toMatchObject({
      published: at(joined.documents.article, 0, 1),
    });
  });

  it('gives a to-one relation an ordered list at the other side', async () => {
    const { after, documents } = await story(
      { article: { author: relation('manyToOne', 'author') } },
      {
        article: { author: relation('manyToOne', 'author', { inversedBy: 'articles' }) },
        author: { articles: relation('oneToMany', 'article', { mappedBy: 'author' }) },
      },
      async (api, { article, author }) => {
        for (const documentId of article.toReversed())
          await api.update('article', documentId, { author: author[1] });
      },
    );
    expect(await readLinks(after, 'author', documents.author[1] ?? '', 'articles')).toEqual({
      published: documents.article,
    });
  });

  it('counts the links that a list may no longer share, and keeps the first', async () => {
    const { after, documents, changes } = await story(
      TAGS_BOTH,
      {
        article: { tags: relation('oneToMany', 'tag', { mappedBy: 'articles' }) },
        tag: { articles: relation('manyToOne', 'article', { inversedBy: 'tags' }) },
      },
      linkTags,
      { acceptsDataLoss: true },
    );
    const { article, tag } = documents;
    expect(changes).toMatchObject([
      {
        kind: 'dropped',
        type: 'api::article.article',
        path: 'tags',
        values: 2,
        samples: [JSON.stringify(tag[0])],
      },
    ]);
    expect(await readLinks(after, 'article', article[0] ?? '', 'tags')).toMatchObject({
      'en draft': at(tag, 2),
      'en published': at(tag, 2),
    });
    expect(await readLinks(after, 'article', article[1] ?? '', 'tags')).toMatchObject({
      'en published': at(tag, 0, 1),
    });
  });

  it('counts the owners that share a target where that may be linked once only', async () => {
    const { after, documents, changes } = await story(
      {
        article: { author: relation('manyToOne', 'author', { inversedBy: 'articles' }) },
        author: { articles: relation('oneToMany', 'article', { mappedBy: 'author' }) },
      },
      {
        article: { author: relation('oneToOne', 'author', { inversedBy: 'articles' }) },
        author: { articles: relation('oneToOne', 'article', { mappedBy: 'author' }) },
      },
      async (api, { article, author }) => {
        await api.update('article', article[0] ?? '', { author: author[0] });
        await api.update('article', article[1] ?? '', { author: author[0] });
        await api.update('article', article[2] ?? '', { author: author[1] });
        await api.update('author', author[0] ?? '', { articles: at(article, 1, 0) });
      },
      { acceptsDataLoss: true },
    );
    const { article, author } = documents;
    expect(changes).toMatchObject([
      {
        kind: 'dropped',
        type: 'api::article.article',
        path: 'author',
        values: 2,
        samples: [JSON.stringify(author[0])],
      },
    ]);
    expect(await readLinks(after, 'author', author[0] ?? '', 'articles')).toEqual({ published: article[1] });
    expect(await readLinks(after, 'author', author[1] ?? '', 'articles')).toEqual({ published: article[2] });
    expect(await readLinks(after, 'article', article[0] ?? '', 'author')).toMatchObject({ 'en draft': null });
  });

  it('loses nothing where targets that may be linked once only are not shared', async () => {
    const { after, documents, changes } = await story(
      {
        article: { author: relation('manyToOne', 'author', { inversedBy: 'articles' }) },
        author: { articles: relation('oneToMany', 'article', { mappedBy: 'author' }) },
      },
      {
        article: { author: relation('oneToOne', 'author', { inversedBy: 'articles' }) },
        author: { articles: relation('oneToOne', 'article', { mappedBy: 'author' }) },
      },
      (api, { article, author }) => api.update('article', article[2] ?? '', { author: author[1] }),
    );
    expect(changes).toEqual([]);
    expect(await readLinks(after, 'author', documents.author[1] ?? '', 'articles')).toEqual({
      published: documents.article[2],
    });
  });

  it('counts the links to a type that a polymorphic relation no longer points to', async () => {
    const morph = (...types: readonly ('tag' | 'author')[]): Ends => ({
      article: { about: { type: 'relation', relation: 'morphToMany' } },
      ...Object.fromEntries(
        types.map((type) => [type, { described: relation('morphMany', 'article', { morphBy: 'about' }) }]),
      ),
    });
    const { after, documents, changes } = await story(
      morph('tag', 'author'),
      morph('tag'),
      (api, { article, tag, author }) =>
        api.update('article', article[0] ?? '', {
          about: [
            { __type: 'api::author.author', documentId: author[0] },
            { __type: 'api::tag.tag', documentId: tag[1] },
            { __type: 'api::author.author', documentId: author[1] },
          ],
        }),
      { acceptsDataLoss: true },
    );
    expect(changes).toMatchObject([
      { kind: 'dropped', type: 'api::article.article', path: 'about', values: 4 },
    ]);
    expect(changes[0]?.reason).toContain('api::author.author');
    expect(await readLinks(after, 'tag', documents.tag[1] ?? '', 'described')).toMatchObject({
      published: at(documents.article, 0),
    });
  });

  it('makes a polymorphic relation of one to a type, and one to a type of it', async () => {
    const plain = { article: { about: relation('manyToMany', 'tag') } };
    const morph = { article: { about: { type: 'relation', relation: 'morphToMany' } } };
    const on = { on: { 'api::tag.tag': { fields: ['documentId'] } } };
    const widened = await story(plain, morph, (api, { article, tag }) =>
      api.update('article', article[0] ?? '', { about: at(tag, 2, 0) }),
    );
    expect(widened.changes).toEqual([]);
    expect(
      await readLinks(widened.after, 'article', widened.documents.article[0] ?? '', 'about', on),
    ).toMatchObject({
      'en published': at(widened.documents.tag, 2, 0).map((id) => ['api::tag.tag', id]),
    });
    const narrowed = await story(
      morph,
      plain,
      (api, { article, tag, author }) =>
        api.update('article', article[0] ?? '', {
          about: [
            { __type: 'api::tag.tag', documentId: tag[2] },
            { __type: 'api::author.author', documentId: author[0] },
            { __type: 'api::tag.tag', documentId: tag[1] },
          ],
        }),
      { acceptsDataLoss: true },
    );
    expect(narrowed.changes).toMatchObject([
      { kind: 'dropped', path: 'about', values: 2, samples: [JSON.stringify(narrowed.documents.author[0])] },
    ]);
    expect(
      await readLinks(narrowed.after, 'article', narrowed.documents.article[0] ?? '', 'about'),
    ).toMatchObject({ 'en draft': at(narrowed.documents.tag, 2, 1) });
  });

  it('counts the links of another database that the migration is applied to', async () => {
    const fixture = await createContentFixture(kind);
    await fixture.migrate(project(TAGS_BOTH));
    const production = await fixture.withEmptyDatabase();
    await production.apply();
    const api = await production.open(project(TAGS_BOTH));
    await linkTags(api, await createDocuments(api));
    await fixture.migrate(project({}));
    const error = await rejectionOf(production.apply());
    expect(error.code).toBe('migration/data-loss');
    expect(error.details['changes']).toMatchObject([
      { kind: 'dropped', type: 'api::article.article', path: 'tags', values: 9 },
    ]);
    await production.apply({ acceptsDataLoss: true });
    expect(await findDrift(kind, production, production.prismaSchema(project({})))).toBe('');
  });
});
