import { parse } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ContentModel } from '../../../src/model/model.js';
import { loadFixtureModel } from '../../support/models.js';
import { buildExtendedSchema, fieldType } from './extension-support.js';
import type { Extension } from './extension-support.js';

let model: ContentModel;
beforeAll(async () => {
  model = await loadFixtureModel('magazine');
});

const use = async (...extensions: readonly unknown[]): Promise<GraphQLSchema> =>
  (
    await buildExtendedSchema(model, (graphql) =>
      extensions.forEach((each) => graphql.use(each as Extension)),
    )
  ).schema;

describe('types written in SDL', () => {
  const rows: readonly (readonly [string, unknown, Readonly<Record<string, string>>])[] = [
    [
      'type Query, although it exists',
      'type Query { now: String }',
      { 'Query.now': 'String', 'Query.articles': '[Article]!' },
    ],
    ['extend type', 'extend type Article { words: Int! }', { 'Article.words': 'Int!' }],
    [
      'the definition of a generated type',
      'type Article { words: Int! }',
      { 'Article.words': 'Int!', 'Article.title': 'String!' },
    ],
    [
      'inputs, enumerations, scalars, unions, interfaces',
      `
        input Wish {
          tag: TagInput = {}
          mood: Mood = GOOD
        }

        enum Mood {
          GOOD
          BAD
        }

        scalar Url

        union Hit = Article | Tag

        interface Named {
          name: String!
        }

        type Pet implements Named {
          name: String!
          url: Url
        }

        type Mutation {
          wish(wish: Wish!): Hit
        }

        type Query {
          named: Named
        }
      `,
      { 'Wish.mood': 'Mood', 'Mutation.wish': 'Hit', 'Pet.url': 'Url', 'Query.named': 'Named' },
    ],
    ['a parsed document', parse('type Query { now: String }'), { 'Query.now': 'String' }],
    [
      'a list of strings and parsed documents',
      ['type Query { a: Box }', [parse('type Box { b: Int }')], 'extend type Box { c: Int }'],
      { 'Query.a': 'Box', 'Box.c': 'Int' },
    ],
    [
      'an existing scalar',
      'scalar DateTime type Query { at: DateTime }',
      { 'Query.at': 'DateTime', 'Article.createdAt': 'DateTime' },
    ],
    ['a first Subscription', 'type Subscription { ticks: Int }', { 'Subscription.ticks': 'Int' }],
    [
      'additions to an input and an enumeration',
      `
        input TagInput {
          note: String
        }

        extend enum PublicationStatus {
          EITHER
        }

        type Query {
          a(t: TagInput): PublicationStatus
        }
      `,
      { 'TagInput.note': 'String' },
    ],
  ];
  it.each(rows)('%s', async (_name, typeDefs, expected) => {
    const schema = await use({ typeDefs });
    expect(Object.fromEntries(Object.keys(expected).map((path) => [path, fieldType(schema, path)]))).toEqual(
      expected,
    );
  });

  it('makes the first Subscription the root type of subscriptions', async () => {
    expect((await use({ typeDefs: 'type Subscription { ticks: Int }' })).getSubscriptionType()?.name).toBe(
      'Subscription',
    );
  });
});
