import { LATENCY_HEADINGS, latencyCells } from './compare.js';
import { documentIdOf } from './fill-statements.js';
import { createClient, measureWrites } from './load.js';
import type { Site } from './magazine-site.js';
import { printRow } from './print.js';
import type { RunningServer } from './processes.js';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? '2') * 3;

/** An article with an author, a category, three tags, a component and a dynamic zone. */
export const articleData = (index: number): Readonly<Record<string, unknown>> => ({
  title: `Written ${String(index).padStart(5, '0')}`,
  summary: `What article ${index} is about`,
  body: 'Lorem ipsum dolor sit amet. '.repeat(20),
  views: index,
  author: documentIdOf('author', index % 5),
  category: documentIdOf('category', index % 10),
  tags: [0, 1, 2].map((offset) => documentIdOf('tag', (index + offset) % 20)),
  seo: {
    metaTitle: `Article ${index}`,
    metaDescription: 'A description',
    social: [{ network: 'mastodon', handle: '@galley' }],
  },
  sections: [
    { __component: 'sections.quote', text: 'A quote' },
    { __component: 'sections.text', body: 'Some text' },
  ],
});

/** Prints what writing costs. The site keeps what was written. */
export async function printWrites(server: RunningServer, { token }: Site): Promise<void> {
  const send = createClient();
  const create = (index: number): Promise<string> =>
    send({
      url: `${server.base}/api/articles`,
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data: articleData(index) }),
    });
  await measureWrites(server, 1, create);
  printRow('writes', LATENCY_HEADINGS);
  printRow('create and publish', latencyCells(await measureWrites(server, SECONDS, create)));
}
