import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../../database/database.js';
import type { OpenTelemetry } from './opentelemetry.js';
import { traceDatabase } from './trace-database.js';
import { createRequestTracing } from './trace-requests.js';

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
