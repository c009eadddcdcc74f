import { describe, expect, it } from 'vitest';
import type { ProjectGraphql } from '../../../../src/app/graphql-extension.js';
import type { ExtensionConfiguration, Middleware, ResolverConfig, WithApplication } from '../../../../src/graphql/extension/configuration.js';
import { databases } from '../../../support/databases.js';
import { ask, extendedEndpoints, forbidden, refused } from './support.js';

describe.each(databases)('resolversConfig on $name', (database) => {
  const { start, startWith, configured } = extendedEndpoints(database);

  describe('auth', () => {
    const custom: ExtensionConfiguration = { typeDefs: 'type Query { now: String } type Mutation { sweep: Boolean }', resolvers: { Query: { now: () => 'noon' }, Mutation: { sweep: () => true } } };
    const rows: readonly (readonly [string, Readonly<Record<string, ResolverConfig>>, string, Readonly<Record<string, boolean>>])[] = [
      ['nothing said, a generated query: find', {}, '{ tags(pagination: { limit: 1 }) { name } }', { full: true, tags: true, articles: false, nothing: false, none: false }],
      ['nothing said, a generated single query: findOne', {}, '{ article(documentId: "a1") { kind } }', { full: true, articles: true, tags: false, none: false }],
      ['nothing said, a query of the project: whoever is signed in or may do everything', {}, '{ now }', { full: true, nothing: false, none: false }],
      ['nothing said, a mutation of the project', {}, 'mutation { sweep }', { full: true, nothing: false, none: false }],
      ['auth: false, a generated query', { 'Query.tags': { auth: false } }, '{ tags(pagination: { limit: 1 }) { name } }', { full: true, articles: true, nothing: true, none: true }],
      ['auth: false, a query of the project', { 'Query.now': { auth: false } }, '{ now }', { full: true, nothing: true, none: true }],
      ['auth: false, a mutation of the project', { 'Mutation.sweep': { auth: false } }, 'mutation { sweep }', { nothing: true, none: true }],
      ['scope, in the place of what a generated query needs', { 'Query.tags': { auth: { scope: ['api::article.article.find'] } } }, '{ tags(pagination: { limit: 1 }) { name } }', { full: true, articles: true, tags: false, none: false }],
      ['scope of a query of the project', { 'Query.now': { auth: { scope: ['api::article.article.find', 'api::article.article.findOne'] } } }, '{ now }', { full: true, articles: true, tags: false, none: false }],
      ['scope of a nested field', { 'Tag.label': { auth: { scope: ['api::article.article.find'] } } }, '{ tags(pagination: { limit: 1 }) { label } }', { full: true, tags: false }],
    ];
    it.each(rows)('%s', async (_name, resolversConfig, query, expected) => {
      const endpoint = await startWith(custom, { resolversConfig });
      for (const [as, isLet] of Object.entries(expected)) {
        const { errors } = await ask(endpoint, query, as);
        expect([as, errors.length === 0]).toEqual([as, isLet]);
        for (const [, message] of errors) expect(message).toBe('Forbidden');
      }
    });

    it('does not open what a public query links to', async () => {
      const endpoint = await configured({ 'Query.articles': { auth: false } });
      const { data, errors } = await ask(endpoint, '{ articles(pagination: { limit: 1 }) { title author { name } } }', 'none');
      expect([data, errors]).toEqual([{ articles: [{ title: 'First', author: null }] }, [forbidden('articles.0.author')]]);
    });
  });

  describe('policies', () => {
    const register = ({ policies }: Pick<ProjectGraphql, 'policies'>): void => {
      policies.set('global::yes', (_context: unknown, config: Readonly<Record<string, unknown>>) => config['answer'] ?? true);
      policies.set('no', () => false);
      policies.set('api::tag.silent', () => undefined);
      policies.set('global::object', { handler: () => true });
      policies.set('global::app', (_context: unknown, _config: unknown, { strapi, app }: WithApplication) => strapi === app && typeof strapi.documents === 'function');
    };
    const rows: readonly (readonly [string, NonNullable<ResolverConfig['policies']>, boolean])[] = [
      ['a function that says yes', [() => true], true],
      ['a function that says no', [() => false], false],
      ['a function that says nothing', [() => undefined], false],
      ['a function that says 0', [() => 0], false],
      ['an asynchronous no', [async () => false], false],
      ['a name with ::', ['global::yes'], true],
      ['a plain name', ['no'], false],
      ['a name of an API', ['api::tag.silent'], false],
      ['a plain name that only one API has', ['silent'], false],
      ['a name with a config', [{ name: 'yes', config: { answer: false } }], false],
      ['a name with another config', [{ name: 'yes', config: { answer: 'yes' } }], true],
      ['an object with a handler', ['object'], true],
      ['several, all say yes', [() => true, 'yes'], true],
      ['several, the last says no', [() => true, 'yes', 'no'], false],
      ['the application, inline', [(_context, { strapi }) => typeof strapi.documents === 'function'], true],
      ['the application, registered', ['app'], true],
      ['the context', [(context) => context.type === 'graphql' && context.is('graphql') && context.info.parentType.name === 'Query' && context.info.fieldName === 'tags' && context.context.state === context.state
          && context.http.request.method === 'POST' && context.http.get('Authorization') === 'full' && context.state.auth.strategy.name === 'api-token'
          && JSON.stringify(context.args['filters']) === '{"name":{"eq":"alpha"}}'], true],
    ];
    it.each(rows)('%s', async (_name, policies, isLet) => {
      const endpoint = await start((graphql) => {
        register(graphql);
        graphql.service.use({ resolversConfig: { 'Query.tags': { policies } } });
      });
      const { data, errors } = await ask(endpoint, 'query ($name: String) { tags(filters: { name: { eq: $name } }) { name } }', 'full', { name: 'alpha' });
      expect([data, errors]).toEqual(isLet ? [{ tags: [{ name: 'alpha' }] }, []] : [null, [refused('tags')]]);
    });

    it('are asked after rights, and for mutations, before anything is written', async () => {
      const endpoint = await configured({ 'Mutation.createTag': { policies: [() => false] } });
      expect((await ask(endpoint, 'mutation { createTag(data: { name: "x" }) { name } }')).errors).toEqual([refused('createTag')]);
      expect((await ask(endpoint, 'mutation { createTag(data: { name: "x" }) { name } }', 'none')).errors).toEqual([forbidden('createTag')]);
      expect((await ask(endpoint, '{ tags(filters: { name: { eq: "x" } }) { name } }')).data).toEqual({ tags: [] });
    });

    it('decide about a nested field by its record', async () => {
      const endpoint = await configured({ 'Tag.label': { policies: [({ parent }) => (parent as { weight: number }).weight > 1] } });
      const { data, errors } = await ask(endpoint, '{ tags(pagination: { limit: 3 }) { label } }');
      expect([data, errors]).toEqual([{ tags: [{ label: null }, { label: null }, { label: 'GAMMA' }] }, [refused('tags.0.label'), refused('tags.1.label')]]);
    });

    it('that throw are masked, unless their error is meant for the client', async () => {
      const fault = Object.assign(new Error('Only on Sundays'), { name: 'PolicyError' });
      const endpoint = await configured({ 'Query.tags': { policies: [() => { throw fault; }] }, 'Query.authors': { policies: [() => { throw new Error('secret'); }] } });
      expect((await ask(endpoint, '{ tags { name } }')).errors).toEqual([['tags', 'Only on Sundays', 'PolicyError']]);
      expect((await ask(endpoint, '{ authors { name } }')).errors).toEqual([['authors', 'Internal Server Error', 'InternalServerError']]);
    });
  });

  describe('middlewares', () => {
    const around = (word: string): Middleware => async (next, parent, args, context, info) => `${word}(${String(await next(parent, args, context, info))})`;
    const NAME = '{ tag(documentId: "t1") { name } }';
    const rows: readonly (readonly [string, NonNullable<ResolverConfig['middlewares']>, string])[] = [
      ['a function', [around('a')], 'a(Beta)'],
      ['several, the first outermost', [around('a'), around('b')], 'a(b(Beta))'],
      ['a name', ['shout'], 'BETA'],
      ['a name of an API', ['api::tag.wrap'], '<Beta>'],
      ['a name with options', [{ name: 'global::wrap', options: { left: '[', right: ']' } }], '[Beta]'],
      ['a registered middleware that is no factory', ['direct'], 'direct(Beta)'],
      ['one that hands nothing on', [async (next) => `${String(await next())}!`], 'Beta!'],
      ['one that answers by itself', [() => 'mine'], 'mine'],
      ['one that knows the application', ['app'], 'function'],
      ['one that leaves a hint for caches', [async (next, parent, args, context, info) => { info.cacheControl.setCacheHint({ maxAge: 60, scope: 'PUBLIC' }); return `${String(await next(parent, args, context, info))} ${info.cacheControl.cacheHint.maxAge}`; }], 'Beta 60'],
    ];
    it.each(rows)('%s, on a nested field', async (_name, middlewares, expected) => {
      const endpoint = await start(({ service, middlewares: registry }) => {
        registry.set('shout', () => async (next: () => Promise<unknown>) => String(await next()).toUpperCase());
        registry.set('api::tag.wrap', () => async (next: () => Promise<unknown>) => `<${String(await next())}>`);
        registry.set('global::wrap', ({ left, right }: { left: string; right: string }) => async (next: () => Promise<unknown>) => `${left}${String(await next())}${right}`);
        registry.set('direct', around('direct'));
        registry.set('app', (_options: unknown, { app }: WithApplication) => () => typeof app.documents);
        service.use({ resolversConfig: { 'Tag.name': { middlewares } } });
      });
      const { data, statements } = await ask(endpoint, NAME);
      expect([data, statements]).toEqual([{ tag: { name: expected } }, 1]);
    });

    it('may ask a generated query for something else', async () => {
      const only = (filters: unknown): Middleware => (next, parent, args: Record<string, unknown>, context, info) => next(parent, { ...args, filters }, context, info);
      const endpoint = await configured({ 'Query.tags': { middlewares: [only({ name: { eq: 'gamma' } })] }, 'Article.tags': { middlewares: [only({ name: { eq: 'alpha' } })] } });
      const { data } = await ask(endpoint, 'query ($n: Int) { tags(pagination: { limit: $n }) { name } article(documentId: "a1") { tags { name } tags_connection { nodes { name } } } }', 'full', { n: 5 });
      expect(data).toEqual({ tags: [{ name: 'gamma' }], article: { tags: [{ name: 'alpha' }], tags_connection: { nodes: [{ name: 'Beta' }, { name: 'alpha' }] } } });
    });

    it('may put records of their own among those that were read; of those, too, nobody sees what they may not find', async () => {
      const endpoint = await start(({ service, app }) => void service.use({ resolversConfig: {
        'Query.articles': { auth: false, middlewares: [async (next) => [...(await next() as unknown[]), ...await app.documents('api::article.article').findMany({ status: 'published', sort: 'title:desc', limit: 1, populate: ['author', 'tags'] })]] },
        'Article.tags': { middlewares: [async (next) => (await next() as object[]).map((tag) => ({ ...tag, label: 'shown' }))] },
      } }));
      const { data, errors, statements } = await ask(endpoint, '{ articles(pagination: { limit: 1 }) { title author { name } tags { name label } } }', 'tags');
      expect(data).toEqual({ articles: [
        { title: 'First', author: null, tags: [{ name: 'Beta', label: 'shown' }, { name: 'alpha', label: 'shown' }] },
        { title: 'Third', author: null, tags: [] },
      ] });
      // The query, the middleware's own, and the tags of what that answered.
      expect([errors, statements]).toEqual([[forbidden('articles.0.author'), forbidden('articles.1.author')], 3]);
    });

    it('stand outside of policies and see what happens', async () => {
      const log: string[] = [];
      const note: Middleware = async (next) => {
        log.push('in');
        try {
          return await next();
        } finally {
          log.push('out');
        }
      };
      const endpoint = await configured({ 'Query.tags': { middlewares: [note], policies: [() => log.push('policy') > 0] } });
      await endpoint.ask('{ tags { name } }');
      expect(log).toEqual(['in', 'policy', 'out']);
      await endpoint.ask('{ tags { name } }', { as: 'none' });
      expect(log).toEqual(['in', 'policy', 'out']);
    });

    it('may leave word for others, and add headers to the answer', async () => {
      const endpoint = await configured({
        'Query.tags': { middlewares: [(next, _parent, _args, context) => { context.state['word'] = 'hello'; context.http.response.set('x-word', 'hello'); return next(); }] },
        'Tag.name': { middlewares: [(_next, _parent, _args, { state }) => state['word']] },
      });
      const response = await endpoint.fastify.inject({ method: 'POST', url: '/graphql', headers: { authorization: 'full' }, payload: { query: '{ tags(pagination: { limit: 1 }) { name } }' } });
      expect([response.json(), response.headers['x-word']]).toEqual([{ data: { tags: [{ name: 'hello' }] } }, 'hello']);
    });
  });
});
