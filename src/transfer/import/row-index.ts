import { getOrCreate } from '../../lib/collections.js';
import type { VersionStatus } from '../../model/model.js';

/** The version of a document that a row holds. */
interface RowVersion {
  readonly locale: string;
  readonly status: VersionStatus;
  /** True if Strapi's row is a draft, also where the content-type has none here. */
  readonly isDraft: boolean;
}

/** One version of the export that is imported. */
export interface IndexedRow extends RowVersion {
  readonly documentId: string;
}

const NONE = -1;

/**
 * The versions of one type, by the ids of their rows in the export. Rows are places in lists of numbers, so
 * that millions of them fit into memory.
 */
export class RowIndex {
  readonly #places = new Map<number, number>();
  /** By place: the row's id, its document, its version, and the place of the document's next row. */
  readonly #rowIds: number[] = [];
  readonly #documentOf: number[] = [];
  readonly #versionOf: number[] = [];
  readonly #next: number[] = [];

  readonly #documents = new Map<string, number>();
  readonly #documentIds: string[] = [];
  readonly #first: number[] = [];

  /** The few kinds of versions that there are. */
  readonly #versions: RowVersion[] = [];
  readonly #versionNumbers = new Map<string, number>();

  /** Rows that are not imported, but whose documents are. */
  readonly #others = new Map<number, IndexedRow>();
  #smallestId = Number.MAX_SAFE_INTEGER;
  #largestId = 0;

  /** Returns false where the document has that version already. */
  add(id: number, row: IndexedRow): boolean {
    if (this.#placeOf(row) !== NONE) return false;
    const document = getOrCreate(this.#documents, row.documentId, () => {
      this.#first.push(NONE);
      return this.#documentIds.push(row.documentId) - 1;
    });
    const place = this.#rowIds.push(id) - 1;
    this.#documentOf.push(document);
    this.#versionOf.push(this.#numberOf(row));
    this.#next.push(this.#first[document] ?? NONE);
    this.#first[document] = place;
    this.#places.set(id, place);
    this.#noteId(id);
    return true;
  }

  #numberOf({ locale, status, isDraft }: RowVersion): number {
    return getOrCreate(
      this.#versionNumbers,
      `${status} ${locale} ${isDraft}`,
      () => this.#versions.push({ locale, status, isDraft }) - 1,
    );
  }

  #noteId(id: number): void {
    this.#smallestId = Math.min(this.#smallestId, id);
    this.#largestId = Math.max(this.#largestId, id);
  }

  #placeOf({ documentId, locale, status }: Pick<IndexedRow, 'documentId' | 'locale' | 'status'>): number {
    const document = this.#documents.get(documentId);
    let place = document === undefined ? NONE : (this.#first[document] ?? NONE);
    while (place !== NONE) {
      const version = this.#versions[this.#versionOf[place] ?? NONE];
      if (version?.locale === locale && version.status === status) return place;
      place = this.#next[place] ?? NONE;
    }
    return NONE;
  }

  /** Notes a row that is not imported, so that links to it are links to its document. */
  leaveOut(id: number, row: IndexedRow): void {
    this.#others.set(id, row);
    this.#noteId(id);
  }

  /** Puts a row in the place of the one that its document has. */
  replace(id: number, row: IndexedRow): void {
    const place = this.#placeOf(row);
    const former = this.#rowIds[place];
    if (former === undefined) {
      this.add(id, row);
      return;
    }
    this.#places.delete(former);
    this.leaveOut(former, row);
    this.#rowIds[place] = id;
    this.#versionOf[place] = this.#numberOf(row);
    this.#places.set(id, place);
    this.#noteId(id);
  }

  #rowAt(place: number): IndexedRow | undefined {
    const documentId = this.#documentIds[this.#documentOf[place] ?? NONE];
    const version = this.#versions[this.#versionOf[place] ?? NONE];
    return documentId === undefined || version === undefined ? undefined : { documentId, ...version };
  }

  get(id: number): IndexedRow | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#rowAt(place);
  }

  /** The row that a link names, whether it is imported or only its document is. */
  target(id: number): IndexedRow | undefined {
    return this.get(id) ?? this.#others.get(id);
  }

  idOf(row: Pick<IndexedRow, 'documentId' | 'locale' | 'status'>): number | undefined {
    return this.#rowIds[this.#placeOf(row)];
  }

  has(documentId: string): boolean {
    return this.#documents.has(documentId);
  }

  /** The ids of the published rows whose documents have no draft in their locale. */
  withoutDraft(): readonly number[] {
    return this.#rowIds.filter((_id, place) => {
      const row = this.#rowAt(place);
      return row?.status === 'published' && this.#placeOf({ ...row, status: 'draft' }) === NONE;
    });
  }

  /** The locales that rows have. */
  get locales(): ReadonlySet<string> {
    return new Set(this.#versions.map(({ locale }) => locale));
  }

  get documentIds(): readonly string[] {
    return this.#documentIds;
  }

  get size(): number {
    return this.#places.size;
  }

  /** The least and the greatest id of Strapi's rows, also of those that are not imported. */
  get ids(): { readonly smallest: number; readonly largest: number } {
    return { smallest: this.#smallestId, largest: this.#largestId };
  }
}
