import { chunksOf } from '../../src/lib/collections.js';
import { documentIdOf } from './fill-statements.js';
import { createClient } from './load.js';
import type { SendRequest } from './load.js';
import type { Site } from './magazine-site.js';
import { printRow } from './print.js';
import type { RunningServer } from './processes.js';
import { startPlain } from './servers.js';
import { articleData } from './writes.js';

type Data = Readonly<Record<string, unknown>>;

/** Documents that are written one by one, and together. */
const COUNT = Number(process.env['BENCH_DOCUMENTS'] ?? '300');
const BULK_SIZE = 1000;
/** What is compiled hot counts, and a round has one bulk of each kind. */
const ROUNDS = 8;

const plainData = (index: number): Data => ({
  title: `Plain ${String(index).padStart(6, '0')}`,
  summary: `What article ${index} is about`,
  body: 'Lorem ipsum dolor sit amet. '.repeat(20),
  views: index,
});

const changedLinks = (index: number): Data => ({
  author: documentIdOf('author', (index + 1) % 5),
  tags: [1, 2, 4].map((offset) => documentIdOf('tag', (index + offset) % 20)),
  seo: { metaTitle: `Changed ${index}`, metaDescription: 'Another description' },
});

/** One write of each document. */
interface Operation {
  readonly name: string;
  readonly action: 'create' | 'update' | 'publish' | 'unpublish' | 'discardDraft' | 'delete';
  /** Of the version that is written. */
  readonly status?: 'draft';
  readonly data?: (index: number) => Data;
}

const OPERATIONS: readonly Operation[] = [
  { name: 'create', action: 'create', data: plainData },
  { name: 'update', action: 'update', data: (index) => ({ title: `New ${index}`, views: index + 1 }) },
  { name: 'delete', action: 'delete' },
  { name: 'create with links', action: 'create', data: articleData },
  { name: 'update links', action: 'update', data: changedLinks },
  {
    name: 'update a draft',
    action: 'update',
    status: 'draft',
    data: (index) => ({ ...changedLinks(index + 1), title: `Draft ${index}` }),
  },
  { name: 'discard the draft', action: 'discardDraft' },
  { name: 'unpublish', action: 'unpublish' },
  { name: 'publish', action: 'publish' },
  { name: 'delete with links', action: 'delete' },
];

interface Documents {
  /** Written one by one, and together. */
  single: readonly string[];
  bulk: readonly string[];
}

/** What one document costs. */
interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

const measure = async (
  { takeLoad }: RunningServer,
  count: number,
  work: () => Promise<void>,
): Promise<Cost> => {
  await takeLoad();
  const start = performance.now();
  await work();
  const wallMs = (performance.now() - start) / count;
  return { wallMs, cpuMs: (await takeLoad()).cpuMs / count };
};

const createWriters = (server: RunningServer, { token }: Site, send: SendRequest) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = async (path: string, body: unknown): Promise<Data> =>
    JSON.parse(
      await send({ url: server.base + path, method: 'POST', headers, body: JSON.stringify(body) }),
    ) as Data;
  const suffix = ({ status }: Operation): string => (status === undefined ? '' : `?status=${status}`);
  return {
    one: async (operation: Operation, index: number, documentId: string | undefined): Promise<string> => {
      const { action, data } = operation;
      const id = documentId ?? '';
      if (action === 'create') {
        const answer = await post('/api/articles', { data: data?.(index) });
        return String((answer['data'] as Data)['documentId']);
      }
      const url = `${server.base}/api/articles/${id}`;
      if (action === 'delete') await send({ url, method: 'DELETE', headers });
      else if (action === 'update' || action === 'publish')
        await send({
          url: url + suffix(operation),
          method: 'PUT',
          headers,
          body: JSON.stringify({ data: data?.(index) ?? {} }),
        });
      // Alone there is no such request.
      else await post('/api/articles/bulk', { data: [{ action, documentId: id }] });
      return id;
    },
    many: async (operation: Operation, documentIds: readonly string[], first: number) => {
      const { action, data } = operation;
      const items = documentIds.map((documentId, index) => ({
        action,
        ...(action === 'create' ? {} : { documentId }),
        ...(data === undefined ? {} : { data: data(first + index) }),
      }));
      const answer = await post(`/api/articles/bulk${suffix(operation)}`, { data: items });
      return (answer['data'] as readonly Data[]).map((item) => String(item['documentId']));
    },
  };
};

const best = (costs: readonly Cost[]): Cost => ({
  wallMs: Math.min(...costs.map(({ wallMs }) => wallMs)),
  cpuMs: Math.min(...costs.map(({ cpuMs }) => cpuMs)),
});

const runRound = async (
  server: RunningServer,
  writers: ReturnType<typeof createWriters>,
  record: (name: string, single: Cost, bulk: Cost) => void,
): Promise<void> => {
  const documents: Documents = {
    single: Array.from({ length: COUNT }, () => ''),
    bulk: Array.from({ length: BULK_SIZE }, () => ''),
  };
  for (const operation of OPERATIONS) {
    const single = await measure(server, COUNT, async () => {
      const ids: string[] = [];
      for (const [index, documentId] of documents.single.entries())
        ids.push(await writers.one(operation, index, documentId));
      documents.single = ids;
    });
    const bulk = await measure(server, BULK_SIZE, async () => {
      const ids: string[] = [];
      for (const chunk of chunksOf(documents.bulk, BULK_SIZE))
        ids.push(...(await writers.many(operation, chunk, COUNT)));
      documents.bulk = ids;
    });
    record(operation.name, single, bulk);
  }
};

/** Prints what a document costs in a bulk and alone, by the clock and by the CPU of the server. */
export async function printBulk(site: Site): Promise<void> {
  const server = await startPlain(site);
  try {
    const writers = createWriters(server, site, createClient());
    const costs = new Map<string, { readonly single: Cost[]; readonly bulk: Cost[] }>();
    for (let round = 0; round < ROUNDS; round += 1)
      await runRound(server, writers, (name, single, bulk) => {
        const known = costs.get(name) ?? { single: [], bulk: [] };
        known.single.push(single);
        known.bulk.push(bulk);
        costs.set(name, known);
      });
    printRow('µs per document', ['alone', 'in a bulk', 'ratio', 'alone CPU', 'bulk CPU', 'ratio']);
    for (const [name, { single, bulk }] of costs) {
      const [one, many] = [best(single), best(bulk)];
      const cells = (a: number, b: number): readonly string[] => [
        (a * 1000).toFixed(0),
        (b * 1000).toFixed(0),
        (a / b).toFixed(1),
      ];
      printRow(name, [...cells(one.wallMs, many.wallMs), ...cells(one.cpuMs, many.cpuMs)]);
    }
  } finally {
    await server.stop();
  }
}
