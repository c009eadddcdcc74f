import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { Endpoint, GraphqlAnswer } from './support/endpoint.js';
import { magazineEndpoints } from './support/magazine-endpoints.js';

const REFUSED = { status: 400, statements: 0 };
const bomb = (levels: number): string => (levels === 0 ? '{ title }' : `{ title tags { articles ${bomb(levels - 1)} } }`);
const aliases = (count: number): string => Array.from({ length: count }, (_, index) => `a${index}: __typename`).join(' ');

describe.each(databases.slice(0, 1))('limits of GraphQL operations', (database) => {
  const startEndpoint = magazineEndpoints(database);
  const start = (config: Readonly<Record<string, unknown>> = {}): Promise<Endpoint> => startEndpoint({ config });
  const faultsOf = ({ status, statements, body }: GraphqlAnswer) => ({ status, statements, message: body.errors?.[0]?.message, code: body.errors?.[0]?.extensions['code'] });
  const batch = (endpoint: Endpoint, operations: unknown): Promise<GraphqlAnswer> =>
    endpoint.inject({ method: 'POST', url: '/graphql', headers: { 'authorization': 'full', 'content-type': 'application/json' }, payload: JSON.stringify(operations) });

  it('`amountLimit`: the root lists of a request together, and each list in them', async () => {
    const message = (limit: number) => `The answer would hold more than ${limit} items, which is what plugins.graphql.config.amountLimit allows for all root lists together and for each list in them.`;
    const twelve = await start({ amountLimit: 12 });
    expect((await twelve.ask('{ tags(pagination: { limit: -1 }) { name } }')).body.errors).toBeUndefined();
    expect(faultsOf(await twelve.ask('{ tags { name } again: tags(pagination: { limit: 5 }) { name } }'))).toMatchObject({ status: 400, message: message(12) });
    const one = await start({ amountLimit: 1 });
    const nested = '{ article(documentId: "a1") { title tags(pagination: { limit: -1 }) { name } } }';
    const all = (await twelve.ask(nested)).body.data?.['article'] as { readonly tags: readonly unknown[] };
    expect(all.tags.length).toBeGreaterThan(1);
    expect(faultsOf(await one.ask(nested))).toMatchObject({ status: 400, message: message(1) });
    expect(faultsOf(await one.ask(nested.replace('tags(', 'tags_connection(').replace('{ name }', '{ nodes { name } }')))).toMatchObject({ status: 400, message: message(1) });
    expect((await one.ask(nested.replace('-1', '1'))).body.errors).toBeUndefined();
    // What a mutation has done it has done, and says so.
    const written = await one.ask('mutation { updateArticle(documentId: "a1", status: DRAFT, data: {}) { title tags(pagination: { limit: -1 }) { name } } }');
    expect([written.status, written.body.errors?.[0]?.message]).toEqual([200, message(1)]);
  });

  it('`complexityLimit`: lists multiply, wherever their limits come from, and nothing is run', async () => {
    const endpoint = await start({ complexityLimit: 100 });
    const ten = await endpoint.ask('{ tags(pagination: { limit: 5 }) { name articles(pagination: { pageSize: 10 }) { title } } }');
    expect([ten.status, ten.body.errors]).toEqual([200, undefined]);
    const message = (complexity: number) => `The answer could hold ${complexity} records, limits of nested lists multiplied; plugins.graphql.config.complexityLimit allows 100.`;
    const query = 'query q($p: PaginationArg = { limit: 20 }) { tags(pagination: { limit: 5 }) { ...t } } fragment t on Tag { articles(pagination: $p) { title } }';
    expect(faultsOf(await endpoint.ask(query))).toEqual({ ...REFUSED, message: message(105), code: 'BAD_USER_INPUT' });
    expect(faultsOf(await endpoint.ask(query, { variables: { p: { limit: 40 } } }))).toMatchObject({ ...REFUSED, message: message(205) });
    expect((await endpoint.ask(query, { variables: { p: { limit: 3 } } })).body.errors).toBeUndefined();
    expect(faultsOf(await endpoint.ask('{ tags(pagination: { limit: 5 }) { articles_connection(pagination: { limit: 20 }) { nodes { title } } } }'))).toMatchObject({ ...REFUSED, message: message(110) });
    expect(faultsOf(await endpoint.ask('{ tags_connection(pagination: { limit: -1 }) { nodes { name } pageInfo { total } } }'))).toMatchObject({ ...REFUSED, message: message(102) });
    expect((await endpoint.ask('query q($no: Boolean = false) { tags { articles @include(if: $no) { tags { articles { title } } } } }')).body.errors).toBeUndefined();
    expect(faultsOf(await endpoint.ask('mutation { createTag(data: { name: "no" }) { articles { tags { name } } } }'))).toMatchObject(REFUSED);
  });

  it('lets through what is usual by itself, and stops what doubles back and forth', async () => {
    const endpoint = await start();
    expect((await endpoint.ask('{ articles(pagination: { limit: 100 }) { title author { name } category { name } tags { name } cover { url } sections { __typename } localizations { title } } }')).body.errors).toBeUndefined();
    expect((await endpoint.ask('{ articles(pagination: { limit: -1 }) { title tags(pagination: { limit: -1 }) { name } } }')).body.errors).toBeUndefined();
    expect((await endpoint.ask(`{ articles ${bomb(1)} }`)).body.errors).toBeUndefined();
    expect(faultsOf(await endpoint.ask(`{ articles ${bomb(2)} }`))).toMatchObject({ ...REFUSED, message: expect.stringContaining('plugins.graphql.config.complexityLimit allows 12000') as string });
    expect(faultsOf(await endpoint.ask('{ articles(pagination: { limit: 100 }) { author { articles(pagination: { limit: 100 }) { author { articles { title } } } } } }'))).toMatchObject(REFUSED);
  });

  it('`aliasLimit`: all aliases of the operation, those of fragments each time', async () => {
    const endpoint = await start({ aliasLimit: 4 });
    expect((await endpoint.ask(`{ ${aliases(4)} }`)).status).toBe(200);
    expect(faultsOf(await endpoint.ask(`{ ${aliases(5)} }`))).toEqual({ ...REFUSED, message: 'The request uses 5 aliases; plugins.graphql.config.aliasLimit allows 4.', code: 'BAD_USER_INPUT' });
    expect(faultsOf(await endpoint.ask('{ a: tag(documentId: "t0") { ...t } b: tag(documentId: "t1") { ...t } c: tag(documentId: "t1") { ...t } } fragment t on Tag { n: name }'))).toMatchObject({ ...REFUSED, message: expect.stringContaining('6 aliases') as string });
    expect((await (await start()).ask(`{ ${aliases(50)} }`)).status).toBe(200);
    expect((await (await start()).ask(`{ ${aliases(51)} }`)).status).toBe(400);
  });

  it('`tokenLimit`: long documents are not even read', async () => {
    const message = 'The document has more than 20 names, brackets and values (tokens), which is what plugins.graphql.config.tokenLimit allows.';
    const endpoint = await start({ tokenLimit: 20 });
    expect((await endpoint.ask('{ tags { name } }')).status).toBe(200);
    expect(faultsOf(await endpoint.ask(`{ ${'__typename '.repeat(20)} }`))).toEqual({ ...REFUSED, message, code: 'GRAPHQL_VALIDATION_FAILED' });
    expect((await (await start()).ask(`{ ${'__typename '.repeat(20)} }`)).status).toBe(200);
  });

  it('`batchLimit`: so many operations at once, over which the limits count together', async () => {
    const endpoint = await start({ batchLimit: 3, aliasLimit: 4, amountLimit: 12, complexityLimit: 24, tokenLimit: 60 });
    const names = { query: 'query n($id: ID!) { tag(documentId: $id) { name } }', variables: { id: 't0' } };
    expect((await batch(endpoint, [names, { ...names, variables: { id: 't1' } }, { query: '{ nothing }' }]))).toMatchObject({
      status: 200,
      body: [{ data: { tag: { name: 'alpha' } } }, { data: { tag: { name: expect.any(String) as string } } }, { errors: [{ message: expect.stringContaining('nothing') as string }] }],
    });
    expect(faultsOf(await batch(endpoint, [names, names, names, names]))).toMatchObject({ ...REFUSED, message: 'The request is a batch of 4 operations; plugins.graphql.config.batchLimit allows 3.' });
    expect(faultsOf(await batch(endpoint, []))).toMatchObject(REFUSED);
    expect(faultsOf(await batch(endpoint, [names, null]))).toMatchObject(REFUSED);
    expect(faultsOf(await batch(endpoint, [{ query: `{ ${aliases(3)} }` }, { query: `{ ${aliases(2)} }` }]))).toMatchObject({ ...REFUSED, message: expect.stringContaining('5 aliases') as string });
    expect(faultsOf(await batch(endpoint, [{ query: '{ tags(pagination: { limit: 20 }) { name } }' }, { query: '{ tags(pagination: { limit: 19 }) { name } }' }, names]))).toMatchObject(REFUSED);
    expect(faultsOf(await batch(endpoint, [{ query: `{ ${'__typename '.repeat(30)} }` }, { query: `{ ${'__typename '.repeat(30)} }` }]))).toMatchObject({ ...REFUSED, message: expect.stringContaining('more than 60') as string });
    const items = await batch(endpoint, [{ query: '{ tags { name } }' }, { query: '{ tags { name } }' }, names]);
    expect(items.body).toMatchObject([{ data: {} }, { errors: [{ message: expect.stringContaining('amountLimit') as string }] }, { data: {} }]);
    expect((await batch(await start(), Array.from({ length: 10 }, () => names))).status).toBe(200);
    expect((await batch(await start(), Array.from({ length: 11 }, () => names))).status).toBe(400);
    expect(faultsOf(await batch(await start({ batchLimit: 0 }), [names]))).toMatchObject({ ...REFUSED, message: expect.stringContaining('batchLimit allows 0') as string });
  });
});
