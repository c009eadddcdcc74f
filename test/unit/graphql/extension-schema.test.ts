import { isObjectType, parse } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ExtensionConfiguration, ExtensionFactory } from '../../../src/graphql/extension/configuration.js';
import type { ContentModel } from '../../../src/model/model.js';
import { loadFixtureModel } from '../../support/models.js';
import { extended } from './extension-support.js';

let model: ContentModel;
beforeAll(async () => {
  model = await loadFixtureModel('magazine');
});

type Use = ExtensionConfiguration | ExtensionFactory;

const use = async (...uses: readonly unknown[]): Promise<GraphQLSchema> => (await extended(model, ({ use: add }) => uses.forEach((each) => add(each as Use)))).schema;
const fieldType = (schema: GraphQLSchema, path: string): string | undefined => {
  const [typeName = '', fieldName = ''] = path.split('.');
  const type = schema.getType(typeName);
  const fields = type !== undefined && 'getFields' in type ? type.getFields() : {};
  return Object.hasOwn(fields, fieldName) ? String(fields[fieldName]?.type) : undefined;
};

describe('types made with Nexus', () => {
  const rows: readonly (readonly [string, ExtensionFactory, Readonly<Record<string, string>>])[] = [
    ['objectType that names a generated type', ({ nexus }) => ({ types: [nexus.objectType({ name: 'Shelf', definition: (t) => { t.nonNull.list.nonNull.field('articles', { type: 'Article' }); } }), nexus.queryField('shelf', { type: 'Shelf' })] }), { 'Shelf.articles': '[Article!]!', 'Query.shelf': 'Shelf' }],
    ['extendType of a generated type', ({ nexus }) => ({ types: [nexus.extendType({ type: 'Article', definition: (t) => { t.int('words'); } })] }), { 'Article.words': 'Int', 'Article.title': 'String!', 'Article.tags': '[Tag]!' }],
    ['extendType of Query and Mutation', ({ nexus }) => ({ types: [nexus.extendType({ type: 'Query', definition: (t) => { t.string('now'); } }), nexus.extendType({ type: 'Mutation', definition: (t) => { t.boolean('sweep'); } })] }), { 'Query.now': 'String', 'Mutation.sweep': 'Boolean', 'Query.articles': '[Article]!' }],
    ['a generated field overridden', ({ nexus }) => ({ types: [nexus.extendType({ type: 'Article', definition: (t) => { t.nonNull.list.string('tags'); } })] }), { 'Article.tags': '[String]!' }],
    ['inputObjectType and a generated input', ({ nexus }) => ({ types: [nexus.inputObjectType({ name: 'Wish', definition: (t) => { t.field('article', { type: 'ArticleInput' }); t.field('filters', { type: 'TagFiltersInput' }); } }), nexus.mutationField('wish', { type: 'Boolean', args: { wish: nexus.arg({ type: 'Wish' }) } })] }), { 'Wish.article': 'ArticleInput', 'Wish.filters': 'TagFiltersInput', 'Mutation.wish': 'Boolean' }],
    ['extendInputType of a generated input', ({ nexus }) => ({ types: [nexus.extendInputType({ type: 'ArticleFiltersInput', definition: (t) => { t.string('fullText'); } })] }), { 'ArticleFiltersInput.fullText': 'String', 'ArticleFiltersInput.title': 'StringFilterInput' }],
    ['enumType and scalarType', ({ nexus }) => ({ types: [nexus.enumType({ name: 'Mood', members: ['GOOD', 'BAD'] }), nexus.scalarType({ name: 'Url', serialize: String }), nexus.queryField((t) => { t.field('mood', { type: 'Mood' }); t.field('url', { type: 'Url' }); })] }), { 'Query.mood': 'Mood', 'Query.url': 'Url' }],
    ['unionType of generated types', ({ nexus }) => ({ types: [nexus.unionType({ name: 'Hit', resolveType: () => 'Tag' as never, definition: (t) => { t.members('Article', 'Tag'); } }), nexus.queryField('hit', { type: 'Hit' })] }), { 'Query.hit': 'Hit' }],
    ['interfaceType', ({ nexus }) => ({ types: [nexus.interfaceType({ name: 'Named', resolveType: () => 'Pet' as never, definition: (t) => { t.string('name'); } }), nexus.objectType({ name: 'Pet', definition: (t) => { t.implements('Named'); } }), nexus.queryField('named', { type: 'Named' })] }), { 'Query.named': 'Named', 'Pet.name': 'String' }],
    ['scalars, enumerations and connections of the model', ({ nexus }) => ({ types: [nexus.objectType({ name: 'Uses', definition: (t) => { t.field('json', { type: 'JSON' }); t.field('status', { type: 'PublicationStatus' }); t.field('found', { type: 'ArticleEntityResponseCollection' }); t.field('at', { type: 'DateTime' }); } }), nexus.queryField('uses', { type: 'Uses', args: { locale: nexus.arg({ type: 'I18NLocaleCode' }), page: nexus.arg({ type: 'PaginationArg' }) } })] }), { 'Uses.json': 'JSON', 'Uses.status': 'PublicationStatus', 'Uses.found': 'ArticleEntityResponseCollection', 'Uses.at': 'DateTime' }],
  ];
  it.each(rows)('%s', async (_name, factory, expected) => {
    const schema = await use(factory);
    expect(Object.fromEntries(Object.keys(expected).map((path) => [path, fieldType(schema, path)]))).toEqual(expected);
  });

  it('of several extensions may name one another', async () => {
    const schema = await use(
      (({ nexus }) => ({ types: [nexus.queryField('box', { type: 'Box' })] })) satisfies ExtensionFactory,
      (({ nexus }) => ({ types: [nexus.objectType({ name: 'Box', definition: (t) => { t.int('size'); } })] })) satisfies ExtensionFactory,
      { typeDefs: 'extend type Box { lid: Box }' },
    );
    expect([fieldType(schema, 'Query.box'), fieldType(schema, 'Box.lid')]).toEqual(['Box', 'Box']);
  });
});

describe('types written in SDL', () => {
  const rows: readonly (readonly [string, unknown, Readonly<Record<string, string>>])[] = [
    ['type Query where there is one', 'type Query { now: String }', { 'Query.now': 'String', 'Query.articles': '[Article]!' }],
    ['extend type', 'extend type Article { words: Int! }', { 'Article.words': 'Int!' }],
    ['type of a generated name', 'type Article { words: Int! }', { 'Article.words': 'Int!', 'Article.title': 'String!' }],
    ['inputs, enumerations, scalars, unions, interfaces', 'input Wish { tag: TagInput = {}, mood: Mood = GOOD } enum Mood { GOOD BAD } scalar Url union Hit = Article | Tag interface Named { name: String! } type Pet implements Named { name: String!, url: Url } type Mutation { wish(wish: Wish!): Hit } type Query { named: Named }', { 'Wish.mood': 'Mood', 'Mutation.wish': 'Hit', 'Pet.url': 'Url', 'Query.named': 'Named' }],
    ['a parsed document', parse('type Query { now: String }'), { 'Query.now': 'String' }],
    ['a list of both', ['type Query { a: Box }', [parse('type Box { b: Int }')], 'extend type Box { c: Int }'], { 'Query.a': 'Box', 'Box.c': 'Int' }],
    ['a scalar there is', 'scalar DateTime type Query { at: DateTime }', { 'Query.at': 'DateTime', 'Article.createdAt': 'DateTime' }],
    ['a first Subscription', 'type Subscription { ticks: Int }', { 'Subscription.ticks': 'Int' }],
    ['additions to an input and an enumeration', 'input TagInput { note: String } extend enum PublicationStatus { EITHER } type Query { a(t: TagInput): PublicationStatus }', { 'TagInput.note': 'String' }],
  ];
  it.each(rows)('%s', async (_name, typeDefs, expected) => {
    const schema = await use({ typeDefs });
    expect(Object.fromEntries(Object.keys(expected).map((path) => [path, fieldType(schema, path)]))).toEqual(expected);
  });

  it('makes a first Subscription the root of subscriptions', async () => {
    expect((await use({ typeDefs: 'type Subscription { ticks: Int }' })).getSubscriptionType()?.name).toBe('Subscription');
  });
});

describe('Nexus plugins', () => {
  it('see every field, also generated ones and those in SDL, as it is added and as its resolver is made', async () => {
    const seen = new Set<string>();
    const added = new Set<string>();
    await use(
      { typeDefs: 'type Query { now: String }' },
      (({ nexus }) => ({ plugins: [nexus.plugin({
        name: 'looker',
        onCreateFieldResolver: ({ parentTypeConfig, fieldConfig }) => {
          seen.add(`${parentTypeConfig.name}.${fieldConfig.name}`);
          return undefined;
        },
        onAddOutputField: (field) => {
          added.add(`${field.parentType}.${field.name}`);
          return undefined;
        },
      })] })) satisfies ExtensionFactory,
    );
    for (const path of ['Query.now', 'Query.articles', 'Article.title', 'Mutation.createTag']) expect([seen.has(path), added.has(path)], path).toEqual([true, true]);
  });

  it('change a field as it is added', async () => {
    const schema = await use((({ nexus }) => ({ plugins: [nexus.plugin({ name: 'notes', onAddOutputField: (field) => (field.name === 'title' ? { ...field, description: 'noted' } : undefined) })] })) satisfies ExtensionFactory);
    const type = schema.getType('Article');
    expect(isObjectType(type) && type.getFields()['title']?.description).toBe('noted');
  });

  it('keep what a subscription listens to', async () => {
    const subscribe = async function* () { yield await Promise.resolve(1); };
    const schema = await use({ typeDefs: 'type Subscription { ticks: Int }', resolvers: { Subscription: { ticks: { subscribe, resolve: (value: unknown) => value } } } }, (({ nexus }) => ({ plugins: [nexus.plugin({ name: 'none', onCreateFieldResolver: () => undefined })] })) satisfies ExtensionFactory);
    expect(schema.getSubscriptionType()?.getFields()['ticks']?.subscribe).toBeTypeOf('function');
  });
});

describe('what is wrong with an extension', () => {
  const fine = { typeDefs: 'type Query { fine: String }' };
  const rows: readonly (readonly [string, unknown, string, string])[] = [
    ['no object', 5, 'use', 'an object'],
    ['a promise', async () => ({}), 'use', 'at once'],
    ['an unknown key', { typeDef: '' }, 'typeDef', 'Did you mean typeDefs?'],
    ['a function that throws', () => { throw new Error('my fault'); }, 'the function', 'my fault'],
    ['types that are no list', { types: 'x' }, 'types', 'list'],
    ['a type that is none', { types: [5] }, 'types', 'nexus.objectType'],
    ['resolvers that are no object', { resolvers: [] }, 'resolvers', 'object'],
    ['SDL that cannot be read', { typeDefs: 'type Query {\n  now: String!!\n}' }, 'typeDefs', '(line 2)'],
    ['SDL that is none', { typeDefs: 5 }, 'typeDefs', 'SDL'],
    ['a type that is not there, in SDL', { typeDefs: 'type Query {\n  now: Clock\n}' }, 'typeDefs', 'Unknown type "Clock"'],
    ['a field that is there, in SDL', { typeDefs: 'type Query { articles: String }' }, 'typeDefs', 'Query.articles'],
    ['a field of an earlier extension', { typeDefs: 'type Query { fine: Int }' }, 'typeDefs', 'Query.fine'],
    ['a type that is not there, in Nexus', (({ nexus }) => ({ types: [nexus.queryField('now', { type: 'Clock' })] })) satisfies ExtensionFactory, 'types', 'Clock'],
    ['a type that is there, in Nexus', (({ nexus }) => ({ types: [nexus.objectType({ name: 'Article', definition: (t) => { t.int('x'); } })] })) satisfies ExtensionFactory, 'types', 'Article'],
    ['a definition that throws', (({ nexus }) => ({ types: [nexus.extendType({ type: 'Query', definition: () => { throw new Error('my fault'); } })] })) satisfies ExtensionFactory, 'types', 'my fault'],
    ['a plugin that throws', (({ nexus }) => ({ plugins: [nexus.plugin({ name: 'x', onCreateFieldResolver: () => { throw new Error('my fault'); } })] })) satisfies ExtensionFactory, 'plugins', 'my fault'],
    ['a resolver of no type', { resolvers: { Artikle: { x: () => 1 } } }, 'resolvers.Artikle', 'Did you mean Article?'],
    ['a resolver of no field', { resolvers: { Article: { titel: () => 1 } } }, 'resolvers.Article.titel', 'Did you mean title?'],
    ['a resolver that is none', { resolvers: { Article: { title: 'x' } } }, 'resolvers.Article.title', 'function'],
    ['a config of no field', { resolversConfig: { 'Query.artikles': { auth: false } } }, 'resolversConfig.Query.artikles', 'Did you mean Query.articles?'],
    ['a config of no type', { resolversConfig: { 'Queri.articles': {} } }, 'resolversConfig.Queri.articles', 'Query'],
    ['an unknown key of a config', { resolversConfig: { 'Query.articles': { policy: [] } } }, 'resolversConfig.Query.articles', 'auth, policies, middlewares'],
    ['auth that is neither', { resolversConfig: { 'Query.articles': { auth: 'x' } } }, 'resolversConfig.Query.articles', 'auth is false'],
    ['a scope that is no permission', { resolversConfig: { 'Query.articles': { auth: { scope: ['find'] } } } }, 'resolversConfig.Query.articles', 'api::article.article.find'],
    ['a policy nobody knows', { resolversConfig: { 'Query.articles': { policies: ['is-ownr'] } } }, 'resolversConfig.Query.articles', 'Did you mean is-owner?'],
    ['a policy that is none', { resolversConfig: { 'Query.articles': { policies: ['is-five'] } } }, 'resolversConfig.Query.articles', 'no function'],
    ['a middleware nobody knows', { resolversConfig: { 'Query.articles': { middlewares: [{ name: 'other' }] } } }, 'resolversConfig.Query.articles', 'no middleware other'],
    ['a factory that throws', { resolversConfig: { 'Query.articles': { middlewares: [{ name: 'broken', options: {} }] } } }, 'resolversConfig.Query.articles', 'my fault'],
    ['an interface that is not kept', { typeDefs: 'interface Named { name: String! } type Pet implements Named { age: Int } type Query { pet: Pet }' }, 'schema', 'Named'],
  ];
  const code = { 'is-owner': () => true, 'is-five': 5, broken: () => { throw new Error('my fault'); } };
  it.each(rows)('%s: the error names the extension and its key', async (_name, value, key, reason) => {
    const building = extended(model, ({ use: add }) => add(fine).use(value as Use), code);
    await expect(building).rejects.toMatchObject({ code: 'graphql/broken-extension', message: expect.stringContaining(`GraphQL extension 2 (src/index.ts), ${key}: `) as string });
    await expect(building).rejects.toThrow(reason);
  });
});
