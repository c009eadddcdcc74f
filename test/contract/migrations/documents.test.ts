import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { ProjectLiteral, TypeLiteral } from '../../support/models.js';
import type { Api } from '../documents/service.js';
import { createContentFixture } from './content-fixture.js';
import { at, relation } from './linked-documents.js';
import { findDrift, rejectionOf } from './migration-fixture.js';

const localized = { pluginOptions: { i18n: { localized: true } } };

const ARTICLE: TypeLiteral = {
  draftAndPublish: true,
  localized: true,
  attributes: {
    title: { type: 'string', ...localized },
    rank: { type: 'integer', ...localized },
    tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
  },
};

const PROJECT = {
  types: {
    article: ARTICLE,
    tag: {
      attributes: {
        name: { type: 'string' },
        articles: relation('manyToMany', 'article', { mappedBy: 'tags' }),
        favourite: relation('oneToOne', 'article'),
        related: relation('manyToMany', 'tag'),
      },
    },
  },
} satisfies ProjectLiteral;

const withArticle = (changes: Partial<TypeLiteral>): ProjectLiteral => ({
  types: { ...PROJECT.types, article: { ...ARTICLE, ...changes } },
});

interface Documents {
  readonly tags: readonly string[];
  /** Published; edited since; saved since without a change; with another order of tags since; a draft. */
  readonly articles: readonly string[];
}

const writeDocuments = async (api: Api): Promise<Documents> => {
  const tags: string[] = [];
  for (const name of ['a', 'b']) tags.push((await api.create('tag', { name })).documentId);
  const articles: string[] = [];
  for (let rank = 0; rank < 4; rank++)
    articles.push((await api.create('article', { title: `title ${rank}`, rank, tags })).documentId);
  articles.push((await api.create('article', { title: 'hidden' }, { status: 'draft' })).documentId);
  const draft = { status: 'draft' };
  await api.update('article', articles[1] ?? '', { title: 'edited' }, draft);
  await api.update('article', articles[2] ?? '', { title: 'title 2' }, draft);
  await api.update('article', articles[3] ?? '', { tags: tags.toReversed() }, draft);
  await api.update('article', articles[0] ?? '', { title: 'titre', rank: 0 }, { locale: 'fr' });
  await api.update('article', articles[1] ?? '', { title: 'brouillon', rank: 5 }, { ...draft, locale: 'fr' });
  await api.update('tag', tags[0] ?? '', { favourite: articles.toSorted().at(-1), related: tags });
  return { tags, articles };
};

describe.each(databases)('what a migration does to documents on $name', (kind) => {
  const begin = async () => {
    const fixture = await createContentFixture(kind);
    await fixture.migrate(PROJECT);
    const documents = await writeDocuments(await fixture.open(PROJECT));
    const finish = async (project: ProjectLiteral) => {
      const { impact } = await fixture.preview(project);
      if (impact.some(({ kind: what }) => what === 'dropped'))
        expect((await rejectionOf(fixture.migrate(project))).code).toBe('migration/data-loss');
      await fixture.migrate(project, { acceptsDataLoss: true });
      expect(await findDrift(kind, fixture, fixture.prismaSchema(project))).toBe('');
      const told = impact.map(({ type, path, values }) => `${type} ${path ?? '*'}: ${values}`);
      return { told: told.toSorted(), changes: impact, api: await fixture.open(project) };
    };
    return { ...documents, finish };
  };

  it('counts documents of a removed type once, and the links to them where they are', async () => {
    const { tags, finish } = await begin();
    const { related, name } = PROJECT.types.tag.attributes;
    const { told, api } = await finish({ types: { tag: { attributes: { name, related } } } });
    expect(told).toEqual([
      'api::article.article *: 5',
      'api::tag.tag articles: 16',
      'api::tag.tag favourite: 1',
    ]);
    expect(
      await api.one('tag', tags[0] ?? '', { populate: { related: { fields: ['documentId'] } } }),
    ).toMatchObject({
      related: tags.map((documentId) => ({ documentId })),
    });
  });

  it('counts drafts that differ from what is published, and those that were never published', async () => {
    const { articles, finish } = await begin();
    const { changes, api } = await finish(withArticle({ draftAndPublish: false }));
    expect(changes).toMatchObject([
      { kind: 'dropped', type: 'api::article.article', path: null, values: 2 },
      { kind: 'dropped', type: 'api::article.article', path: null, values: 2 },
    ]);
    expect(changes[0]?.samples).toEqual(
      at(articles, 1, 3)
        .toSorted()
        .map((id) => JSON.stringify(id)),
    );
    expect(changes[1]?.samples).toEqual(
      at(articles, 1, 4)
        .toSorted()
        .map((id) => JSON.stringify(id)),
    );
    expect(await api.one('article', articles[1] ?? '')).toMatchObject({ title: 'title 1' });
    expect(await api.one('article', articles[4] ?? '')).toMatchObject({ title: 'hidden' });
  });

  it('counts the versions of other locales', async () => {
    const { articles, finish } = await begin();
    const { told, api } = await finish(withArticle({ localized: false }));
    expect(told).toEqual(['api::article.article *: 3']);
    expect(await api.one('article', articles[0] ?? '')).toMatchObject({ title: 'title 0', rank: 0 });
  });

  it('counts each version once if drafts and locales are removed in one migration', async () => {
    const { finish } = await begin();
    const { changes } = await finish(withArticle({ draftAndPublish: false, localized: false }));
    expect(changes.map(({ reason, values }) => [reason.split(',')[0], values])).toEqual([
      ['without drafts', 2],
      ['without drafts', 1],
      ['without locales', 3],
    ]);
  });

  it('counts the values that another locale overwrites', async () => {
    const { articles, finish } = await begin();
    const { changes, api } = await finish(
      withArticle({ attributes: { ...ARTICLE.attributes, rank: { type: 'integer' } } }),
    );
    expect(changes).toMatchObject([
      { kind: 'dropped', type: 'api::article.article', path: 'rank', values: 1, samples: ['"5"'] },
    ]);
    expect(await api.one('article', articles[1] ?? '', { locale: 'fr', status: 'draft' })).toMatchObject({
      title: 'brouillon',
      rank: 1,
    });
  });

  it('shares the owner of a document where the server comes to set it', async () => {
    const fixture = await createContentFixture(kind);
    const owner = {
      type: 'relation',
      relation: 'manyToOne',
      target: 'plugin::users-permissions.user',
    };
    const withOwner = (options: object): ProjectLiteral =>
      withArticle({ attributes: { ...ARTICLE.attributes, owner: { ...owner, ...options } } });
    await fixture.migrate(withOwner({}));
    const api = await fixture.open(withOwner({}));
    const users: string[] = [];
    for (const username of ['ann', 'bob']) {
      const email = `${username}@example.com`;
      const { documentId } = await api.create('user', { username, email });
      users.push(documentId);
    }
    const { documentId } = await api.create('article', { title: 'one', owner: users[0] });
    await api.update('article', documentId, { title: 'un', owner: users[1] }, { locale: 'fr' });
    const changed = withOwner({ default: '$caller' });
    const { impact } = await fixture.migrate(changed, { acceptsDataLoss: true });
    expect(impact).toMatchObject([
      { kind: 'dropped', type: 'api::article.article', path: 'owner', values: 2 },
    ]);
    const populate = { owner: { fields: ['username'] } };
    for (const locale of ['en', 'fr'])
      expect(
        await (await fixture.open(changed)).one('article', documentId, { locale, populate }),
      ).toMatchObject({
        owner: { username: 'ann' },
      });
  });

  it('reports nothing where drafts and locales are enabled', async () => {
    const fixture = await createContentFixture(kind);
    const plain = withArticle({ draftAndPublish: false, localized: false });
    await fixture.migrate(plain);
    const api = await fixture.open(plain);
    const { documentId } = await api.create('tag', { name: 'a' });
    const article = await api.create('article', { title: 'one', tags: [documentId] });
    expect((await fixture.migrate(PROJECT)).impact).toEqual([]);
    const populate = { tags: { fields: ['documentId'] } };
    for (const status of ['draft', 'published'])
      expect(
        await (await fixture.open(PROJECT)).one('article', article.documentId, { status, populate }),
      ).toMatchObject({ title: 'one', tags: [{ documentId }] });
  });
});
