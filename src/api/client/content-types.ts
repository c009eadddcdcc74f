import type { CheckedQuery } from '../../generate/typegen/checked-params.js';
import type {
  CursorPagination,
  ListResponse,
  OffsetPagination,
  PagePagination,
  SingleResponse,
  UpdateRequest,
} from '../../generate/typegen/declarations/api.js';
import type { Query } from '../../generate/typegen/declarations/query.js';
import type { Result } from '../../generate/typegen/declarations/result.js';
import type { Aggregate, AggregateQuery } from './aggregate-types.js';
import type { ErrorBody } from './errors.js';
import type { RequestOptions } from './transport.js';

type NoQuery = Readonly<Record<never, never>>;

/** Parameters of a read of one document. */
export type OneQuery<T> = Pick<Query<T>, 'fields' | 'populate' | 'status' | 'locale'>;

/** Parameters of a write: which version it writes, and what it returns. */
export type WriteQuery<T> = Pick<Query<T>, 'fields' | 'populate' | 'status'> & { readonly locale?: string };

/** Parameters of deleting and publishing. */
export type VersionQuery<T> = Omit<WriteQuery<T>, 'status'>;

/** Parameters of a list that is read to its end. `limit` is the size of each of its pages. */
export type IterateQuery<T> = Omit<Query<T>, 'pagination'> & {
  readonly pagination?: { readonly limit?: number };
};

/** A query as given, with `never` at names that the type lacks. */
type Checked<T, Q, Allowed> = Q & CheckedQuery<T, Q, keyof Allowed>;

type PaginationOf<Q> = Q extends { readonly pagination: infer Pagination }
  ? Pagination extends { readonly after: string } | { readonly before: string }
    ? CursorPagination
    : Pagination extends { readonly start: number } | { readonly limit: number }
      ? OffsetPagination
      : PagePagination
  : PagePagination;

/** Drafts may lack what is required. */
type DataFor<Input, Q> = Q extends { readonly status: 'draft' } ? UpdateRequest<Input>['data'] : Input;

/** One write of a bulk. */
export type BulkItem<Input> = { readonly locale?: string } & (
  | { readonly action: 'create'; readonly data: Input; readonly status?: 'published' }
  | { readonly action: 'create'; readonly data: UpdateRequest<Input>['data']; readonly status: 'draft' }
  | {
      readonly action: 'update';
      readonly documentId: string;
      readonly data: UpdateRequest<Input>['data'];
      readonly status?: 'draft' | 'published';
    }
  | { readonly action: 'delete' | 'publish' | 'unpublish' | 'discardDraft'; readonly documentId: string }
);

/** Parameters of a bulk, which hold for all its items. */
export type BulkQuery<T> = WriteQuery<T> & {
  /** True if nothing is written where one item cannot be. Default: true. */
  readonly atomic?: boolean;
};

/** The outcome of one item, with the status that a request with only this item would have got. */
export interface BulkOutcome<T> {
  readonly action: BulkItem<unknown>['action'];
  readonly status: number;
  readonly documentId?: string;
  readonly data: T | null;
  readonly error?: ErrorBody;
}

export interface BulkResponse<T> {
  readonly data: readonly BulkOutcome<T>[];
  readonly meta: { readonly succeeded: number; readonly failed: number };
}

/** The documents of a collection type. */
export interface Collection<T, Input> {
  find<const Q extends Query<T> = NoQuery>(
    query?: Checked<T, Q, Query<T>>,
    options?: RequestOptions,
  ): Promise<ListResponse<Result<T, Q>, PaginationOf<Q>>>;
  findOne<const Q extends OneQuery<T> = NoQuery>(
    documentId: string,
    query?: Checked<T, Q, OneQuery<T>>,
    options?: RequestOptions,
  ): Promise<SingleResponse<Result<T, Q>>>;
  /** Reads a list to its end, page by page. No document is skipped or repeated while others write. */
  iterate<const Q extends IterateQuery<T> = NoQuery>(
    query?: Checked<T, Q, IterateQuery<T>>,
    options?: RequestOptions,
  ): AsyncGenerator<Result<T, Q>, void>;
  /** Counts, sums up and groups what a list would hold. */
  aggregate<const Q extends AggregateQuery<T> = NoQuery>(
    query?: Checked<T, Q, AggregateQuery<T>>,
    options?: RequestOptions,
  ): Promise<Aggregate<T, Q>>;
  /** Creates a document and publishes it, unless `status` is `draft`. */
  create<const Q extends WriteQuery<T> = NoQuery>(
    data: DataFor<Input, Q>,
    query?: Checked<T, Q, WriteQuery<T>>,
    options?: RequestOptions,
  ): Promise<SingleResponse<Result<T, Q>>>;
  /** Changes what `data` names and publishes it, unless `status` is `draft`. */
  update<const Q extends WriteQuery<T> = NoQuery>(
    documentId: string,
    data: UpdateRequest<Input>['data'],
    query?: Checked<T, Q, WriteQuery<T>>,
    options?: RequestOptions,
  ): Promise<SingleResponse<Result<T, Q>>>;
  /** Deletes a document, or with `locale` one of its localizations. */
  delete(documentId: string, query?: { readonly locale?: string }, options?: RequestOptions): Promise<void>;
  publish<const Q extends VersionQuery<T> = NoQuery>(
    documentId: string,
    query?: Checked<T, Q, VersionQuery<T>>,
    options?: RequestOptions,
  ): Promise<SingleResponse<Result<T, Q, 'published'>>>;
  unpublish<const Q extends VersionQuery<T> = NoQuery>(
    documentId: string,
    query?: Checked<T, Q, VersionQuery<T>>,
    options?: RequestOptions,
  ): Promise<SingleResponse<Result<T, Q, 'draft'>>>;
  /** Makes the draft what is published. */
  discardDraft<const Q extends VersionQuery<T> = NoQuery>(
    documentId: string,
    query?: Checked<T, Q, VersionQuery<T>>,
    options?: RequestOptions,
  ): Promise<SingleResponse<Result<T, Q, 'draft'>>>;
  /** Writes up to 1,000 documents in one transaction. */
  bulk<const Q extends BulkQuery<T> = NoQuery>(
    items: readonly BulkItem<Input>[],
    query?: Checked<T, Q, BulkQuery<T>>,
    options?: RequestOptions,
  ): Promise<BulkResponse<Result<T, Q, 'draft'>>>;
}

/** The document of a single type. */
export interface SingleType<T, Input> {
  find<const Q extends OneQuery<T> = NoQuery>(
    query?: Checked<T, Q, OneQuery<T>>,
    options?: RequestOptions,
  ): Promise<SingleResponse<Result<T, Q>>>;
  /** Changes what `data` names, or creates the document, and publishes it, unless `status` is `draft`. */
  update<const Q extends WriteQuery<T> = NoQuery>(
    data: UpdateRequest<Input>['data'],
    query?: Checked<T, Q, WriteQuery<T>>,
    options?: RequestOptions,
  ): Promise<SingleResponse<Result<T, Q>>>;
  delete(query?: { readonly locale?: string }, options?: RequestOptions): Promise<void>;
}
