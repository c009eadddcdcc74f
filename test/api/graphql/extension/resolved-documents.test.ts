import { describe, expect, it } from 'vitest';
import type { ProjectGraphql } from '../../../../src/project/open/graphql-extension.js';
import { databases } from '../../../support/databases.js';
import { ask, extendedEndpoints, forbidden } from './support.js';

describe.each(databases)('documents that a project resolver returns on $name', (database) => {
  const { start, startWith } = extendedEndpoints(database);

  const articles =
    (params: object) =>
    ({ service, app }: ProjectGraphql): void =>
      void service.use({
        typeDefs: `
          type Query {
            found: [Article]
            page: ArticleEntityResponseCollection
            hit: Hit
            response: ArticleEntityResponse
          }

          union Hit = Article | Tag

          type Box {
            inside: [Article]
          }

          extend type Query {
            box: Box
          }
        `,
        resolvers: {
          Hit: { __resolveType: () => 'Article' },
          Query: {
            found: () => app.documents('api::article.article').findMany({ status: 'published', ...params }),
            page: async () => ({
              nodes: await app.documents('api::article.article').findMany({ status: 'published', ...params }),
              pageInfo: { page: 1, pageSize: 10, pageCount: 1, total: 4 },
            }),
            hit: () =>
              app.documents('api::article.article').findOne({ documentId: 'a1', status: 'published' }),
            response: async () => ({
              value: await app
                .documents('api::article.article')
                .findOne({ documentId: 'a1', status: 'published' }),
            }),
            box: async () => ({
              inside: await app
                .documents('api::article.article')
                .findMany({ status: 'published', ...params }),
            }),
          },
        },
      });

  it("are returned as Strapi's responses", async () => {
    const endpoint = await start(articles({}));
    const { data, errors } = await ask(endpoint, '{ response { data { title author { name } } } }');
    expect(errors).toEqual([]);
    expect(data).toEqual({ response: { data: { title: 'First', author: { name: 'Ada Lovelace' } } } });
    const typeNamed = (name: string): string => `${name}: __type(name: "${name}") { name }`;
    const query = `{ ${typeNamed('ArticleEntityResponse')} ${typeNamed('TagEntityResponse')} }`;
    expect((await ask(endpoint, query)).data).toEqual({
      ArticleEntityResponse: { name: 'ArticleEntityResponse' },
      TagEntityResponse: null,
    });
  });

  it('have relations that are read with one statement each for all documents', async () => {
    const endpoint = await start(articles({}));
    const { data, statements, errors } = await ask(
      endpoint,
      `
        {
          found {
            title
            reads
            secret
            author {
              name
              articles {
                title
              }
            }
            tags(sort: "name", pagination: {limit: 1}) {
              name
            }
            cover {
              url
            }
            seo {
              metaTitle
              social {
                handle
              }
            }
            links(filters: {label: {eq: "L2"}}) {
              label
            }
            sections {
              __typename
              ... on ComponentSectionsRelated {
                tags {
                  name
                }
              }
            }
          }
        }
      `,
    );
    expect(errors).toEqual([]);
    expect(data).toMatchObject({
      found: [
        {
          title: 'First',
          reads: '9007199254740993',
          secret: null,
          author: {
            name: 'Ada Lovelace',
            articles: [{ title: 'First' }, { title: 'Third' }, { title: 'Premier' }],
          },
          tags: [{ name: 'Beta' }],
          cover: { url: '/uploads/one.png' },
          seo: { metaTitle: 'One', social: [{ handle: '@a' }, { handle: null }] },
          links: [{ label: 'L2' }],
          sections: [
            { __typename: 'ComponentSectionsQuote' },
            { __typename: 'ComponentSectionsRelated', tags: [{ name: 'epsilon' }, { name: 'Beta' }] },
            { __typename: 'ComponentSectionsText' },
          ],
        },
        { title: 'Second', author: { name: 'Bob Stone' } },
        { title: 'Third', author: { name: 'Ada Lovelace' } },
        { title: 'Fourth', author: null, tags: [], seo: null, sections: [] },
      ],
    });
    // The list, and one statement each for author, tags, cover, seo, links and sections.
    expect(statements).toBe(7);
  });

  it('may be in connections, unions and types of the project', async () => {
    const endpoint = await start(articles({ limit: 1 }));
    const { data } = await ask(
      endpoint,
      `
        {
          page {
            nodes {
              author {
                name
              }
            }
            pageInfo {
              total
            }
          }
          hit {
            ... on Article {
              mine: author {
                name
              }
            }
          }
          box {
            inside {
              tags_connection {
                nodes {
                  name
                }
              }
            }
          }
        }
      `,
    );
    expect(data).toEqual({
      page: { nodes: [{ author: { name: 'Ada Lovelace' } }], pageInfo: { total: 4 } },
      hit: { mine: { name: 'Ada Lovelace' } },
      box: { inside: [{ tags_connection: { nodes: [{ name: 'Beta' }, { name: 'alpha' }] } }] },
    });
  });

  it('do not show relations without permission, even if the resolver has read them', async () => {
    const endpoint = await start((graphql) => {
      articles({ limit: 1, populate: ['author', 'tags'] })(graphql);
      graphql.service.use({ resolversConfig: { 'Query.found': { auth: false } } });
    });
    const { data, errors } = await ask(endpoint, '{ found { title author { name } tags { name } } }', 'tags');
    expect([data, errors]).toEqual([
      { found: [{ title: 'First', author: null, tags: [{ name: 'Beta' }, { name: 'alpha' }] }] },
      [forbidden('found.0.author')],
    ]);
  });

  it('show only the relations that the permission covers', async () => {
    const endpoint = await start((graphql) => {
      articles({ limit: 1, populate: ['author', 'tags'] })(graphql);
      graphql.service.use({ resolversConfig: { 'Query.found': { auth: false } } });
    });
    const { data, errors } = await ask(
      endpoint,
      '{ found { title author { name } seo { metaTitle } tags { name } } }',
      'titles',
    );
    expect(data).toEqual({
      found: [{ title: 'First', author: null, seo: null, tags: [{ name: 'Beta' }, { name: 'alpha' }] }],
    });
    expect(errors.map(([path, , name]) => [path, name])).toEqual([
      ['found.0.author', 'ValidationError'],
      ['found.0.seo', 'ValidationError'],
    ]);
  });

  it('have relations of their own version and locale', async () => {
    const endpoint = await start(
      ({ service, app }) =>
        void service.use({
          typeDefs: 'type Query { french: Article draft: Article }',
          resolvers: {
            Query: {
              french: () =>
                app
                  .documents('api::article.article')
                  .findOne({ documentId: 'a1', locale: 'fr', status: 'published' }),
              draft: () => app.documents('api::article.article').findOne({ documentId: 'a3' }),
            },
          },
        }),
    );
    const { data } = await ask(
      endpoint,
      `
        {
          french {
            title
            locale
            tags {
              name
            }
          }
          draft {
            title
            publishedAt
            category {
              name
            }
          }
        }
      `,
    );
    expect(data).toEqual({
      french: { title: 'Premier', locale: 'fr', tags: [{ name: 'gamma' }] },
      draft: { title: 'Third', publishedAt: null, category: { name: 'Secret' } },
    });
  });

  it('are returned as they are without an id, except for passwords', async () => {
    const endpoint = await startWith({
      typeDefs: 'type Query { made: Article }',
      resolvers: {
        Query: {
          made: () => ({
            title: 'Made',
            secret: '$2b$10$hash',
            internalNote: 'mine',
            author: { name: 'Nobody' },
            seo: { metaTitle: 'M' },
          }),
        },
      },
    });
    const { data } = await ask(
      endpoint,
      `
        {
          made {
            title
            secret
            author {
              name
            }
            seo {
              metaTitle
            }
            tags {
              name
            }
            links {
              label
            }
          }
        }
      `,
    );
    expect(data).toEqual({
      made: {
        title: 'Made',
        secret: null,
        author: { name: 'Nobody' },
        seo: { metaTitle: 'M' },
        tags: [],
        links: [],
      },
    });
    expect((await endpoint.ask('{ made { internalNote } }')).status).toBe(400);
  });
});
