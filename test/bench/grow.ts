import { defined } from '../../src/lib/defined.js';
import { createClient, median, requestFor } from './load.js';
import type { BenchRequest, SendRequest } from './load.js';
import type { Site } from './magazine-site.js';
import { milliseconds, printRow } from './print.js';
import type { RunningServer } from './processes.js';
import { scenariosFor } from './scenarios.js';
import { startPlain } from './servers.js';

const [MIN_ROUNDS, ROUNDS, REQUESTS_PER_ROUND] = [3, 15, 5];
/** Slow requests are measured less often. */
const MAX_SECONDS = Number(process.env['BENCH_SECONDS'] ?? '3');

interface RunningSite {
  readonly site: Site;
  readonly server: RunningServer;
  readonly send: SendRequest;
}

interface Times {
  /** As a client sees it. */
  readonly ms: number;
  /** Of the server's process, which a busy machine changes little. */
  readonly cpuMs: number;
}

const timeRequest = async (send: SendRequest, request: BenchRequest): Promise<number> => {
  const start = performance.now();
  await send(request);
  return performance.now() - start;
};

/** A scenario at one size, and what was measured. */
interface Track extends RunningSite {
  readonly request: BenchRequest;
  readonly ms: number[];
  readonly cpuMs: number[];
}

const createTrack = (running: RunningSite, name: string): Track => {
  const { site, server } = running;
  const scenario = defined(
    scenariosFor(site.size).find((each) => each.name === name),
    name,
  );
  return { ...running, request: requestFor(server.base, site.token, scenario), ms: [], cpuMs: [] };
};

const measureRound = async ({ server, send, request, ms, cpuMs }: Track): Promise<void> => {
  await server.takeLoad();
  for (let count = 0; count < REQUESTS_PER_ROUND; count += 1) ms.push(await timeRequest(send, request));
  const load = await server.takeLoad();
  cpuMs.push(load.cpuMs / REQUESTS_PER_ROUND);
};

/** The same scenario at all sizes in turn, so that a noisy machine slows all. */
const measureSizes = async (running: readonly RunningSite[], name: string): Promise<readonly Times[]> => {
  const tracks = running.map((each) => createTrack(each, name));
  for (const { send, request } of tracks)
    for (let warmUp = 0; warmUp < REQUESTS_PER_ROUND; warmUp += 1) await send(request);
  const start = performance.now();
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round >= MIN_ROUNDS && performance.now() - start > MAX_SECONDS * 1000) break;
    for (const track of tracks) await measureRound(track);
  }
  return tracks.map(({ ms, cpuMs }) => ({ ms: median(ms), cpuMs: median(cpuMs) }));
};

const quotients = ([first = Number.NaN, ...others]: readonly number[]): readonly string[] =>
  others.map((value) => (value / first).toFixed(2));

/** Prints how the time of each scenario grows with the documents. One client, nothing remembered. */
export async function printGrowth(sites: readonly Site[], only: string): Promise<void> {
  const running: RunningSite[] = [];
  try {
    for (const site of sites) running.push({ site, server: await startPlain(site), send: createClient() });
    const sizes = sites.map(({ size }) => size.toLocaleString('en'));
    printRow('ms per request', [
      ...sizes,
      ...sizes.slice(1).map((size) => `x ${size}`),
      ...sizes.map((size) => `CPU ${size}`),
    ]);
    for (const { name } of scenariosFor(1000)) {
      if (!name.includes(only)) continue;
      const times = await measureSizes(running, name);
      const all = times.map(({ ms }) => ms);
      const cpu = times.map(({ cpuMs }) => cpuMs);
      printRow(name, [...all.map(milliseconds), ...quotients(all), ...cpu.map(milliseconds)]);
    }
  } finally {
    await Promise.all(running.map(({ server }) => server.stop()));
  }
}
