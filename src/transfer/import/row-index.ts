import { getOrCreate } from '../../lib/collections.js';
import type { VersionStatus } from '../../model/model.js';

/** The version of a document that a row holds. */
interface RowVersion {
  readonly locale: string;
  readonly status: VersionStatus;
  /** True if Strapi's row is a draft, also where the content-type has none here. */
  readonly isDraft: boolean;
}

/** A version of the export that is imported. */
export interface IndexedRow extends RowVersion {
  readonly documentId: string;
}

const NONE = -1;

/**
 * The versions of one type, by the ids of their rows in the export. Each row is an index into lists of
 * numbers, so that millions of rows fit into memory.
 */
export class RowIndex {
  readonly #indexes = new Map<number, number>();
  /** By index: the row's id, its document, its version, and the index of the document's next row. */
  readonly #rowIds: number[] = [];
  readonly #documentOf: number[] = [];
  readonly #versionOf: number[] = [];
  readonly #next: number[] = [];

  readonly #documents = new Map<string, number>();
  readonly #documentIds: string[] = [];
  readonly #first: number[] = [];

  /** The distinct combinations of locale and status. */
  readonly #versions: RowVersion[] = [];
  readonly #versionNumbers = new Map<string, number>();

  /** Rows that are not imported although their documents are. */
  readonly #others = new Map<number, IndexedRow>();
  #smallestId = Number.MAX_SAFE_INTEGER;
  #largestId = 0;

  /** Adds a row. Returns false if the document already has that version. */
  add(id: number, row: IndexedRow): boolean {
    if (this.#indexOf(row) !== NONE) return false;
    const document = getOrCreate(this.#documents, row.documentId, () => {
      this.#first.push(NONE);
      return this.#documentIds.push(row.documentId) - 1;
    });
    const index = this.#rowIds.push(id) - 1;
    this.#documentOf.push(document);
    this.#versionOf.push(this.#versionNumberOf(row));
    this.#next.push(this.#first[document] ?? NONE);
    this.#first[document] = index;
    this.#indexes.set(id, index);
    this.#recordId(id);
    return true;
  }

  #versionNumberOf({ locale, status, isDraft }: RowVersion): number {
    return getOrCreate(
      this.#versionNumbers,
      `${status} ${locale} ${isDraft}`,
      () => this.#versions.push({ locale, status, isDraft }) - 1,
    );
  }

  #recordId(id: number): void {
    this.#smallestId = Math.min(this.#smallestId, id);
    this.#largestId = Math.max(this.#largestId, id);
  }

  #indexOf({ documentId, locale, status }: Pick<IndexedRow, 'documentId' | 'locale' | 'status'>): number {
    const document = this.#documents.get(documentId);
    let index = document === undefined ? NONE : (this.#first[document] ?? NONE);
    while (index !== NONE) {
      const version = this.#versions[this.#versionOf[index] ?? NONE];
      if (version?.locale === locale && version.status === status) return index;
      index = this.#next[index] ?? NONE;
    }
    return NONE;
  }

  /** Records a row that is not imported, so that links to it lead to its document. */
  exclude(id: number, row: IndexedRow): void {
    this.#others.set(id, row);
    this.#recordId(id);
  }

  /** Replaces the row of the same version by another row. */
  replace(id: number, row: IndexedRow): void {
    const index = this.#indexOf(row);
    const former = this.#rowIds[index];
    if (former === undefined) {
      this.add(id, row);
      return;
    }
    this.#indexes.delete(former);
    this.exclude(former, row);
    this.#rowIds[index] = id;
    this.#versionOf[index] = this.#versionNumberOf(row);
    this.#indexes.set(id, index);
    this.#recordId(id);
  }

  #rowAt(index: number): IndexedRow | undefined {
    const documentId = this.#documentIds[this.#documentOf[index] ?? NONE];
    const version = this.#versions[this.#versionOf[index] ?? NONE];
    return documentId === undefined || version === undefined ? undefined : { documentId, ...version };
  }

  get(id: number): IndexedRow | undefined {
    const index = this.#indexes.get(id);
    return index === undefined ? undefined : this.#rowAt(index);
  }

  /** Returns the row that a link names, including excluded rows. */
  target(id: number): IndexedRow | undefined {
    return this.get(id) ?? this.#others.get(id);
  }

  idOf(row: Pick<IndexedRow, 'documentId' | 'locale' | 'status'>): number | undefined {
    return this.#rowIds[this.#indexOf(row)];
  }

  has(documentId: string): boolean {
    return this.#documents.has(documentId);
  }

  /** Returns the ids of the published rows whose documents have no draft in their locale. */
  withoutDraft(): readonly number[] {
    return this.#rowIds.filter((_id, index) => {
      const row = this.#rowAt(index);
      return row?.status === 'published' && this.#indexOf({ ...row, status: 'draft' }) === NONE;
    });
  }

  /** The locales of all rows. */
  get locales(): ReadonlySet<string> {
    return new Set(this.#versions.map(({ locale }) => locale));
  }

  get documentIds(): readonly string[] {
    return this.#documentIds;
  }

  get size(): number {
    return this.#indexes.size;
  }

  /** The smallest and the largest id of all rows, including excluded ones. */
  get ids(): { readonly smallest: number; readonly largest: number } {
    return { smallest: this.#smallestId, largest: this.#largestId };
  }
}
