/**
 * `npm run bench`: the server and, beside it, a hand-written one over the same SQLite file whose answers are
 * the same bytes. Both are driven in turn with the same load, so that a noisy machine slows both; the ratios
 * are what to read.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureRequests, measureWrites } from './load.js';
import type { Measurement } from './load.js';
import { articleData, createSite, createPostDocument, seed } from './magazine-site.js';
import { startGalley, startServer } from './processes.js';
import { SCENARIOS } from './scenarios.js';

const ROUNDS = 3;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? '3');

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const median = (runs: readonly Measurement[]): Measurement => {
  const sorted = [...runs].sort((a, b) => a.perSecond - b.perSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('nothing was measured');
  return middle;
};

const textOf = async (url: string, token: string): Promise<string> => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return response.text();
};

const firstDifference = (ours: string, baseline: string): string => {
  let at = 0;
  while (ours[at] === baseline[at]) at += 1;
  return (
    `at ${at}: ${ours.slice(Math.max(0, at - 60), at + 60)} ` +
    `| ${baseline.slice(Math.max(0, at - 60), at + 60)}`
  );
};

const row = (name: string, cells: readonly (string | number)[]): string =>
  `${name.padEnd(28)}${cells.map((cell) => String(cell).padStart(12)).join('')}`;
const cells = ({ perSecond, p50, p99 }: Measurement): readonly string[] => [
  perSecond.toFixed(0),
  p50.toFixed(1),
  p99.toFixed(1),
];

const databaseFile = (folder: string): string => {
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith('.db'),
  );
  if (file === undefined) throw new Error(`no database in ${folder}`);
  return join(folder, file);
};

const startBaseline = (folder: string): ReturnType<typeof startServer> => {
  // Started from here, where the TypeScript loader is found.
  const here = fileURLToPath(new URL('.', import.meta.url));
  return startServer(here, (port) => [
    '--import',
    'jiti/register',
    join(here, 'baseline-server.ts'),
    databaseFile(folder),
    String(port),
  ]);
};

type Pair = readonly [ours: Measurement, ceiling: Measurement];

/** How much longer everything populated takes than the same page without, of both servers. */
const printPopulateCost = (measured: ReadonlyMap<string, Pair>): void => {
  const everything = measured.get('populate=*');
  for (const name of ['page of 25, not counted', 'page of 25, unsorted']) {
    const page = measured.get(name);
    if (everything === undefined || page === undefined) throw new Error('a scenario is missing');
    const [ourMedian, baselineMedian] = [0, 1].map((side) =>
      ((page[side]?.perSecond ?? Number.NaN) / (everything[side]?.perSecond ?? Number.NaN)).toFixed(1),
    );
    print(`populate=* takes ${ourMedian} times the ${name}; the ceiling's ${baselineMedian} times`);
  }
};

const measureReads = async (
  bases: readonly [string, string],
  token: string,
  article: string,
): Promise<void> => {
  print(row('reads', ['requests/s', 'p50 ms', 'p99 ms', 'ceiling/s', 'p50 ms', 'p99 ms', 'ratio']));
  const measured = new Map<string, Pair>();
  for (const { name, path } of SCENARIOS) {
    const [ours, baseline] = bases.map((base) => encodeURI(base + path.replace('{id}', article))) as [
      string,
      string,
    ];
    const [left, right] = [await textOf(ours, token), await textOf(baseline, token)];
    if (left !== right) throw new Error(`${name}: the answers differ ${firstDifference(left, right)}`);
    // Both are compiled hot before anything counts.
    for (const url of [ours, baseline]) await measureRequests(url, token, 1);
    const runs: { readonly ours: Measurement[]; readonly baseline: Measurement[] } = {
      ours: [],
      baseline: [],
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      runs.ours.push(await measureRequests(ours, token, SECONDS));
      runs.baseline.push(await measureRequests(baseline, token, SECONDS));
    }
    const [ourMedian, baselineMedian] = [median(runs.ours), median(runs.baseline)];
    measured.set(name, [ourMedian, baselineMedian]);
    print(
      row(name, [
        ...cells(ourMedian),
        ...cells(baselineMedian),
        (ourMedian.perSecond / baselineMedian.perSecond).toFixed(2),
      ]),
    );
  }
  printPopulateCost(measured);
};

const site = createSite();
try {
  const related = await seed(site);
  const baseline = await startBaseline(site.folder);
  const galley = await startGalley(site.folder);
  try {
    await measureReads([galley.base, baseline.base], site.token, related.article);
    const post = createPostDocument(galley.base, site.token);
    await measureWrites(1, (index) => post('/api/articles', articleData(index, related)));
    const writes = await measureWrites(SECONDS * ROUNDS, (index) =>
      post('/api/articles', articleData(index, related)),
    );
    print(row('create and publish', cells(writes)));
  } finally {
    await galley.stop();
    await baseline.stop();
  }
} finally {
  site.remove();
}
