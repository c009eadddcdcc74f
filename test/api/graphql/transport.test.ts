import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { sendBatch } from './support/limits.js';
import { magazineEndpoints } from './support/magazine-endpoints.js';

describe.each(databases.slice(0, 1))('the GraphQL endpoint', (database) => {
  const start = magazineEndpoints(database);

  it('responds to invalid requests with 400 and errors, without a stack', async () => {
    const endpoint = await start();
    const bodies = [
      undefined,
      '',
      'null',
      '[]',
      '3',
      '{}',
      '{"query":1}',
      '{"query":""}',
      '{"query":"{ tags { name","variables":{}}',
      '{"query":"{ tags { name } }","variables":[1]}',
      '{"query":"{\\"kind\\":\\"Document\\",\\"definitions\\":[]}"}',
      '{"query":"{}"}',
      '{"query":"null"}',
      '{"query":"3"}',
      '{"query":"\\"x\\""}',
      '{"query":"type A { b: Int }"}',
      '{"query":"{ tags { name } }","operationName":"a\\n{"}',
      '{"query":"fragment a on Tag { ...a } { tags { ...a } }"}',
      '{"query":"subscription { tags { name } }"}',
      '{"query":"{ tags { name } }","operationName":7}',
      'not json',
      JSON.stringify({ query: '{ a'.repeat(20_000) }),
    ];
    for (const payload of bodies) {
      const { status, body } = await endpoint.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'content-type': 'application/json', authorization: 'full' },
        ...(payload === undefined ? {} : { payload }),
      });
      expect([payload, status]).toEqual([payload, 400]);
      expect(body.errors?.length, payload).toBeGreaterThan(0);
      expect(JSON.stringify(body)).not.toMatch(/stack|node_modules|\bselect\b/i);
    }
    expect(endpoint.log).toEqual([]);
  });

  it('responds to other methods with 405 and the allowed ones', async () => {
    const endpoint = await start();
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
      const response = await endpoint.fastify.inject({
        method,
        url: '/graphql',
        headers: { 'content-type': 'application/json' },
        payload: 'not json',
      });
      expect([method, response.statusCode, response.headers['allow']]).toEqual([
        method,
        405,
        'GET, POST, HEAD',
      ]);
      expect(response.json()).toMatchObject({
        errors: [{ extensions: { code: 'BAD_REQUEST', error: { name: 'MethodNotAllowedError' } } }],
      });
    }
  });

  it('requires a CSRF header on GET, runs queries over it, and refuses mutations', async () => {
    const endpoint = await start();
    const get = (query: string, headers: Record<string, string>) =>
      endpoint.inject({
        method: 'GET',
        url: `/graphql?query=${encodeURIComponent(query)}`,
        headers: { authorization: 'full', ...headers },
      });
    expect((await get('{ tag(documentId: "t0") { name } }', {})).status).toBe(400);
    expect((await get('{ tag(documentId: "t0") { name } }', { 'content-type': 'text/plain' })).status).toBe(
      400,
    );
    expect(
      (await get('{ tag(documentId: "t0") { name } }', { 'content-type': 'application/json' })).body,
    ).toEqual({ data: { tag: { name: 'alpha' } } });
    expect(
      (
        await get('mutation { deleteTag(documentId: "t0") { documentId } }', {
          'content-type': 'application/json',
        })
      ).status,
    ).toBe(405);
    expect(
      (await get('{ tag(documentId: "t0") { name } }', { 'apollo-require-preflight': 'yes' })).status,
    ).toBe(200);
  });

  it('is logged with the operation', async () => {
    const endpoint = await start({ logLevel: 'info' });
    const [tag, named] = ['{ tag(documentId: "t0") { name } }', 'query Names { tags { name } }'];
    await endpoint.ask(tag);
    await endpoint.ask(`${named} query Other ${tag}`, { operationName: 'Names' });
    await endpoint.ask('{ a: tags { name } b: tags { name } c: tags { name } d: tags { name } }');
    await endpoint.ask('mutation { deleteTag(documentId: "none") { documentId } }');
    await endpoint.ask('{ nope }');
    await sendBatch(
      endpoint,
      Array.from({ length: 5 }, () => ({ query: tag })),
    );
    const operations = endpoint.log.map((line) => (JSON.parse(line) as Record<string, unknown>)['operation']);
    expect(operations).toEqual([
      'query { tag }',
      'query Names',
      'query { tags tags tags … }',
      'mutation { deleteTag }',
      undefined,
      'query { tag }, query { tag }, query { tag }, 2 more',
    ]);
  });

  it('refuses forms and plain text, which other sites could send', async () => {
    const endpoint = await start();
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const { status, body } = await endpoint.inject({
        method: 'POST',
        url: '/graphql',
        headers: { 'content-type': type },
        payload: '{"query":"{ tags { name } }"}',
      });
      expect([status, body.errors?.[0]?.extensions['code']]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    }
  });

  it('responds to invalid credentials with 401, as REST does', async () => {
    const { status, body } = await (await start()).ask('{ __typename }', { as: 'wrong' });
    expect(status).toBe(401);
    expect(body).toEqual({
      data: null,
      error: {
        status: 401,
        name: 'UnauthorizedError',
        message: 'Missing or invalid credentials',
        details: {},
      },
    });
  });

  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json, application/graphql-response+json', 'application/json'],
    ['application/graphql-response+json;q=0.5, application/json;q=0.9', 'application/json'],
    ['application/graphql-response+json;q=0, application/json', 'application/json'],
    ['text/html', 'application/json'],
    ['application/graphql-response+json', 'application/graphql-response+json'],
    ['application/graphql-response+json, application/json;q=0.9', 'application/graphql-response+json'],
    ['*/*, Application/GraphQL-Response+JSON', 'application/graphql-response+json'],
  ])('responds to accept: %s with %s, over POST and GET', async (accept, type) => {
    const { fastify } = await start();
    const headers = {
      authorization: 'full',
      'apollo-require-preflight': 'yes',
      ...(accept === undefined ? {} : { accept }),
    };
    const post = (query: string) =>
      fastify.inject({ method: 'POST', url: '/graphql', headers, payload: { query } });
    const responses = [
      await post('{ tag(documentId: "t0") { name } }'),
      await fastify.inject({
        method: 'GET',
        url: `/graphql?query=${encodeURIComponent('{ tag(documentId: "t0") { name } }')}`,
        headers,
      }),
      await post('{ tag(documentId: "t0") { nope } }'),
      await post('{ tag'),
      await post('{ tag(documentId: "t0") { name } tags(sort: "nope") { name } }'),
    ];
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 400, 400, 200]);
    for (const response of responses) expect(response.headers['content-type']).toBe(`${type}; charset=utf-8`);
  });

  it.each([
    ['{', {}, 'GRAPHQL_PARSE_FAILED'],
    ['{ nope }', {}, 'GRAPHQL_VALIDATION_FAILED'],
    ['query a { tags { name } } query b { tags { name } }', {}, 'OPERATION_RESOLUTION_FAILURE'],
    ['query a { tags { name } }', { operationName: 'c' }, 'OPERATION_RESOLUTION_FAILURE'],
    ['query ($id: ID!) { tag(documentId: $id) { name } }', {}, 'BAD_USER_INPUT'],
    ['', {}, 'BAD_REQUEST'],
  ])('tells by its code why %s with %j is refused', async (query, options, code) => {
    const { status, body } = await (await start()).ask(query, options);
    expect([status, body.errors?.[0]?.extensions['code']]).toEqual([400, code]);
  });

  it('names the invalid fields of a write', async () => {
    const { body } = await (await start()).ask('mutation { createTag(data: { name: null }) { name } }');
    expect(body.data).toEqual({ createTag: null });
    expect(body.errors?.[0]).toMatchObject({
      path: ['createTag'],
      extensions: {
        code: 'BAD_USER_INPUT',
        error: { name: 'ValidationError', details: { errors: [{ path: ['name'] }] } },
      },
    });
  });

  it('is served at the configured endpoint', async () => {
    const endpoint = await start({ config: { endpoint: '/api/query' } });
    expect((await endpoint.ask('{ __typename }')).body).toEqual({ data: { __typename: 'Query' } });
    expect((await endpoint.inject({ method: 'POST', url: '/graphql', payload: {} })).status).toBe(404);
  });

  it('refuses operations deeper than depthLimit, also with fragments', async () => {
    const endpoint = await start({ config: { depthLimit: 2 } });
    expect((await endpoint.ask('{ tags { articles { title } } }')).status).toBe(200);
    for (const query of [
      '{ tags { articles { tags { name } } } }',
      `
        {
          tags {
            ...t
          }
        }

        fragment t on Tag {
          articles {
            ...a
          }
        }

        fragment a on Article {
          tags {
            name
          }
        }
      `,
      'query a { tags { name } } query b { tags { articles { tags { name } } } }',
    ]) {
      const { status, body } = await endpoint.ask(query, { operationName: 'a' });
      expect([status, body.errors?.[0]?.message]).toEqual([
        400,
        'The operation is nested 3 levels deep; plugins.graphql.config.depthLimit allows 2.',
      ]);
    }
  });

  it('pages by defaultLimit and never above maxLimit', async () => {
    const endpoint = await start({ config: { defaultLimit: 2, maxLimit: 3 } });
    const { body } = await endpoint.ask(
      `
        {
          a: tags {
            name
          }
          b: tags(pagination: {limit: -1}) {
            name
          }
          c: tags(pagination: {limit: 9}) {
            name
          }
          articles(filters: {title: {eq: "First"}}) {
            tags(pagination: {limit: 1}) {
              name
            }
          }
        }
      `,
    );
    expect(Object.values(body.data ?? {}).map((list) => (list as unknown[]).length)).toEqual([2, 3, 3, 1]);
  });

  it('refuses introspection if it is off, as in production', async () => {
    const query = '{ __schema { queryType { name } } }';
    expect((await (await start()).ask(query)).status).toBe(200);
    expect((await (await start({ config: { introspection: false } })).ask(query)).status).toBe(400);
    expect((await (await start({ environment: 'production' })).ask(query)).status).toBe(400);
    expect(
      (await (await start({ environment: 'production', config: { introspection: true } })).ask(query)).status,
    ).toBe(200);
  });

  it('has no fields of content-types without shadowCRUD', async () => {
    const endpoint = await start({ config: { shadowCRUD: false } });
    expect((await endpoint.ask('{ tags { name } }')).status).toBe(400);
    expect(
      (await endpoint.ask('{ __schema { mutationType { fields { name } } } }')).body.data,
    ).not.toHaveProperty('__schema.mutationType.fields', expect.arrayContaining([{ name: 'createTag' }]));
  });

  it('reports the duration of every field with tracing', async () => {
    const endpoint = await start({ config: { apolloServer: { tracing: true } } });
    const { body } = await endpoint.ask('{ tag(documentId: "t1") { name articles { title } } }');
    const tracing = body.extensions?.['tracing'] as
      | { execution: { resolvers: { path: unknown[]; duration: number }[] } }
      | undefined;
    const resolvers = tracing?.execution.resolvers ?? [];
    expect(resolvers.map(({ path }) => path)).toEqual(
      expect.arrayContaining([['tag'], ['tag', 'name'], ['tag', 'articles', 0, 'title']]),
    );
    expect(resolvers.every(({ duration }) => duration > 0)).toBe(true);
    expect((await (await start()).ask('{ __typename }')).body).toEqual({ data: { __typename: 'Query' } });
  });
});
