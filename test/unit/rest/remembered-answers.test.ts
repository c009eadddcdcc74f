import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { GrantRule, Grants } from '../../../src/access/access.js';
import { createSharedGrantsId } from '../../../src/access/shared-grants.js';
import type { Revisions } from '../../../src/dialects/revisions.js';
import { createAnswerMemory } from '../../../src/documents/answers/answer-memory.js';
import type { AnswerMemoryOptions } from '../../../src/documents/answers/answer-memory.js';
import { createRestEndpoint, model } from './rest-endpoint.js';

const TAG = 'api::tag.tag';

let revisions: Revisions | null | Promise<Revisions | null> = null;

const createAnswers = (options: Partial<AnswerMemoryOptions> = {}) =>
  createAnswerMemory({
    model,
    revisions: { current: () => revisions, close: async () => undefined },
    maxBytes: 1_000_000,
    remembersDrafts: false,
    hasMiddleware: () => false,
    ...options,
  });

const at = (revision: number): Revisions => new Map([[TAG, revision]]);

describe('answers', async () => {
  const endpoint = await createRestEndpoint(undefined, { answers: createAnswers() });
  const drafts = await createRestEndpoint(undefined, { answers: createAnswers({ remembersDrafts: true }) });
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

  it('to drafts are remembered only where the configuration says so', async () => {
    for (const { calls: made, sendRequest: send } of [endpoint, drafts]) {
      await send('GET', '/api/tags?status=draft');
      await send('GET', '/api/tags?status=draft');
      expect(made).toHaveLength(made === calls ? 2 : 1);
    }
  });

  it('that are errors are not remembered', async () => {
    for (const _ of [1, 2]) expect((await sendRequest('GET', '/api/tags/missing')).status).toBe(404);
    expect(calls).toHaveLength(2);
  });

  it('tell caches what the schema file says, unless a credential was presented', async () => {
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

describe('the key of an answer', () => {
  const grantsWith = (where: GrantRule['where']): Grants => ({
    kind: 'actions',
    actions: new Set([`${TAG}.find`]),
    rules: new Map([[`${TAG}.find`, { fields: new Set(['name']), where }]]),
  });
  const question = { types: [TAG], rights: 1, defaultLocale: 'en', request: '/api/tags' };

  it('is null for callers whose rights depend on who they are', () => {
    const { keyOf } = createAnswers();
    const grantsId = createSharedGrantsId();
    const shared = grantsWith(null);
    expect(grantsId(shared)).toBe(grantsId(shared));
    expect(grantsId(shared)).not.toBe(grantsId(grantsWith(null)));
    expect(grantsId(grantsWith({ name: '$user.name' }))).toBeNull();
    expect(keyOf({ ...question, rights: null })).toBeNull();
    expect(keyOf(question)).not.toBe(keyOf({ ...question, rights: 2 }));
  });

  it('is null where project code wraps reads, and for long addresses', () => {
    expect(createAnswers({ hasMiddleware: (uid) => uid === TAG }).keyOf(question)).toBeNull();
    expect(createAnswers().keyOf({ ...question, request: `/api/tags?${'a'.repeat(4000)}` })).toBeNull();
  });
});
