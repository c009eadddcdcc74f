import autocannon from 'autocannon';
import { documentIdOf } from './fill-statements.js';
import { requestOf } from './load.js';
import type { Site } from './magazine-site.js';
import { milliseconds, printLine, printRow } from './print.js';
import type { RunningServer } from './processes.js';
import { startPlain } from './servers.js';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? '3');

/** Cheap reads beside the heavy one, far fewer than the server could serve. */
const [CHEAP_PER_SECOND, CONNECTIONS] = [200, 4];

/** Two levels of many records each, within the limit of records and beyond it, and a scan of all. */
const HEAVY_PATHS: Readonly<Record<string, string>> = {
  'two levels populated':
    '/api/categories?populate[articles][pagination][limit]=500&populate[articles][populate][tags]=true',
  'two levels, too many': '/api/categories?populate[articles][populate][tags]=true',
  'a scan': '/api/articles?filters[body][$containsi]=nowhere&sort=summary',
};

/** Sends cheap reads steadily, and prints how long they took and how late the event loop was. */
const printCheapReads = async (name: string, server: RunningServer, site: Site): Promise<void> => {
  const path = `/api/articles/${documentIdOf('article', Math.floor(site.size / 2))}`;
  await server.takeLoad();
  const { latency, non2xx, errors } = await autocannon({
    ...requestOf(server.base, site.token, path),
    connections: CONNECTIONS,
    overallRate: CHEAP_PER_SECOND,
    duration: SECONDS,
  });
  if (non2xx > 0 || errors > 0) throw new Error(`${name}: ${non2xx + errors} cheap reads failed`);
  const { delayP99, delayMax } = await server.takeLoad();
  printRow(name, [latency.p50, latency.p99, latency.max, delayP99, delayMax].map(milliseconds));
};

/** Repeats a heavy request until it is told to stop. */
const repeat = (
  server: RunningServer,
  site: Site,
  path: string,
): { readonly stop: () => Promise<string> } => {
  const { url, headers } = requestOf(server.base, site.token, path);
  const answers: string[] = [];
  let isStopped = false;
  const run = async (): Promise<void> => {
    while (!isStopped) {
      const start = performance.now();
      const response = await fetch(url, { headers });
      const { byteLength } = await response.arrayBuffer();
      const size = `${(byteLength / 1_000_000).toFixed(1)} MB`;
      answers.push(`${response.status} in ${milliseconds(performance.now() - start)} ms, ${size}`);
    }
  };
  const running = run();
  return {
    stop: async () => {
      isStopped = true;
      await running;
      return `  ${answers.length} heavy requests, the last ${answers.at(-1) ?? 'none'}`;
    },
  };
};

/** Prints what one client that sends heavy requests, one after the other, means for the others. */
export async function printHeavyRequests(site: Site): Promise<void> {
  const server = await startPlain(site);
  try {
    printRow('cheap reads, ms', ['p50', 'p99', 'max', 'delay p99', 'delay max']);
    await printCheapReads('warming up', server, site);
    await printCheapReads('before', server, site);
    for (const [name, path] of Object.entries(HEAVY_PATHS)) {
      const heavy = repeat(server, site, path);
      await printCheapReads(name, server, site);
      printLine(await heavy.stop());
    }
    await printCheapReads('after', server, site);
  } finally {
    await server.stop();
  }
}
