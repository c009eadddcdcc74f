/**
 * A list with three relations by GraphQL beside the same data by REST, from one server in turn, so that a
 * noisy machine slows both.
 *
 *     npm run build && node --import jiti/register test/bench/graphql.ts
 */
import autocannon from 'autocannon';
import { createSite, seed } from './magazine-site.js';
import { startGalley } from './processes.js';

const ROUNDS = 3;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? '3');
const QUERY =
  '{ articles(pagination: {limit: 25}) { title author { name } category { name } tags { name } } }';
const PATH =
  '/api/articles?pagination[withCount]=false&fields=title&populate[author][fields]=name' +
  '&populate[category][fields]=name&populate[tags][fields]=name';

const measureRequests = async (options: autocannon.Options): Promise<number> => {
  const result = await autocannon({ connections: 10, duration: SECONDS, ...options });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${options.url}: ${result.non2xx} answers were not 2xx`);
  return result.requests.average;
};

const median = (runs: readonly number[]): number =>
  runs.toSorted((a, b) => a - b)[Math.floor(runs.length / 2)] ?? Number.NaN;

const site = createSite();
try {
  await seed(site);
  const galley = await startGalley(site.folder);
  try {
    const headers = { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' };
    const graphql = {
      url: `${galley.base}/graphql`,
      method: 'POST',
      headers,
      body: JSON.stringify({ query: QUERY }),
    } as const;
    const rest = { url: encodeURI(galley.base + PATH), headers };
    const answer = (await (await fetch(graphql.url, graphql)).json()) as {
      readonly data?: { readonly articles: readonly unknown[] };
    };
    if (answer.data?.articles.length !== 25)
      throw new Error(`unexpected answer ${JSON.stringify(answer).slice(0, 300)}`);
    for (const options of [graphql, rest]) await measureRequests({ ...options, duration: 1 });
    const runs: { readonly graphql: number[]; readonly rest: number[] } = { graphql: [], rest: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      runs.graphql.push(await measureRequests(graphql));
      runs.rest.push(await measureRequests(rest));
    }
    const [graphqlMedian, restMedian] = [median(runs.graphql), median(runs.rest)];
    process.stdout.write(
      `GraphQL ${graphqlMedian.toFixed(0)}/s, REST ${restMedian.toFixed(0)}/s, ` +
        `ratio ${(graphqlMedian / restMedian).toFixed(2)}\n`,
    );
  } finally {
    await galley.stop();
  }
} finally {
  site.remove();
}
