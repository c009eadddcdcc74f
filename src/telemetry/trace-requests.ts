import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Attributes, Span, Tracer } from '@opentelemetry/api';
import type { ObserveRequest } from './observer.js';
import type { OpenTelemetry } from './opentelemetry.js';

type Routing = (request: IncomingMessage, response: ServerResponse, isPolled: boolean) => void;

/** Returns the routing whose requests have a span each. */
export type TraceRouting = (routing: Routing) => Routing;

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
 * Gives each request a span, also those that are answered before Fastify sees them. What calls the server may
 * say in `traceparent` which trace a request belongs to.
 */
export function createRequestTracing(
  { SpanKind, SpanStatusCode, context, propagation, trace }: OpenTelemetry,
  tracer: Tracer,
): { readonly traceRouting: TraceRouting; readonly observeRequest: ObserveRequest } {
  const spans = new WeakMap<IncomingMessage, Span>();
  const finish = (span: Span, { statusCode, writableFinished }: ServerResponse): void => {
    if (!writableFinished) span.setAttribute('error.type', 'aborted');
    else {
      span.setAttribute('http.response.status_code', statusCode);
      if (statusCode >= FIRST_SERVER_ERROR) span.setAttribute('error.type', String(statusCode));
    }
    if (!writableFinished || statusCode >= FIRST_SERVER_ERROR) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };
  return {
    traceRouting: (routing) => (request, response, isPolled) => {
      const caller = propagation.extract(context.active(), request.headers);
      const attributes = attributesOf(request);
      const span = tracer.startSpan(
        nameOf(request.method ?? ''),
        { kind: SpanKind.SERVER, attributes },
        caller,
      );
      spans.set(request, span);
      response.once('close', () => finish(span, response));
      context.with(trace.setSpan(caller, span), () => routing(request, response, isPolled));
    },
    observeRequest: ({ raw, method, route }) => {
      if (route === 'none') return;
      const span = spans.get(raw);
      span?.setAttribute('http.route', route);
      span?.updateName(`${nameOf(method)} ${route}`);
    },
  };
}
