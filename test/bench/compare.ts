import { isDeepStrictEqual } from 'node:util';
import { cpuRatio, measureInTurn } from './in-turn.js';
import type { Contender, MeasuredInTurn } from './in-turn.js';
import { createClient, requestFor, requestOf } from './load.js';
import type { Measurement, SendRequest } from './load.js';
import type { Site } from './magazine-site.js';
import { milliseconds, printLine, printRow } from './print.js';
import type { Scenario } from './scenarios.js';
import type { Contenders } from './servers.js';

/** For each contender in each scenario. */
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? '2') * 3;

type ContendersOf = readonly [
  cached: Contender,
  constant: Contender,
  ours: Contender,
  /** One or none: the hand-written server; for GraphQL the same data by REST. */
  ...ceiling: readonly Contender[],
];

type Measured = Readonly<Record<'ours' | 'ceiling', MeasuredInTurn | undefined>>;

const assertSame = (name: string, ours: string, ceiling: string): void => {
  if (isDeepStrictEqual(JSON.parse(ours), JSON.parse(ceiling))) return;
  let at = 0;
  while (ours[at] === ceiling[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 60), at + 60);
  throw new Error(`${name}: the answers differ at ${at}: ${around(ours)} | ${around(ceiling)}`);
};

const contendersOf = async (
  { plain, caching, baseline }: Contenders,
  { token }: Site,
  scenario: Scenario,
  send: SendRequest,
): Promise<ContendersOf> => {
  const ours = { server: plain, request: requestFor(plain.base, token, scenario) };
  const cached = {
    server: caching,
    request: requestFor(caching.base, token, scenario),
  };
  const text = await send(ours.request);
  assertSame(scenario.name, text, await send(cached.request));
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
  const all = [cached, constant, ours] as const;
  if (scenario.graphql !== undefined)
    return [...all, { server: plain, request: requestOf(plain.base, token, scenario.path) }];
  if (scenario.ceiling === undefined) return all;
  const ceiling = { server: baseline, request: requestOf(baseline.base, token, scenario.path) };
  assertSame(scenario.name, text, await send(ceiling.request));
  return [...all, ceiling];
};

const perSecond = (measurement: Measurement | undefined): string => measurement?.perSecond.toFixed(0) ?? '-';
const micros = (measurement: Measurement | undefined): string => measurement?.cpuMicros.toFixed(0) ?? '-';

const ratio = (ours: MeasuredInTurn | undefined, other: MeasuredInTurn | undefined): string =>
  ours === undefined || other === undefined ? '-' : cpuRatio(ours, other).toFixed(2);

const quotient = (a: Measurement | undefined, b: Measurement | undefined): string =>
  a === undefined || b === undefined ? '-' : (b.cpuMicros / a.cpuMicros).toFixed(2);

/** Of requests that are answered as fast as they come. */
export const latencyCells = ({ perSecond: rate, p50, p99, server }: Measurement): readonly string[] => [
  rate.toFixed(0),
  // The load generator measures whole milliseconds.
  p50.toFixed(0),
  p99.toFixed(0),
  milliseconds(server.delayP99),
];

export const LATENCY_HEADINGS = ['requests/s', 'p50 ms', 'p99 ms', 'delay p99'];

const HEADINGS = [
  ...LATENCY_HEADINGS,
  'CPU µs',
  'ceiling/s',
  'CPU µs',
  'ratio',
  'cached/s',
  'CPU µs',
  'constant/s',
  'CPU µs',
  'ratio',
];

/** How much more everything populated takes than the same page without, of both servers. */
const printPopulateCost = (measured: ReadonlyMap<string, Measured>): void => {
  const everything = measured.get('populate=*');
  const page = measured.get('page of 25, unsorted');
  if (everything === undefined || page === undefined) return;
  printLine(
    `populate=* takes ${quotient(page.ours, everything.ours)} times the CPU of the page without; ` +
      `the ceiling's ${quotient(page.ceiling, everything.ceiling)} times`,
  );
};

/** Prints each scenario beside its ceiling, and with cached responses beside a constant string. */
export async function compareReads(
  contenders: Contenders,
  site: Site,
  scenarios: readonly Scenario[],
): Promise<void> {
  printRow('reads', HEADINGS);
  const send = createClient();
  const allMeasured = new Map<string, Measured>();
  for (const scenario of scenarios) {
    const compared = await contendersOf(contenders, site, scenario, send);
    const [cached, constant, ours, ceiling] = await measureInTurn(compared, SECONDS);
    allMeasured.set(scenario.name, { ours, ceiling });
    printRow(scenario.name, [
      ...(ours === undefined ? [] : latencyCells(ours)),
      micros(ours),
      perSecond(ceiling),
      micros(ceiling),
      ratio(ours, ceiling),
      perSecond(cached),
      micros(cached),
      perSecond(constant),
      micros(constant),
      ratio(cached, constant),
    ]);
  }
  printPopulateCost(allMeasured);
}
