import { describe, expect, it } from 'vitest';
import { databases } from '../../../support/databases.js';
import { ask, extendedEndpoints, forbidden } from './support.js';

describe.each(databases)('plugins and switches of a project on $name', (database) => {
  const { start } = extendedEndpoints(database);

  it('Nexus plugins apply to generated fields and to fields of the project', async () => {
    const endpoint = await start(
      ({ service }) =>
        void service
          .use({ typeDefs: 'type Query { now: String }', resolvers: { Query: { now: () => 'noon' } } })
          .use(({ nexus }) => ({
            plugins: [
              nexus.plugin({
                name: 'mark',
                onCreateFieldResolver: ({ fieldConfig }) =>
                  ['name', 'now'].includes(fieldConfig.name)
                    ? async (root, args, context, info, next) =>
                        `<${String(await next(root, args, context, info))}>`
                    : undefined,
              }),
            ],
          })),
    );
    const { data, statements, errors } = await ask(
      endpoint,
      `
        {
          now
          tags(pagination: {limit: 1}) {
            name
            articles {
              author {
                name
              }
            }
          }
        }
      `,
    );
    expect([data, errors, statements]).toEqual([
      { now: '<noon>', tags: [{ name: '<alpha>', articles: [{ author: { name: '<Ada Lovelace>' } }] }] },
      [],
      1,
    ]);
    expect((await ask(endpoint, '{ tags { name } }', 'none')).errors).toEqual([forbidden('tags')]);
  });

  it('generated fields that a project defines again are merged, and replaced by its resolvers', async () => {
    const endpoint = await start(
      ({ service }) =>
        void service.use({
          typeDefs: `
            type Query {
              tags(mood: String): [Tag]!
              categories(mood: String): [Category]!
            }

            type Tag {
              name: String!
            }
          `,
          resolvers: { Query: { categories: (_: unknown, { mood }: { mood: string }) => [{ name: mood }] } },
          resolversConfig: { 'Query.categories': { auth: false } },
        }),
    );
    const { data, errors } = await ask(
      endpoint,
      '{ tags(mood: "calm", pagination: {limit: 1}) { name } categories(mood: "good") { name } }',
    );
    expect([data, errors]).toEqual([{ tags: [{ name: 'alpha' }], categories: [{ name: 'good' }] }, []]);
    expect((await ask(endpoint, '{ tags { name } }', 'none')).errors).toEqual([forbidden('tags')]);
  });

  it('fields that are switched off are refused like unknown fields', async () => {
    const endpoint = await start(({ service }) => {
      service.shadowCRUD('api::article.article').disableAction('find').field('rating').disableOutput();
      service.shadowCRUD('api::tag.tag').field('label').disableFilters();
      service.shadowCRUD('api::tag.tag').field('weight').disableInput();
      service.shadowCRUD('api::category.category').disable();
      service.shadowCRUD('sections.text').field('body').disableInput();
    });
    for (const query of [
      '{ articles { title } }',
      '{ article(documentId: "a1") { rating } }',
      '{ tags(filters: { label: { eq: "x" } }) { name } }',
      'mutation { createTag(data: { name: "x", weight: 1 }) { name } }',
      '{ article(documentId: "a1") { category { name } } }',
      '{ categories { name } }',
      `
        mutation {
          createArticle(
            data: {title: "x", sections: [{__typename: "ComponentSectionsText", body: "x"}]}
          ) {
            title
          }
        }
      `,
    ]) {
      expect([query, (await endpoint.ask(query)).status]).toEqual([query, 400]);
    }
    expect(
      (
        await ask(
          endpoint,
          `
            {
              article(documentId: "a1") {
                title
              }
              tags(pagination: {limit: 2}) {
                label
                weight
              }
            }
          `,
        )
      ).data,
    ).toEqual({
      article: { title: 'First' },
      tags: [
        { label: null, weight: 0 },
        { label: 'BETA', weight: 1 },
      ],
    });
  });
});
