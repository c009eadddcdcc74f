import { LATENCY_HEADINGS, latencyCells } from './compare.js';
import { documentIdOf } from './fill-statements.js';
import { createClient, measureWrites } from './load.js';
import type { Site } from './magazine-site.js';
import { printLine, printRow } from './print.js';
import { startPlain } from './servers.js';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? '3');

/** Of that many articles in a row, three have the tag. */
const ARTICLES_PER_TAG = 20;
const TAG = documentIdOf('tag', 0);

const articleOf = (round: number, offset: number): string =>
  documentIdOf('article', round * ARTICLES_PER_TAG + offset);

/** Prints what it costs to change the list of a tag that has very many articles. */
export async function printLists(site: Site): Promise<void> {
  const server = await startPlain(site);
  const send = createClient();
  const write = (path: string, data: object): Promise<string> =>
    send({
      url: `${server.base}/api/${path}`,
      method: 'PUT',
      headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data }),
    });
  const connect = (round: number, offset: number, position: object): Promise<string> =>
    write(`tags/${TAG}?status=draft`, {
      articles: { connect: [{ documentId: articleOf(round, offset), position }] },
    });
  const middle = Math.floor(site.size / ARTICLES_PER_TAG / 2);
  /** Articles of the first half are put between those of the second half. */
  const scenarios: Readonly<Record<string, (round: number) => Promise<string>>> = {
    'add at the end': (round) => connect(round, 5, { end: true }),
    'add from an article': (round) => write(`articles/${articleOf(round, 7)}`, { tags: { connect: [TAG] } }),
    'put in the middle': (round) => connect(round, 6, { before: articleOf(middle + round, 0) }),
    'put at the same place': (round) => connect(round, 8, { before: articleOf(middle, 0) }),
    'publish in the middle': (round) => write(`articles/${articleOf(round, 6)}`, {}),
  };
  try {
    const count = ((site.size * 3) / ARTICLES_PER_TAG).toLocaleString('en');
    printLine(`a tag with ${count} articles on ${site.dialect}`);
    printRow('writes', LATENCY_HEADINGS);
    for (const [name, scenario] of Object.entries(scenarios))
      printRow(name, latencyCells(await measureWrites(server, SECONDS, (index) => scenario(index % middle))));
  } finally {
    await server.stop();
  }
}
