import { isDeepStrictEqual } from 'node:util';
import { createClient, measureRequests, requestFor, requestOf } from './load.js';
import type { BenchRequest, Measurement, SendRequest } from './load.js';
import type { Site } from './magazine-site.js';
import { milliseconds, printLine, printRow } from './print.js';
import type { RunningServer } from './processes.js';
import type { Scenario } from './scenarios.js';
import type { Contenders } from './servers.js';

const ROUNDS = 3;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? '2');
const WARM_UP_SECONDS = 1;

/** A request to one of the servers. */
interface Contender {
  readonly server: RunningServer;
  readonly request: BenchRequest;
}

/** In the order in which they are driven. */
interface ContendersOf {
  readonly ours: Contender;
  /** The hand-written server; for GraphQL the same data by REST. */
  readonly ceiling?: Contender;
  readonly remembered: Contender;
  readonly constant: Contender;
}

type Measured = Readonly<Record<keyof ContendersOf, Measurement | undefined>>;

const assertSame = (name: string, ours: string, ceiling: string): void => {
  if (isDeepStrictEqual(JSON.parse(ours), JSON.parse(ceiling))) return;
  let at = 0;
  while (ours[at] === ceiling[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 60), at + 60);
  throw new Error(`${name}: the answers differ at ${at}: ${around(ours)} | ${around(ceiling)}`);
};

const contendersOf = async (
  { plain, remembering, baseline }: Contenders,
  { token }: Site,
  scenario: Scenario,
  send: SendRequest,
): Promise<ContendersOf> => {
  const ours = { server: plain, request: requestFor(plain.base, token, scenario) };
  const remembered = {
    server: remembering,
    request: requestFor(remembering.base, token, scenario),
  };
  const text = await send(ours.request);
  assertSame(scenario.name, text, await send(remembered.request));
  await send({
    url: `${baseline.base}/constant`,
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  const constant = {
    server: baseline,
    request: { ...ours.request, url: `${baseline.base}/constant` },
  };
  const all = { ours, remembered, constant };
  if (scenario.graphql !== undefined)
    return { ...all, ceiling: { server: plain, request: requestOf(plain.base, token, scenario.path) } };
  if (scenario.ceiling === undefined) return all;
  const ceiling = { server: baseline, request: requestOf(baseline.base, token, scenario.path) };
  assertSame(scenario.name, text, await send(ceiling.request));
  return { ...all, ceiling };
};

/** The run in the middle. */
const middleOf = (runs: readonly Measurement[]): Measurement | undefined =>
  runs.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(runs.length / 2)];

/** All in turn, so that a noisy machine slows all. */
const measureAll = async (contenders: ContendersOf): Promise<Measured> => {
  const entries = Object.entries(contenders) as [keyof ContendersOf, Contender][];
  const runs = new Map(entries.map(([name]) => [name, new Array<Measurement>()]));
  // What is compiled hot counts, and what is remembered.
  for (const [, { server, request }] of entries) await measureRequests(server, request, WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, { server, request }] of entries)
      runs.get(name)?.push(await measureRequests(server, request, SECONDS));
  const middle = (name: keyof ContendersOf): Measurement | undefined => middleOf(runs.get(name) ?? []);
  return {
    ours: middle('ours'),
    ceiling: middle('ceiling'),
    remembered: middle('remembered'),
    constant: middle('constant'),
  };
};

const perSecond = (measurement: Measurement | undefined): string => measurement?.perSecond.toFixed(0) ?? '-';
const ratio = (ours: Measurement | undefined, other: Measurement | undefined): string =>
  ours === undefined || other === undefined ? '-' : (ours.perSecond / other.perSecond).toFixed(2);

/** Of requests that are answered as fast as they come. */
export const latencyCells = ({ perSecond: rate, p50, p99, server }: Measurement): readonly string[] => [
  rate.toFixed(0),
  // The load generator measures whole milliseconds.
  p50.toFixed(0),
  p99.toFixed(0),
  milliseconds(server.delayP99),
];

export const LATENCY_HEADINGS = ['requests/s', 'p50 ms', 'p99 ms', 'delay p99'];

/** How much longer everything populated takes than the same page without, of both servers. */
const printPopulateCost = (measured: ReadonlyMap<string, Measured>): void => {
  const everything = measured.get('populate=*');
  const page = measured.get('page of 25, unsorted');
  if (everything === undefined || page === undefined) return;
  printLine(
    `populate=* takes ${ratio(page.ours, everything.ours)} times the page without; ` +
      `the ceiling's ${ratio(page.ceiling, everything.ceiling)} times`,
  );
};

/** Prints each scenario beside its ceiling, and with remembered answers beside a constant string. */
export async function compareReads(
  contenders: Contenders,
  site: Site,
  scenarios: readonly Scenario[],
): Promise<void> {
  printRow('reads', [...LATENCY_HEADINGS, 'ceiling/s', 'ratio', 'remembered/s', 'constant/s', 'ratio']);
  const send = createClient();
  const allMeasured = new Map<string, Measured>();
  for (const scenario of scenarios) {
    const measured = await measureAll(await contendersOf(contenders, site, scenario, send));
    allMeasured.set(scenario.name, measured);
    const { ours, ceiling, remembered, constant } = measured;
    printRow(scenario.name, [
      ...(ours === undefined ? [] : latencyCells(ours)),
      perSecond(ceiling),
      ratio(ours, ceiling),
      perSecond(remembered),
      perSecond(constant),
      ratio(remembered, constant),
    ]);
  }
  printPopulateCost(allMeasured);
}
