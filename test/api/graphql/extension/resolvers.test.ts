import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { ProjectGraphql } from '../../../../src/app/graphql-extension.js';
import { databases } from '../../../support/databases.js';
import { ask, extendedEndpoints, forbidden } from './support.js';

describe.each(databases)('extensions on $name', (database) => {
  const { start, startWith } = extendedEndpoints(database);

  describe('resolvers', () => {
    const articles = (params: object) => ({ service, app }: ProjectGraphql): void => void service.use({
      typeDefs: 'type Query { found: [Article] page: ArticleEntityResponseCollection hit: Hit } union Hit = Article | Tag type Box { inside: [Article] } extend type Query { box: Box }',
      resolvers: {
        Hit: { __resolveType: () => 'Article' },
        Query: {
          found: () => app.documents('api::article.article').findMany({ status: 'published', ...params }),
          page: async () => ({ nodes: await app.documents('api::article.article').findMany({ status: 'published', ...params }), pageInfo: { page: 1, pageSize: 10, pageCount: 1, total: 4 } }),
          hit: () => app.documents('api::article.article').findOne({ documentId: 'a1', status: 'published' }),
          box: async () => ({ inside: await app.documents('api::article.article').findMany({ status: 'published', ...params }) }),
        },
      },
    });

    it('answer documents whose relations are read in one statement each, however many there are', async () => {
      const endpoint = await start(articles({}));
      const { data, statements, errors } = await ask(endpoint, '{ found { title reads secret author { name articles { title } } tags(sort: "name", pagination: { limit: 1 }) { name } cover { url } seo { metaTitle social { handle } } links(filters: { label: { eq: "L2" } }) { label } sections { __typename ... on ComponentSectionsRelated { tags { name } } } } }');
      expect(errors).toEqual([]);
      expect(data).toMatchObject({ found: [
        { title: 'First', reads: '9007199254740993', secret: null, author: { name: 'Ada Lovelace', articles: [{ title: 'First' }, { title: 'Third' }, { title: 'Premier' }] }, tags: [{ name: 'Beta' }], cover: { url: '/uploads/one.png' }, seo: { metaTitle: 'One', social: [{ handle: '@a' }, { handle: null }] }, links: [{ label: 'L2' }],
          sections: [{ __typename: 'ComponentSectionsQuote' }, { __typename: 'ComponentSectionsRelated', tags: [{ name: 'epsilon' }, { name: 'Beta' }] }, { __typename: 'ComponentSectionsText' }] },
        { title: 'Second', author: { name: 'Bob Stone' } }, { title: 'Third', author: { name: 'Ada Lovelace' } }, { title: 'Fourth', author: null, tags: [], seo: null, sections: [] },
      ] });
      // The list, and author, tags, cover, seo, links and sections.
      expect(statements).toBe(7);
    });

    it('answer them in connections, unions and types of the project, too', async () => {
      const endpoint = await start(articles({ limit: 1 }));
      const { data } = await ask(endpoint, '{ page { nodes { author { name } } pageInfo { total } } hit { ... on Article { mine: author { name } } } box { inside { tags_connection { nodes { name } } } } }');
      expect(data).toEqual({ page: { nodes: [{ author: { name: 'Ada Lovelace' } }], pageInfo: { total: 4 } }, hit: { mine: { name: 'Ada Lovelace' } }, box: { inside: [{ tags_connection: { nodes: [{ name: 'Beta' }, { name: 'alpha' }] } }] } });
    });

    it('show nobody what they may not find, also where the resolver has read it already', async () => {
      const endpoint = await start((graphql) => {
        articles({ limit: 1, populate: ['author', 'tags'] })(graphql);
        graphql.service.use({ resolversConfig: { 'Query.found': { auth: false } } });
      });
      const { data, errors } = await ask(endpoint, '{ found { title author { name } tags { name } } }', 'tags');
      expect([data, errors]).toEqual([{ found: [{ title: 'First', author: null, tags: [{ name: 'Beta' }, { name: 'alpha' }] }] }, [forbidden('found.0.author')]]);
    });

    it('show of their relations only those that the right covers', async () => {
      const endpoint = await start((graphql) => {
        articles({ limit: 1, populate: ['author', 'tags'] })(graphql);
        graphql.service.use({ resolversConfig: { 'Query.found': { auth: false } } });
      });
      const { data, errors } = await ask(endpoint, '{ found { title author { name } seo { metaTitle } tags { name } } }', 'titles');
      expect(data).toEqual({ found: [{ title: 'First', author: null, seo: null, tags: [{ name: 'Beta' }, { name: 'alpha' }] }] });
      expect(errors.map(([path, , name]) => [path, name])).toEqual([['found.0.author', 'ValidationError'], ['found.0.seo', 'ValidationError']]);
    });

    it('answer the version that the document is of', async () => {
      const endpoint = await start(({ service, app }) => void service.use({
        typeDefs: 'type Query { french: Article draft: Article }',
        resolvers: { Query: { french: () => app.documents('api::article.article').findOne({ documentId: 'a1', locale: 'fr', status: 'published' }), draft: () => app.documents('api::article.article').findOne({ documentId: 'a3' }) } },
      }));
      const { data } = await ask(endpoint, '{ french { title locale tags { name } } draft { title publishedAt category { name } } }');
      expect(data).toEqual({ french: { title: 'Premier', locale: 'fr', tags: [{ name: 'gamma' }] }, draft: { title: 'Third', publishedAt: null, category: { name: 'Secret' } } });
    });

    it('answer what holds no identity as it is, and never a hash', async () => {
      const endpoint = await startWith({ typeDefs: 'type Query { made: Article }', resolvers: { Query: { made: () => ({ title: 'Made', secret: '$2b$10$hash', internalNote: 'mine', author: { name: 'Nobody' }, seo: { metaTitle: 'M' } }) } } });
      const { data } = await ask(endpoint, '{ made { title secret author { name } seo { metaTitle } tags { name } links { label } } }');
      expect(data).toEqual({ made: { title: 'Made', secret: null, author: { name: 'Nobody' }, seo: { metaTitle: 'M' }, tags: [], links: [] } });
      expect((await endpoint.ask('{ made { internalNote } }')).status).toBe(400);
    });

    it('of new fields of a generated type get the whole record, for one statement', async () => {
      const endpoint = await startWith({
        typeDefs: 'extend type Article { words(least: Int = 0): Int shout: String } extend type ComponentSharedSeo { length: Int }',
        resolvers: {
          Article: { words: (parent: { title: string }, { least }: { least: number }) => Math.max(least, parent.title.length), shout: ({ title, documentId, internalNote }: Record<string, string>) => `${title} ${documentId} ${internalNote}` },
          ComponentSharedSeo: { length: ({ metaTitle }: { metaTitle: string }) => metaTitle.length },
        },
      });
      const { data, statements } = await ask(endpoint, 'query ($n: Int) { articles(pagination: { limit: 1 }) { words(least: $n) shout seo { length } author { articles { words } } } }', 'full', { n: 9 });
      expect([data, statements]).toEqual([{ articles: [{ words: 9, shout: 'First a1 undefined', seo: { length: 3 }, author: { articles: [{ words: 5 }, { words: 5 }, { words: 7 }] } }] }, 1]);
    });

    it('get generated inputs from variables as they were sent', async () => {
      const endpoint = await start(({ service }) => void service.use(({ nexus, strapi }) => ({
        types: [nexus.extendType({ type: 'Query', definition: (t) => {
          t.field('tally', { type: 'Int', args: { filters: nexus.arg({ type: 'ArticleFiltersInput' }), status: nexus.arg({ type: 'PublicationStatus' }) }, resolve: async (_parent, { filters, status }) => {
            expect([filters, status]).toEqual([{ title: { eq: 'First' }, not: { views: { lt: 5 } } }, 'published']);
            return strapi.documents('api::article.article').count({ filters: { title: { $eq: filters.title.eq } }, status });
          } });
        } })],
      })));
      const { data } = await ask(endpoint, 'query ($filters: ArticleFiltersInput, $status: PublicationStatus) { tally(filters: $filters, status: $status) articles(filters: $filters) { title } }', 'full', { filters: { title: { eq: 'First' }, not: { views: { lt: 5 } } }, status: 'PUBLISHED' });
      expect(data).toEqual({ tally: 1, articles: [{ title: 'First' }] });
    });

    it('in the place of generated ones', async () => {
      const endpoint = await startWith({ resolvers: { Article: { author: () => ({ documentId: 'bob', name: 'Shown' }), title: { resolve: (parent: { title: string }) => `* ${parent.title}` } }, Query: { tags: () => [{ name: 'only' }] } } });
      const { data } = await ask(endpoint, '{ article(documentId: "a1") { title author { name articles { title } } } tags { name } }');
      expect(data).toEqual({ article: { title: '* First', author: { name: 'Shown', articles: [{ title: '* Second' }] } }, tags: [{ name: 'only' }] });
    });

    it('that throw say nothing of themselves, unless they mean to', async () => {
      const named = (name: string, message: string) => () => { throw Object.assign(new Error(message), { name, details: { why: 'so' } }); };
      const endpoint = await startWith({
        typeDefs: 'type Query { a: Int b: Int c: Int d: Int e: Int f: Int }',
        resolvers: { Query: {
          a: () => { throw new Error('secret'); }, b: named('ApplicationError', 'Closed'), c: named('ValidationError', 'Too long'), d: named('NotFoundError', 'Gone'), e: named('UnauthorizedError', 'Sign in'),
          f: () => { throw new GraphQLError('Mine', { extensions: { code: 'MINE' } }); },
        } },
      });
      const { errors } = await ask(endpoint, '{ a b c d e f }');
      expect([...errors].toSorted(([left = ''], [right = '']) => left.localeCompare(right))).toEqual([['a', 'Internal Server Error', 'InternalServerError'], ['b', 'Closed', 'ApplicationError'], ['c', 'Too long', 'ValidationError'], ['d', 'Gone', 'NotFoundError'], ['e', 'Sign in', 'UnauthorizedError'], ['f', 'Mine', 'ValidationError']]);
      const { body } = await endpoint.ask('{ b f }');
      expect(body.errors?.map(({ extensions }) => [extensions['code'], (extensions['error'] as { details: unknown }).details])).toEqual([['APPLICATION_ERROR', { why: 'so' }], ['MINE', {}]]);
      expect(endpoint.log.join('\n')).toContain('secret');
    });

    it('write through the document service', async () => {
      const endpoint = await start(({ service, app }) => void service.use({
        typeDefs: 'type Mutation { note(name: String!): Tag forget(documentId: ID!): Boolean } type Query { tally: Int }',
        resolvers: {
          Mutation: {
            note: async (_parent: unknown, { name }: { name: string }) => app.documents('api::tag.tag').create({ data: { name } }),
            forget: async (_parent: unknown, { documentId }: { documentId: string }) => (await app.documents('api::tag.tag').delete({ documentId })) !== null,
          },
          Query: { tally: () => app.documents('api::tag.tag').count() },
        },
      }));
      const before = (await endpoint.ask('{ tally }')).body.data?.['tally'];
      const made = await endpoint.ask('mutation { note(name: "new") { documentId name articles { title } } }');
      expect(made.body).toMatchObject({ data: { note: { name: 'new', articles: [] } } });
      const { documentId } = (made.body.data ?? {})['note'] as { documentId: string };
      expect((await endpoint.ask('{ tally }')).body.data?.['tally']).toBe(Number(before) + 1);
      expect((await endpoint.ask('mutation ($id: ID!) { forget(documentId: $id) }', { variables: { id: documentId } })).body).toEqual({ data: { forget: true } });
      expect((await endpoint.ask('mutation { note(name: "") { name } }')).status).toBe(200);
    });
  });

  it('Nexus plugins act on generated fields and on those of the project', async () => {
    const endpoint = await start(({ service }) => void service.use({ typeDefs: 'type Query { now: String }', resolvers: { Query: { now: () => 'noon' } } }).use(({ nexus }) => ({
      plugins: [nexus.plugin({ name: 'mark', onCreateFieldResolver: ({ fieldConfig }) => (['name', 'now'].includes(fieldConfig.name) ? async (root, args, context, info, next) => `<${String(await next(root, args, context, info))}>` : undefined) })],
    })));
    const { data, statements, errors } = await ask(endpoint, '{ now tags(pagination: { limit: 1 }) { name articles { author { name } } } }');
    expect([data, errors, statements]).toEqual([{ now: '<noon>', tags: [{ name: '<alpha>', articles: [{ author: { name: '<Ada Lovelace>' } }] }] }, [], 1]);
    expect((await ask(endpoint, '{ tags { name } }', 'none')).errors).toEqual([forbidden('tags')]);
  });

  it('what is switched off is refused like what never was', async () => {
    const endpoint = await start(({ service }) => {
      service.shadowCRUD('api::article.article').disableAction('find').field('rating').disableOutput();
      service.shadowCRUD('api::tag.tag').field('label').disableFilters();
      service.shadowCRUD('api::tag.tag').field('weight').disableInput();
      service.shadowCRUD('api::category.category').disable();
      service.shadowCRUD('sections.text').field('body').disableInput();
    });
    for (const query of ['{ articles { title } }', '{ article(documentId: "a1") { rating } }', '{ tags(filters: { label: { eq: "x" } }) { name } }', 'mutation { createTag(data: { name: "x", weight: 1 }) { name } }', '{ article(documentId: "a1") { category { name } } }', '{ categories { name } }', 'mutation { createArticle(data: { title: "x", sections: [{ __typename: "ComponentSectionsText", body: "x" }] }) { title } }']) {
      expect([query, (await endpoint.ask(query)).status]).toEqual([query, 400]);
    }
    expect((await ask(endpoint, '{ article(documentId: "a1") { title } tags(pagination: { limit: 2 }) { label weight } }')).data).toEqual({ article: { title: 'First' }, tags: [{ label: null, weight: 0 }, { label: 'BETA', weight: 1 }] });
  });
});
