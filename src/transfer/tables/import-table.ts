/**
 * The folder tables imports documents from CSV and JSON: read-table.ts reads the rows, and this file writes
 * them in batches.
 */
import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { createError } from '../../errors/catalogue.js';
import { sha256Hex } from '../../lib/ids.js';
import { isRecord } from '../../lib/records.js';
import { printCsv } from '../../lib/text.js';
import { parseExactJson } from '../../lib/json.js';
import { OWNER_ONLY } from '../../lib/files.js';
import { withFilePath } from '../../lib/caught-errors.js';
import type { ContentStore } from '../store/content-store.js';
import { keyText, toData } from './column-mapping.js';
import { importBatch } from './import-batch.js';
import type { RowImport, RowOutcome } from './import-batch.js';
import { REASON_COLUMN, TEXT_COLUMN } from './table.js';
import type { TableRow } from './table.js';

export type Rejection = Extract<RowOutcome, { readonly action: 'reject' }>;

/** A file of rejected rows, which can be corrected and imported. It is created with the first row. */
interface RejectedRows {
  readonly add: (rejections: readonly Rejection[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

const parse = (text: string): unknown => {
  try {
    return parseExactJson(text);
  } catch {
    return null;
  }
};

const printJson = ({ row, reason }: Rejection): string => {
  const text = String(row.source);
  const value = parse(text);
  const { [REASON_COLUMN]: _reason, ...values } = isRecord(value) ? value : { [TEXT_COLUMN]: text };
  return `${JSON.stringify({ [REASON_COLUMN]: reason, ...values })}\n`;
};

/** Creates a printer of CSV. The reason comes first, so that surplus cells keep their position. */
const createCsvPrinter = (columns: readonly string[]) => {
  const reasonAt = columns.indexOf(REASON_COLUMN);
  const withReason = (reason: string, cells: readonly string[]): readonly string[] => [
    reason,
    ...cells.filter((_cell, index) => index !== reasonAt),
  ];
  return {
    head: printCsv([withReason(REASON_COLUMN, columns)]),
    print: ({ row, reason }: Rejection): string =>
      printCsv([withReason(reason, typeof row.source === 'string' ? [row.source] : row.source)]),
  };
};

/** Creates the file of rejected rows: CSV with `columns`, or JSON lines if `columns` is null. */
export function createRejectedRows(path: string, columns: readonly string[] | null): RejectedRows {
  const { head, print } = columns === null ? { head: '', print: printJson } : createCsvPrinter(columns);
  let file: FileHandle | null = null;
  return {
    add: async (rejections) => {
      if (rejections.length === 0) return;
      await withFilePath(path, async () => {
        if (file === null) {
          file = await open(path, 'w', OWNER_ONLY);
          await file.write(head);
        }
        await file.write(rejections.map(print).join(''));
      });
    },
    close: async () => file?.close(),
  };
}

/** Progress of an interrupted import of a table. */
interface TableProgress {
  /** The number of processed rows. */
  readonly rows: number;
  /** Digest of the options of the import and of these rows. */
  readonly digest: string;
}

/** Identity of the imported table, with the mapping of its columns. */
interface TableIdentity {
  /** Name of the table in messages. */
  readonly file: string;
  readonly maps: readonly string[];
  readonly delimiter: string;
}

const digestOf = (...parts: readonly unknown[]): string => sha256Hex(JSON.stringify(parts));

/** Returns the key of the progress of importing a file into a type. */
const progressKeyOf = ({ type }: RowImport, { file }: TableIdentity): string => digestOf(type.uid, file);

/** Digests the options that affect the written rows, and then the rows one by one. */
class RowDigest {
  readonly #hash: Hash;

  constructor({ isJson, key, existing, publish, locale }: RowImport, { maps, delimiter }: TableIdentity) {
    const status = publish ? 'published' : 'draft';
    const options = [isJson, key, existing, status, locale ?? null, maps.toSorted(), delimiter];
    this.#hash = createHash('sha256').update(JSON.stringify(options));
  }

  add({ source }: TableRow): void {
    this.#hash.update(JSON.stringify(source));
  }

  get text(): string {
    return this.#hash.copy().digest('hex');
  }
}

const parseProgress = (text: string): TableProgress => {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || typeof value['rows'] !== 'number' || typeof value['digest'] !== 'string')
    throw new TypeError('The progress of an import has another form');
  return { rows: value['rows'], digest: value['digest'] };
};

/** Counts the rows of a table while they are imported, and finds those that were imported before. */
export class TableProgressTracker {
  readonly #store: ContentStore;
  readonly #key: string;
  readonly #file: string;
  readonly #digest: RowDigest;
  #rows = 0;
  #resumed: TableProgress | null = null;

  constructor(store: ContentStore, rowImport: RowImport, identity: TableIdentity) {
    this.#store = store;
    this.#key = progressKeyOf(rowImport, identity);
    this.#file = identity.file;
    this.#digest = new RowDigest(rowImport, identity);
  }

  /** True if the store keeps progress. */
  get isKept(): boolean {
    return this.#store.importProgress !== null;
  }

  /** The number of rows processed before. */
  get resumedRows(): number {
    return this.#resumed?.rows ?? 0;
  }

  /** Loads the progress of an earlier import. */
  async load(): Promise<void> {
    const stored = (await this.#store.importProgress?.find(this.#key)) ?? null;
    this.#resumed = stored === null ? null : parseProgress(stored);
  }

  /**
   * Counts a row. Returns true if it was imported before.
   *
   * @throws `transfer/unfinished-table` if the imported rows differ, or were imported with other options
   */
  passes(row: TableRow): boolean {
    this.#digest.add(row);
    this.#rows += 1;
    if (this.#resumed === null || this.#rows > this.#resumed.rows) return false;
    if (this.#rows === this.#resumed.rows && this.#digest.text !== this.#resumed.digest)
      throw this.#unfinished(this.#resumed);
    return true;
  }

  /** @throws `transfer/unfinished-table` if the table has fewer rows than were imported */
  end(): void {
    if (this.#resumed !== null && this.#rows < this.#resumed.rows) throw this.#unfinished(this.#resumed);
  }

  /** Progress entry to store in the transaction that writes all counted rows. */
  get stored(): { readonly key: string; readonly value: string } | undefined {
    if (!this.isKept) return undefined;
    const progress: TableProgress = { rows: this.#rows, digest: this.#digest.text };
    return { key: this.#key, value: JSON.stringify(progress) };
  }

  /** Deletes the stored progress. */
  async remove(): Promise<void> {
    await this.#store.importProgress?.remove(this.#key);
  }

  #unfinished({ rows }: TableProgress): Error {
    return createError('transfer/unfinished-table', { file: this.#file, rows });
  }
}

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

/** The keys of the rows so far, as digests to save memory. */
class SeenKeys {
  readonly #seen = new Map<string, number>();

  /** Adds a key. Returns the line of an earlier row with the same key. */
  add(key: string, line: number): number | undefined {
    const digest = createHash('md5').update(key).digest('base64');
    const before = this.#seen.get(digest);
    if (before === undefined) this.#seen.set(digest, line);
    return before;
  }
}

/** Returns a function that marks rows whose key an earlier row has. */
const createRepetitionCheck = ({ key, mapping, isJson }: RowImport): ((row: TableRow) => TableRow) => {
  const seen = new SeenKeys();
  const keyValueOf = ({ values }: TableRow): unknown => {
    if (key === null) return null;
    const keyValues = Object.entries(values).filter(([column]) => mapping.targetOf(column)?.path[0] === key);
    return toData(mapping, Object.fromEntries(keyValues), isJson)[key] ?? null;
  };
  return (row) => {
    if (key === null || row.problem !== null) return row;
    const value = keyValueOf(row);
    const before = value === null ? undefined : seen.add(keyText(value), row.line);
    return before === undefined
      ? row
      : { ...row, problem: `line ${before} has the same ${key} ${keyText(value)}` };
  };
};

interface TableImport extends RowImport {
  /** Skips the rows that were imported before, and is stored with the others. */
  readonly progress: TableProgressTracker;
  /** Ends the import after the current batch. */
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
  if (!isDryRun) await progress.remove();
  return true;
}
