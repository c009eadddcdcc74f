import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import type { ContentStore } from '../store/content-store.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { RowImport } from './import-batch.js';
import type { TableRow } from './table.js';

/** Progress of an interrupted import of a table. */
export interface TableProgress {
  /** The number of processed rows. */
  readonly rows: number;
  /** Digest of the options of the import and of these rows. */
  readonly digest: string;
}

/** Identity of the imported table, with the mapping of its columns. */
export interface TableIdentity {
  /** Name of the table in messages. */
  readonly file: string;
  readonly maps: readonly string[];
  readonly delimiter: string;
}

const digestOf = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Names imports of tables of a file into a type. Only one of them can be interrupted at a time. */
const keyOf = ({ type }: RowImport, { file }: TableIdentity): string => digestOf(type.uid, file);

/** Digests rows one by one, after the options that decide what is written for each. */
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
    this.#key = keyOf(rowImport, identity);
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
  async forget(): Promise<void> {
    await this.#store.importProgress?.remove(this.#key);
  }

  #unfinished({ rows }: TableProgress): Error {
    return createError('transfer/unfinished-table', { file: this.#file, rows });
  }
}
