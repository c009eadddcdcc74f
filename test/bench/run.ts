/**
 * `npm run bench`: the server and, beside it, a hand-written one over the same SQLite file whose answers are the same bytes.
 * Both are driven in turn with the same load, so that a noisy machine slows both; the ratios are what to read.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drive, writeFor } from './load.js';
import type { Measured } from './load.js';
import { articleData, createSite, posterFor, seed } from './magazine-site.js';
import { startGalley, startServer } from './processes.js';
import { SCENARIOS } from './scenarios.js';

const ROUNDS = 3;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? '3');

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const median = (runs: readonly Measured[]): Measured => {
  const sorted = [...runs].sort((a, b) => a.perSecond - b.perSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('nothing was measured');
  return middle;
};

const textOf = async (url: string, token: string): Promise<string> => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return response.text();
};

const firstDifference = (ours: string, ceiling: string): string => {
  let at = 0;
  while (ours[at] === ceiling[at]) at += 1;
  return `at ${at}: ${ours.slice(Math.max(0, at - 60), at + 60)} | ${ceiling.slice(Math.max(0, at - 60), at + 60)}`;
};

const row = (name: string, cells: readonly (string | number)[]): string => `${name.padEnd(28)}${cells.map((cell) => String(cell).padStart(12)).join('')}`;
const cells = ({ perSecond, p50, p99 }: Measured): readonly string[] => [perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1)];

const databaseFile = (folder: string): string => {
  const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.db'));
  if (file === undefined) throw new Error(`no database in ${folder}`);
  return join(folder, file);
};

const startCeiling = (folder: string): ReturnType<typeof startServer> => {
  // Started from here, where the TypeScript loader is found.
  const here = fileURLToPath(new URL('.', import.meta.url));
  return startServer(here, (port) => ['--import', 'jiti/register', join(here, 'ceiling-server.ts'), databaseFile(folder), String(port)]);
};

type Pair = readonly [ours: Measured, ceiling: Measured];

/** How much longer everything populated takes than the same page without, of both servers. */
const printPopulating = (measured: ReadonlyMap<string, Pair>): void => {
  const everything = measured.get('populate=*');
  for (const name of ['page of 25, not counted', 'page of 25, unsorted']) {
    const page = measured.get(name);
    if (everything === undefined || page === undefined) throw new Error('a scenario is missing');
    const [mine, top] = [0, 1].map((side) => ((page[side]?.perSecond ?? Number.NaN) / (everything[side]?.perSecond ?? Number.NaN)).toFixed(1));
    print(`populate=* takes ${mine} times the ${name}; the ceiling's ${top} times`);
  }
};

const measureReads = async (bases: readonly [string, string], token: string, article: string): Promise<void> => {
  print(row('reads', ['requests/s', 'p50 ms', 'p99 ms', 'ceiling/s', 'p50 ms', 'p99 ms', 'ratio']));
  const measured = new Map<string, Pair>();
  for (const { name, path } of SCENARIOS) {
    const [ours, ceiling] = bases.map((base) => encodeURI(base + path.replace('{id}', article))) as [string, string];
    const [left, right] = [await textOf(ours, token), await textOf(ceiling, token)];
    if (left !== right) throw new Error(`${name}: the answers differ ${firstDifference(left, right)}`);
    // Both are compiled hot before anything counts.
    for (const url of [ours, ceiling]) await drive(url, token, 1);
    const runs: { readonly ours: Measured[]; readonly ceiling: Measured[] } = { ours: [], ceiling: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      runs.ours.push(await drive(ours, token, SECONDS));
      runs.ceiling.push(await drive(ceiling, token, SECONDS));
    }
    const [mine, top] = [median(runs.ours), median(runs.ceiling)];
    measured.set(name, [mine, top]);
    print(row(name, [...cells(mine), ...cells(top), (mine.perSecond / top.perSecond).toFixed(2)]));
  }
  printPopulating(measured);
};

const site = createSite();
try {
  const related = await seed(site);
  const ceiling = await startCeiling(site.folder);
  const galley = await startGalley(site.folder);
  try {
    await measureReads([galley.base, ceiling.base], site.token, related.article);
    const post = posterFor(galley.base, site.token);
    await writeFor(1, (index) => post('/api/articles', articleData(index, related)));
    const writes = await writeFor(SECONDS * ROUNDS, (index) => post('/api/articles', articleData(index, related)));
    print(row('create and publish', cells(writes)));
  } finally {
    await galley.stop();
    await ceiling.stop();
  }
} finally {
  site.remove();
}
