import { Agent, request as httpRequest } from 'node:http';
import autocannon from 'autocannon';
import type { RunningServer, ServerLoad } from './processes.js';
import type { Scenario } from './scenarios.js';

/** A request to a server. */
export interface BenchRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Measurement {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** CPU of the server's process for each request. */
  readonly cpuMicros: number;
  readonly server: ServerLoad;
}

const CONNECTIONS = 10;

export function requestOf(base: string, token: string, path: string): BenchRequest {
  return { url: encodeURI(base + path), method: 'GET', headers: { authorization: `Bearer ${token}` } };
}

export function graphqlRequest(base: string, token: string, query: string): BenchRequest {
  return {
    url: `${base}/graphql`,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  };
}

/** What the scenario asks the server under test. */
export function requestFor(base: string, token: string, { path, graphql }: Scenario): BenchRequest {
  return graphql === undefined ? requestOf(base, token, path) : graphqlRequest(base, token, graphql);
}

/** Drives one request for some seconds; any answer but 2xx is an error. */
export async function measureRequests(
  server: RunningServer,
  request: BenchRequest,
  seconds: number,
): Promise<Measurement> {
  await server.takeLoad();
  const result = await autocannon({
    ...request,
    connections: CONNECTIONS,
    duration: seconds,
    // It ends with a sample.
    sampleInt: seconds * 1000,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${request.url}: ${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  const { latency, duration, '2xx': count } = result;
  const load = await server.takeLoad();
  return {
    perSecond: count / duration,
    p50: latency.p50,
    p99: latency.p99,
    cpuMicros: (load.cpuMs * 1000) / count,
    server: load,
  };
}

export type SendRequest = (request: BenchRequest) => Promise<string>;

/**
 * Sends one request after the other over one connection that stays open; `fetch` would cost the client more
 * than the server spends on the request.
 */
export function createClient(): SendRequest {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return ({ url, method, headers, body }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const outgoing = httpRequest(url, { agent, method, headers: { ...headers, ...length } }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => {
          const { statusCode = 0 } = response;
          if (statusCode >= 200 && statusCode < 300) resolve(text);
          else reject(new Error(`${method} ${url}: ${statusCode} ${text.slice(0, 500)}`));
        });
        response.on('error', reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

export const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

/** One client writing as fast as it gets answers. */
export async function measureWrites(
  server: RunningServer,
  seconds: number,
  write: (index: number) => Promise<unknown>,
): Promise<Measurement> {
  const durations: number[] = [];
  await server.takeLoad();
  const start = performance.now();
  for (let index = 0; performance.now() - start < seconds * 1000; index += 1) {
    const before = performance.now();
    await write(index);
    durations.push(performance.now() - before);
  }
  const elapsed = (performance.now() - start) / 1000;
  const load = await server.takeLoad();
  durations.sort((a, b) => a - b);
  return {
    perSecond: durations.length / elapsed,
    p50: percentile(durations, 0.5),
    p99: percentile(durations, 0.99),
    cpuMicros: (load.cpuMs * 1000) / durations.length,
    server: load,
  };
}
