import type { Database, Transaction } from '../database/database.js';
import { createServerState, writeServerState } from '../database/server-state.js';
import { createError } from '../errors/catalogue.js';
import type { GalleyError } from '../errors/galley-error.js';
import type { LazySignal } from '../lib/resources.js';
import type { Uid, VersionStatus } from '../model/model.js';
import type { AggregateQuery } from '../query/aggregate.js';
import type { ReadQuery, Selection } from '../query/query.js';
import type { ReadAccess } from '../query/read-access.js';
import type { Schedule, ScheduleFilter, ScheduledChange } from './schedules/schedule-store.js';

/**
 * The document service, through which every transport reads and writes documents. Every write is one
 * transaction. A slow read ends when its signal aborts. A missing document is not an error:
 * operations return null, and `delete` returns false.
 *
 * @throws `request/forbidden` if the caller's access does not cover the document, `request/invalid-key` if it
 *   does not cover an attribute, and other errors of the catalogue
 */
export interface DocumentService {
  readonly findMany: (query: ReadQuery, signal?: LazySignal) => Promise<FindManyResult>;
  /** Returns null if the document does not exist. A `documentId` of null means the single type's document. */
  readonly findOne: (
    query: ReadQuery,
    documentId: string | null,
    signal?: LazySignal,
  ) => Promise<RecordText | null>;
  readonly count: (query: ReadQuery) => Promise<number>;
  readonly aggregate: (aggregate: AggregateQuery, signal?: LazySignal) => Promise<AggregateResult>;
  readonly create: (
    params: CreateParams,
  ) => Promise<{ readonly documentId: string; readonly record: RecordText }>;
  /** Returns null if the document does not exist in any locale. */
  readonly update: (params: UpdateParams) => Promise<{ readonly record: RecordText } | null>;
  /** Returns the id of the single type's document, or null before its first write. */
  readonly singleDocumentId: (type: Uid) => Promise<string | null>;
  readonly delete: (params: DeleteParams) => Promise<boolean>;
  readonly publish: (params: VersionParams) => Promise<{ readonly record: RecordText } | null>;
  readonly unpublish: (params: VersionParams) => Promise<{ readonly record: RecordText } | null>;
  readonly discardDraft: (params: VersionParams) => Promise<{ readonly record: RecordText } | null>;
  /** Copies a locale of a document to a new one. Returns null if the document does not exist there. */
  readonly translate: (
    params: TranslateParams,
  ) => Promise<{ readonly record: RecordText; readonly omitted: readonly Omission[] } | null>;
  /** Schedules publishing and unpublishing one locale of a document. Returns null if it has no draft. */
  readonly schedule: (change: ScheduleChange) => Promise<Schedule | null>;
  readonly findSchedule: (params: ScheduleParams) => Promise<Schedule | null>;
  /** Lists scheduled changes, the earliest first, of all types or of documents of one type. */
  readonly listScheduled: (filter: ScheduleFilter) => Promise<readonly ScheduledChange[]>;
  /** Runs many writes in one transaction, with the effect of single writes in this order. */
  readonly bulk: (params: BulkParams) => Promise<readonly BulkOutcome[]>;
  /** The deleted documents. */
  readonly trash: DocumentTrash;
}

/** Value of a version, of a deleted document or of another locale that could not be written. */
export interface Omission {
  readonly attribute: string;
  readonly reason: string;
}

/** A deleted document, or a deleted locale of it. */
export interface TrashEntry {
  readonly id: number;
  readonly type: Uid;
  readonly documentId: string;
  /** The deleted locale. Null: the whole document, or its type is not localised. */
  readonly locale: string | null;
  readonly deletedAt: string;
  /** The first text of the document. Null: it has none that may be read. */
  readonly label: string | null;
}

/** A deleted document with its content. */
export interface TrashedDocument extends TrashEntry {
  /** The deleted versions, without private values and passwords. */
  readonly versions: readonly {
    readonly locale: string | null;
    readonly status: VersionStatus;
    readonly createdAt: string;
    readonly updatedAt: string;
    readonly publishedAt: string | null;
    readonly content: Readonly<Record<string, unknown>>;
  }[];
}

/** A document that was restored, and the values and links of it that were not. */
export interface RestoredDocument {
  readonly type: Uid;
  readonly documentId: string;
  /** The restored locales. Empty if its type is not localised. */
  readonly locales: readonly string[];
  readonly omitted: readonly Omission[];
}

interface TrashFilter {
  /** Default: all types. */
  readonly types?: readonly Uid[] | undefined;
  /** Only entries that were added before the one with this id. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** The entries to delete for good: with these ids, or deleted before a time. */
export interface PurgeFilter {
  readonly types?: readonly Uid[] | undefined;
  readonly ids?: readonly number[] | undefined;
  /** Milliseconds since 1970. Default: all times. */
  readonly deletedBefore?: number | undefined;
}

/** Identifies an entry. If it sets a type, an entry of another type counts as missing. */
export interface TrashedEntry {
  readonly id: number;
  readonly type?: Uid | undefined;
}

/** The limits of a caller in the trash. Absent: none. */
export type TrashAccess = Pick<ReadAccess, 'scopeOf'>;

/** The deleted documents. Missing entries are null. */
export interface DocumentTrash {
  /** Lists entries, the latest first. */
  readonly list: (filter: TrashFilter, access?: TrashAccess) => Promise<readonly TrashEntry[]>;
  readonly find: (entry: TrashedEntry, access?: TrashAccess) => Promise<TrashedDocument | null>;
  /**
   * Restores an entry with its ids, times, versions and links. The limits of `create` and `update` to drafts
   * and to locales apply.
   *
   * @throws `trash/type-removed`, `trash/single-exists`, `trash/not-restorable`, `request/drafts-only`,
   *   `request/locale-forbidden`
   */
  readonly restore: (entry: TrashedEntry, access?: TrashAccess) => Promise<RestoredDocument | null>;
  /**
   * Deletes entries for good. Returns their number.
   *
   * @param onFiles called in the transaction with the ids and values of files, whose content is to be deleted
   */
  readonly purge: (
    filter: PurgeFilter,
    onFiles?: (tx: Transaction, files: readonly Readonly<Record<string, unknown>>[]) => Promise<void>,
  ) => Promise<number>;
}

/** The configured locales. The functions always return the current state. */
export interface Locales {
  readonly defaultCode: () => string;
  readonly has: (code: string) => boolean;
}

/** Times of a written version, in place of the current time. Drafts have no `publishedAt`. */
export type VersionTimes = Readonly<
  Partial<Record<'createdAt' | 'updatedAt' | 'publishedAt', Date | undefined>>
>;

/**
 * The limits of a caller's writes: the types that it may link to, and the documents and attributes that it
 * may write. The permission for the action is checked before the document service is called. Without
 * `WriteAccess`, the server writes, and may write everything.
 */
export type WriteAccess = ReadAccess;

/**
 * The state of a document in which a client has read it. A write with a precondition that does not hold
 * throws `request/changed` or `request/unseen-draft`, also if the document does not exist. It is checked
 * while the document is locked.
 */
export type Precondition =
  /** The document exists in the written locale. */
  | { readonly kind: 'exists' }
  /** The document has no version in the written locale. Throws `request/version-exists`. */
  | { readonly kind: 'absent' }
  /** `updatedAt` of the edited version; if a write deletes all locales, the latest of theirs. */
  | { readonly kind: 'revision'; readonly updatedAt: Date }
  /** The draft or the published version looks to the client as it did. */
  | {
      readonly kind: 'representation';
      /** Returns the query of the client's read. Null: the client may not read versions of the status. */
      readonly queryOf: (status: VersionStatus) => ReadQuery | null;
      readonly etagOf: (record: RecordText) => string;
      readonly etags: readonly string[];
    };

/** The version that a write with a failed precondition would have changed, as its caller may read it. */
export interface PresentVersion {
  readonly status: VersionStatus;
  readonly updatedAt: string;
  /** Absent unless the precondition is a representation. */
  readonly etag?: string;
  readonly data: unknown;
}

/** The JSON text of one record, with the selected attributes. It is sent to clients unchanged. */
export type RecordText = string;

/** Position of a page by cursor within its list. */
export interface PageEnds {
  /** The cursors of the first and the last record; null if the page is empty. */
  readonly first: string | null;
  readonly last: string | null;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
}

export interface FindManyResult {
  readonly records: readonly RecordText[];
  /** Set for pages by cursor. */
  readonly ends?: PageEnds | undefined;
  /** Null unless the query requests the total. */
  readonly total: number | null;
}

/** Figures over records: one JSON text, or one for each group. */
export interface AggregateResult {
  readonly records: readonly RecordText[];
  /** True if there are groups beyond those returned. */
  readonly hasMore: boolean;
}

interface WriteParams {
  readonly type: Uid;
  /**
   * The locale that is written. Undefined: the default locale. Ignored for types that are not localised. A
   * locale that is not configured throws `request/unknown-locale`.
   */
  readonly locale?: string | undefined;
  /**
   * `draft` writes only the draft. `published` (the default) writes the draft and publishes it. Ignored for
   * types without drafts.
   */
  readonly status?: VersionStatus | undefined;
  /** The client's `data`, unchecked. The service validates all of it. */
  readonly data: unknown;
  readonly access?: WriteAccess | undefined;
  /** The attributes of the written version to return. */
  readonly selection: Selection;
  /** Times that project code sets for the written versions. */
  readonly times?: VersionTimes;
  readonly ifMatch?: Precondition | undefined;
  /**
   * Called within the transaction of a write that saves and publishes, once the draft is saved and before the
   * published version changes.
   */
  readonly onSaved?: (documentId: string) => Promise<void>;
}

export interface CreateParams extends WriteParams {
  /** Default: a new id. Rejected if the document has a version in the locale. */
  readonly documentId?: string;
}

export interface UpdateParams extends WriteParams {
  readonly documentId: string;
}

/** A new locale of a document. `locale` must not exist yet. */
export interface TranslateParams extends Omit<WriteParams, 'data' | 'times' | 'ifMatch' | 'onSaved'> {
  readonly documentId: string;
  readonly locale: string;
  /** The locale to copy. Default: the default locale. */
  readonly from?: string | undefined;
  /** The attributes to copy. Default: all that have a value for each locale. */
  readonly attributes?: readonly string[] | undefined;
  /** Values that replace copied ones. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

export interface DeleteParams {
  readonly type: Uid;
  readonly documentId: string;
  /** A locale's code, `*` for all locales, undefined for the default locale. */
  readonly locale?: string | undefined;
  readonly access?: WriteAccess | undefined;
  readonly ifMatch?: Precondition | undefined;
  /** The attributes in the error of a failed precondition. Default: the ids. */
  readonly selection?: Selection | undefined;
}

export interface VersionParams {
  readonly type: Uid;
  readonly documentId: string;
  readonly locale?: string | undefined;
  /** Publishing, unpublishing and discarding a draft require permission to update the document. */
  readonly access?: WriteAccess | undefined;
  readonly selection: Selection;
  readonly ifMatch?: Precondition | undefined;
}

export interface ScheduleParams {
  readonly type: Uid;
  readonly documentId: string;
  readonly locale?: string | undefined;
  /** Permission to update a document includes publishing and scheduling it. */
  readonly access?: WriteAccess | undefined;
}

export interface ScheduleChange extends ScheduleParams {
  /** The client's `publishAt` and `unpublishAt`, unchecked. Null cancels a time; undefined keeps it. */
  readonly data: unknown;
}

/** Runs writes of a document service without project code, and rolls all of them back. */
export type DryRunner = <T>(work: (documents: DocumentService) => Promise<T>) => Promise<T>;

/** One write of a bulk, with the parameters of a single write. */
export type BulkItem =
  | { readonly action: 'create'; readonly params: CreateParams }
  | { readonly action: 'update'; readonly params: UpdateParams }
  | { readonly action: 'delete'; readonly params: DeleteParams }
  | { readonly action: 'publish' | 'unpublish' | 'discardDraft'; readonly params: VersionParams };

export interface BulkParams {
  /** The writes, in order. */
  readonly items: readonly BulkItem[];
  /** True if nothing is written when one item cannot be written. */
  readonly atomic: boolean;
  /** Progress to store in the same transaction. */
  readonly progress?: ImportProgress | undefined;
}

/** Outcome of an item that was written. */
interface WrittenItem {
  readonly documentId: string;
  /** Null if the document is deleted. */
  readonly record: RecordText | null;
}

/** Outcome of one item. */
export type BulkOutcome = WrittenItem | { readonly error: GalleyError };

/**
 * Updates the one document of a single type, or creates it if this is its first write or if it was deleted
 * meanwhile.
 */
export async function saveSingle(
  documents: Pick<DocumentService, 'singleDocumentId' | 'update' | 'create'>,
  params: CreateParams,
): Promise<{ readonly record: RecordText }> {
  const documentId = await documents.singleDocumentId(params.type);
  const updated = documentId === null ? null : await documents.update({ ...params, documentId });
  return updated ?? documents.create(params);
}

/**
 * Deletes the one document of a single type. Returns its id, or null if there was none that the caller may
 * see.
 *
 * @throws `request/changed` if there is none and `ifMatch` is set
 */
export async function deleteSingle(
  documents: Pick<DocumentService, 'singleDocumentId' | 'delete'>,
  params: Omit<DeleteParams, 'documentId'>,
): Promise<string | null> {
  const documentId = await documents.singleDocumentId(params.type);
  if (documentId === null && params.ifMatch !== undefined)
    throw createError(
      'request/changed',
      { type: 'document' },
      { details: { documentId: null, present: null } },
    );
  return documentId !== null && (await documents.delete({ ...params, documentId })) ? documentId : null;
}

/** Progress of an import, in the form of its client. */
export interface ImportProgress {
  /** The name of the import. */
  readonly key: string;
  readonly value: string;
}

/** The progress of imports, which the transactions of their writes store. */
export interface ImportProgressStore {
  /** Returns null if no import of the name was interrupted. */
  readonly find: (key: string) => Promise<string | null>;
  readonly remove: (key: string) => Promise<void>;
}

const PROGRESS_PREFIX = 'import/rows/';

/** Stores progress in the transaction of the imported rows, so that both are stored or neither. */
export async function saveImportProgress(tx: Transaction, { key, value }: ImportProgress): Promise<void> {
  await writeServerState(tx, PROGRESS_PREFIX + key, value);
}

/** Opens the progress of imports into a database. */
export function createImportProgress(
  database: Pick<Database, 'dialect' | 'readTexts' | 'transact'>,
): ImportProgressStore {
  const state = createServerState(database);
  return {
    find: (key) => state.read(PROGRESS_PREFIX + key),
    remove: async (key) => void (await state.remove(PROGRESS_PREFIX + key)),
  };
}
