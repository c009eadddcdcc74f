import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { GrantRule, Grants } from '../../../../src/access/access.js';
import { readAccessOf } from '../../../../src/access/permissions/authorise.js';
import type { Revisions } from '../../../../src/database/dialect/dialect.js';
import { createResponseCache } from '../../../../src/api/http/response-cache.js';
import type { ResponseCacheOptions } from '../../../../src/api/http/response-cache.js';
import { parseReadQuery } from '../../../../src/query/parse/parse-read-query.js';
import { access, createRestEndpoint, model } from '../rest/rest-endpoint.js';

const TAG = 'api::tag.tag';

let revisions: Revisions | null | Promise<Revisions | null> = null;

const createCache = (options: Partial<ResponseCacheOptions> = {}) =>
  createResponseCache({
    model,
    locales: access.locales,
    revisions: { current: () => revisions, close: async () => undefined },
    maxBytes: 1_000_000,
    cachesDrafts: false,
    hasMiddleware: () => false,
    ...options,
  });

const at = (revision: number): Revisions => new Map([[TAG, revision]]);

describe('cached responses', async () => {
  const endpoint = await createRestEndpoint(undefined, { cache: createCache() });
  const drafts = await createRestEndpoint(undefined, { cache: createCache({ cachesDrafts: true }) });
  const plain = await createRestEndpoint();
  const { calls, sendRequest } = endpoint;
  afterAll(async () => {
    for (const { app } of [endpoint, drafts, plain]) await app.close();
  });
  beforeEach(() => {
    endpoint.reset();
    drafts.reset();
    revisions = at(Math.random());
  });

  it('are read once, until the type is written', async () => {
    const first = await sendRequest('GET', '/api/tags');
    expect([first.status, first.text]).toEqual([200, expect.stringContaining('"id":1')]);
    const second = await sendRequest('GET', '/api/tags');
    expect([second.text, second.headers['content-type']]).toEqual([
      first.text,
      first.headers['content-type'],
    ]);
    expect(second.headers['etag']).toBe(first.headers['etag']);
    expect(calls).toHaveLength(1);
    revisions = at(2);
    await sendRequest('GET', '/api/tags');
    expect(calls).toHaveLength(2);
  });

  it('are those of one address and one set of rights', async () => {
    for (const path of ['/api/tags', '/api/tags?sort=name', '/api/tags/d1', '/api/tags/d2'])
      await sendRequest('GET', path);
    await sendRequest('GET', '/api/tags', { as: 'read' });
    expect(calls).toHaveLength(5);
  });

  it('wait for the database where it has to be asked', async () => {
    revisions = Promise.resolve(at(3));
    await sendRequest('GET', '/api/tags');
    await sendRequest('GET', '/api/tags');
    expect(calls).toHaveLength(1);
  });

  it('are read each time while revisions are not known, and have no digest', async () => {
    for (const unknown of [null, Promise.resolve(null)]) {
      revisions = unknown;
      const { headers } = await sendRequest('GET', '/api/tags');
      expect(headers['etag']).toBeUndefined();
    }
    expect(calls).toHaveLength(2);
  });

  it('to drafts are cached only where the configuration says so', async () => {
    for (const { calls: made, sendRequest: send } of [endpoint, drafts]) {
      await send('GET', '/api/tags?status=draft');
      await send('GET', '/api/tags?status=draft');
      expect(made).toHaveLength(made === calls ? 2 : 1);
    }
  });

  it('that are errors are not cached', async () => {
    for (const _ of [1, 2]) expect((await sendRequest('GET', '/api/tags/missing')).status).toBe(404);
    expect(calls).toHaveLength(2);
  });

  it('send caches the settings of the schema file, unless a credential was presented', async () => {
    for (const { sendRequest: send } of [endpoint, plain]) {
      const { headers } = await send('GET', '/api/tags');
      expect([headers['cache-control'], headers['vary']]).toEqual([
        'private, no-cache',
        'Authorization, Strapi-Response-Format',
      ]);
    }
    expect((await sendRequest('GET', '/api/homepage')).headers['cache-control']).toBeUndefined();
  });
});

describe('the place of a response', () => {
  const grantsWith = (where: GrantRule['where']): Grants => ({
    kind: 'actions',
    actions: new Set([`${TAG}.find`]),
    rules: new Map([[`${TAG}.find`, { fields: new Set(['name']), where }]]),
  });
  const query = parseReadQuery(
    model,
    TAG,
    {},
    {
      limits: { defaultLimit: 25, maxLimit: 100, populateDepth: 5, maxNodes: 50 },
      access: readAccessOf(model, { kind: 'token', tokenId: 1, grants: { kind: 'all' } }),
      action: 'find',
      defaultLocale: 'en',
      paginated: true,
    },
  );
  const text = '/api/tags';

  it('is one for callers with the same rights, and none where these depend on who they are', async () => {
    revisions = at(1);
    const cache = createCache();
    const shared = grantsWith(null);
    (await cache.find({ grants: shared, text }))?.store([query], { body: '{}' });
    expect((await cache.find({ grants: shared, text }))?.response?.body).toBe('{}');
    expect((await cache.find({ grants: grantsWith(null), text }))?.response).toBeNull();
    expect(await cache.find({ grants: grantsWith({ name: '$user.name' }), text })).toBeNull();
  });

  it('stays empty where project code wraps reads, and there is none for long addresses', async () => {
    revisions = at(1);
    let wrapsReads = false;
    const cache = createCache({ hasMiddleware: (uid) => wrapsReads && uid === TAG });
    const grants = grantsWith(null);
    const entry = await cache.find({ grants, text });
    expect(entry?.store([query], { body: '{}' })).not.toBeNull();
    wrapsReads = true;
    expect((await cache.find({ grants, text }))?.response).toBeNull();
    expect(entry?.store([query], { body: '{}' })).toBeNull();
    expect(await cache.find({ grants, text: `/api/tags?${'a'.repeat(4000)}` })).toBeNull();
  });
});
