import type { CheckedQuery } from '../../generate/typegen/checked-params.js';
import type {
  CursorPagination,
  ListResponse,
  OffsetPagination,
  PagePagination,
  SingleResponse,
  UpdateRequest,
} from '../../generate/typegen/declarations/api.js';
import type { FieldKey, PopulateKey, Query } from '../../generate/typegen/declarations/query.js';
import type { Result } from '../../generate/typegen/declarations/result.js';
import { createApiError } from './transport.js';
import type { ErrorBody, RequestOptions, Transport } from './transport.js';

type Names<Key> = Key | readonly Key[];

type TimeUnit = 'year' | 'month' | 'day' | 'hour';

/** The keys to group records by: attributes, times by unit, or to-one relations. */
type GroupBy<T> =
  | Names<FieldKey<T> | PopulateKey<T>>
  | { readonly [Key in FieldKey<T> | PopulateKey<T>]?: true | TimeUnit };

/** The parameters of `aggregate`. */
export interface AggregateQuery<T> extends Pick<
  Query<T>,
  'filters' | '_q' | 'status' | 'locale' | 'publicationFilter' | 'release'
> {
  readonly count?: boolean;
  readonly sum?: Names<FieldKey<T>>;
  readonly avg?: Names<FieldKey<T>>;
  readonly min?: Names<FieldKey<T>>;
  readonly max?: Names<FieldKey<T>>;
  readonly groupBy?: GroupBy<T>;
  /** The order of groups: `count:desc`, `sum.price`, `kind`. */
  readonly sort?: string | readonly string[];
  /** Limits the groups. */
  readonly pagination?: { readonly start?: number; readonly limit?: number };
}

type NamesIn<Value> = Value extends string
  ? Value
  : Value extends readonly (infer Name)[]
    ? Name
    : keyof Value;

type ValueOf<T, Key> = Key extends keyof T ? Exclude<T[Key], null | undefined> | null : never;

/** Integers of any size are text. */
type NumberOf<T, Key> = ValueOf<T, Key> extends number | null ? number | null : number | string | null;

type Sums<T, Q> = {
  readonly [Name in keyof Q & ('sum' | 'avg')]: {
    readonly [Key in NamesIn<Q[Name]> & string]: NumberOf<T, Key>;
  };
};

type Bounds<T, Q> = {
  readonly [Name in keyof Q & ('min' | 'max')]: {
    readonly [Key in NamesIn<Q[Name]> & string]: ValueOf<T, Key>;
  };
};

type HasValues<Q> = Extract<keyof Q, 'sum' | 'avg' | 'min' | 'max'> extends never ? false : true;

type Count<Q> = Q extends { readonly count: true }
  ? { readonly count: number }
  : HasValues<Q> extends true
    ? unknown
    : { readonly count: number };

type Figures<T, Q> = Count<Q> & Sums<T, Q> & Bounds<T, Q>;

type KeyOf<T, By, Key> =
  Key extends PopulateKey<T>
    ? string | null
    : By extends { readonly [Name in Key & string]: TimeUnit }
      ? string | null
      : ValueOf<T, Key>;

/** The result of an aggregate, derived from its parameters. */
export type Aggregate<T, Q> = Q extends { readonly groupBy: infer By }
  ? {
      readonly data: readonly (Figures<T, Q> & {
        readonly group: { readonly [Key in NamesIn<By> & string]: KeyOf<T, By, Key> };
      })[];
      readonly meta: {
        readonly pagination: { readonly start: number; readonly limit: number; readonly hasMore: boolean };
      };
    }
  : { readonly data: Figures<T, Q>; readonly meta: object };

type NoQuery = Readonly<Record<never, never>>;

/** Parameters of a read of one document. */
export type OneQuery<T> = Pick<Query<T>, 'fields' | 'populate' | 'status' | 'locale' | 'release'>;

/** Parameters of a write: the version to write, and the attributes to return. */
export type WriteQuery<T> = Pick<Query<T>, 'fields' | 'populate' | 'status'> & { readonly locale?: string };

/** Parameters of deleting and publishing. */
export type VersionQuery<T> = Omit<WriteQuery<T>, 'status'>;

/** Parameters of a copy to another locale. */
export type TranslateQuery<T> = WriteQuery<T> & {
  readonly locale: string;
  /** The locale to copy. Default: the default locale. */
  readonly from?: string;
  /** The attributes to copy, separated by commas. Default: all that have a value for each locale. */
  readonly attributes?: string;
};

/** Options of a write to an existing document. */
export interface WriteOptions extends RequestOptions {
  /**
   * The `updatedAt` of the document that the client has read. If it has changed since, the write throws
   * `ChangedError`.
   */
  readonly ifMatch?: string | undefined;
}

/** Parameters of a list that is read to its end. `limit` is the page size. */
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

/** The data of a write. Drafts may lack required attributes. */
type DataFor<Input, Q> = Q extends { readonly status: 'draft' } ? UpdateRequest<Input>['data'] : Input;

/** One write of a bulk request. */
export type BulkItem<Input> = { readonly locale?: string } & (
  | { readonly action: 'create'; readonly data: Input; readonly status?: 'published' }
  | { readonly action: 'create'; readonly data: UpdateRequest<Input>['data']; readonly status: 'draft' }
  | {
      readonly action: 'update';
      readonly documentId: string;
      readonly data: UpdateRequest<Input>['data'];
      readonly status?: 'draft' | 'published';
      readonly ifMatch?: string;
    }
  | {
      readonly action: 'delete' | 'publish' | 'unpublish' | 'discardDraft';
      readonly documentId: string;
      readonly ifMatch?: string;
    }
);

/** Parameters of a bulk request, which apply to all its items. */
export type BulkQuery<T> = WriteQuery<T> & {
  /** True if no item is written unless all can be. Default: true. */
  readonly atomic?: boolean;
};

/** The outcome of one item, with the status of a request for this item alone. */
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
  /** Reads a list to its end, page by page. Concurrent writes cause no skipped or repeated documents. */
  iterate<const Q extends IterateQuery<T> = NoQuery>(
    query?: Checked<T, Q, IterateQuery<T>>,
    options?: RequestOptions,
  ): AsyncGenerator<Result<T, Q>, void>;
  /** Counts, sums up and groups the documents of a list. */
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
  /** Updates the attributes in `data` and publishes the document, unless `status` is `draft`. */
  update<const Q extends WriteQuery<T> = NoQuery>(
    documentId: string,
    data: UpdateRequest<Input>['data'],
    query?: Checked<T, Q, WriteQuery<T>>,
    options?: WriteOptions,
  ): Promise<SingleResponse<Result<T, Q>>>;
  /** Copies a document to a locale that it does not have. Rejected with `ApiError` 412 if it has it. */
  translate<const Q extends TranslateQuery<T>>(
    documentId: string,
    query: Checked<T, Q, TranslateQuery<T>>,
    data?: UpdateRequest<Input>['data'],
    options?: RequestOptions,
  ): Promise<SingleResponse<Result<T, Q, 'draft'>>>;
  /** Deletes a document, or with `locale` one of its localizations. */
  delete(documentId: string, query?: { readonly locale?: string }, options?: WriteOptions): Promise<void>;
  publish<const Q extends VersionQuery<T> = NoQuery>(
    documentId: string,
    query?: Checked<T, Q, VersionQuery<T>>,
    options?: WriteOptions,
  ): Promise<SingleResponse<Result<T, Q, 'published'>>>;
  unpublish<const Q extends VersionQuery<T> = NoQuery>(
    documentId: string,
    query?: Checked<T, Q, VersionQuery<T>>,
    options?: WriteOptions,
  ): Promise<SingleResponse<Result<T, Q, 'draft'>>>;
  /** Replaces the draft with the published version. */
  discardDraft<const Q extends VersionQuery<T> = NoQuery>(
    documentId: string,
    query?: Checked<T, Q, VersionQuery<T>>,
    options?: WriteOptions,
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
  /** Updates or creates the document with `data` and publishes it, unless `status` is `draft`. */
  update<const Q extends WriteQuery<T> = NoQuery>(
    data: UpdateRequest<Input>['data'],
    query?: Checked<T, Q, WriteQuery<T>>,
    options?: WriteOptions,
  ): Promise<SingleResponse<Result<T, Q>>>;
  delete(query?: { readonly locale?: string }, options?: WriteOptions): Promise<void>;
}

interface Page {
  readonly data: readonly unknown[];
  readonly meta: { readonly pagination: { readonly next: string | null } };
}

/** Parameters whose exact types the public interfaces declare. */
type Params = object | undefined;

/** Yields the documents of a list, reading its pages by cursor. */
async function* iterate(
  find: (query: object, options?: RequestOptions) => Promise<unknown>,
  query: IterateQuery<object> = {},
  options?: RequestOptions,
): AsyncGenerator<unknown, void> {
  for (let after: string | null = ''; after !== null;) {
    const pagination = { limit: 100, ...query.pagination, after };
    const { data, meta } = (await find({ ...query, pagination }, options)) as Page;
    yield* data;
    after = meta.pagination.next;
  }
}

/** Returns the options of a request with the header for `ifMatch`. */
const withIfMatch = ({ ifMatch, headers, ...options }: WriteOptions = {}): RequestOptions => ({
  ...options,
  headers: { ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }), ...headers },
});

/** Creates the operations of one content-type. Those of single types have no documentId parameter. */
export function createContent(
  { send, options: { prefix } }: Transport,
  name: string,
): Collection<object, object> & SingleType<object, object> {
  const path = `${prefix}/${encodeURIComponent(name)}`;
  const documentPath = (documentId: string): string => `${path}/${encodeURIComponent(documentId)}`;
  const find = (query?: object, options?: RequestOptions): Promise<unknown> =>
    send('GET', path, { query, ...options });
  const bulk = (data: unknown, query?: object, options?: RequestOptions): Promise<unknown> =>
    send('POST', `${path}/bulk`, { body: { data }, query, ...options });
  const one =
    (action: BulkItem<object>['action']) =>
    async (
      documentId: string,
      query?: object,
      { ifMatch, ...options }: WriteOptions = {},
    ): Promise<unknown> => {
      const item = { action, documentId, ...(ifMatch === undefined ? {} : { ifMatch }) };
      const response = await bulk([item], { ...query, atomic: false }, options);
      const [outcome] = (response as { readonly data: readonly [BulkOutcome<object>] }).data;
      if (outcome.error !== undefined) throw createApiError(outcome.status, outcome.error);
      return { data: outcome.data, meta: {} };
    };
  const content = {
    find,
    findOne: (documentId: string, query?: object, options?: RequestOptions) =>
      send('GET', documentPath(documentId), { query, ...options }),
    iterate: (query?: object, options?: RequestOptions) => iterate(find, query, options),
    aggregate: (query?: object, options?: RequestOptions) =>
      send('GET', `${path}/aggregate`, { query, ...options }),
    create: (data: object, query?: object, options?: RequestOptions) =>
      send('POST', path, { body: { data }, query, ...options }),
    update: (...given: readonly [string, object, Params?, Params?] | readonly [object, Params?, Params?]) => {
      const [url, data, query, options] =
        typeof given[0] === 'string' ? [documentPath(given[0]), ...given.slice(1)] : [path, ...given];
      return send('PUT', url, {
        body: { data },
        query: query as Params,
        ...withIfMatch(options as WriteOptions),
      });
    },
    translate: (documentId: string, query: object, data?: object, options?: RequestOptions) =>
      send('POST', documentPath(documentId), { body: { data }, query, ...options }),
    delete: (...given: readonly [string, Params?, Params?] | readonly [Params?, Params?]) => {
      const [url, query, options] =
        typeof given[0] === 'string' ? [documentPath(given[0]), ...given.slice(1)] : [path, ...given];
      return send('DELETE', url, { query: query as Params, ...withIfMatch(options as WriteOptions) });
    },
    publish: one('publish'),
    unpublish: one('unpublish'),
    discardDraft: one('discardDraft'),
    bulk,
  };
  return content as never;
}
