import type { ContentTypeUid, DocumentOf, InputOf, QueryOf } from './project-types.js';

/** The parameters of a list. `start` and `limit` are a short form of `pagination`. */
type FindParams<Uid extends string> = QueryOf<Uid> & {
  readonly start?: number;
  readonly limit?: number;
};

/** The parameters of a read of one document. */
type FindOneParams<Uid extends string> = Omit<QueryOf<Uid>, 'pagination'> & {
  readonly documentId: string;
};

type ParameterOf<Query, Name extends string> = Query extends { readonly [Key in Name]?: infer Value }
  ? Value
  : never;

/** Which part of the written version is returned. */
interface ReturnParams<Uid extends string> {
  readonly fields?: ParameterOf<QueryOf<Uid>, 'fields'>;
  readonly populate?: ParameterOf<QueryOf<Uid>, 'populate'>;
}

/** Names one version of a document. */
interface VersionParams<Uid extends string> extends ReturnParams<Uid> {
  readonly documentId: string;
  /** Default: the default locale. */
  readonly locale?: string;
}

/** `published` writes the draft and publishes it; `draft`, the default, writes the draft only. */
type WrittenData<Input> =
  | { readonly status: 'published'; readonly data: Input }
  | { readonly status?: 'draft'; readonly data: Partial<Input> };

/** The parameters of `create`. Drafts may lack required attributes. */
type CreateParams<Uid extends string> = ReturnParams<Uid> &
  WrittenData<InputOf<Uid>> & { readonly locale?: string };

/** The parameters of `update`. Attributes that `data` lacks keep their values; null clears them. */
type UpdateParams<Uid extends string> = VersionParams<Uid> & {
  readonly status?: 'draft' | 'published';
  readonly data: { readonly [Key in keyof InputOf<Uid>]?: InputOf<Uid>[Key] | null };
};

type OptionalKeys<T> = { [Key in keyof T]-?: undefined extends T[Key] ? Key : never }[keyof T];

type PopulatedKeys<Document, Populate> = Populate extends '*'
  ? OptionalKeys<Document>
  : Populate extends string
    ? Populate & keyof Document
    : Populate extends readonly (infer Key)[]
      ? Key & keyof Document
      : keyof Populate & keyof Document;

/** A document whose populated attributes are present. */
type DocumentWith<Document, Params> = Params extends { readonly populate: infer Populate }
  ? Document & {
      readonly [Key in PopulatedKeys<Document, Populate>]-?: Exclude<Document[Key], undefined>;
    }
  : Document;

/**
 * The documents of one content type, read and written with the server's own rights. Reads return drafts
 * unless `status` is `published`. A missing document is null.
 *
 * @example
 *   const articles = documents('api::article.article');
 *   const latest = await articles.findMany({ sort: 'createdAt:desc', limit: 5, status: 'published' });
 *   await articles.update({ documentId: latest[0].documentId, data: { title: 'Changed' } });
 */
export interface DocumentRepository<Uid extends string = ContentTypeUid> {
  readonly findMany: <Params extends FindParams<Uid>>(
    params?: Params,
  ) => Promise<readonly DocumentWith<DocumentOf<Uid>, Params>[]>;
  readonly findFirst: <Params extends FindParams<Uid>>(
    params?: Params,
  ) => Promise<DocumentWith<DocumentOf<Uid>, Params> | null>;
  readonly findOne: <Params extends FindOneParams<Uid>>(
    params: Params,
  ) => Promise<DocumentWith<DocumentOf<Uid>, Params> | null>;
  readonly count: (params?: FindParams<Uid>) => Promise<number>;
  readonly create: <Params extends CreateParams<Uid>>(
    params: Params,
  ) => Promise<DocumentWith<DocumentOf<Uid>, Params>>;
  readonly update: <Params extends UpdateParams<Uid>>(
    params: Params,
  ) => Promise<DocumentWith<DocumentOf<Uid>, Params> | null>;
  /** `locale: '*'` deletes all locales. */
  readonly delete: (params: {
    readonly documentId: string;
    readonly locale?: string;
  }) => Promise<{ readonly documentId: string } | null>;
  readonly publish: (params: VersionParams<Uid>) => Promise<DocumentOf<Uid> | null>;
  readonly unpublish: (params: VersionParams<Uid>) => Promise<DocumentOf<Uid> | null>;
  readonly discardDraft: (params: VersionParams<Uid>) => Promise<DocumentOf<Uid> | null>;
}

/**
 * Returns the documents of a content type.
 *
 * @throws `project/unknown-content-type`
 */
export type GetRepository = <Uid extends ContentTypeUid>(uid: Uid) => DocumentRepository<Uid>;
