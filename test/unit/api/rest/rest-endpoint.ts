import type { FastifyInstance, InjectOptions } from 'fastify';
import { expect } from 'vitest';
import { NO_GRANTS } from '../../../../src/access/access.js';
import type { Access, Caller } from '../../../../src/access/access.js';
import { authorise, readAccessOf } from '../../../../src/access/permissions/authorise.js';
import type { DocumentService } from '../../../../src/documents/documents.js';
import { createError } from '../../../../src/errors/catalogue.js';
import type { RestDependencies } from '../../../../src/api/rest/handler.js';
import { createRestPlugin } from '../../../../src/api/rest/rest-plugin.js';
import { createServer } from '../../../../src/server/create-server.js';
import { createLogger } from '../../../../src/server/logger.js';
import { modelFrom } from '../../../support/models.js';

export const model = modelFrom({
  types: {
    tag: {
      options: { cacheControl: 'public, max-age=60' },
      attributes: { name: { type: 'string' }, weight: { type: 'integer' } },
    },
    homepage: { kind: 'singleType', attributes: { headline: { type: 'string' } } },
  },
});

const callers: Readonly<Record<string, Caller>> = {
  full: { kind: 'token', tokenId: 1, grants: { kind: 'all' } },
  read: { kind: 'token', tokenId: 2, grants: { kind: 'read' } },
};

const authenticate: Access['authenticate'] = async (header) => {
  if (header === undefined) return { kind: 'anonymous', grants: NO_GRANTS };
  const caller = callers[header];
  if (caller === undefined) throw createError('request/unauthorized');
  return caller;
};

export const access: Access = {
  authenticate,
  authenticateFor: async (header, uid, action) => {
    const caller = await authenticate(header);
    authorise(caller, uid, action);
    return caller;
  },
  authorise,
  tokenOf: () => null,
  readAccessOf: (caller) => readAccessOf(model, caller),
  locales: {
    all: () => [
      {
        id: 1,
        documentId: 'l1',
        code: 'en',
        name: 'English (en)',
        isDefault: true,
        createdAt: '2026-01-01T00:00:00.000Z',
        updatedAt: '2026-01-02T00:00:00.000Z',
        publishedAt: '2026-01-01T00:00:00.000Z',
      },
    ],
    defaultCode: () => 'en',
    has: (code) => code === 'en',
  },
  refresh: async () => undefined,
  close: async () => undefined,
};

interface TestResponse {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** The REST plugin over a document service that records its calls and returns fixed records. */
export interface RestEndpoint {
  readonly app: FastifyInstance;
  /** The calls of the document service since {@link reset}, each as its name and arguments. */
  readonly calls: unknown[];
  /** Forgets all calls and the document of the single type. */
  readonly reset: () => void;
  readonly setSingleDocumentId: (documentId: string) => void;
  /** Sends a request with full access, or with the credential `as`; `none`: without any. */
  readonly sendRequest: (
    method: NonNullable<InjectOptions['method']>,
    url: string,
    options?: { readonly as?: string; readonly body?: unknown },
  ) => Promise<TestResponse>;
}

type EndpointOptions = Pick<RestDependencies, 'cache'> & Partial<Pick<DocumentService, 'findMany'>>;

export async function createRestEndpoint(
  definitions: NonNullable<RestDependencies['definitions']> = { types: [], components: [] },
  { findMany, ...options }: EndpointOptions = {},
): Promise<RestEndpoint> {
  const calls: unknown[] = [];
  let singleDocumentId: string | null = null;
  const recordCall =
    <T>(name: string, response: T) =>
    async (params: unknown): Promise<T> => {
      calls.push([name, params]);
      return response;
    };
  const documents: DocumentService = {
    findMany: findMany ?? recordCall('findMany', { records: ['{"id":1}', '{"id":2}'], total: 52 }),
    findOne: async (query, documentId) => {
      calls.push(['findOne', query, documentId]);
      return documentId === 'missing' ? null : '{"id":1}';
    },
    count: recordCall('count', 0),
    aggregate: recordCall('aggregate', { records: ['{"count":1}'], hasMore: false }),
    create: recordCall('create', { documentId: 'd1', record: '{"id":1}' }),
    update: async (params) => {
      calls.push(['update', params]);
      return params.documentId === 'missing' ? null : { record: '{"id":1}' };
    },
    singleDocumentId: async () => singleDocumentId,
    delete: recordCall('delete', false),
    bulk: recordCall('bulk', []),
    publish: recordCall('publish', null),
    unpublish: recordCall('unpublish', null),
    discardDraft: recordCall('discardDraft', null),
    translate: recordCall('translate', null),
    schedule: recordCall('schedule', null),
    findSchedule: recordCall('findSchedule', null),
    listScheduled: recordCall('listScheduled', []),
    trash: {
      list: recordCall('trash.list', []),
      find: recordCall('trash.find', null),
      restore: recordCall('trash.restore', null),
      purge: recordCall('trash.purge', 0),
    },
  };
  const limits = { defaultLimit: 25, maxLimit: 100, populateDepth: 5, maxNodes: 50 };
  const app = await createServer({
    config: {
      host: '',
      port: 0,
      bodyLimit: 10_000,
      cors: { origin: false, credentials: false },
      proxy: false,
    },
    logger: createLogger({ level: 'silent' }),
    plugins: [
      createRestPlugin({
        model,
        definitions,
        documents,
        access,
        prefix: '/api',
        limits,
        maxBulk: 1000,
        ...options,
      }),
    ],
  });
  return {
    app,
    calls,
    reset: () => {
      calls.length = 0;
      singleDocumentId = null;
    },
    setSingleDocumentId: (documentId) => {
      singleDocumentId = documentId;
    },
    sendRequest: async (method, url, { as = 'full', body } = {}) => {
      const request: InjectOptions = { method, url, headers: as === 'none' ? {} : { authorization: as } };
      const payload = body as object;
      const response = await app.inject(body === undefined ? request : { ...request, payload });
      return {
        status: response.statusCode,
        text: response.body,
        body: response.body === '' ? null : (response.json() as unknown),
        headers: response.headers,
      };
    },
  };
}

/** The expected response to a request that is refused. */
export const errorResponse = (status: number, name: string) => ({
  status,
  body: { data: null, error: { status, name, message: expect.any(String) as string, details: {} } },
});
