import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyPluginAsync } from 'fastify';
import type { Gauge, Histogram, Registry } from 'prom-client';
import type { MetricsConfig } from '../../config/server-settings.js';
import type { Database } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { connectMetricsWorker } from './metrics-relay.js';

/** A finished request. */
interface FinishedRequest {
  readonly raw: IncomingMessage;
  readonly method: string;
  /** The route's pattern, which bounds the number of values. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

export type ObserveRequest = (request: FinishedRequest) => void;

/** Kind of work by the database. A read is one statement. */
type DatabaseWork = 'read' | 'count' | 'transaction';

/** Returns a database that reports the durations of reads and transactions, including failed ones. */
function measureDatabase(database: Database, onDone: (kind: DatabaseWork, ms: number) => void): Database {
  const time = async <T>(kind: DatabaseWork, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      return await work();
    } finally {
      onDone(kind, performance.now() - start);
    }
  };
  return {
    ...database,
    readTexts: (...read) => time('read', () => database.readTexts(...read)),
    readNumber: (...read) => time('count', () => database.readNumber(...read)),
    // Work that joins a transaction is measured as part of it.
    transact: (work, options) =>
      database.joined() === null
        ? time('transaction', () => database.transact(work, options))
        : database.transact(work, options),
  };
}

/** Metrics of a running application, in the format of Prometheus. */
export interface Metrics {
  readonly observeRequest: ObserveRequest;
  /** Returns the database, whose reads and transactions are measured from then on. */
  readonly measureDatabase: (database: Database) => Database;
  /** Measures the response cache, given its size. Returns the listener of its look-ups. */
  readonly measureCache: (bytes: () => number) => (isHit: boolean) => void;
  /** Adds a gauge that is the same in all processes and is read on request. */
  readonly addShared: (name: string, help: string, read: () => Promise<number>) => void;
  /** Returns the metrics of all processes that serve. */
  readonly print: () => Promise<{ readonly type: string; readonly text: string }>;
  readonly close: () => void;
}

type PromClient = typeof import('prom-client');

/** Seconds. Cached responses take less than the first; reads time out after the last. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const DATABASE_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 10];

const MS_PER_SECOND = 1000;

let processRegistry: Registry | undefined;

/** Returns the metrics of the process, which successive applications share. */
const registryOfProcess = ({ Registry, collectDefaultMetrics }: PromClient): Registry => {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
};

const isMetricList = (figures: unknown): figures is object[] => Array.isArray(figures);

/** Labels are routes and statuses of the server, which bounds the number of series. */
const createRequestHistogram = ({ Histogram }: PromClient, registry: Registry) =>
  new Histogram({
    name: 'galley_http_request_duration_seconds',
    help: 'Duration of requests, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers: [registry],
  });

const createDatabaseHistogram = ({ Histogram }: PromClient, registry: Registry): Histogram<'kind'> =>
  new Histogram({
    name: 'galley_database_duration_seconds',
    help: 'Duration of reads (one statement each) and transactions.',
    labelNames: ['kind'],
    buckets: DATABASE_BUCKETS,
    registers: [registry],
  });

const addPools = (client: PromClient, registry: Registry, database: Database): void => {
  const gauge: Gauge<'pool' | 'state'> = new client.Gauge({
    name: 'galley_database_connections',
    help: 'Connections of the pools, or threads with one each, and waiting requests.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect: async () => {
      for (const [pool, use] of Object.entries(await database.pools()))
        for (const state of ['open', 'idle', 'waiting'] as const) gauge.set({ pool, state }, use[state]);
    },
  });
};

const addCache = (
  client: PromClient,
  registry: Registry,
  bytes: () => number,
): ((isHit: boolean) => void) => {
  const counter = new client.Counter({
    name: 'galley_answers_total',
    help: 'Requests that the response cache can serve: hit if it had the response.',
    labelNames: ['result'],
    registers: [registry],
  });
  const gauge: Gauge = new client.Gauge({
    name: 'galley_answers_bytes',
    help: 'Bytes of all cached responses.',
    registers: [registry],
    collect: () => gauge.set(bytes()),
  });
  return (isHit) => counter.inc({ result: isHit ? 'hit' : 'miss' });
};

/** Loads the metrics library, and creates the metrics. */
export async function createMetrics(): Promise<Metrics> {
  const client = await import('prom-client');
  const { AggregatorRegistry, Registry } = client;
  const registry = new Registry();
  const ofProcess = registryOfProcess(client);
  // The result contains the metrics that are registered at the time of the call.
  const merge = (): Registry => Registry.merge([ofProcess, registry]);
  const requests = createRequestHistogram(client, registry);
  const durations = createDatabaseHistogram(client, registry);
  const readAll = (): Promise<object[]> => merge().getMetricsAsJSON();
  const workers = connectMetricsWorker(readAll);
  return {
    observeRequest: ({ method, route, status, ms }) =>
      requests.observe({ method, route, status }, ms / MS_PER_SECOND),
    measureDatabase: (database) => {
      addPools(client, registry, database);
      return measureDatabase(database, (kind, ms) => durations.observe({ kind }, ms / MS_PER_SECOND));
    },
    measureCache: (bytes) => addCache(client, registry, bytes),
    addShared: (name, help, read) => {
      const gauge: Gauge = new client.Gauge({
        name,
        help,
        registers: [registry],
        aggregator: 'max',
        // Other metrics are reported even if the database does not respond.
        collect: async () => gauge.set(await read().catch(() => Number.NaN)),
      });
    },
    print: async () => {
      // The metrics of a single process need no aggregation.
      const printed =
        workers === null
          ? merge()
          : AggregatorRegistry.aggregate((await workers.collect()).filter(isMetricList));
      return { type: printed.contentType, text: await printed.metrics() };
    },
    close: () => workers?.close(),
  };
}

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Creates the plugin that serves the metrics. If a token is configured, requests need it. */
export function createMetricsPlugin({ path, token }: MetricsConfig, metrics: Metrics): FastifyPluginAsync {
  const expected = sha256(`Bearer ${token}`);
  return async (fastify) => {
    fastify.get(path, { logLevel: 'silent' }, async (request, reply) => {
      const { authorization = '' } = request.headers;
      if (token !== '' && !timingSafeEqual(sha256(authorization), expected))
        throw createError('request/unauthorized');
      const { type, text } = await metrics.print();
      return reply.header('content-type', type).header('cache-control', 'no-store').send(text);
    });
  };
}
