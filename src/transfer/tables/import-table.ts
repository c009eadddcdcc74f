import { createHash } from 'node:crypto';
import type { ContentStore } from '../store/content-store.js';
import { importBatch } from './import-batch.js';
import type { RowImport, RowOutcome } from './import-batch.js';
import { keyText, toData } from './column-mapping.js';
import type { TableRow } from './table.js';
import type { TableProgressTracker } from './table-progress.js';

/** The most rows that are written in one transaction. */
const BATCH = 500;

/** Numbers of processed rows of an import. */
export interface ImportCounts {
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly rejected: number;
}

export const NO_ROWS: ImportCounts = { rows: 0, created: 0, updated: 0, skipped: 0, rejected: 0 };

const COUNTED = { create: 'created', update: 'updated', skip: 'skipped', reject: 'rejected' } as const;

const addOutcomes = (counts: ImportCounts, outcomes: readonly RowOutcome[]): ImportCounts => {
  const added = { ...counts, rows: counts.rows + outcomes.length };
  for (const { action } of outcomes) added[COUNTED[action]] += 1;
  return added;
};

/** The keys that a table has had so far, as digests, which take little memory. */
class SeenKeys {
  readonly #seen = new Map<string, number>();

  /** Returns the line that has had the key before. */
  add(key: string, line: number): number | undefined {
    const digest = createHash('md5').update(key).digest('base64');
    const before = this.#seen.get(digest);
    if (before === undefined) this.#seen.set(digest, line);
    return before;
  }
}

/** Marks rows whose key another row has had. */
const createRepetitionCheck = ({ key, mapping, isJson }: RowImport): ((row: TableRow) => TableRow) => {
  const seen = new SeenKeys();
  const keyOf = ({ values }: TableRow): unknown => {
    if (key === null) return null;
    const own = Object.entries(values).filter(([column]) => mapping.targetOf(column)?.path[0] === key);
    return toData(mapping, Object.fromEntries(own), isJson)[key] ?? null;
  };
  return (row) => {
    if (key === null || row.problem !== null) return row;
    const value = keyOf(row);
    const before = value === null ? undefined : seen.add(keyText(value), row.line);
    return before === undefined
      ? row
      : { ...row, problem: `line ${before} has the same ${key} ${keyText(value)}` };
  };
};

export interface TableImport extends RowImport {
  /** Passes over the rows that were imported before, and is stored with the others. */
  readonly progress: TableProgressTracker;
  /** Ends the import after the batch that is being written. */
  readonly signal: AbortSignal;
  /** Called after each batch is written. */
  readonly onBatch: (outcomes: readonly RowOutcome[], counts: ImportCounts) => Promise<void>;
}

/**
 * Writes the rows of a table in batches. If it ends early, written rows stay, and are skipped when the table
 * is imported again.
 *
 * @returns true if it reached the end of the table
 * @throws `transfer/unfinished-table`, errors of the table and of the database
 */
export async function importRows(
  store: ContentStore,
  rows: AsyncIterable<TableRow>,
  tableImport: TableImport,
): Promise<boolean> {
  const { signal, onBatch, progress, isDryRun } = tableImport;
  const batchSize = Math.min(BATCH, store.maxWrites);
  const check = createRepetitionCheck(tableImport);
  let counts = { ...NO_ROWS, rows: progress.resumedRows };
  let batch: TableRow[] = [];
  const write = async (): Promise<void> => {
    const outcomes = await importBatch(store, tableImport, batch, {
      progress: isDryRun ? undefined : progress.stored,
    });
    counts = addOutcomes(counts, outcomes);
    batch = [];
    await onBatch(outcomes, counts);
  };
  for await (const row of rows) {
    if (signal.aborted) return false;
    const checked = check(row);
    if (progress.passes(row)) continue;
    batch.push(checked);
    if (batch.length === batchSize) await write();
  }
  progress.end();
  if (batch.length > 0 && !signal.aborted) await write();
  if (signal.aborted) return false;
  if (!isDryRun) await progress.forget();
  return true;
}
