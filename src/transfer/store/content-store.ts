/**
 * The folder store contains the content and media stores of commands: this interface, and its implementation
 * on the local database.
 */
import type { KeptVersion } from '../../documents/versions/keep-versions.js';
import type { DocumentHistory, HistoryParams } from '../../documents/versions/document-history.js';
import type { ImportProgress, ImportProgressStore } from '../../documents/documents.js';
import type { Schedule, ScheduleFilter, ScheduledChange } from '../../documents/schedules/schedule-store.js';
import type { ContentModel, Uid, VersionStatus } from '../../model/model.js';
import type { RawReadParams } from '../../query/read-params.js';

/** A document as the content API returns it. */
export interface ContentDocument {
  readonly documentId: string;
  readonly [attribute: string]: unknown;
}

/** Parameters of a read: those of the content API, and the range of the list. */
export interface FindParams extends Omit<RawReadParams, 'pagination'> {
  readonly start?: number;
  /** Undefined: all documents. */
  readonly limit?: number;
}

/** One write, as an item of a bulk request of the content API. */
export interface ContentWrite {
  readonly action: 'create' | 'update' | 'delete' | 'publish' | 'unpublish' | 'discardDraft';
  /** Of `create`: the documentId to use. Absent: a new one. */
  readonly documentId?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** `published` also publishes the written values. Default: `draft`. */
  readonly status?: VersionStatus;
  /** Default: the default locale. Of `delete`, `*` means all locales. */
  readonly locale?: string;
}

/** Outcome of one write. */
export type WriteOutcome =
  | {
      readonly documentId: string;
      /** Null: it was deleted. */
      readonly document: ContentDocument | null;
    }
  | { readonly error: Error };

export interface WriteOptions {
  /** True if nothing is written when one of the writes fails. */
  readonly isAtomic: boolean;
  /** Runs all checks, and rolls everything back. */
  readonly isDryRun?: boolean;
  /** Stored in the transaction of the writes. */
  readonly progress?: ImportProgress | undefined;
}

/** Publication times, as in the content API. Null: removed. */
interface ScheduleTimes {
  readonly locale?: string | undefined;
  readonly data: Readonly<Partial<Record<'publishAt' | 'unpublishAt', string | null>>>;
}

export type RunTransaction = <T>(
  work: () => Promise<T>,
  options: { readonly isDryRun: boolean },
) => Promise<T>;

export interface ContentLocale {
  readonly code: string;
  readonly isDefault: boolean;
}

/** The published versions of one locale of a document. Missing documents and versions are null. */
export interface ContentVersions {
  readonly list: (name: VersionedName) => Promise<readonly KeptVersion[] | null>;
  readonly find: (name: VersionedName, version: number) => ReturnType<DocumentHistory['find']>;
  /** Writes the content of a version into the draft. */
  readonly restore: (
    name: VersionedName,
    version: number,
    options: Pick<WriteOptions, 'isDryRun'>,
  ) => Promise<RestoredVersion | null>;
}

/** Identifies one locale of a document. */
export type VersionedName = Omit<HistoryParams, 'access'>;

/** The restored draft, and the attributes of the version that could not be restored. */
export interface RestoredVersion {
  /** Null: nothing was written. */
  readonly document: ContentDocument | null;
  readonly omitted: readonly { readonly attribute: string; readonly reason: string }[];
}

/**
 * The content that commands read and write: in the project's database, or on a remote server. Reads return
 * null for a missing document.
 */
export interface ContentStore {
  readonly model: ContentModel;
  /** Lists versions: drafts by default. */
  readonly find: (type: Uid, params: FindParams) => Promise<readonly ContentDocument[]>;
  readonly findOne: (
    type: Uid,
    documentId: string,
    params: Omit<FindParams, 'start' | 'limit'>,
  ) => Promise<ContentDocument | null>;
  readonly count: (type: Uid, params: FindParams) => Promise<number>;
  /** Lists versions as `find` does, with private attributes. Null: the store cannot read these. */
  readonly findPrivate: ((type: Uid, params: FindParams) => Promise<readonly ContentDocument[]>) | null;
  /** Writes in the given order, in one transaction, and returns an outcome for each. */
  readonly write: (
    type: Uid,
    writes: readonly ContentWrite[],
    options: WriteOptions,
  ) => Promise<readonly WriteOutcome[]>;
  /** Schedules the publication of a document. Returns null if it has no such draft. */
  readonly schedule: (
    type: Uid,
    documentId: string,
    change: ScheduleTimes,
    options: Pick<WriteOptions, 'isDryRun'>,
  ) => Promise<Schedule | null>;
  /** Lists schedules, the earliest first: of all types, or of documents of one type. */
  readonly listScheduled: (filter: ScheduleFilter) => Promise<readonly ScheduledChange[]>;
  readonly versions: ContentVersions;
  /**
   * Runs work whose reads and writes belong to one transaction. With `isDryRun`, rolls the transaction back.
   * A remote store sends the writes when the work is done: until then they seem to succeed, and reads do not
   * see them. Null: the store has no transactions of several writes.
   */
  readonly transact: RunTransaction | null;
  readonly locales: () => Promise<readonly ContentLocale[]>;
  /** The most writes of one transaction. */
  readonly maxWrites: number;
  /** Null: a remote server of an earlier release stores none. */
  readonly importProgress: ImportProgressStore | null;
}
