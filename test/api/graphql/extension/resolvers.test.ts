import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import { databases } from '../../../support/databases.js';
import { ask, extendedEndpoints } from './support.js';

describe.each(databases)('resolvers of a project on $name', (database) => {
  const { start, startWith } = extendedEndpoints(database);

  it('of new fields of a generated type get whole records, read with one statement', async () => {
    const endpoint = await startWith({
      typeDefs: `
        extend type Article {
          words(least: Int = 0): Int
          shout: String
        }

        extend type ComponentSharedSeo {
          length: Int
        }
      `,
      resolvers: {
        Article: {
          words: (parent: { title: string }, { least }: { least: number }) =>
            Math.max(least, parent.title.length),
          shout: ({ title, documentId, internalNote }: Record<string, string>) =>
            `${title} ${documentId} ${internalNote}`,
        },
        ComponentSharedSeo: { length: ({ metaTitle }: { metaTitle: string }) => metaTitle.length },
      },
    });
    const { data, statements } = await ask(
      endpoint,
      `
        query ($n: Int) {
          articles(pagination: {limit: 1}) {
            words(least: $n)
            shout
            seo {
              length
            }
            author {
              articles {
                words
              }
            }
          }
        }
      `,
      'full',
      { n: 9 },
    );
    expect([data, statements]).toEqual([
      {
        articles: [
          {
            words: 9,
            shout: 'First a1 undefined',
            seo: { length: 3 },
            author: { articles: [{ words: 5 }, { words: 5 }, { words: 7 }] },
          },
        ],
      },
      1,
    ]);
  });

  it('get generated inputs from variables', async () => {
    const endpoint = await start(
      ({ service }) =>
        void service.use(({ nexus, strapi }) => ({
          types: [
            nexus.extendType({
              type: 'Query',
              definition: (t) => {
                t.field('tally', {
                  type: 'Int',
                  args: {
                    filters: nexus.arg({ type: 'ArticleFiltersInput' }),
                    status: nexus.arg({ type: 'PublicationStatus' }),
                  },
                  resolve: async (_parent, { filters, status }) => {
                    expect([filters, status]).toEqual([
                      { title: { eq: 'First' }, not: { views: { lt: 5 } } },
                      'published',
                    ]);
                    return strapi
                      .documents('api::article.article')
                      .count({ filters: { title: { $eq: filters.title.eq } }, status });
                  },
                });
              },
            }),
          ],
        })),
    );
    const { data } = await ask(
      endpoint,
      `
        query ($filters: ArticleFiltersInput, $status: PublicationStatus) {
          tally(filters: $filters, status: $status)
          articles(filters: $filters) {
            title
          }
        }
      `,
      'full',
      { filters: { title: { eq: 'First' }, not: { views: { lt: 5 } } }, status: 'PUBLISHED' },
    );
    expect(data).toEqual({ tally: 1, articles: [{ title: 'First' }] });
  });

  it('replace generated resolvers', async () => {
    const endpoint = await startWith({
      resolvers: {
        Article: {
          author: () => ({ documentId: 'bob', name: 'Shown' }),
          title: { resolve: (parent: { title: string }) => `* ${parent.title}` },
        },
        Query: { tags: () => [{ name: 'only' }] },
      },
    });
    const { data } = await ask(
      endpoint,
      `
        {
          article(documentId: "a1") {
            title
            author {
              name
              articles {
                title
              }
            }
          }
          tags {
            name
          }
        }
      `,
    );
    expect(data).toEqual({
      article: { title: '* First', author: { name: 'Shown', articles: [{ title: '* Second' }] } },
      tags: [{ name: 'only' }],
    });
  });

  it('that throw are masked, unless their error is a public one', async () => {
    const named = (name: string, message: string) => () => {
      throw Object.assign(new Error(message), { name, details: { why: 'so' } });
    };
    const endpoint = await startWith({
      typeDefs: 'type Query { a: Int b: Int c: Int d: Int e: Int f: Int }',
      resolvers: {
        Query: {
          a: () => {
            throw new Error('secret');
          },
          b: named('ApplicationError', 'Closed'),
          c: named('ValidationError', 'Too long'),
          d: named('NotFoundError', 'Gone'),
          e: named('UnauthorizedError', 'Sign in'),
          f: () => {
            throw new GraphQLError('Mine', { extensions: { code: 'MINE' } });
          },
        },
      },
    });
    const { errors } = await ask(endpoint, '{ a b c d e f }');
    expect([...errors].toSorted(([left = ''], [right = '']) => left.localeCompare(right))).toEqual([
      ['a', 'Internal Server Error', 'InternalServerError'],
      ['b', 'Closed', 'ApplicationError'],
      ['c', 'Too long', 'ValidationError'],
      ['d', 'Gone', 'NotFoundError'],
      ['e', 'Sign in', 'UnauthorizedError'],
      ['f', 'Mine', 'ValidationError'],
    ]);
    const { body } = await endpoint.ask('{ b f }');
    expect(
      body.errors?.map(({ extensions }) => [
        extensions['code'],
        (extensions['error'] as { details: unknown }).details,
      ]),
    ).toEqual([
      ['STRAPI_APPLICATION_ERROR', { why: 'so' }],
      ['MINE', {}],
    ]);
    expect(endpoint.log.join('\n')).toContain('secret');
  });

  it('may write with the document service', async () => {
    const endpoint = await start(
      ({ service, app }) =>
        void service.use({
          typeDefs: `
            type Mutation {
              note(name: String!): Tag
              forget(documentId: ID!): Boolean
            }

            type Query {
              tally: Int
            }
          `,
          resolvers: {
            Mutation: {
              note: async (_parent: unknown, { name }: { name: string }) =>
                app.documents('api::tag.tag').create({ data: { name } }),
              forget: async (_parent: unknown, { documentId }: { documentId: string }) =>
                (await app.documents('api::tag.tag').delete({ documentId })) !== null,
            },
            Query: { tally: () => app.documents('api::tag.tag').count() },
          },
        }),
    );
    const before = (await endpoint.ask('{ tally }')).body.data?.['tally'];
    const response = await endpoint.ask(
      'mutation { note(name: "new") { documentId name articles { title } } }',
    );
    expect(response.body).toMatchObject({ data: { note: { name: 'new', articles: [] } } });
    const { documentId } = (response.body.data ?? {})['note'] as { documentId: string };
    expect((await endpoint.ask('{ tally }')).body.data?.['tally']).toBe(Number(before) + 1);
    expect(
      (
        await endpoint.ask('mutation ($id: ID!) { forget(documentId: $id) }', {
          variables: { id: documentId },
        })
      ).body,
    ).toEqual({ data: { forget: true } });
    expect((await endpoint.ask('mutation { note(name: "") { name } }')).status).toBe(200);
  });
});
