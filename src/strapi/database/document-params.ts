import { accessIn, defaultStatusOfCode, fromCode, FULL_ACCESS } from '../../query/read-access.js';
import type { Database } from '../../database/database.js';
import type { DocumentService, Precondition, RecordText } from '../../documents/documents.js';
import type { DocumentHooks } from '../../documents/hooks.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import type { ContentModel, ContentType, Uid } from '../../model/model.js';
import { typeOf } from '../../model/lookup.js';
import { parseReadQuery, parseSelection } from '../../query/parse/parse-read-query.js';
import { parseLocale, parseStatus } from '../../query/parse/parse-version.js';
import type { ReadQuery, Selection } from '../../query/query.js';
import { SERVER_LIMITS } from '../../query/read-context.js';
import type { Logger } from '../../server/logger.js';
import { completeEntry, withoutAbsent, withoutAbsentFields } from './entry-shape.js';
import { exposeModel } from '../../query/schema-fields.js';
import { sliceOf } from './query-params.js';
import type { Entry, VersionReader } from './version-reader.js';

export type Params = Readonly<Record<string, unknown>>;

export interface Entries {
  readonly documentId: string | undefined;
  readonly entries: readonly Entry[];
}

/** `strapi.documents(uid)` */
export interface StrapiDocuments {
  readonly findMany: (params?: Params) => Promise<Entry[]>;
  readonly findFirst: (params?: Params) => Promise<Entry | null>;
  readonly findOne: (params: Params) => Promise<Entry | null>;
  readonly count: (params?: Params) => Promise<number>;
  readonly create: (params: Params) => Promise<Entry>;
  readonly update: (params: Params) => Promise<Entry | null>;
  readonly delete: (params: Params) => Promise<Entries>;
  readonly clone: (params: Params) => Promise<Entries>;
  /** Types without drafts lack this, `unpublish` and `discardDraft`. */
  readonly publish?: (params: Params) => Promise<Entries>;
  readonly unpublish?: (params: Params) => Promise<Entries>;
  readonly discardDraft?: (params: Params) => Promise<Entries>;
}

export interface StrapiDocumentsDependencies {
  readonly model: ContentModel;
  readonly database: Database;
  readonly documents: DocumentService;
  readonly hooks: DocumentHooks;
  readonly reader: VersionReader;
  readonly defaultLocale: () => string;
  readonly contentTypeOf: (uid: Uid) => unknown;
  /** Types whose rows are not documents. */
  readonly rowTypes: Readonly<Record<Uid, { readonly documents: StrapiDocuments }>>;
  readonly log: Pick<Logger, 'warn'>;
}

export interface TypeDocuments extends StrapiDocumentsDependencies {
  readonly type: ContentType;
  readonly call: string;
}

/** Parses a record of the document service, and completes it to Strapi's form. */
export const parseEntry = (
  { model, type }: TypeDocuments,
  { selection, params }: { readonly selection: Selection; readonly params: Params },
  text: RecordText,
): Entry => {
  const exposed = exposeModel(model);
  const { fields, populate } = params;
  const entry = JSON.parse(text) as Entry;
  return completeEntry(
    exposed,
    typeOf(exposed, type.uid),
    { selection, requested: { fields, populate } },
    entry,
  );
};

export const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const requireDocumentId = (
  { call }: TypeDocuments,
  method: string,
  { documentId }: Params,
): string => {
  if (typeof documentId === 'string') return documentId;
  throw createError('strapi/invalid-call', {
    call: `${call}.${method}`,
    reason: 'it requires { documentId } with a string',
  });
};

/** Returns the status; by default, `draft`. @throws `request/invalid-parameter` */
export const statusOrDraft = (value: unknown): 'draft' | 'published' => parseStatus(value ?? 'draft');

/** Returns the locale of a write. Undefined for the default locale. @throws `request/invalid-parameter` */
export const parseWriteLocale = (value: unknown): string | undefined => nonEmptyText(parseLocale(value, ''));

/** Returns the data of a write. Missing data count as empty, as in Strapi. */
export const requireData = (
  { call }: TypeDocuments,
  method: string,
  params: Params,
): Readonly<Record<string, unknown>> => {
  const data = params['data'] ?? {};
  if (isRecord(data)) return data;
  throw createError('strapi/invalid-call', {
    call: `${call}.${method}`,
    reason: 'it requires { data } with an object',
  });
};

/** True if code passes both a page and an offset. The limit of `findFirst` does not count. */
const mixesPages = ({ page, pageSize, start, limit }: Params, isFirst: boolean): boolean => {
  const isPresent = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
  return [page, pageSize].some(isPresent) && [start, isFirst ? undefined : limit].some(isPresent);
};

export const parseDocumentQuery = (
  { model, type, defaultLocale }: TypeDocuments,
  params: Params,
  { paginated, isFirst = false }: { readonly paginated: boolean; readonly isFirst?: boolean },
): ReadQuery => {
  const { pagination, start, limit, page, pageSize, status, populate, ...rest } = params;
  const exposed = exposeModel(model);
  const range = isRecord(pagination) ? pagination : {};
  // A query that a controller has sanitized carries the access of its client.
  const access = accessIn(params) ?? FULL_ACCESS;
  if (mixesPages(params, isFirst)) throw createError('request/mixed-pagination');
  const query = parseReadQuery(
    exposed,
    type.uid,
    {
      ...rest,
      fields: withoutAbsentFields(type, rest['fields']),
      status: status === undefined ? defaultStatusOfCode(access, type) : statusOrDraft(status),
      populate: populate === true ? '*' : withoutAbsent(type, populate),
      pagination: sliceOf(
        {
          limit: limit ?? range['limit'],
          offset: start ?? range['start'],
          page: page ?? range['page'],
          pageSize: pageSize ?? range['pageSize'],
        },
        'start',
      ),
    },
    {
      access,
      action: paginated || type.kind === 'singleType' ? 'find' : 'findOne',
      limits: SERVER_LIMITS,
      defaultLocale: defaultLocale(),
      paginated,
    },
  );
  return fromCode(query, { params, access: accessIn(params), isFirst });
};

export const parseCallSelection = ({ model, type }: TypeDocuments, params: Params): Selection => {
  const { fields, populate } = params;
  const exposed = exposeModel(model);
  return parseSelection(
    exposed,
    type.uid,
    {
      fields: withoutAbsentFields(type, fields),
      populate: populate === true ? '*' : withoutAbsent(type, populate),
    },
    { access: accessIn(params) ?? FULL_ACCESS, limits: SERVER_LIMITS },
  );
};

/** The key of a client's precondition in the parameters of a write. Copies made by spreading keep it. */
export const IF_MATCH = Symbol('ifMatch');

/** Returns the precondition in the parameters of a write. */
export function preconditionIn(params: Params): Precondition | undefined {
  return Reflect.get(params, IF_MATCH) as Precondition | undefined;
}
