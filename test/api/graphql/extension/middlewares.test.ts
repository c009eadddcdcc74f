import { describe, expect, it } from 'vitest';
import type {
  Middleware,
  ResolverConfig,
  WithApplication,
} from '../../../../src/api/graphql/extension/configuration.js';
import { databases } from '../../../support/databases.js';
import { ask, extendedEndpoints, forbidden } from './support.js';

describe.each(databases)('resolversConfig.middlewares on $name', (database) => {
  const { start, configured } = extendedEndpoints(database);

  const around =
    (word: string): Middleware =>
    async (next, parent, args, context, info) =>
      `${word}(${String(await next(parent, args, context, info))})`;
  const NAME = '{ tag(documentId: "t1") { name } }';
  const rows: readonly (readonly [string, NonNullable<ResolverConfig['middlewares']>, string])[] = [
    ['a function', [around('a')], 'a(Beta)'],
    ['several, the first of them outermost', [around('a'), around('b')], 'a(b(Beta))'],
    ['a name', ['shout'], 'BETA'],
    ['a name of an API', ['api::tag.wrap'], '<Beta>'],
    ['a name with options', [{ name: 'global::wrap', options: { left: '[', right: ']' } }], '[Beta]'],
    ['a registered middleware that is not a factory', ['direct'], 'direct(Beta)'],
    ['one that passes no parameters on', [async (next) => `${String(await next())}!`], 'Beta!'],
    ['one that returns its own value', [() => 'mine'], 'mine'],
    ['one that uses the application', ['app'], 'function'],
    [
      'one that sets a cache hint',
      [
        async (next, parent, args, context, info) => {
          info.cacheControl.setCacheHint({ maxAge: 60, scope: 'PUBLIC' });
          return `${String(await next(parent, args, context, info))} ${info.cacheControl.cacheHint.maxAge}`;
        },
      ],
      'Beta 60',
    ],
  ];
  it.each(rows)('%s, on a nested field', async (_name, middlewares, expected) => {
    const endpoint = await start(({ service, middlewares: registry }) => {
      registry.set('shout', () => async (next: () => Promise<unknown>) => String(await next()).toUpperCase());
      registry.set(
        'api::tag.wrap',
        () => async (next: () => Promise<unknown>) => `<${String(await next())}>`,
      );
      registry.set(
        'global::wrap',
        ({ left, right }: { left: string; right: string }) =>
          async (next: () => Promise<unknown>) =>
            `${left}${String(await next())}${right}`,
      );
      registry.set('direct', around('direct'));
      registry.set(
        'app',
        (_options: unknown, { app }: WithApplication) =>
          () =>
            typeof app.documents,
      );
      service.use({ resolversConfig: { 'Tag.name': { middlewares } } });
    });
    const { data, statements } = await ask(endpoint, NAME);
    expect([data, statements]).toEqual([{ tag: { name: expected } }, 1]);
  });

  it('may pass other arguments to a generated query', async () => {
    const only =
      (filters: unknown): Middleware =>
      (next, parent, args: Record<string, unknown>, context, info) =>
        next(parent, { ...args, filters }, context, info);
    const endpoint = await configured({
      'Query.tags': { middlewares: [only({ name: { eq: 'gamma' } })] },
      'Article.tags': { middlewares: [only({ name: { eq: 'alpha' } })] },
    });
    const { data } = await ask(
      endpoint,
      `
        query ($n: Int) {
          tags(pagination: {limit: $n}) {
            name
          }
          article(documentId: "a1") {
            tags {
              name
            }
            tags_connection {
              nodes {
                name
              }
            }
          }
        }
      `,
      'full',
      { n: 5 },
    );
    expect(data).toEqual({
      tags: [{ name: 'gamma' }],
      article: {
        tags: [{ name: 'alpha' }],
        tags_connection: { nodes: [{ name: 'Beta' }, { name: 'alpha' }] },
      },
    });
  });

  it('may add records, whose relations are subject to the rights of the caller', async () => {
    const endpoint = await start(
      ({ service, app }) =>
        void service.use({
          resolversConfig: {
            'Query.articles': {
              auth: false,
              middlewares: [
                async (next) => [
                  ...((await next()) as unknown[]),
                  ...(await app.documents('api::article.article').findMany({
                    status: 'published',
                    sort: 'title:desc',
                    limit: 1,
                    populate: ['author', 'tags'],
                  })),
                ],
              ],
            },
            'Article.tags': {
              middlewares: [
                async (next) => ((await next()) as object[]).map((tag) => ({ ...tag, label: 'shown' })),
              ],
            },
          },
        }),
    );
    const { data, errors, statements } = await ask(
      endpoint,
      `
        {
          articles(pagination: {limit: 1}) {
            title
            author {
              name
            }
            tags {
              name
              label
            }
          }
        }
      `,
      'tags',
    );
    expect(data).toEqual({
      articles: [
        {
          title: 'First',
          author: null,
          tags: [
            { name: 'Beta', label: 'shown' },
            { name: 'alpha', label: 'shown' },
          ],
        },
        { title: 'Third', author: null, tags: [] },
      ],
    });
    // The query, the read of the middleware, and the tags of the records it returns.
    expect([errors, statements]).toEqual([
      [forbidden('articles.0.author'), forbidden('articles.1.author')],
      3,
    ]);
  });

  it('run outside of policies', async () => {
    const log: string[] = [];
    const note: Middleware = async (next) => {
      log.push('in');
      try {
        return await next();
      } finally {
        log.push('out');
      }
    };
    const endpoint = await configured({
      'Query.tags': { middlewares: [note], policies: [() => log.push('policy') > 0] },
    });
    await endpoint.ask('{ tags { name } }');
    expect(log).toEqual(['in', 'policy', 'out']);
    await endpoint.ask('{ tags { name } }', { as: 'none' });
    expect(log).toEqual(['in', 'policy', 'out']);
  });

  it('may set state for later code and headers of the response', async () => {
    const endpoint = await configured({
      'Query.tags': {
        middlewares: [
          (next, _parent, _args, context) => {
            context.state['word'] = 'hello';
            context.http.response.set('x-word', 'hello');
            return next();
          },
        ],
      },
      'Tag.name': { middlewares: [(_next, _parent, _args, { state }) => state['word']] },
    });
    const response = await endpoint.fastify.inject({
      method: 'POST',
      url: '/graphql',
      headers: { authorization: 'full' },
      payload: { query: '{ tags(pagination: { limit: 1 }) { name } }' },
    });
    expect([response.json(), response.headers['x-word']]).toEqual([
      { data: { tags: [{ name: 'hello' }] } },
      'hello',
    ]);
  });
});
