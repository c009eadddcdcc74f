import { GraphQLError } from 'graphql';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Grants } from '../../../../src/access/access.js';
import type { ProjectGraphql } from '../../../../src/app/graphql-extension.js';
import type { ExtensionConfiguration, Middleware, ResolverConfig, WithApplication } from '../../../../src/graphql/extension/configuration.js';
import { seedMagazine } from '../../../contract/sql/magazine.js';
import { databases } from '../../../support/databases.js';
import { createWorld } from '../../../support/world.js';
import type { World } from '../../../support/world.js';
import { createEndpoint } from '../support/endpoint.js';
import type { Endpoint } from '../support/endpoint.js';

const grants = (...actions: readonly string[]): Grants => ({ kind: 'actions', actions: new Set(actions), rules: new Map() });

const CALLERS: Readonly<Record<string, Grants>> = {
  nothing: grants(),
  articles: grants('api::article.article.find', 'api::article.article.findOne'),
  tags: grants('api::tag.tag.find'),
};

/** Compiled after this many runs, so that every answer is asked for by both engines. */
const RUNS = 4;

describe.each(databases)('extensions on $name', (database) => {
  let world: World;
  const open: Endpoint[] = [];
  beforeAll(async () => {
    world = await createWorld({ model: 'magazine', database });
    await seedMagazine(world);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((endpoint) => endpoint.close()));
  });
  afterAll(() => world.close());

  const start = async (extend: (graphql: ProjectGraphql) => void): Promise<Endpoint> => {
    const endpoint = await createEndpoint({ world, callers: CALLERS, extend });
    open.push(endpoint);
    return endpoint;
  };
  const startWith = (...uses: readonly ExtensionConfiguration[]): Promise<Endpoint> => start(({ service }) => uses.forEach((each) => service.use(each)));
  const configured = (resolversConfig: Readonly<Record<string, ResolverConfig>>): Promise<Endpoint> => startWith({ resolversConfig });

  const ask = async (endpoint: Endpoint, query: string, as = 'full', variables: Record<string, unknown> = {}): Promise<{ data: unknown; errors: readonly (readonly [unknown, string, unknown])[]; statements: number }> => {
    const answers = [];
    for (let run = 0; run < RUNS; run += 1) {
      const { status, body, statements } = await endpoint.ask(query, { as, variables });
      expect([status, JSON.stringify(body)]).toEqual([200, expect.not.stringMatching(/stack|node_modules/)]);
      answers.push({ data: body.data, errors: (body.errors ?? []).map(({ path, message, extensions }) => [path?.join('.'), message, (extensions['error'] as { name: string }).name] as const), statements });
    }
    const [first, ...others] = answers;
    for (const other of others) expect(other).toEqual(first);
    if (first === undefined) throw new Error('nothing was asked');
    return first;
  };
  const FORBIDDEN = (path: string) => [path, 'Forbidden', 'ForbiddenError'] as const;
  const REFUSED = (path: string) => [path, 'Policy Failed', 'PolicyError'] as const;

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
      expect([data, errors]).toEqual([{ articles: [{ title: 'First', author: null }] }, [FORBIDDEN('articles.0.author')]]);
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
      expect([data, errors]).toEqual(isLet ? [{ tags: [{ name: 'alpha' }] }, []] : [null, [REFUSED('tags')]]);
    });

    it('are asked after rights, and for mutations, before anything is written', async () => {
      const endpoint = await configured({ 'Mutation.createTag': { policies: [() => false] } });
      expect((await ask(endpoint, 'mutation { createTag(data: { name: "x" }) { name } }')).errors).toEqual([REFUSED('createTag')]);
      expect((await ask(endpoint, 'mutation { createTag(data: { name: "x" }) { name } }', 'none')).errors).toEqual([FORBIDDEN('createTag')]);
      expect((await ask(endpoint, '{ tags(filters: { name: { eq: "x" } }) { name } }')).data).toEqual({ tags: [] });
    });

    it('decide about a nested field by its record', async () => {
      const endpoint = await configured({ 'Tag.label': { policies: [({ parent }) => (parent as { weight: number }).weight > 1] } });
      const { data, errors } = await ask(endpoint, '{ tags(pagination: { limit: 3 }) { label } }');
      expect([data, errors]).toEqual([{ tags: [{ label: null }, { label: null }, { label: 'GAMMA' }] }, [REFUSED('tags.0.label'), REFUSED('tags.1.label')]]);
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

  describe('resolvers', () => {
    const articles = (params: object) => ({ service, app }: ProjectGraphql): void => void service.use({
      typeDefs: 'type Query { found: [Article] page: ArticleEntityResponseCollection hit: Hit } union Hit = Article | Tag type Box { inside: [Article] } extend type Query { box: Box }',
      resolvers: {
        Hit: { __resolveType: () => 'Article' },
        Query: {
          found: () => app.documents('api::article.article').findMany({ status: 'published', ...params }),
          page: async () => ({ nodes: await app.documents('api::article.article').findMany({ status: 'published', ...params }), pageInfo: { page: 1, pageSize: 10, pageCount: 1, total: 4 } }),
          hit: () => app.documents('api::article.article').findOne({ documentId: 'a1', status: 'published' }),
          box: async () => ({ inside: await app.documents('api::article.article').findMany({ status: 'published', ...params }) }),
        },
      },
    });

    it('answer documents whose relations are read in one statement each, however many there are', async () => {
      const endpoint = await start(articles({}));
      const { data, statements, errors } = await ask(endpoint, '{ found { title reads secret author { name articles { title } } tags(sort: "name", pagination: { limit: 1 }) { name } cover { url } seo { metaTitle social { handle } } links(filters: { label: { eq: "L2" } }) { label } sections { __typename ... on ComponentSectionsRelated { tags { name } } } } }');
      expect(errors).toEqual([]);
      expect(data).toMatchObject({ found: [
        { title: 'First', reads: '9007199254740993', secret: null, author: { name: 'Ada Lovelace', articles: [{ title: 'First' }, { title: 'Third' }, { title: 'Premier' }] }, tags: [{ name: 'Beta' }], cover: { url: '/uploads/one.png' }, seo: { metaTitle: 'One', social: [{ handle: '@a' }, { handle: null }] }, links: [{ label: 'L2' }],
          sections: [{ __typename: 'ComponentSectionsQuote' }, { __typename: 'ComponentSectionsRelated', tags: [{ name: 'epsilon' }, { name: 'Beta' }] }, { __typename: 'ComponentSectionsText' }] },
        { title: 'Second', author: { name: 'Bob Stone' } }, { title: 'Third', author: { name: 'Ada Lovelace' } }, { title: 'Fourth', author: null, tags: [], seo: null, sections: [] },
      ] });
      // The list, and author, tags, cover, seo, links and sections.
      expect(statements).toBe(7);
    });

    it('answer them in connections, unions and types of the project, too', async () => {
      const endpoint = await start(articles({ limit: 1 }));
      const { data } = await ask(endpoint, '{ page { nodes { author { name } } pageInfo { total } } hit { ... on Article { mine: author { name } } } box { inside { tags_connection { nodes { name } } } } }');
      expect(data).toEqual({ page: { nodes: [{ author: { name: 'Ada Lovelace' } }], pageInfo: { total: 4 } }, hit: { mine: { name: 'Ada Lovelace' } }, box: { inside: [{ tags_connection: { nodes: [{ name: 'Beta' }, { name: 'alpha' }] } }] } });
    });

    it('show nobody what they may not find, also where the resolver has read it already', async () => {
      const endpoint = await start((graphql) => {
        articles({ limit: 1, populate: ['author', 'tags'] })(graphql);
        graphql.service.use({ resolversConfig: { 'Query.found': { auth: false } } });
      });
      const { data, errors } = await ask(endpoint, '{ found { title author { name } tags { name } } }', 'tags');
      expect([data, errors]).toEqual([{ found: [{ title: 'First', author: null, tags: [{ name: 'Beta' }, { name: 'alpha' }] }] }, [FORBIDDEN('found.0.author')]]);
    });

    it('answer the version that the document is of', async () => {
      const endpoint = await start(({ service, app }) => void service.use({
        typeDefs: 'type Query { french: Article draft: Article }',
        resolvers: { Query: { french: () => app.documents('api::article.article').findOne({ documentId: 'a1', locale: 'fr', status: 'published' }), draft: () => app.documents('api::article.article').findOne({ documentId: 'a3' }) } },
      }));
      const { data } = await ask(endpoint, '{ french { title locale tags { name } } draft { title publishedAt category { name } } }');
      expect(data).toEqual({ french: { title: 'Premier', locale: 'fr', tags: [{ name: 'gamma' }] }, draft: { title: 'Third', publishedAt: null, category: { name: 'Secret' } } });
    });

    it('answer what holds no identity as it is, and never a hash', async () => {
      const endpoint = await startWith({ typeDefs: 'type Query { made: Article }', resolvers: { Query: { made: () => ({ title: 'Made', secret: '$2b$10$hash', internalNote: 'mine', author: { name: 'Nobody' }, seo: { metaTitle: 'M' } }) } } });
      const { data } = await ask(endpoint, '{ made { title secret author { name } seo { metaTitle } tags { name } links { label } } }');
      expect(data).toEqual({ made: { title: 'Made', secret: null, author: { name: 'Nobody' }, seo: { metaTitle: 'M' }, tags: [], links: [] } });
      expect((await endpoint.ask('{ made { internalNote } }')).status).toBe(400);
    });

    it('of new fields of a generated type get the whole record, for one statement', async () => {
      const endpoint = await startWith({
        typeDefs: 'extend type Article { words(least: Int = 0): Int shout: String } extend type ComponentSharedSeo { length: Int }',
        resolvers: {
          Article: { words: (parent: { title: string }, { least }: { least: number }) => Math.max(least, parent.title.length), shout: ({ title, documentId, internalNote }: Record<string, string>) => `${title} ${documentId} ${internalNote}` },
          ComponentSharedSeo: { length: ({ metaTitle }: { metaTitle: string }) => metaTitle.length },
        },
      });
      const { data, statements } = await ask(endpoint, 'query ($n: Int) { articles(pagination: { limit: 1 }) { words(least: $n) shout seo { length } author { articles { words } } } }', 'full', { n: 9 });
      expect([data, statements]).toEqual([{ articles: [{ words: 9, shout: 'First a1 undefined', seo: { length: 3 }, author: { articles: [{ words: 5 }, { words: 5 }, { words: 7 }] } }] }, 1]);
    });

    it('in the place of generated ones', async () => {
      const endpoint = await startWith({ resolvers: { Article: { author: () => ({ documentId: 'bob', name: 'Shown' }), title: { resolve: (parent: { title: string }) => `* ${parent.title}` } }, Query: { tags: () => [{ name: 'only' }] } } });
      const { data } = await ask(endpoint, '{ article(documentId: "a1") { title author { name articles { title } } } tags { name } }');
      expect(data).toEqual({ article: { title: '* First', author: { name: 'Shown', articles: [{ title: '* Second' }] } }, tags: [{ name: 'only' }] });
    });

    it('that throw say nothing of themselves, unless they mean to', async () => {
      const named = (name: string, message: string) => () => { throw Object.assign(new Error(message), { name, details: { why: 'so' } }); };
      const endpoint = await startWith({
        typeDefs: 'type Query { a: Int b: Int c: Int d: Int e: Int f: Int }',
        resolvers: { Query: {
          a: () => { throw new Error('secret'); }, b: named('ApplicationError', 'Closed'), c: named('ValidationError', 'Too long'), d: named('NotFoundError', 'Gone'), e: named('UnauthorizedError', 'Sign in'),
          f: () => { throw new GraphQLError('Mine', { extensions: { code: 'MINE' } }); },
        } },
      });
      const { errors } = await ask(endpoint, '{ a b c d e f }');
      expect(errors.toSorted()).toEqual([['a', 'Internal Server Error', 'InternalServerError'], ['b', 'Closed', 'ApplicationError'], ['c', 'Too long', 'ValidationError'], ['d', 'Gone', 'NotFoundError'], ['e', 'Sign in', 'UnauthorizedError'], ['f', 'Mine', 'ValidationError']]);
      const { body } = await endpoint.ask('{ b f }');
      expect(body.errors?.map(({ extensions }) => [extensions['code'], (extensions['error'] as { details: unknown }).details])).toEqual([['APPLICATION_ERROR', { why: 'so' }], ['MINE', {}]]);
      expect(endpoint.log.join('\n')).toContain('secret');
    });

    it('write through the document service', async () => {
      const endpoint = await start(({ service, app }) => void service.use({
        typeDefs: 'type Mutation { note(name: String!): Tag forget(documentId: ID!): Boolean } type Query { tally: Int }',
        resolvers: {
          Mutation: {
            note: async (_parent: unknown, { name }: { name: string }) => app.documents('api::tag.tag').create({ data: { name } }),
            forget: async (_parent: unknown, { documentId }: { documentId: string }) => (await app.documents('api::tag.tag').delete({ documentId })) !== null,
          },
          Query: { tally: () => app.documents('api::tag.tag').count() },
        },
      }));
      const before = (await endpoint.ask('{ tally }')).body.data?.['tally'];
      const made = await endpoint.ask('mutation { note(name: "new") { documentId name articles { title } } }');
      expect(made.body).toMatchObject({ data: { note: { name: 'new', articles: [] } } });
      const { documentId } = made.body.data?.['note'] as { documentId: string };
      expect((await endpoint.ask('{ tally }')).body.data?.['tally']).toBe(Number(before) + 1);
      expect((await endpoint.ask('mutation ($id: ID!) { forget(documentId: $id) }', { variables: { id: documentId } })).body).toEqual({ data: { forget: true } });
      expect((await endpoint.ask('mutation { note(name: "") { name } }')).status).toBe(200);
    });
  });

  it('Nexus plugins act on generated fields and on those of the project', async () => {
    const endpoint = await start(({ service }) => void service.use({ typeDefs: 'type Query { now: String }', resolvers: { Query: { now: () => 'noon' } } }).use(({ nexus }) => ({
      plugins: [nexus.plugin({ name: 'mark', onCreateFieldResolver: ({ fieldConfig }) => (['name', 'now'].includes(fieldConfig.name) ? async (root, args, context, info, next) => `<${String(await next(root, args, context, info))}>` : undefined) })],
    })));
    const { data, statements, errors } = await ask(endpoint, '{ now tags(pagination: { limit: 1 }) { name articles { author { name } } } }');
    expect([data, errors, statements]).toEqual([{ now: '<noon>', tags: [{ name: '<alpha>', articles: [{ author: { name: '<Ada Lovelace>' } }] }] }, [], 1]);
    expect((await ask(endpoint, '{ tags { name } }', 'none')).errors).toEqual([FORBIDDEN('tags')]);
  });

  it('what is switched off is refused like what never was', async () => {
    const endpoint = await start(({ service }) => {
      service.shadowCRUD('api::article.article').disableAction('find').field('rating').disableOutput();
      service.shadowCRUD('api::tag.tag').field('label').disableFilters();
      service.shadowCRUD('api::tag.tag').field('weight').disableInput();
      service.shadowCRUD('api::category.category').disable();
    });
    for (const query of ['{ articles { title } }', '{ article(documentId: "a1") { rating } }', '{ tags(filters: { label: { eq: "x" } }) { name } }', 'mutation { createTag(data: { name: "x", weight: 1 }) { name } }', '{ article(documentId: "a1") { category { name } } }', '{ categories { name } }']) {
      expect([query, (await endpoint.ask(query)).status]).toEqual([query, 400]);
    }
    expect((await ask(endpoint, '{ article(documentId: "a1") { title } tags(pagination: { limit: 2 }) { label weight } }')).data).toEqual({ article: { title: 'First' }, tags: [{ label: null, weight: 0 }, { label: 'BETA', weight: 1 }] });
  });
});
