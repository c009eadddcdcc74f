import { beforeAll, describe, expect, it } from 'vitest';
import type { ExtensionFactory } from '../../../../../src/api/graphql/extension/configuration.js';
import type { ContentModel } from '../../../../../src/model/model.js';
import { loadFixtureModel } from '../../../../support/models.js';
import { buildExtendedSchema } from './extension-support.js';
import type { Extension } from './extension-support.js';

let model: ContentModel;
beforeAll(async () => {
  model = await loadFixtureModel('magazine');
});

describe('mistakes in an extension', () => {
  const fine = { typeDefs: 'type Query { fine: String }' };
  const rows: readonly (readonly [string, unknown, string, string])[] = [
    ['a value that is not an object', 5, 'use', 'an object'],
    ['a promise', async () => ({}), 'use', 'not a promise'],
    ['an unknown key', { typeDef: '' }, 'typeDef', 'Did you mean typeDefs?'],
    [
      'a function that throws',
      () => {
        throw new Error('thrown by the project');
      },
      'the function',
      'thrown by the project',
    ],
    ['types that are not a list', { types: 'x' }, 'types', 'list'],
    ['an invalid type', { types: [5] }, 'types', 'nexus.objectType'],
    ['resolvers that are not an object', { resolvers: [] }, 'resolvers', 'object'],
    ['SDL with a syntax error', { typeDefs: 'type Query {\n  now: String!!\n}' }, 'typeDefs', '(line 2)'],
    ['SDL of the wrong type', { typeDefs: 5 }, 'typeDefs', 'SDL'],
    [
      'an unknown type in SDL',
      { typeDefs: 'type Query {\n  now: Clock\n}' },
      'typeDefs',
      'Unknown type "Clock"',
    ],
    [
      'an existing field of an earlier extension',
      { typeDefs: 'type Query { fine: Int }' },
      'typeDefs',
      'Query.fine',
    ],
    [
      'an unknown type in Nexus',
      (({ nexus }) => ({ types: [nexus.queryField('now', { type: 'Clock' })] })) satisfies ExtensionFactory,
      'types',
      'Clock',
    ],
    [
      'an existing type in Nexus',
      (({ nexus }) => ({
        types: [
          nexus.objectType({
            name: 'Article',
            definition: (t) => {
              t.int('x');
            },
          }),
        ],
      })) satisfies ExtensionFactory,
      'types',
      'Article',
    ],
    [
      'a definition that throws',
      (({ nexus }) => ({
        types: [
          nexus.extendType({
            type: 'Query',
            definition: () => {
              throw new Error('thrown by the project');
            },
          }),
        ],
      })) satisfies ExtensionFactory,
      'types',
      'thrown by the project',
    ],
    [
      'a plugin that throws',
      (({ nexus }) => ({
        plugins: [
          nexus.plugin({
            name: 'x',
            onCreateFieldResolver: () => {
              throw new Error('thrown by the project');
            },
          }),
        ],
      })) satisfies ExtensionFactory,
      'plugins',
      'thrown by the project',
    ],
    [
      'a resolver of an unknown type',
      { resolvers: { Artikle: { x: () => 1 } } },
      'resolvers.Artikle',
      'Did you mean Article?',
    ],
    [
      'a resolver of an unknown field',
      { resolvers: { Article: { titel: () => 1 } } },
      'resolvers.Article.titel',
      'Did you mean title?',
    ],
    [
      'an invalid resolver',
      { resolvers: { Article: { title: 'x' } } },
      'resolvers.Article.title',
      'function',
    ],
    [
      'a configuration of an unknown field',
      { resolversConfig: { 'Query.artikles': { auth: false } } },
      'resolversConfig.Query.artikles',
      'Did you mean Query.articles?',
    ],
    [
      'a configuration of an unknown type',
      { resolversConfig: { 'Queri.articles': {} } },
      'resolversConfig.Queri.articles',
      'Query',
    ],
    [
      'an unknown key of a configuration',
      { resolversConfig: { 'Query.articles': { policy: [] } } },
      'resolversConfig.Query.articles',
      'auth, policies, middlewares',
    ],
    [
      'an invalid auth',
      { resolversConfig: { 'Query.articles': { auth: 'x' } } },
      'resolversConfig.Query.articles',
      'auth must be false',
    ],
    [
      'a scope that is not a permission',
      { resolversConfig: { 'Query.articles': { auth: { scope: ['find'] } } } },
      'resolversConfig.Query.articles',
      'api::article.article.find',
    ],
    [
      'an unknown policy',
      { resolversConfig: { 'Query.articles': { policies: ['is-ownr'] } } },
      'resolversConfig.Query.articles',
      'Did you mean is-owner?',
    ],
    [
      'a policy that is not a function',
      { resolversConfig: { 'Query.articles': { policies: ['is-five'] } } },
      'resolversConfig.Query.articles',
      'is not a function',
    ],
    [
      'an unknown middleware',
      { resolversConfig: { 'Query.articles': { middlewares: [{ name: 'other' }] } } },
      'resolversConfig.Query.articles',
      'no middleware other',
    ],
    [
      'a middleware factory that throws',
      { resolversConfig: { 'Query.articles': { middlewares: [{ name: 'broken', options: {} }] } } },
      'resolversConfig.Query.articles',
      'thrown by the project',
    ],
    [
      'an interface that is not implemented',
      {
        typeDefs: `
          interface Named {
            name: String!
          }

          type Pet implements Named {
            age: Int
          }

          type Query {
            pet: Pet
          }
        `,
      },
      'schema',
      'Named',
    ],
  ];
  const code = {
    'is-owner': () => true,
    'is-five': 5,
    broken: () => {
      throw new Error('thrown by the project');
    },
  };
  it.each(rows)('%s: the error names the extension and its key', async (_name, value, key, reason) => {
    const building = buildExtendedSchema(model, ({ use: add }) => add(fine).use(value as Extension), code);
    await expect(building).rejects.toMatchObject({
      code: 'graphql/invalid-extension',
      message: expect.stringContaining(`GraphQL extension 2 (src/index.ts), ${key}: `) as string,
    });
    await expect(building).rejects.toThrow(reason);
  });
});
