import type { ContentStore } from '../../src/transfer/store/content-store.js';
import { createColumnMapping } from '../../src/transfer/tables/column-mapping.js';
import type { RowImport } from '../../src/transfer/tables/import-batch.js';
import { TableProgressTracker, importRows } from '../../src/transfer/tables/import-table.js';
import { openTable } from '../../src/transfer/tables/read-table.js';
import type { Uid } from '../../src/model/model.js';

/** A store whose process is killed right after a transaction was committed. */
const killedAfter = (store: ContentStore, writes: number): ContentStore => {
  let count = 0;
  return {
    ...store,
    write: async (...parameters) => {
      const outcomes = await store.write(...parameters);
      count += 1;
      if (count === writes) throw new Error('killed');
      return outcomes;
    },
  };
};

interface KilledImport {
  readonly type: Uid;
  readonly file: string;
  readonly text: string;
  /** The number of transactions that are committed. */
  readonly after: number;
}

/** Imports a table of CSV as the command does, until its process ends. */
export async function importUntilKilled(
  store: ContentStore,
  { type: uid, file, text, after }: KilledImport,
  options: Partial<RowImport> = {},
): Promise<void> {
  const type = store.model.typesByUid[uid];
  if (type === undefined) throw new TypeError(`There is no ${uid}`);
  const rowImport: RowImport = {
    type,
    mapping: createColumnMapping(store.model, type, []),
    isJson: false,
    key: null,
    existing: 'skip',
    publish: false,
    locale: undefined,
    isDryRun: false,
    ...options,
  };
  const bytes = (async function* () {
    yield Buffer.from(text);
  })();
  const format = { format: 'csv', delimiter: ',', encoding: undefined, onEncoding: () => undefined } as const;
  const { rows } = await openTable(bytes, { file, ...format });
  const progress = new TableProgressTracker(store, rowImport, { file, maps: [], delimiter: ',' });
  const { signal } = new AbortController();
  const request = { ...rowImport, progress, signal, onBatch: async () => undefined };
  await importRows(killedAfter(store, after), rows, request).catch((error: unknown) => {
    if (!(error instanceof Error) || error.message !== 'killed') throw error;
  });
}
