import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, context, propagation, trace } from '@opentelemetry/api';
import type { Context, ContextManager, TextMapPropagator } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { defined } from '../../../src/lib/assert.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const require = createRequire(import.meta.url);

/** That of Node.js is a package of its own. */
const createContextManager = (): ContextManager => {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, work, self, ...parameters) =>
      storage.run(active, () => work.call(self as never, ...parameters)),
    bind: (_active, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
};

/** The SDK's own, which only packages for Node.js register. */
const createPropagator = (): TextMapPropagator => {
  const core = createRequire(require.resolve('@opentelemetry/sdk-trace-base'))('@opentelemetry/core') as {
    readonly W3CTraceContextPropagator: new () => TextMapPropagator;
  };
  return new core.W3CTraceContextPropagator();
};

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PATIENCE = { timeout: 20_000 };
const CALLER = 'b7ad6b7169203331';

describe.each(databases)('spans on $name', (database) => {
  const exporter = new InMemorySpanExporter();
  let site: Site;
  const ask = async (path: string, init: RequestInit = {}): Promise<number> => {
    const response = await fetch(`${site.server.url}${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${site.tokens['full']}`,
        traceparent: `00-${TRACE}-${CALLER}-01`,
        'content-type': 'application/json',
      },
    });
    await response.arrayBuffer();
    return response.status;
  };
  /** The span of the request, once it has ended, and the others. */
  const spansOf = async (name: string): Promise<{ request: ReadableSpan; others: ReadableSpan[] }> => {
    const request = await vi.waitUntil(
      () => exporter.getFinishedSpans().find((span) => span.name === name),
      PATIENCE,
    );
    return { request, others: exporter.getFinishedSpans().filter((span) => span !== request) };
  };

  beforeAll(async () => {
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    );
    context.setGlobalContextManager(createContextManager());
    propagation.setGlobalPropagator(createPropagator());
    site = await createSite({
      project: 'magazine',
      database,
      // The project's own copy of the API.
      files: {
        'node_modules/@opentelemetry/api/package.json': '{ "main": "index.cjs" }',
        'node_modules/@opentelemetry/api/index.cjs': `module.exports = require(${JSON.stringify(
          require.resolve('@opentelemetry/api'),
        )});`,
      },
    });
  });
  beforeEach(() => exporter.reset());
  afterAll(async () => {
    await site.close();
    for (const api of [trace, context, propagation]) api.disable();
  });

  it('describe requests as the conventions for HTTP say, in the trace of the caller', async () => {
    expect(await ask('/api/tags?filters[name]=secret')).toBe(200);
    const { request, others } = await spansOf('GET /api/tags');
    expect(request.kind).toBe(SpanKind.SERVER);
    expect(request.spanContext().traceId).toBe(TRACE);
    expect(request.parentSpanContext?.spanId).toBe(CALLER);
    expect(request.attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.route': '/api/tags',
      'http.response.status_code': 200,
      'url.scheme': 'http',
      'url.path': '/api/tags',
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(site.server.url).port),
    });
    const reads = others.filter(({ attributes }) => String(attributes['db.query.text']).includes('"tags"'));
    expect(reads.length).toBeGreaterThan(0);
    for (const { kind, attributes, parentSpanContext } of reads) {
      expect(parentSpanContext?.spanId).toBe(request.spanContext().spanId);
      expect(kind).toBe(SpanKind.CLIENT);
      expect(attributes).toMatchObject({
        'db.system.name': database.name,
        'db.operation.name': expect.stringMatching(/^[A-Z]+$/),
      });
    }
    expect(JSON.stringify(exporter.getFinishedSpans().map((span) => span.attributes))).not.toContain(
      'secret',
    );
  });

  it('show requests that are served from the cache', async () => {
    // Cached once no earlier write is announced any more.
    const early = await vi.waitUntil(async () => {
      exporter.reset();
      await ask('/api/tags?sort=weight');
      const request = exporter.getFinishedSpans().find(({ name }) => name === 'GET /api/tags');
      return request !== undefined && exporter.getFinishedSpans().length === 1 ? request : undefined;
    }, PATIENCE);
    expect(early.attributes).toMatchObject({ 'http.route': '/api/tags', 'http.response.status_code': 200 });
  });

  it('show the statements of a write below its transaction', async () => {
    expect(await ask('/api/tags', { method: 'POST', body: '{"data":{"name":"traced","weight":1}}' })).toBe(
      201,
    );
    const { request, others } = await spansOf('POST /api/tags');
    const spanId = request.spanContext().spanId;
    // Work in the background writes at the same time, in transactions of its own.
    const transaction = defined(
      others.find((span) => span.name === 'transaction' && span.parentSpanContext?.spanId === spanId),
      'The transaction of the request',
    );
    const inserted = others
      .filter((span) => span.name === 'INSERT')
      .filter((span) => span.parentSpanContext?.spanId === transaction.spanContext().spanId)
      .map((span) => String(span.attributes['db.query.text']));
    expect(inserted.some((text) => text.includes('"tags"'))).toBe(true);
    expect(inserted.some((text) => text.includes('"tags_documents"'))).toBe(true);
  });

  it('report failures, and do not name paths without a route', async () => {
    expect(await ask('/nowhere/42')).toBe(404);
    const { request } = await spansOf('GET');
    expect(request.attributes['http.response.status_code']).toBe(404);
    expect(request.attributes['http.route']).toBeUndefined();
    expect(request.status.code).toBe(SpanStatusCode.UNSET);
    await expect(site.server.app.database.readTexts('select nothing from nowhere', [])).rejects.toThrow();
    const failed = exporter.getFinishedSpans().filter(({ status }) => status.code === SpanStatusCode.ERROR);
    expect(failed.map(({ name }) => name)).toEqual(['SELECT']);
    expect(failed[0]?.events.map(({ name }) => name)).toEqual(['exception']);
  });
});
