import type { CheckedData, CheckedQuery } from '../generate/typegen/checked-params.js';
import type { Result } from '../generate/typegen/declarations/result.js';
import type { Schedule } from './schedules/schedule-store.js';

/**
 * The content types of a project by their UID. Empty here: the generated file types/server.d.ts of a project
 * adds its types.
 */
export interface ContentTypes {}

/** Other generated types of a project. Empty here, too: types/server.d.ts adds `prisma`. */
export interface ProjectTypes {}

/** Entry of `ContentTypes` for each UID. */
interface ContentTypeEntry {
  /** A document in the form of the API. */
  readonly document: object;
  /** The data that create a document. */
  readonly input: object;
  /** The parameters of a read. */
  readonly query: object;
}

/** Any document, if the types of a project are not generated. */
export interface AnyDocument {
  readonly documentId: string;
  readonly [attribute: string]: unknown;
}

/** Any parameters of a read, if the types of a project are not generated. */
interface AnyQuery {
  readonly filters?: unknown;
  readonly sort?: unknown;
  readonly fields?: unknown;
  readonly populate?: unknown;
  readonly pagination?: unknown;
  readonly status?: 'draft' | 'published';
  readonly locale?: string | readonly string[];
  readonly _q?: string;
  readonly hasPublishedVersion?: unknown;
  readonly publicationFilter?: unknown;
  readonly release?: string;
}

interface AnyEntry {
  readonly document: AnyDocument;
  readonly input: Readonly<Record<string, unknown>>;
  readonly query: AnyQuery;
}

/** The UIDs of a project's content-types; any text if the types of a project are not generated. */
export type ContentTypeUid = [keyof ContentTypes] extends [never] ? string : keyof ContentTypes & string;

type EntryOf<Uid extends string> = Uid extends keyof ContentTypes
  ? ContentTypes[Uid] extends ContentTypeEntry
    ? ContentTypes[Uid]
    : AnyEntry
  : AnyEntry;

/** A document of the content-type, in the form of the API. */
export type DocumentOf<Uid extends string> = EntryOf<Uid>['document'];

/** The data that create a document of the content type. */
export type InputOf<Uid extends string> = EntryOf<Uid>['input'];

/** The parameters of a read of the content type. */
export type QueryOf<Uid extends string> = EntryOf<Uid>['query'];

/** The Prisma Client generated for the project. */
export type ProjectPrismaClient = ProjectTypes extends { readonly prisma: infer Client } ? Client : unknown;

/** The parameters of a list. `start` and `limit` are a short form of `pagination`. */
type FindParams<Uid extends string> = QueryOf<Uid> & {
  readonly start?: number;
  readonly limit?: number;
};

/** The parameters of a read of one document. */
type FindOneParams<Uid extends string> = Omit<QueryOf<Uid>, 'pagination'> & {
  readonly documentId: string;
};

/** Rejects unknown names, which TypeScript would accept, since the parameters are inferred. */
type Checked<Uid extends string, Params, Names> = CheckedQuery<DocumentOf<Uid>, Params, Names> &
  (Params extends { readonly data: infer Data }
    ? { readonly data: CheckedData<Data, InputOf<Uid> & SystemInput> }
    : unknown);

type NoParams = Readonly<Record<never, never>>;

type ParameterOf<Query, Name extends string> = Query extends { readonly [Key in Name]?: infer Value }
  ? Value
  : never;

/** Selection of the returned version's fields and relations. */
interface ReturnParams<Uid extends string> {
  readonly fields?: ParameterOf<QueryOf<Uid>, 'fields'>;
  readonly populate?: ParameterOf<QueryOf<Uid>, 'populate'>;
}

/** Identifies one version of a document. */
interface VersionParams<Uid extends string> extends ReturnParams<Uid> {
  readonly documentId: string;
  /** Default: the default locale. */
  readonly locale?: string;
  /** The `updatedAt` of the draft that was read. If it has changed since, the write throws. */
  readonly ifMatch?: string;
}

/** Drafts may lack required attributes. */
type Draft<Input> = { readonly [Key in keyof Input]?: Input[Key] | null };

/** The returned version as the parameters select it; a draft by default. */
type Read<Uid extends string, Params> = Result<DocumentOf<Uid>, Params, 'draft'>;
type ReadPublished<Uid extends string, Params> = Result<DocumentOf<Uid>, Params>;

/** `published` writes the draft and publishes it; `draft`, the default, writes the draft only. */
type WrittenData<Input> =
  | { readonly status: 'published'; readonly data: Input }
  | { readonly status?: 'draft'; readonly data: Draft<Input> };

/** Values besides the attributes that code may set in the data of a version. Clients may not. */
interface SystemInput {
  readonly documentId?: string;
  readonly locale?: string | null;
  readonly createdAt?: Date | string;
  readonly updatedAt?: Date | string;
  readonly publishedAt?: Date | string;
}

/** The parameters of `create`. Drafts may lack required attributes. */
type CreateParams<Uid extends string> = ReturnParams<Uid> &
  WrittenData<InputOf<Uid> & SystemInput> & { readonly locale?: string };

/** The parameters of `update`. Attributes that `data` lacks keep their values; null clears them. */
type UpdateParams<Uid extends string> = VersionParams<Uid> & {
  readonly status?: 'draft' | 'published';
  readonly data: Draft<InputOf<Uid> & Pick<SystemInput, 'documentId' | 'locale' | 'createdAt'>>;
};

/** A part of a list. */
export interface DocumentPage<Document> {
  readonly results: readonly Document[];
  /** The cursor to pass as `after` for the next page; null on the last page. */
  readonly next: string | null;
  /** The cursor to pass as `before` for the previous page; null on the first page. */
  readonly previous: string | null;
}

type AttributeNames = string | readonly string[] | Readonly<Record<string, unknown>>;

/** The parameters of `aggregate`. */
type AggregateParams<Uid extends string> = Pick<
  QueryOf<Uid>,
  keyof QueryOf<Uid> &
    ('filters' | 'status' | 'locale' | '_q' | 'hasPublishedVersion' | 'publicationFilter' | 'release')
> & {
  readonly count?: boolean;
  readonly sum?: AttributeNames;
  readonly avg?: AttributeNames;
  readonly min?: AttributeNames;
  readonly max?: AttributeNames;
  /** Scalar attributes and links to one document; times also by a unit: `{ createdAt: 'month' }`. */
  readonly groupBy?: AttributeNames;
  /** `count:desc`, `sum.price`, or a name of `groupBy`. */
  readonly sort?: string | readonly string[];
  readonly pagination?: { readonly start?: number; readonly limit?: number };
};

/** Figures over documents. Large integers are text. Null if there are no values. */
interface Figures {
  readonly count?: number;
  readonly sum?: Readonly<Record<string, number | string | null>>;
  readonly avg?: Readonly<Record<string, number | null>>;
  readonly min?: Readonly<Record<string, unknown>>;
  readonly max?: Readonly<Record<string, unknown>>;
}

/** Figures over the documents that have the values of `group` in common. */
export interface FigureGroup extends Figures {
  readonly group: Readonly<Record<string, unknown>>;
}

/** One write of a bulk. Drafts may lack required attributes. */
type BulkItem<Uid extends string> =
  | {
      readonly action: 'create';
      readonly data: Draft<InputOf<Uid> & SystemInput>;
      readonly status?: 'draft' | 'published';
      readonly locale?: string;
    }
  | {
      readonly action: 'update';
      readonly documentId: string;
      readonly data: Draft<InputOf<Uid>>;
      readonly status?: 'draft' | 'published';
      readonly locale?: string;
      readonly ifMatch?: string;
    }
  | {
      readonly action: 'delete' | 'publish' | 'unpublish' | 'discardDraft';
      readonly documentId: string;
      readonly locale?: string;
      readonly ifMatch?: string;
    };

/** The parameters of `bulk`. `status` and `locale` are the defaults of its items. */
interface BulkParams<Uid extends string> extends ReturnParams<Uid> {
  readonly items: readonly BulkItem<Uid>[];
  /** False to write the other items if one cannot be written. Default: nothing is written then. */
  readonly atomic?: boolean;
  readonly status?: 'draft' | 'published';
  readonly locale?: string;
}

/** Outcome of one item of a bulk. `document` is null once it is deleted. */
type BulkResult<Document> =
  | { readonly documentId: string; readonly document: Document | null; readonly error?: never }
  | { readonly documentId?: never; readonly document?: never; readonly error: Error };

/**
 * The documents of one content-type, read and written without limits of access. Reads return drafts
 * unless `status` is `published`. A missing document is null.
 *
 * @example
 *   const articles = documents('api::article.article');
 *   const latest = await articles.findMany({ sort: 'createdAt:desc', limit: 5, status: 'published' });
 *   await articles.update({ documentId: latest[0].documentId, data: { title: 'Changed' } });
 */
export interface DocumentRepository<Uid extends string = ContentTypeUid> {
  readonly findMany: <const Params extends FindParams<Uid> = NoParams>(
    params?: Params & Checked<Uid, Params, keyof FindParams<Uid>>,
  ) => Promise<readonly Read<Uid, Params>[]>;
  /**
   * Returns one page of a list of any length, and the cursors of its neighbours. `pagination` accepts `limit`
   * (default 25), and a cursor as `after` or `before`.
   */
  readonly findPage: <const Params extends QueryOf<Uid> = NoParams>(
    params?: Params & Checked<Uid, Params, keyof QueryOf<Uid>>,
  ) => Promise<DocumentPage<Read<Uid, Params>>>;
  readonly findFirst: <const Params extends FindParams<Uid> = NoParams>(
    params?: Params & Checked<Uid, Params, keyof FindParams<Uid>>,
  ) => Promise<Read<Uid, Params> | null>;
  readonly findOne: <const Params extends FindOneParams<Uid>>(
    params: Params & Checked<Uid, Params, keyof FindOneParams<Uid>>,
  ) => Promise<Read<Uid, Params> | null>;
  readonly count: (params?: FindParams<Uid>) => Promise<number>;
  /** Returns figures over documents: one object, or with `groupBy` a list of groups. */
  readonly aggregate: <const Params extends AggregateParams<Uid>>(
    params: Params,
  ) => Promise<Params extends { readonly groupBy: unknown } ? readonly FigureGroup[] : Figures>;
  readonly create: <const Params extends CreateParams<Uid>>(
    params: Params & Checked<Uid, Params, keyof ReturnParams<Uid> | 'status' | 'data' | 'locale'>,
  ) => Promise<Read<Uid, Params>>;
  readonly update: <const Params extends UpdateParams<Uid>>(
    params: Params & Checked<Uid, Params, keyof UpdateParams<Uid>>,
  ) => Promise<Read<Uid, Params> | null>;
  /** `locale: '*'` deletes all locales. */
  readonly delete: (params: {
    readonly documentId: string;
    readonly locale?: string;
    readonly ifMatch?: string;
  }) => Promise<{ readonly documentId: string } | null>;
  readonly publish: <const Params extends VersionParams<Uid>>(
    params: Params & Checked<Uid, Params, keyof VersionParams<Uid>>,
  ) => Promise<ReadPublished<Uid, Params> | null>;
  readonly unpublish: <const Params extends VersionParams<Uid>>(
    params: Params & Checked<Uid, Params, keyof VersionParams<Uid>>,
  ) => Promise<Read<Uid, Params> | null>;
  readonly discardDraft: <const Params extends VersionParams<Uid>>(
    params: Params & Checked<Uid, Params, keyof VersionParams<Uid>>,
  ) => Promise<Read<Uid, Params> | null>;
  /**
   * Schedules the publication of a draft and the removal of the published version. Null cancels a time; a
   * missing time stays. Returns null if the draft does not exist.
   */
  readonly schedule: (params: {
    readonly documentId: string;
    readonly locale?: string;
    readonly publishAt?: Date | string | null;
    readonly unpublishAt?: Date | string | null;
  }) => Promise<Schedule | null>;
  readonly findSchedule: (params: {
    readonly documentId: string;
    readonly locale?: string;
  }) => Promise<Schedule | null>;
  /** Writes many documents in one transaction, with the effect of single writes in this order. */
  readonly bulk: <const Params extends BulkParams<Uid>>(
    params: Params,
  ) => Promise<readonly BulkResult<Read<Uid, Params>>[]>;
}

/**
 * Returns the documents of a content type.
 *
 * @throws `project/unknown-content-type`
 */
export type GetRepository = <Uid extends ContentTypeUid>(uid: Uid) => DocumentRepository<Uid>;
