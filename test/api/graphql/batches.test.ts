import { describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { Endpoint } from './support/endpoint.js';
import { aliases, errorSummaryOf, REFUSED, sendBatch } from './support/limits.js';
import { magazineEndpoints } from './support/magazine-endpoints.js';

describe.each(databases.slice(0, 1))('batches of GraphQL operations', (database) => {
  const startEndpoint = magazineEndpoints(database);
  const start = (config: Readonly<Record<string, unknown>> = {}): Promise<Endpoint> =>
    startEndpoint({ config });

  it('batchLimit limits the operations of a batch, which share the other limits', async () => {
    const endpoint = await start({
      batchLimit: 3,
      aliasLimit: 4,
      amountLimit: 12,
      complexityLimit: 24,
      tokenLimit: 60,
    });
    const names = { query: 'query n($id: ID!) { tag(documentId: $id) { name } }', variables: { id: 't0' } };
    expect(
      await sendBatch(endpoint, [names, { ...names, variables: { id: 't1' } }, { query: '{ nothing }' }]),
    ).toMatchObject({
      status: 200,
      body: [
        { data: { tag: { name: 'alpha' } } },
        { data: { tag: { name: expect.any(String) as string } } },
        { errors: [{ message: expect.stringContaining('nothing') as string }] },
      ],
    });
    expect(errorSummaryOf(await sendBatch(endpoint, [names, names, names, names]))).toMatchObject({
      ...REFUSED,
      message: 'The request is a batch of 4 operations; plugins.graphql.config.batchLimit allows 3.',
    });
    expect(errorSummaryOf(await sendBatch(endpoint, []))).toMatchObject(REFUSED);
    expect(errorSummaryOf(await sendBatch(endpoint, [names, null]))).toMatchObject(REFUSED);
    expect(
      errorSummaryOf(
        await sendBatch(endpoint, [{ query: `{ ${aliases(3)} }` }, { query: `{ ${aliases(2)} }` }]),
      ),
    ).toMatchObject({ ...REFUSED, message: expect.stringContaining('5 aliases') as string });
    const nested = { query: '{ tags { articles { tags { name } } } }' };
    expect((await sendBatch(endpoint, [nested])).body).toMatchObject([
      { data: { tags: expect.any(Array) as unknown } },
    ]);
    expect((await sendBatch(endpoint, [nested, names, names])).body).toMatchObject([
      { data: null, errors: [{ message: expect.stringContaining('more than 8 records') as string }] },
      { data: {} },
      { data: {} },
    ]);
    expect(
      errorSummaryOf(
        await sendBatch(endpoint, [
          { query: `{ ${'__typename '.repeat(30)} }` },
          { query: `{ ${'__typename '.repeat(30)} }` },
        ]),
      ),
    ).toMatchObject({ ...REFUSED, message: expect.stringContaining('more than 60') as string });
    const items = await sendBatch(endpoint, [
      { query: '{ tags { name } }' },
      { query: '{ tags { name } }' },
      names,
    ]);
    expect(items.body).toMatchObject([
      { data: {} },
      { errors: [{ message: expect.stringContaining('amountLimit') as string }] },
      { data: {} },
    ]);
    expect(
      (
        await sendBatch(
          await start(),
          Array.from({ length: 10 }, () => names),
        )
      ).status,
    ).toBe(200);
    expect(
      (
        await sendBatch(
          await start(),
          Array.from({ length: 11 }, () => names),
        )
      ).status,
    ).toBe(400);
    expect(errorSummaryOf(await sendBatch(await start({ batchLimit: 0 }), [names]))).toMatchObject({
      ...REFUSED,
      message: expect.stringContaining('batchLimit allows 0') as string,
    });
  });
});
