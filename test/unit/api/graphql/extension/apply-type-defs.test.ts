import { isEnumType, parse } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { isGenerated } from '../../../../../src/api/graphql/schema/field-marks.js';
import type { ContentModel } from '../../../../../src/model/model.js';
import { loadFixtureModel } from '../../../../support/models.js';
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

describe('definitions of what is generated', () => {
  const build = (...extensions: readonly Extension[]): ReturnType<typeof buildExtendedSchema> =>
    buildExtendedSchema(model, (graphql) => extensions.forEach((each) => graphql.use(each)));

  it('merges the same field, whose resolver and other arguments stay', async () => {
    const { schema, warnings } = await build({
      typeDefs: 'extend type Query { articles(pagination: PaginationArg, mood: String): [Article]! }',
    });
    const field = schema.getQueryType()?.getFields()['articles'];
    expect(field?.args.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['mood', 'filters', 'status']),
    );
    expect(field?.args.filter(({ name }) => name === 'pagination')).toHaveLength(1);
    expect(field?.resolve).toBeDefined();
    expect(field === undefined ? null : isGenerated(field)).toBe(true);
    expect(warnings).toEqual([]);
  });

  it("takes the project's resolver for a merged field", async () => {
    const { schema } = await build({
      typeDefs: 'extend type Query { usersPermissionsUsers: [UsersPermissionsUser]! }',
      resolvers: { Query: { usersPermissionsUsers: () => [] } },
      resolversConfig: { 'Query.usersPermissionsUsers': { auth: false } },
    });
    const field = schema.getQueryType()?.getFields()['usersPermissionsUsers'];
    expect(field === undefined ? null : isGenerated(field)).toBe(false);
    expect(field?.args.map(({ name }) => name)).toContain('filters');
  });

  it.each([
    ['Query', 'type Query { articles: String }', 'articles', '[Article]!', 'String'],
    ['Article', 'type Article { title: Int }', 'title', 'String!', 'Int'],
    ['TagInput', 'input TagInput { name: Int }', 'name', 'String', 'Int'],
  ])(
    'replaces a field of %s that has another type, with a warning',
    async (type, typeDefs, name, was, is) => {
      const { schema, warnings } = await build({ typeDefs });
      expect(fieldType(schema, `${type}.${name}`)).toBe(is);
      expect(warnings).toEqual([
        `GraphQL extension 1 (src/index.ts), typeDefs: ${type}.${name} replaces the generated field. ` +
          `Its type was ${was} and is ${is}.`,
      ]);
    },
  );

  it('keeps the resolver where only nullability differs, with a warning', async () => {
    const { schema, warnings } = await build({ typeDefs: 'type Query { articles: [Article!] }' });
    const field = schema.getQueryType()?.getFields()['articles'];
    expect(String(field?.type)).toBe('[Article!]');
    expect(field === undefined ? null : isGenerated(field)).toBe(true);
    expect(warnings).toEqual([expect.stringContaining('Query.articles')]);
  });

  it('merges enumerations, inputs and types that it has', async () => {
    const { schema, warnings } = await build({
      typeDefs: `
        enum PublicationStatus { DRAFT PUBLISHED EITHER }
        input TagInput { name: String, note: String }
        type DeleteMutationResponse { documentId: ID!, at: DateTime }
      `,
    });
    const status = schema.getType('PublicationStatus');
    expect(isEnumType(status) ? status.getValues().map(({ name }) => name) : null).toEqual([
      'DRAFT',
      'PUBLISHED',
      'EITHER',
    ]);
    expect(fieldType(schema, 'TagInput.note')).toBe('String');
    expect(fieldType(schema, 'DeleteMutationResponse.at')).toBe('DateTime');
    expect(warnings).toEqual([]);
  });
});
