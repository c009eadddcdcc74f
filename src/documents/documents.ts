import type { Uid, VersionStatus } from '../model/model.js';
import type { ReadAccess, ReadQuery, Selection } from '../query/query.js';

/**
 * Who a write is for: what it may link to, and how far its right to write goes. Whether there is that right at all is decided before the
 * document service is called. Without it the server itself writes, and may write everything.
 */
export type WriteAccess = ReadAccess;

/** JSON text of one record, shaped by the query's selection; goes into a response as it is. */
export type RecordText = string;

export interface FindManyResult {
  readonly records: readonly RecordText[];
  /** Null unless the page asked for the count. */
  readonly total: number | null;
}

interface WriteParams {
  readonly type: Uid;
  /** Locale of the version written; undefined: the default locale. Unconfigured: `request/unknown-locale`. Ignored where the type is not localised. */
  readonly locale?: string | undefined;
  /** `draft` touches only the draft; `published` (the default) writes the draft and publishes it. Ignored without draftAndPublish. */
  readonly status?: VersionStatus | undefined;
  /** The client's `data`, unchecked; the service validates all of it. */
  readonly data: unknown;
  readonly access?: WriteAccess | undefined;
  /** What of the written version is answered. */
  readonly selection: Selection;
}

export type CreateParams = WriteParams;

export interface UpdateParams extends WriteParams {
  readonly documentId: string;
}

export interface DeleteParams {
  readonly type: Uid;
  readonly documentId: string;
  /** A code, `*` for all locales, undefined for the default one. */
  readonly locale?: string | undefined;
  readonly access?: WriteAccess | undefined;
}

export interface VersionParams {
  readonly type: Uid;
  readonly documentId: string;
  readonly locale?: string | undefined;
  readonly selection: Selection;
}

/**
 * The document service: the one place where documents are read and written, whatever the transport.
 * Every write is one transaction. One that goes further than the caller's right throws `request/forbidden`, and `request/invalid-key` for attributes. Errors are catalogue errors; a missing document is null (reads, update) or false (delete), never an error.
 */
export interface DocumentService {
  readonly findMany: (query: ReadQuery) => Promise<FindManyResult>;
  /** `documentId` null: the single type's document. */
  readonly findOne: (query: ReadQuery, documentId: string | null) => Promise<RecordText | null>;
  readonly count: (query: ReadQuery) => Promise<number>;
  readonly create: (params: CreateParams) => Promise<{ readonly documentId: string; readonly record: RecordText }>;
  /** Null: no such document in any locale. */
  readonly update: (params: UpdateParams) => Promise<{ readonly record: RecordText } | null>;
  /** The single type's document id, or null before its first write. */
  readonly singleDocumentId: (type: Uid) => Promise<string | null>;
  readonly delete: (params: DeleteParams) => Promise<boolean>;
  readonly publish: (params: VersionParams) => Promise<{ readonly record: RecordText } | null>;
  readonly unpublish: (params: VersionParams) => Promise<{ readonly record: RecordText } | null>;
  readonly discardDraft: (params: VersionParams) => Promise<{ readonly record: RecordText } | null>;
}

/** The configured locales, as the document service needs them; kept current by the access room. */
export interface LocaleBook {
  readonly defaultCode: () => string;
  readonly has: (code: string) => boolean;
}
