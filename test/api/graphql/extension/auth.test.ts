import { describe, expect, it } from 'vitest';
import type {
  ExtensionConfiguration,
  ResolverConfig,
} from '../../../../src/api/graphql/extension/configuration.js';
import { databases } from '../../../support/databases.js';
import { ask, extendedEndpoints, forbidden } from './support.js';

describe.each(databases)('resolversConfig.auth on $name', (database) => {
  const { startWith, configured } = extendedEndpoints(database);

  const custom: ExtensionConfiguration = {
    typeDefs: 'type Query { now: String } type Mutation { sweep: Boolean }',
    resolvers: { Query: { now: () => 'noon' }, Mutation: { sweep: () => true } },
  };
  const rows: readonly (readonly [
    string,
    Readonly<Record<string, ResolverConfig>>,
    string,
    Readonly<Record<string, boolean>>,
  ])[] = [
    [
      'by default a generated list query requires find',
      {},
      '{ tags(pagination: { limit: 1 }) { name } }',
      { full: true, tags: true, articles: false, nothing: false, none: false },
    ],
    [
      'by default a generated query of one document requires findOne',
      {},
      '{ article(documentId: "a1") { kind } }',
      { full: true, articles: true, tags: false, none: false },
    ],
    [
      'by default a project query requires a signed-in user or a full-access token',
      {},
      '{ now }',
      { full: true, nothing: false, none: false },
    ],
    [
      'by default a project mutation requires the same',
      {},
      'mutation { sweep }',
      { full: true, nothing: false, none: false },
    ],
    [
      'auth: false on a generated query',
      { 'Query.tags': { auth: false } },
      '{ tags(pagination: { limit: 1 }) { name } }',
      { full: true, articles: true, nothing: true, none: true },
    ],
    [
      'auth: false on a project query',
      { 'Query.now': { auth: false } },
      '{ now }',
      { full: true, nothing: true, none: true },
    ],
    [
      'auth: false on a project mutation',
      { 'Mutation.sweep': { auth: false } },
      'mutation { sweep }',
      { nothing: true, none: true },
    ],
    [
      'a scope replaces the permission of a generated query',
      { 'Query.tags': { auth: { scope: ['api::article.article.find'] } } },
      '{ tags(pagination: { limit: 1 }) { name } }',
      { full: true, articles: true, tags: false, none: false },
    ],
    [
      'the scope of a project query',
      { 'Query.now': { auth: { scope: ['api::article.article.find', 'api::article.article.findOne'] } } },
      '{ now }',
      { full: true, articles: true, tags: false, none: false },
    ],
    [
      'the scope of a nested field',
      { 'Tag.label': { auth: { scope: ['api::article.article.find'] } } },
      '{ tags(pagination: { limit: 1 }) { label } }',
      { full: true, tags: false },
    ],
  ];
  it.each(rows)('%s', async (_name, resolversConfig, query, expected) => {
    const endpoint = await startWith(custom, { resolversConfig });
    for (const [as, isAllowed] of Object.entries(expected)) {
      const { errors } = await ask(endpoint, query, as);
      expect([as, errors.length === 0]).toEqual([as, isAllowed]);
      for (const [, message] of errors) expect(message).toBe('Forbidden');
    }
  });

  it('does not allow relations of a public query', async () => {
    const endpoint = await configured({ 'Query.articles': { auth: false } });
    const { data, errors } = await ask(
      endpoint,
      '{ articles(pagination: { limit: 1 }) { title author { name } } }',
      'none',
    );
    expect([data, errors]).toEqual([
      { articles: [{ title: 'First', author: null }] },
      [forbidden('articles.0.author')],
    ]);
  });
});
