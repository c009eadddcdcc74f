import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadPersistedDocuments } from '../../../src/project/open/create-transports.js';
import { databases } from '../../support/databases.js';
import type { Endpoint, GraphqlResult } from './support/endpoint.js';
import { magazineEndpoints } from './support/magazine-endpoints.js';

const QUERY = 'query Tag($id: ID!) { tag(documentId: $id) { name } }';
const FOUND = { status: 200, body: { data: { tag: { name: 'alpha' } } } };
const NOT_FOUND = {
  status: 200,
  body: {
    errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
  },
};
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
const hashed = (hash: string, query?: string) => ({
  query,
  variables: { id: 't0' },
  extensions: { persistedQuery: { version: 1, sha256Hash: hash } },
});

describe.each(databases.slice(0, 1))('persisted documents', (database) => {
  const start = magazineEndpoints(database);
  const post = (endpoint: Endpoint, payload: object): Promise<GraphqlResult> =>
    endpoint.inject({ method: 'POST', url: '/graphql', headers: { authorization: 'full' }, payload });
  const get = (endpoint: Endpoint, parameters: Readonly<Record<string, unknown>>): Promise<GraphqlResult> => {
    const search = new URLSearchParams(
      Object.entries(parameters).flatMap(([key, value]) =>
        value === undefined
          ? []
          : [[key, typeof value === 'string' ? value : JSON.stringify(value)] as [string, string]],
      ),
    );
    return endpoint.inject({
      method: 'GET',
      url: `/graphql?${search.toString()}`,
      headers: { authorization: 'full', 'content-type': 'application/json' },
    });
  };

  it('are cached when they are sent with their hash, over POST and GET', async () => {
    const endpoint = await start();
    expect(await post(endpoint, hashed(sha(QUERY)))).toMatchObject(NOT_FOUND);
    expect(await get(endpoint, hashed(sha(QUERY)))).toMatchObject(NOT_FOUND);
    expect(await post(endpoint, hashed(sha(QUERY), QUERY))).toMatchObject(FOUND);
    expect(await post(endpoint, hashed(sha(QUERY)))).toMatchObject(FOUND);
    expect(await get(endpoint, hashed(sha(QUERY).toUpperCase()))).toMatchObject(FOUND);
    expect(
      await post(endpoint, { ...hashed(sha(QUERY)), extensions: undefined, documentId: sha(QUERY) }),
    ).toMatchObject(FOUND);
    const other = QUERY.replace('name', 'documentId');
    expect(await get(endpoint, hashed(sha(other), other))).toMatchObject({
      status: 200,
      body: { data: { tag: { documentId: 't0' } } },
    });
    expect(await post(endpoint, hashed(sha(other)))).toMatchObject({
      status: 200,
      body: { data: { tag: { documentId: 't0' } } },
    });
  });

  it('are not cached with a wrong hash, if they are invalid, or if caching is off', async () => {
    const endpoint = await start();
    expect(await post(endpoint, hashed(sha('other'), QUERY))).toMatchObject({
      status: 400,
      body: { errors: [{ message: 'The SHA-256 hash of the document differs from the one sent with it.' }] },
    });
    for (const query of ['{ nothing }', '{']) {
      expect((await post(endpoint, hashed(sha(query), query))).status).toBe(400);
      expect(await post(endpoint, hashed(sha(query)))).toMatchObject(NOT_FOUND);
    }
    for (const extensions of [
      { persistedQuery: { version: 2, sha256Hash: sha(QUERY) } },
      { persistedQuery: 1 },
      { persistedQuery: { sha256Hash: 'abc' } },
      [],
    ])
      expect((await post(endpoint, { extensions })).status).toBe(400);
    expect((await get(endpoint, { extensions: 'no JSON' })).status).toBe(400);
    const off = await start({ config: { persistedQueries: false } });
    expect(await post(off, hashed(sha(QUERY), QUERY))).toMatchObject(FOUND);
    expect(await post(off, hashed(sha(QUERY)))).toMatchObject({
      status: 200,
      body: { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }] },
    });
  });

  it('run no mutation over GET, respect introspection, and leave a full cache', async () => {
    const endpoint = await start({ config: { introspection: false } });
    const mutation = 'mutation Tag($id: ID!) { deleteTag(documentId: $id) { documentId } }';
    expect((await get(endpoint, hashed(sha(mutation), mutation))).status).toBe(405);
    expect(
      (await post(endpoint, { ...hashed(sha(mutation), mutation), variables: { id: 'none' } })).status,
    ).toBe(200);
    expect((await get(endpoint, hashed(sha(mutation)))).status).toBe(405);
    const schema = '{ __schema { queryType { name } } }';
    expect([
      (await post(endpoint, hashed(sha(schema), schema))).status,
      (await get(endpoint, { query: schema })).status,
    ]).toEqual([400, 400]);
    expect(await post(endpoint, hashed(sha(schema)))).toMatchObject(NOT_FOUND);
    const batched = await endpoint.inject({
      method: 'POST',
      url: '/graphql',
      headers: { authorization: 'full', 'content-type': 'application/json' },
      payload: JSON.stringify([{ query: schema }, { query: '{ __typename }' }]),
    });
    expect(batched.body).toMatchObject([
      { errors: expect.any(Array) as unknown[] },
      { data: { __typename: 'Query' } },
    ]);
    const numbered = (index: number): string => `query n${index} { __typename }`;
    for (let index = 0; index <= 1000; index += 1)
      await post(endpoint, { query: numbered(index), extensions: hashed(sha(numbered(index))).extensions });
    expect((await post(endpoint, { extensions: hashed(sha(numbered(1000))).extensions })).body).toEqual({
      data: { __typename: 'Query' },
    });
    expect(await post(endpoint, { extensions: hashed(sha(numbered(0))).extensions })).toMatchObject(
      NOT_FOUND,
    );
  });

  it('of the project are found by hash and name, and with only they are the only ones', async () => {
    const root = await mkdtemp(join(tmpdir(), 'galley-documents-'));
    await mkdir(join(root, 'operations/more'), { recursive: true });
    await writeFile(join(root, 'operations/one-tag.graphql'), `# By id\n${QUERY}\n`);
    await writeFile(
      join(root, 'operations/more/manifest.json'),
      JSON.stringify({
        format: 'apollo-persisted-query-manifest',
        version: 1,
        operations: [{ id: 'names', name: 'Names', type: 'query', body: '{ tags { name } }' }],
      }),
    );
    await writeFile(join(root, 'plain.json'), JSON.stringify({ typename: '{ __typename }' }));
    await writeFile(join(root, 'broken.json'), JSON.stringify({ typename: 1 }));
    const endpoint = await start({
      config: { persistedQueries: { from: 'operations', only: true } },
      loadPersisted: () => loadPersistedDocuments(root, 'operations'),
    });
    expect(await post(endpoint, { documentId: 'one-tag', variables: { id: 't0' } })).toMatchObject(FOUND);
    expect(await post(endpoint, hashed(sha(`# By id\n${QUERY}\n`)))).toMatchObject(FOUND);
    expect(await get(endpoint, hashed(sha(`# By id\n${QUERY}`)))).toMatchObject(FOUND);
    expect(
      await post(endpoint, { query: QUERY.replaceAll(' {', '\n  {'), variables: { id: 't0' } }),
    ).toMatchObject(FOUND);
    expect((await post(endpoint, { documentId: 'names' })).body.data).toHaveProperty('tags');
    expect((await post(endpoint, { query: '{ tags { name } }' })).body.data).toHaveProperty('tags');
    for (const query of ['{ tags { documentId } }', '{ __typename }', '{']) {
      expect(await post(endpoint, { query })).toMatchObject({
        status: 403,
        body: { errors: [{ message: expect.stringContaining('persistedQueries.only') as string }] },
      });
      expect((await post(endpoint, hashed(sha(query), query))).status).toBe(403);
      expect(await post(endpoint, hashed(sha(query)))).toMatchObject(NOT_FOUND);
    }
    expect([...(await loadPersistedDocuments(root, 'plain.json')).keys()]).toEqual([
      'typename',
      sha('{ __typename }'),
    ]);
    await expect(loadPersistedDocuments(root, 'broken.json')).rejects.toMatchObject({
      code: 'graphql/invalid-persisted-queries',
    });
    await expect(loadPersistedDocuments(root, 'nowhere')).rejects.toMatchObject({
      code: 'graphql/invalid-persisted-queries',
    });
    await rm(root, { recursive: true });
  });
});
