import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Attributes, Span, Tracer } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Database, Transaction } from '../../database/database.js';

/** The API of OpenTelemetry, as a project has it. */
type OpenTelemetry = typeof import('@opentelemetry/api');

interface TraceDatabaseOptions {
  readonly api: OpenTelemetry;
  readonly tracer: Tracer;
  /** The database's name in the semantic conventions. */
  readonly system: string;
}

/** Statements are longer the more is populated, and their ends tell little. */
const MAX_TEXT = 4000;

const OPERATION = /^\s*(\w+)/;

const operationOf = (sql: string): string => OPERATION.exec(sql)?.[1]?.toUpperCase() ?? 'SQL';

/** Runs statements and transactions in spans of their own. */
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
    /** Values are parameters of the statement, so that its text holds none. */
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

/** Returns a database whose reads, transactions and the statements in these have spans. */
function traceDatabase(database: Database, options: TraceDatabaseOptions): Database {
  const trace = createTracer(options);
  const traced = (tx: Transaction): Transaction => ({
    ...tx,
    execute: (sql, parameters) => trace.statement(sql, () => tx.execute(sql, parameters)),
    query: (sql, parameters) => trace.statement(sql, () => tx.query(sql, parameters)),
  });
  return {
    ...database,
    // What joins a transaction is run, and traced, by that.
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

/** Methods that nobody has heard of have one name, since there are any number of them. */
const nameOf = (method: string): string => (KNOWN_METHODS.has(method) ? method : 'HTTP');

/** Without the query, which may hold what is private. */
const pathOf = (url: string): string => {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
};

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
    'url.path': pathOf(url),
    'network.protocol.version': httpVersion,
    ...hostOf(host),
    ...(userAgent === undefined ? {} : { 'user_agent.original': userAgent }),
  };
};

/**
 * Creates what gives each request of a server a span. A client may send in `traceparent` which trace a
 * request belongs to.
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
    const name = nameOf(method);
    return tracer.startSpan(
      route === undefined ? name : `${name} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: { ...attributesOf(raw), ...(route === undefined ? {} : { 'http.route': route }) },
      },
      parent,
    );
  };
  /** Runs the rest of a request in the context of its span. */
  const within = (request: FastifyRequest, goOn: () => void): void => {
    const span = request.getDecorator<Span | null>(SPAN);
    if (span === null) goOn();
    else context.with(trace.setSpan(propagation.extract(context.active(), request.headers), span), goOn);
  };
  return (fastify) => {
    fastify.decorateRequest(SPAN, null);
    fastify.addHook('onRequest', (request, reply, done) => {
      const span = start(request);
      request.setDecorator(SPAN, span);
      reply.raw.once('close', () => finish(span, reply.raw));
      within(request, done);
    });
    // A body arrives in the context of its connection.
    fastify.addHook('preValidation', (request, _reply, done) => within(request, done));
  };
}

/** Spans of requests and of what the database does for them, which the project's own SDK exports. */
export interface Tracing {
  /** Gives each request of a server a span. */
  readonly traceRequests: (fastify: FastifyInstance) => void;
  readonly traceDatabase: (database: Database) => Database;
}

const PACKAGE = '@opentelemetry/api';
const TRACER = 'galley';

/** Loads the API of the project, whose SDK knows it. Null where there is none. */
const loadApi = (root: string): OpenTelemetry | null => {
  const require = createRequire(join(root, 'package.json'));
  try {
    require.resolve(PACKAGE);
  } catch {
    return null;
  }
  return require(PACKAGE) as OpenTelemetry;
};

/** Packages bring the API along. Only where an SDK was registered, anything becomes of spans. */
const hasSdk = ({ ProxyTracerProvider, trace }: OpenTelemetry): boolean => {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(TRACER) !== undefined;
};

/**
 * Returns what traces the requests of a project in whose process an SDK of OpenTelemetry was registered.
 * Undefined for others, of which nothing is traced.
 */
export function openTracing(root: string, version: string): Tracing | undefined {
  const api = loadApi(root);
  if (api === null || !hasSdk(api)) return undefined;
  const tracer = api.trace.getTracer(TRACER, version);
  return {
    traceRequests: createRequestTracing(api, tracer),
    // The conventions have the same names for databases.
    traceDatabase: (database) => traceDatabase(database, { api, tracer, system: database.dialect.name }),
  };
}
