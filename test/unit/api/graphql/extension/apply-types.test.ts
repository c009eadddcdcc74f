import { isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ExtensionFactory } from '../../../../../src/api/graphql/extension/configuration.js';
import type { ContentModel } from '../../../../../src/model/model.js';
import { loadFixtureModel } from '../../../../support/models.js';
import { buildExtendedSchema, fieldType } from './extension-support.js';
import type { Extension } from './extension-support.js';

let model: ContentModel;
beforeAll(async () => {
  model = await loadFixtureModel('magazine');
});

const use = async (...extensions: readonly Extension[]): Promise<GraphQLSchema> =>
  (await buildExtendedSchema(model, (graphql) => extensions.forEach((each) => graphql.use(each)))).schema;

describe('types made with Nexus', () => {
  const rows: readonly (readonly [string, ExtensionFactory, Readonly<Record<string, string>>])[] = [
    [
      'objectType that refers to a generated type',
      ({ nexus }) => ({
        types: [
          nexus.objectType({
            name: 'Shelf',
            definition: (t) => {
              t.nonNull.list.nonNull.field('articles', { type: 'Article' });
            },
          }),
          nexus.queryField('shelf', { type: 'Shelf' }),
        ],
      }),
      { 'Shelf.articles': '[Article!]!', 'Query.shelf': 'Shelf' },
    ],
    [
      'extendType of a generated type',
      ({ nexus }) => ({
        types: [
          nexus.extendType({
            type: 'Article',
            definition: (t) => {
              t.int('words');
            },
          }),
        ],
      }),
      { 'Article.words': 'Int', 'Article.title': 'String!', 'Article.tags': '[Tag]!' },
    ],
    [
      'extendType of Query and Mutation',
      ({ nexus }) => ({
        types: [
          nexus.extendType({
            type: 'Query',
            definition: (t) => {
              t.string('now');
            },
          }),
          nexus.extendType({
            type: 'Mutation',
            definition: (t) => {
              t.boolean('sweep');
            },
          }),
        ],
      }),
      { 'Query.now': 'String', 'Mutation.sweep': 'Boolean', 'Query.articles': '[Article]!' },
    ],
    [
      'extendType that overrides a generated field',
      ({ nexus }) => ({
        types: [
          nexus.extendType({
            type: 'Article',
            definition: (t) => {
              t.nonNull.list.string('tags');
            },
          }),
        ],
      }),
      { 'Article.tags': '[String]!' },
    ],
    [
      'inputObjectType and a generated input',
      ({ nexus }) => ({
        types: [
          nexus.inputObjectType({
            name: 'Wish',
            definition: (t) => {
              t.field('article', { type: 'ArticleInput' });
              t.field('filters', { type: 'TagFiltersInput' });
            },
          }),
          nexus.mutationField('wish', { type: 'Boolean', args: { wish: nexus.arg({ type: 'Wish' }) } }),
        ],
      }),
      { 'Wish.article': 'ArticleInput', 'Wish.filters': 'TagFiltersInput', 'Mutation.wish': 'Boolean' },
    ],
    [
      'extendInputType of a generated input',
      ({ nexus }) => ({
        types: [
          nexus.extendInputType({
            type: 'ArticleFiltersInput',
            definition: (t) => {
              t.string('fullText');
            },
          }),
        ],
      }),
      { 'ArticleFiltersInput.fullText': 'String', 'ArticleFiltersInput.title': 'StringFilterInput' },
    ],
    [
      'enumType and scalarType',
      ({ nexus }) => ({
        types: [
          nexus.enumType({ name: 'Mood', members: ['GOOD', 'BAD'] }),
          nexus.scalarType({ name: 'Url', serialize: String }),
          nexus.queryField((t) => {
            t.field('mood', { type: 'Mood' });
            t.field('url', { type: 'Url' });
          }),
        ],
      }),
      { 'Query.mood': 'Mood', 'Query.url': 'Url' },
    ],
    [
      'unionType of generated types',
      ({ nexus }) => ({
        types: [
          nexus.unionType({
            name: 'Hit',
            resolveType: () => 'Tag' as never,
            definition: (t) => {
              t.members('Article', 'Tag');
            },
          }),
          nexus.queryField('hit', { type: 'Hit' }),
        ],
      }),
      { 'Query.hit': 'Hit' },
    ],
    [
      'interfaceType',
      ({ nexus }) => ({
        types: [
          nexus.interfaceType({
            name: 'Named',
            resolveType: () => 'Pet' as never,
            definition: (t) => {
              t.string('name');
            },
          }),
          nexus.objectType({
            name: 'Pet',
            definition: (t) => {
              t.implements('Named');
            },
          }),
          nexus.queryField('named', { type: 'Named' }),
        ],
      }),
      { 'Query.named': 'Named', 'Pet.name': 'String' },
    ],
    [
      'scalars, enumerations and connections of the model',
      ({ nexus }) => ({
        types: [
          nexus.objectType({
            name: 'Uses',
            definition: (t) => {
              t.field('json', { type: 'JSON' });
              t.field('status', { type: 'PublicationStatus' });
              t.field('found', { type: 'ArticleEntityResponseCollection' });
              t.field('at', { type: 'DateTime' });
            },
          }),
          nexus.queryField('uses', {
            type: 'Uses',
            args: {
              locale: nexus.arg({ type: 'I18NLocaleCode' }),
              page: nexus.arg({ type: 'PaginationArg' }),
            },
          }),
        ],
      }),
      {
        'Uses.json': 'JSON',
        'Uses.status': 'PublicationStatus',
        'Uses.found': 'ArticleEntityResponseCollection',
        'Uses.at': 'DateTime',
      },
    ],
  ];
  it.each(rows)('%s', async (_name, factory, expected) => {
    const schema = await use(factory);
    expect(Object.fromEntries(Object.keys(expected).map((path) => [path, fieldType(schema, path)]))).toEqual(
      expected,
    );
  });

  it('of several extensions may refer to one another', async () => {
    const schema = await use(
      (({ nexus }) => ({ types: [nexus.queryField('box', { type: 'Box' })] })) satisfies ExtensionFactory,
      (({ nexus }) => ({
        types: [
          nexus.objectType({
            name: 'Box',
            definition: (t) => {
              t.int('size');
            },
          }),
        ],
      })) satisfies ExtensionFactory,
      { typeDefs: 'extend type Box { lid: Box }' },
    );
    expect([fieldType(schema, 'Query.box'), fieldType(schema, 'Box.lid')]).toEqual(['Box', 'Box']);
  });
});

describe('Nexus plugins', () => {
  it('see every generated, Nexus and SDL field when it is added and when it gets its resolver', async () => {
    const seen = new Set<string>();
    const added = new Set<string>();
    await use({ typeDefs: 'type Query { now: String }' }, (({ nexus }) => ({
      plugins: [
        nexus.plugin({
          name: 'looker',
          onCreateFieldResolver: ({ parentTypeConfig, fieldConfig }) => {
            seen.add(`${parentTypeConfig.name}.${fieldConfig.name}`);
            return undefined;
          },
          onAddOutputField: (field) => {
            added.add(`${field.parentType}.${field.name}`);
            return undefined;
          },
        }),
      ],
    })) satisfies ExtensionFactory);
    for (const path of ['Query.now', 'Query.articles', 'Article.title', 'Mutation.createTag'])
      expect([seen.has(path), added.has(path)], path).toEqual([true, true]);
  });

  it('may change a field when it is added', async () => {
    const schema = await use((({ nexus }) => ({
      plugins: [
        nexus.plugin({
          name: 'notes',
          onAddOutputField: (field) =>
            field.name === 'title' ? { ...field, description: 'noted' } : undefined,
        }),
      ],
    })) satisfies ExtensionFactory);
    const type = schema.getType('Article');
    expect(isObjectType(type) && type.getFields()['title']?.description).toBe('noted');
  });

  it('keep the subscribe function of a subscription', async () => {
    const subscribe = async function* () {
      yield await Promise.resolve(1);
    };
    const schema = await use(
      {
        typeDefs: 'type Subscription { ticks: Int }',
        resolvers: { Subscription: { ticks: { subscribe, resolve: (value: unknown) => value } } },
      },
      (({ nexus }) => ({
        plugins: [nexus.plugin({ name: 'none', onCreateFieldResolver: () => undefined })],
      })) satisfies ExtensionFactory,
    );
    expect(schema.getSubscriptionType()?.getFields()['ticks']?.subscribe).toBeTypeOf('function');
  });
});
