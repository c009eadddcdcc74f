import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Attributes, Span, Tracer } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OpenTelemetry } from './opentelemetry.js';

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
export function createRequestTracing(
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
