import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NO_GRANTS } from '../../../src/access/access.js';
import type { Access, Caller } from '../../../src/access/access.js';
import { accessOf, authorise } from '../../../src/access/decide.js';
import type { DocumentService } from '../../../src/documents/documents.js';
import { fail } from '../../../src/errors/catalogue.js';
import { createRestPlugin } from '../../../src/rest/rest-plugin.js';
import { createLogger } from '../../../src/server/logger.js';
import { createServer } from '../../../src/server/create-server.js';
import { modelFrom } from '../../support/models.js';

const model = modelFrom({
  types: {
    tag: { attributes: { name: { type: 'string' }, weight: { type: 'integer' } } },
    homepage: { kind: 'singleType', attributes: { headline: { type: 'string' } } },
  },
});

const calls: unknown[] = [];
const note = <T>(name: string, answer: T) => async (...args: unknown[]): Promise<T> => {
  calls.push([name, ...args]);
  return answer;
};

let single: string | null = null;
const documents: DocumentService = {
  findMany: note('findMany', { records: ['{"id":1}', '{"id":2}'], total: 52 }),
  findOne: async (query, documentId) => {
    calls.push(['findOne', query, documentId]);
    return documentId === 'missing' ? null : '{"id":1}';
  },
  count: note('count', 0),
  create: note('create', { documentId: 'd1', record: '{"id":1}' }),
  update: async (params) => {
    calls.push(['update', params]);
    return params.documentId === 'missing' ? null : { record: '{"id":1}' };
  },
  singleDocumentId: async () => single,
  delete: note('delete', false),
  publish: note('publish', null),
  unpublish: note('unpublish', null),
  discardDraft: note('discardDraft', null),
};

const callers: Readonly<Record<string, Caller>> = {
  full: { kind: 'token', tokenId: 1, grants: { kind: 'all' } },
  read: { kind: 'token', tokenId: 2, grants: { kind: 'read' } },
};

const access: Access = {
  authenticate: async (header) => {
    if (header === undefined) return { kind: 'anonymous', grants: NO_GRANTS };
    const caller = callers[header];
    if (caller === undefined) throw fail('request/unauthorized');
    return caller;
  },
  authorise,
  accessOf: (caller) => accessOf(model, caller),
  locales: {
    all: () => [{ id: 1, documentId: 'l1', code: 'en', name: 'English (en)', isDefault: true, createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-02T00:00:00.000Z' }],
    defaultCode: () => 'en',
    has: (code) => code === 'en',
  },
  refresh: async () => undefined,
  close: async () => undefined,
};

let app: FastifyInstance;
beforeAll(async () => {
  app = await createServer({
    config: { host: '', port: 0, bodyLimit: 10_000, cors: { origin: false, credentials: false }, proxy: false },
    logger: createLogger({ level: 'silent' }),
    plugins: [createRestPlugin({ model, documents, access, prefix: '/api', limits: { defaultLimit: 25, maxLimit: 100, populateDepth: 5, maxNodes: 50 } })],
  });
});
afterAll(() => app.close());
beforeEach(() => {
  calls.length = 0;
  single = null;
});

const ask = async (method: NonNullable<InjectOptions['method']>, url: string, options: { readonly as?: string; readonly body?: unknown } = {}) => {
  const { as = 'full', body } = options;
  const request: InjectOptions = { method, url, headers: as === 'none' ? {} : { authorization: as } };
  const response = await app.inject(body === undefined ? request : { ...request, payload: body as object });
  return { status: response.statusCode, text: response.body, body: response.body === '' ? null : (response.json() as unknown), headers: response.headers };
};

const refused = (status: number, name: string) => ({ status, body: { data: null, error: { status, name, message: expect.any(String) as string, details: {} } } });

describe('collection types', () => {
  it('list a page, putting the records\' own text into the envelope', async () => {
    const { status, text, headers } = await ask('GET', '/api/tags?pagination[page]=3&sort=name');
    expect(status).toBe(200);
    expect(text).toBe('{"data":[{"id":1},{"id":2}],"meta":{"pagination":{"page":3,"pageSize":25,"pageCount":3,"total":52}}}');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(calls).toMatchObject([['findMany', { type: 'api::tag.tag', locale: 'en', status: 'published', page: { offset: 50, limit: 25 }, sort: [{ path: ['name'] }] }]]);
  });

  it('describe offset pagination in its own terms', async () => {
    const { body } = await ask('GET', '/api/tags?pagination[start]=10&pagination[limit]=5');
    expect(body).toMatchObject({ meta: { pagination: { start: 10, limit: 5, total: 52 } } });
  });

  it('answer HEAD and a trailing slash like GET', async () => {
    expect(await ask('HEAD', '/api/tags')).toMatchObject({ status: 200, text: '' });
    expect((await ask('GET', '/api/tags/')).status).toBe(200);
    expect((await ask('GET', '/api/tags/d1/')).status).toBe(200);
  });

  it('create with 201 and update with 200', async () => {
    const created = await ask('POST', '/api/tags?status=draft&locale=en&fields=name', { body: { data: { name: 'red' } } });
    expect(created).toMatchObject({ status: 201, text: '{"data":{"id":1},"meta":{}}' });
    const updated = await ask('PUT', '/api/tags/d1', { body: { data: {} } });
    expect(updated).toMatchObject({ status: 200, text: '{"data":{"id":1},"meta":{}}' });
    expect(calls).toMatchObject([
      ['create', { type: 'api::tag.tag', data: { name: 'red' }, status: 'draft', locale: 'en', selection: { fields: ['name'] } }],
      ['update', { type: 'api::tag.tag', documentId: 'd1', data: {}, status: 'published' }],
    ]);
  });

  it('answer 404 for what is not there, and 204 for deleting it', async () => {
    expect(await ask('GET', '/api/tags/missing')).toMatchObject(refused(404, 'NotFoundError'));
    expect(await ask('PUT', '/api/tags/missing', { body: { data: {} } })).toMatchObject(refused(404, 'NotFoundError'));
    expect(await ask('DELETE', '/api/tags/missing')).toMatchObject({ status: 204, text: '' });
    expect(await ask('GET', '/api/tags/%00')).toMatchObject(refused(404, 'NotFoundError'));
    expect(await ask('DELETE', '/api/tags/%00')).toMatchObject({ status: 204, text: '' });
    expect(calls).toHaveLength(3);
  });

  it.each([['no body', undefined], ['no data', {}], ['null', { data: null }], ['a list', { data: [] }], ['text', { data: 'x' }], ['no object', []]])('refuse %s', async (_what, body) => {
    expect(await ask('POST', '/api/tags', { body })).toMatchObject(refused(400, 'ValidationError'));
    expect(await ask('PUT', '/api/tags/d1', { body })).toMatchObject(refused(400, 'ValidationError'));
    expect(calls).toEqual([]);
  });
});

describe('single types', () => {
  it('are read without an id', async () => {
    expect(await ask('GET', '/api/homepage')).toMatchObject({ status: 200, text: '{"data":{"id":1},"meta":{}}' });
    expect(calls).toMatchObject([['findOne', { type: 'api::homepage.homepage', page: null }, null]]);
  });

  it('are created by the first PUT and updated by the next, with 200 both times', async () => {
    expect((await ask('PUT', '/api/homepage', { body: { data: { headline: 'x' } } })).status).toBe(200);
    single = 'h1';
    expect((await ask('PUT', '/api/homepage', { body: { data: { headline: 'x' } } })).status).toBe(200);
    expect(calls).toMatchObject([['create', {}], ['update', { documentId: 'h1' }]]);
  });

  it('are deleted, also when absent', async () => {
    expect((await ask('DELETE', '/api/homepage')).status).toBe(204);
    expect(calls).toEqual([]);
    single = 'h1';
    expect((await ask('DELETE', '/api/homepage?locale=*')).status).toBe(204);
    expect(calls).toEqual([['delete', { type: 'api::homepage.homepage', documentId: 'h1', locale: '*', access: expect.anything() }]]);
  });

  it('have neither a plural path nor more segments', async () => {
    for (const path of ['/api/homepages', '/api/homepage/h1']) expect(await ask('GET', path)).toMatchObject(refused(404, 'NotFoundError'));
  });
});

describe('paths and methods', () => {
  it('are 405 for a method a known path has not, whoever asks, and say which it has', async () => {
    const cases = [['PATCH', '/api/tags/d1'], ['POST', '/api/tags/d1'], ['PUT', '/api/tags'], ['DELETE', '/api/tags'], ['POST', '/api/homepage'], ['POST', '/api/i18n/locales']] as const;
    for (const [method, path] of cases) {
      for (const as of ['full', 'none', 'nonsense']) {
        const answer = await ask(method, path, { as, body: { data: {} } });
        expect(answer).toMatchObject(refused(405, 'MethodNotAllowedError'));
        expect(answer.headers['allow']).toContain('GET');
      }
    }
    const broken = await app.inject({ method: 'PATCH', url: '/api/tags/d1', payload: '{', headers: { 'content-type': 'application/json' } });
    expect(broken.statusCode).toBe(405);
    expect(calls).toEqual([]);
  });

  it('are 404 where nothing is, also with invalid credentials', async () => {
    for (const path of ['/api/nothings', '/api', '/', '/api/tags/d1/more', '/api/files']) {
      for (const as of ['full', 'none', 'nonsense']) expect(await ask('GET', path, { as })).toMatchObject(refused(404, 'NotFoundError'));
    }
  });
});

describe('rights', () => {
  it('are asked before anything else: 403 without a grant, 401 with a credential that is not valid', async () => {
    const requests = [['GET', '/api/tags'], ['GET', '/api/tags/missing'], ['PUT', '/api/tags/missing'], ['POST', '/api/tags'], ['GET', '/api/homepage'], ['GET', '/api/i18n/locales']] as const;
    for (const [method, path] of requests) {
      expect(await ask(method, path, { as: 'none' })).toMatchObject(refused(403, 'ForbiddenError'));
      expect(await ask(method, path, { as: 'nonsense' })).toMatchObject(refused(401, 'UnauthorizedError'));
    }
    const broken = await app.inject({ method: 'POST', url: '/api/tags', payload: '{', headers: { 'content-type': 'application/json' } });
    expect(broken.statusCode).toBe(403);
    expect(calls).toEqual([]);
  });

  it('let a read-only token read and nothing else', async () => {
    expect((await ask('GET', '/api/tags', { as: 'read' })).status).toBe(200);
    expect((await ask('GET', '/api/tags/d1', { as: 'read' })).status).toBe(200);
    for (const [method, path] of [['POST', '/api/tags'], ['PUT', '/api/tags/d1'], ['DELETE', '/api/tags/d1'], ['PUT', '/api/homepage'], ['DELETE', '/api/homepage']] as const) {
      expect((await ask(method, path, { as: 'read', body: { data: {} } })).status).toBe(403);
    }
  });
});

describe('locales', () => {
  it('are a bare list', async () => {
    const { status, body } = await ask('GET', '/api/i18n/locales');
    expect(status).toBe(200);
    expect(body).toEqual([
      { id: 1, documentId: 'l1', name: 'English (en)', code: 'en', createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-02T00:00:00.000Z', publishedAt: '2026-01-01T00:00:00.000Z', isDefault: true },
    ]);
  });
});

describe('parameters', () => {
  it.each(['status=modified', 'pagination[page]=abc', 'sort=nope', 'fields=nope', 'filters=text', `${'filters[$and][0]'.repeat(1)}[$not]`.concat('[$not]'.repeat(40), '=1'), Array.from({ length: 1200 }, (_item, index) => `a${index}=1`).join('&')])(
    'that make no sense are refused: %.40s',
    async (query) => {
      const answer = await ask('GET', `/api/tags?${query}`);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ data: null, error: { status: 400, name: 'ValidationError' } });
      expect(calls).toEqual([]);
    },
  );

  it('nobody knows are ignored', async () => {
    expect((await ask('GET', '/api/tags?nope=1&pagination[size]=3&filters[__proto__]=1&__proto__[x]=1&%ZZ=%ZZ')).status).toBe(200);
  });
});
