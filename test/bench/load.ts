import autocannon from 'autocannon';

export interface Measurement {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

const CONNECTIONS = 10;

/** Drives one address for some seconds; any answer but 2xx is an error. */
export async function measureRequests(url: string, token: string, seconds: number): Promise<Measurement> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { authorization: `Bearer ${token}` },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers were not 2xx, ${result.errors} failed`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** One client writing as fast as it gets answers. */
export async function measureWrites(
  seconds: number,
  write: (index: number) => Promise<unknown>,
): Promise<Measurement> {
  const durations: number[] = [];
  const start = performance.now();
  for (let index = 0; performance.now() - start < seconds * 1000; index += 1) {
    const before = performance.now();
    await write(index);
    durations.push(performance.now() - before);
  }
  const elapsed = (performance.now() - start) / 1000;
  durations.sort((a, b) => a - b);
  return {
    perSecond: durations.length / elapsed,
    p50: percentile(durations, 0.5),
    p99: percentile(durations, 0.99),
  };
}
