import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { Endpoint } from './support/endpoint.js';
import { aliases, errorSummaryOf, REFUSED } from './support/limits.js';
import { magazineEndpoints } from './support/magazine-endpoints.js';

describe.each(databases.slice(0, 1))('limits of GraphQL operations', (database) => {
  const startEndpoint = magazineEndpoints(database);
  const start = (config: Readonly<Record<string, unknown>> = {}): Promise<Endpoint> =>
    startEndpoint({ config });

  it('amountLimit counts all root lists of a request combined, and each nested list by itself', async () => {
    const message = (limit: number) =>
      `The response would contain more than ${limit} items. plugins.graphql.config.amountLimit ` +
      `sets this limit for all root lists combined and for each nested list.`;
    const twelve = await start({ amountLimit: 12 });
    expect((await twelve.ask('{ tags(pagination: { limit: -1 }) { name } }')).body.errors).toBeUndefined();
    expect(
      errorSummaryOf(await twelve.ask('{ tags { name } again: tags(pagination: { limit: 5 }) { name } }')),
    ).toMatchObject({ status: 400, message: message(12) });
    const one = await start({ amountLimit: 1 });
    const nested = `
      {
        article(documentId: "a1") {
          title
          tags(pagination: {limit: -1}) {
            name
          }
        }
      }
    `;
    const all = (await twelve.ask(nested)).body.data?.['article'] as { readonly tags: readonly unknown[] };
    expect(all.tags.length).toBeGreaterThan(1);
    expect(errorSummaryOf(await one.ask(nested))).toMatchObject({ status: 400, message: message(1) });
    expect(
      errorSummaryOf(
        await one.ask(
          `
            {
              article(documentId: "a1") {
                title
                tags_connection(pagination: {limit: -1}) {
                  nodes {
                    name
                  }
                }
              }
            }
          `,
        ),
      ),
    ).toMatchObject({ status: 400, message: message(1) });
    expect((await one.ask(nested.replace('-1', '1'))).body.errors).toBeUndefined();
    // The mutation is not undone, hence the status 200.
    const written = await one.ask(
      `
        mutation {
          updateArticle(documentId: "a1", status: DRAFT, data: {}) {
            title
            tags(pagination: {limit: -1}) {
              name
            }
          }
        }
      `,
    );
    expect([written.status, written.body.errors?.[0]?.message]).toEqual([200, message(1)]);
  });

  it('aliasLimit counts all aliases of an operation, those of a fragment once per spread', async () => {
    const endpoint = await start({ aliasLimit: 4 });
    expect((await endpoint.ask(`{ ${aliases(4)} }`)).status).toBe(200);
    expect(errorSummaryOf(await endpoint.ask(`{ ${aliases(5)} }`))).toEqual({
      ...REFUSED,
      message: 'The request uses 5 aliases; plugins.graphql.config.aliasLimit allows 4.',
      code: 'BAD_USER_INPUT',
    });
    expect(
      errorSummaryOf(
        await endpoint.ask(
          `
            {
              a: tag(documentId: "t0") {
                ...t
              }
              b: tag(documentId: "t1") {
                ...t
              }
              c: tag(documentId: "t1") {
                ...t
              }
            }

            fragment t on Tag {
              n: name
            }
          `,
        ),
      ),
    ).toMatchObject({ ...REFUSED, message: expect.stringContaining('6 aliases') as string });
    expect((await (await start()).ask(`{ ${aliases(50)} }`)).status).toBe(200);
    expect((await (await start()).ask(`{ ${aliases(51)} }`)).status).toBe(400);
  });

  it('tokenLimit refuses long documents before they are parsed', async () => {
    const message = 'The document has more than 20 tokens, the limit of plugins.graphql.config.tokenLimit.';
    const endpoint = await start({ tokenLimit: 20 });
    expect((await endpoint.ask('{ tags { name } }')).status).toBe(200);
    expect(errorSummaryOf(await endpoint.ask(`{ ${'__typename '.repeat(20)} }`))).toEqual({
      ...REFUSED,
      message,
      code: 'GRAPHQL_VALIDATION_FAILED',
    });
    expect((await (await start()).ask(`{ ${'__typename '.repeat(20)} }`)).status).toBe(200);
  });

  it('variables of any size are refused with a short response, however often the document runs', async () => {
    const endpoint = await start();
    const query = 'query ($filters: ArticleFiltersInput) { articles(filters: $filters) { title } }';
    const unknownKeys = Object.fromEntries(Array.from({ length: 8000 }, (_, index) => [`x${index}`, 1]));
    for (let run = 0; run < 4; run += 1)
      for (const filters of [unknownKeys, { or: Array.from({ length: 30_000 }, () => ({})) }]) {
        const result = await endpoint.ask(query, { variables: { filters } });
        expect(errorSummaryOf(result)).toMatchObject({ ...REFUSED, code: 'BAD_USER_INPUT' });
        expect(JSON.stringify(result.body).length).toBeLessThan(1000);
      }
  });

  it('a response lists no more than 100 errors, none of them long', async () => {
    const { body } = await (
      await start()
    ).ask(`{ articles(pagination: { limit: "${'x'.repeat(100_000)}" }) { title } }`);
    expect(body.errors?.[0]?.message.length).toBeLessThan(3000);
    expect(JSON.stringify(body).length).toBeLessThan(10_000);
  });

  it('fragments that spread others twice at each level cost no more than those that do once', async () => {
    const endpoint = await start();
    const doubling = (type: string, last: string): string =>
      Array.from(
        { length: 40 },
        (_, level) => `fragment f${level} on ${type} { ...f${level + 1} ...f${level + 1} }`,
      )
        .concat(`fragment f40 on ${type} { ${last} }`)
        .join(' ');
    const names = await endpoint.ask(`{ ...f0 } ${doubling('Query', '__typename')}`);
    expect(names.body).toEqual({ data: { __typename: 'Query' } });
    const titles = await endpoint.ask(
      `{ article(documentId: "a1") { ...f0 } } ${doubling('Article', '__typename')}`,
    );
    expect(titles.body).toEqual({ data: { article: { __typename: 'Article' } } });
    expect((await endpoint.ask(`{ ...f0 } ${doubling('Query', 'articles { title }')}`)).status).toBe(400);
  });
});
