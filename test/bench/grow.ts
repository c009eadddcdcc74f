import { defined } from '../../src/lib/assert.js';
import { openBaseline } from './baseline-queries.js';
import { createClient, median, requestFor } from './load.js';
import type { BenchRequest, SendRequest } from './load.js';
import type { Site } from './magazine-site.js';
import { milliseconds, printLine, printRow } from './print.js';
import { startGalley } from './processes.js';
import type { RunningServer } from './processes.js';
import { scenariosFor } from './scenarios.js';
import type { Scenario, ScenarioGroups } from './scenarios.js';
import { startPlain } from './servers.js';

/** The first requests of a round find the caches of the CPU full of what the other servers have read. */
const [MIN_ROUNDS, ROUNDS, REQUESTS_PER_ROUND] = [3, 60, 20];
/**
 * Where each request is for another page, of which a site of a thousand articles has as many as are asked
 * for.
 */
const ROUNDS_OF_PAGES = 15;
/** What is compiled hot counts, which takes some hundred requests. */
const WARM_UP_SECONDS = 0.5;
/** Slow requests are measured less often. */
const MAX_SECONDS = Number(process.env['BENCH_SECONDS'] ?? '3');

interface RunningSite {
  readonly site: Site;
  /** Without cached responses. */
  readonly plain: RunningServer;
  readonly caching: RunningServer;
  readonly send: SendRequest;
}

/** The median of a round. */
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
interface Track {
  readonly server: RunningServer;
  readonly send: SendRequest;
  readonly nextRequest: () => BenchRequest;
  readonly rounds: Times[];
}

const scenarioAt = (size: number, name: string): Scenario => {
  const { steady, growing } = scenariosFor(size);
  return defined(
    [...steady, ...growing].find((each) => each.name === name),
    name,
  );
};

/** Where the second page begins, for a path that says where to begin. */
const cursorFor = async (
  send: SendRequest,
  requestFrom: (cursor: string) => BenchRequest,
): Promise<string> => {
  const answer: unknown = JSON.parse(await send(requestFrom('')));
  const { next } = (answer as { readonly meta: { readonly pagination: { readonly next: string } } }).meta
    .pagination;
  return next;
};

const createTrack = async ({ site, plain, caching, send }: RunningSite, name: string): Promise<Track> => {
  const scenario = scenarioAt(site.size, name);
  const server = scenario.isVaried === true ? caching : plain;
  const requestTo = (path: string): BenchRequest =>
    requestFor(server.base, site.token, { ...scenario, path });
  const requestFrom = (cursor: string): BenchRequest => requestTo(scenario.path.replace('{cursor}', cursor));
  const cursor = scenario.path.includes('{cursor}') ? await cursorFor(send, requestFrom) : '';
  const path = scenario.path.replace('{cursor}', cursor);
  let start = 0;
  const nextRequest = (): BenchRequest => {
    start += 1;
    return requestTo(path.replace('{start}', String(start)));
  };
  return { server, send, nextRequest, rounds: [] };
};

const measureRound = async ({ server, send, nextRequest, rounds }: Track): Promise<void> => {
  const ms: number[] = [];
  await server.takeLoad();
  for (let count = 0; count < REQUESTS_PER_ROUND; count += 1) ms.push(await timeRequest(send, nextRequest()));
  const load = await server.takeLoad();
  rounds.push({ ms: median(ms), cpuMs: load.cpuMs / REQUESTS_PER_ROUND });
};

/** The same scenario at all sizes in turn, so that a noisy machine slows all. */
const measureSizes = async (
  running: readonly RunningSite[],
  name: string,
): Promise<readonly (readonly Times[])[]> => {
  const tracks = await Promise.all(running.map((each) => createTrack(each, name)));
  for (const { send, nextRequest } of tracks) {
    const begin = performance.now();
    do await send(nextRequest());
    while (performance.now() - begin < WARM_UP_SECONDS * 1000);
  }
  const start = performance.now();
  const isVaried = scenarioAt(1000, name).isVaried === true;
  for (let round = 0; round < (isVaried ? ROUNDS_OF_PAGES : ROUNDS); round += 1) {
    if (round >= MIN_ROUNDS && performance.now() - start > MAX_SECONDS * 1000) break;
    for (const track of tracks) await measureRound(track);
  }
  return tracks.map(({ rounds }) => rounds);
};

/** How long the database takes to count at each size, as asked by hand. */
const measureCounts = async (
  running: readonly RunningSite[],
  viewsAt: (size: number) => number,
): Promise<readonly number[]> => {
  const medians: number[] = [];
  for (const { site } of running) {
    const { run, close } = openBaseline(site.url);
    const ms: number[] = [];
    for (let count = 0; count < ROUNDS; count += 1) {
      const start = performance.now();
      await run('countViews', [String(viewsAt(site.size))]);
      ms.push(performance.now() - start);
    }
    await close();
    medians.push(median(ms));
  }
  return medians;
};

/** How many times as long the larger sites take: the median of the rounds, each compared with its own. */
const growthOf = ([smallest = [], ...larger]: readonly (readonly Times[])[]): readonly number[] =>
  larger.map((rounds) => median(rounds.map(({ ms }, round) => ms / (smallest[round]?.ms ?? Number.NaN))));

const timesCells = (growth: readonly number[]): readonly string[] => growth.map((times) => times.toFixed(2));

/** How many times as long a read may take as on a site of a thousand. */
const LIMITS: ReadonlyMap<number, number> = new Map([
  [100_000, 2],
  [1_000_000, 2],
]);

const isAboveLimit = (sites: readonly Site[], growth: readonly number[]): boolean =>
  sites.slice(1).some(({ size }, index) => (growth[index] ?? 0) > (LIMITS.get(size) ?? Infinity));

/** Prints how a scenario grows, and returns that. */
const printScenario = async (
  running: readonly RunningSite[],
  { name, countedViews }: Scenario,
): Promise<readonly number[]> => {
  // A read that takes too long is ended.
  const times = await measureSizes(running, name).catch((error: unknown) => {
    printLine(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  });
  if (times === null) return running.map(() => Infinity);
  const growth = growthOf(times);
  const [all, cpu] = (['ms', 'cpuMs'] as const).map((key) =>
    times.map((rounds) => milliseconds(median(rounds.map((round) => round[key])))),
  );
  printRow(name, [...(all ?? []), ...timesCells(growth), ...(cpu ?? [])]);
  if (countedViews === undefined) return growth;
  const counts = await measureCounts(running, (size) => scenarioAt(size, name).countedViews ?? 0);
  const [first = Number.NaN, ...others] = counts;
  printRow('    count(*) by hand', [
    ...counts.map(milliseconds),
    ...timesCells(others.map((count) => count / first)),
  ]);
  return growth;
};

const printScenarios = async (
  running: readonly RunningSite[],
  { steady, growing }: ScenarioGroups,
): Promise<void> => {
  const above: string[] = [];
  for (const scenario of steady) {
    const growth = await printScenario(running, scenario);
    const sites = running.map(({ site }) => site);
    if (isAboveLimit(sites, growth)) above.push(scenario.name.trim());
  }
  const limits = [...LIMITS].map(([size, limit]) => `${limit} times at ${size.toLocaleString('en')}`);
  printLine(`above ${limits.join(' and ')}: ${above.length === 0 ? 'none' : above.join(', ')}`);
  if (growing.length === 0) return;
  printLine('of which there is more to do on a larger site:');
  for (const scenario of growing) await printScenario(running, scenario);
};

/** Prints how the time of each scenario grows with the documents, for one client. */
export async function printGrowth(sites: readonly Site[], only: string): Promise<void> {
  const running: RunningSite[] = [];
  const isChosen = ({ name }: Scenario): boolean => name.includes(only);
  try {
    for (const site of sites) {
      const [plain, caching] = [await startPlain(site), await startGalley(site.folder)];
      running.push({ site, plain, caching, send: createClient() });
    }
    const sizes = sites.map(({ size }) => size.toLocaleString('en'));
    printRow('ms per request', [
      ...sizes,
      ...sizes.slice(1).map((size) => `x ${size}`),
      ...sizes.map((size) => `CPU ${size}`),
    ]);
    const { steady, growing } = scenariosFor(1000);
    await printScenarios(running, { steady: steady.filter(isChosen), growing: growing.filter(isChosen) });
  } finally {
    await Promise.all(running.flatMap(({ plain, caching }) => [plain.stop(), caching.stop()]));
  }
}
