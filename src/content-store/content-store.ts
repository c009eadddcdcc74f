import type { ContentModel, Uid, VersionStatus } from '../model/model.js';
import type { RawReadParams } from '../query/read-params.js';

/** A document as the content API shows it. */
export interface ContentDocument {
  readonly documentId: string;
  readonly [attribute: string]: unknown;
}

/** What is read: the parameters of the content API, and which part of the list. */
export interface FindParams extends Omit<RawReadParams, 'pagination'> {
  readonly start?: number;
  /** Undefined: all documents. */
  readonly limit?: number;
}

/** One write, as an item of a bulk request of the content API. */
export interface ContentWrite {
  readonly action: 'create' | 'update' | 'delete' | 'publish' | 'unpublish' | 'discardDraft';
  /** Of `create`: the one that the document gets. Absent: a new one. */
  readonly documentId?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** `published` also publishes what is written. Default: `draft`. */
  readonly status?: VersionStatus;
  /** Default: the default locale. Of `delete`, `*` means all locales. */
  readonly locale?: string;
}

/** What became of one write. */
export type WriteOutcome =
  | {
      readonly documentId: string;
      /** Null: it was deleted. */
      readonly document: ContentDocument | null;
    }
  | { readonly error: Error };

interface WriteOptions {
  /** Whether nothing is written if one of the writes fails. */
  readonly isAtomic: boolean;
}

export type RunTransaction = <T>(
  work: () => Promise<T>,
  options: { readonly isDryRun: boolean },
) => Promise<T>;

export interface ContentLocale {
  readonly code: string;
  readonly isDefault: boolean;
}

/**
 * Content that commands read and write: that of the project's own database, or that of a server elsewhere. A
 * missing document is not an error of a read.
 */
export interface ContentStore {
  readonly model: ContentModel;
  /** Lists versions: drafts, unless `status` says otherwise. */
  readonly find: (type: Uid, params: FindParams) => Promise<readonly ContentDocument[]>;
  readonly findOne: (
    type: Uid,
    documentId: string,
    params: Omit<FindParams, 'start' | 'limit'>,
  ) => Promise<ContentDocument | null>;
  readonly count: (type: Uid, params: FindParams) => Promise<number>;
  /** Writes in the given order, in one transaction, and returns an outcome for each. */
  readonly write: (
    type: Uid,
    writes: readonly ContentWrite[],
    options: WriteOptions,
  ) => Promise<readonly WriteOutcome[]>;
  /**
   * Runs work whose reads and writes belong to one transaction, and with `isDryRun` takes all of it back at
   * the end. Null: the store has no transactions of many writes.
   */
  readonly transact: RunTransaction | null;
  readonly locales: () => Promise<readonly ContentLocale[]>;
}
