import { getOrCreate } from '../../lib/memoize.js';
import type { VersionStatus } from '../../model/model.js';

/** One version of the export that is imported. */
export interface IndexedRow {
  readonly documentId: string;
  readonly locale: string;
  readonly status: VersionStatus;
  /** Whether Strapi's row is a draft, also where the content-type has none here. */
  readonly isDraft: boolean;
}

const versionKey = ({ status, locale }: Pick<IndexedRow, 'status' | 'locale'>): string =>
  `${status} ${locale}`;

/** The versions of one type, by the ids of their rows in the export. */
export class RowIndex {
  readonly #rows = new Map<number, IndexedRow>();
  /** Rows that are not imported, but whose documents are. */
  readonly #others = new Map<number, IndexedRow>();
  /** The ids of a document's rows by locale and status. */
  readonly #documents = new Map<string, Map<string, number>>();
  #smallestId = Number.MAX_SAFE_INTEGER;
  #largestId = 0;

  /** Returns false where the document has that version already. */
  add(id: number, row: IndexedRow): boolean {
    const versions = getOrCreate(this.#documents, row.documentId, () => new Map<string, number>());
    const version = versionKey(row);
    if (versions.has(version)) return false;
    versions.set(version, id);
    this.#rows.set(id, row);
    this.#noteId(id);
    return true;
  }

  #noteId(id: number): void {
    this.#smallestId = Math.min(this.#smallestId, id);
    this.#largestId = Math.max(this.#largestId, id);
  }

  /** Notes a row that is not imported, so that links to it are links to its document. */
  leaveOut(id: number, row: IndexedRow): void {
    this.#others.set(id, row);
    this.#noteId(id);
  }

  /** Puts a row in the place of the one that its document has. */
  replace(id: number, row: IndexedRow): void {
    const former = this.idOf(row);
    if (former !== undefined) {
      this.#rows.delete(former);
      this.#documents.get(row.documentId)?.delete(versionKey(row));
      this.leaveOut(former, row);
    }
    this.add(id, row);
  }

  get(id: number): IndexedRow | undefined {
    return this.#rows.get(id);
  }

  /** The row that a link names, whether it is imported or only its document is. */
  target(id: number): IndexedRow | undefined {
    return this.#rows.get(id) ?? this.#others.get(id);
  }

  idOf(row: Pick<IndexedRow, 'documentId' | 'locale' | 'status'>): number | undefined {
    return this.#documents.get(row.documentId)?.get(versionKey(row));
  }

  has(documentId: string): boolean {
    return this.#documents.has(documentId);
  }

  rows(): IterableIterator<[number, IndexedRow]> {
    return this.#rows.entries();
  }

  get documentIds(): readonly string[] {
    return [...this.#documents.keys()];
  }

  get size(): number {
    return this.#rows.size;
  }

  /** The least and the greatest id of Strapi's rows, also of those that are not imported. */
  get ids(): { readonly smallest: number; readonly largest: number } {
    return { smallest: this.#smallestId, largest: this.#largestId };
  }
}
