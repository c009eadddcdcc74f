import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Attributes, Span, Tracer } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database, Transaction } from '../../database/database.js';
import { openRows } from '../../database/table.js';
import { urlPath } from '../../lib/http.js';

/** The API of OpenTelemetry, which the project installs. */
type OpenTelemetry = typeof import('@opentelemetry/api');

interface TraceDatabaseOptions {
  readonly api: OpenTelemetry;
  readonly tracer: Tracer;
  /** The database's name in the semantic conventions. */
  readonly system: string;
}

/** Characters. The ends of long statements are cut. */
const MAX_TEXT = 4000;

const OPERATION = /^\s*(\w+)/;

const operationOf = (sql: string): string => OPERATION.exec(sql)?.[1]?.toUpperCase() ?? 'SQL';

/** Runs statements and transactions in spans. */
const createTracer = ({ api, tracer, system }: TraceDatabaseOptions) => {
  const { SpanKind, SpanStatusCode } = api;
  const finish = async <T>(span: Span, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      span.recordException(error instanceof Error ? error : String(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };
  return {
    /** The text contains no values, since these are parameters of the statement. */
    statement: <T>(sql: string, work: () => Promise<T>): Promise<T> => {
      const operation = operationOf(sql);
      const attributes = {
        'db.system.name': system,
        'db.operation.name': operation,
        'db.query.text': sql.slice(0, MAX_TEXT),
      };
      return finish(tracer.startSpan(operation, { kind: SpanKind.CLIENT, attributes }), work);
    },
    transaction: <T>(work: () => Promise<T>): Promise<T> =>
      tracer.startActiveSpan('transaction', { attributes: { 'db.system.name': system } }, (span) =>
        finish(span, work),
      ),
  };
};

/** Returns a database with spans for reads, transactions, and the statements in transactions. */
function traceDatabase(database: Database, options: TraceDatabaseOptions): Database {
  const trace = createTracer(options);
  const traced = (tx: Transaction): Transaction => {
    const statements: Pick<Transaction, 'execute' | 'query'> = {
      execute: (sql, parameters) => trace.statement(sql, () => tx.execute(sql, parameters)),
      query: (sql, parameters) => trace.statement(sql, () => tx.query(sql, parameters)),
    };
    const { expressions } = database.dialect;
    return { ...tx, ...statements, table: (table) => openRows(expressions, statements, table) };
  };
  return {
    ...database,
    // The transaction traces the work that joins it.
    readTexts: (...read) =>
      database.joined() === null
        ? trace.statement(read[0], () => database.readTexts(...read))
        : database.readTexts(...read),
    readNumber: (...read) =>
      database.joined() === null
        ? trace.statement(read[0], () => database.readNumber(...read))
        : database.readNumber(...read),
    transact: (work, transactOptions) =>
      database.joined() === null
        ? trace.transaction(() => database.transact((tx) => work(traced(tx)), transactOptions))
        : database.transact(work, transactOptions),
  };
}

const SPAN = 'traceSpan';

const KNOWN_METHODS = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
]);
const FIRST_SERVER_ERROR = 500;

/** Returns the name of a method. Unknown methods share the name `HTTP`, which bounds the number of names. */
const methodName = (method: string): string => (KNOWN_METHODS.has(method) ? method : 'HTTP');

const hostOf = (host: string | undefined): Attributes => {
  if (host === undefined || !URL.canParse(`http://${host}`)) return {};
  const { hostname, port } = new URL(`http://${host}`);
  return { 'server.address': hostname, ...(port === '' ? {} : { 'server.port': Number(port) }) };
};

/** The names are those of the semantic conventions for HTTP. */
const attributesOf = ({ method = '', url = '', headers, httpVersion }: IncomingMessage): Attributes => {
  const { host, 'user-agent': userAgent } = headers;
  return {
    ...(KNOWN_METHODS.has(method)
      ? { 'http.request.method': method }
      : { 'http.request.method': '_OTHER', 'http.request.method_original': method }),
    'url.scheme': 'http',
    'url.path': urlPath(url),
    'network.protocol.version': httpVersion,
    ...hostOf(host),
    ...(userAgent === undefined ? {} : { 'user_agent.original': userAgent }),
  };
};

/**
 * Creates the function that adds hooks which trace requests. Clients may send the parent trace in
 * `traceparent`.
 */
function createRequestTracing(
  { SpanKind, SpanStatusCode, context, propagation, trace }: OpenTelemetry,
  tracer: Tracer,
): (fastify: FastifyInstance) => void {
  const finish = (span: Span, { statusCode, writableFinished }: ServerResponse): void => {
    if (!writableFinished) span.setAttribute('error.type', 'aborted');
    else {
      span.setAttribute('http.response.status_code', statusCode);
      if (statusCode >= FIRST_SERVER_ERROR) span.setAttribute('error.type', String(statusCode));
    }
    if (!writableFinished || statusCode >= FIRST_SERVER_ERROR) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  const start = ({ raw, method, routeOptions: { url: route } }: FastifyRequest): Span => {
    const parent = propagation.extract(context.active(), raw.headers);
    const name = methodName(method);
    return tracer.startSpan(
      route === undefined ? name : `${name} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: { ...attributesOf(raw), ...(route === undefined ? {} : { 'http.route': route }) },
      },
      parent,
    );
  };
  /** Continues a request in the context of its span. */
  const within = (request: FastifyRequest, proceed: () => void): void => {
    const span = request.getDecorator<Span | null>(SPAN);
    if (span === null) proceed();
    else context.with(trace.setSpan(propagation.extract(context.active(), request.headers), span), proceed);
  };
  return (fastify) => {
    fastify.decorateRequest(SPAN, null);
    fastify.addHook('onRequest', (request, reply, done) => {
      const span = start(request);
      request.setDecorator(SPAN, span);
      reply.raw.once('close', () => finish(span, reply.raw));
      within(request, done);
    });
    // The body arrives in the context of the connection.
    fastify.addHook('preValidation', (request, _reply, done) => within(request, done));
  };
}

/** Spans of requests and of their database work. The project's SDK exports them. */
export interface Tracing {
  /** Adds a span to each request of a server. */
  readonly traceRequests: (fastify: FastifyInstance) => void;
  readonly traceDatabase: (database: Database) => Database;
}

const PACKAGE = '@opentelemetry/api';
const TRACER = 'galley';

/** Loads the API from the project, where its SDK is registered. Null if it is not installed. */
const loadApi = (root: string): OpenTelemetry | null => {
  const require = createRequire(join(root, 'package.json'));
  try {
    require.resolve(PACKAGE);
  } catch {
    return null;
  }
  return require(PACKAGE) as OpenTelemetry;
};

/** True if an SDK is registered. Without one, spans have no effect; packages often install the API alone. */
const hasSdk = ({ ProxyTracerProvider, trace }: OpenTelemetry): boolean => {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(TRACER) !== undefined;
};

/** Returns the tracing of a project whose process has registered an OpenTelemetry SDK, else undefined. */
export function openTracing(root: string, version: string): Tracing | undefined {
  const api = loadApi(root);
  if (api === null || !hasSdk(api)) return undefined;
  const tracer = api.trace.getTracer(TRACER, version);
  return {
    traceRequests: createRequestTracing(api, tracer),
    // Dialects have the names of the semantic conventions.
    traceDatabase: (database) => traceDatabase(database, { api, tracer, system: database.dialect.name }),
  };
}
