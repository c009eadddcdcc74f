import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../../access/access.js';
import type { AccountContext } from '../../access/accounts/account-context.js';
import type { Definitions } from '../../model/content-types/definition.js';
import type {
  DocumentService,
  DryRunner,
  ImportProgressStore,
  CreateParams,
} from '../../documents/documents.js';
import type { DocumentHistory } from '../../documents/versions/document-history.js';
import type { AdministrationContext } from '../administration/operation.js';
import type { CacheHeaders } from '../http/cache-headers.js';
import type { ResponseCache } from '../http/response-cache.js';
import type { MediaMaintenance } from '../../media/media.js';
import type { ContentModel, ContentType, Uid, VersionStatus } from '../../model/model.js';
import type { QueryLimits } from '../../query/read-context.js';
import { createError } from '../../errors/catalogue.js';
import { deepFreeze, isRecord } from '../../lib/records.js';
import { fromClient } from '../../query/read-access.js';
import { parseDocumentId, parseLocale, sentStatus } from '../../query/parse/parse-version.js';
import { parseReadQuery, parseSelection } from '../../query/parse/parse-read-query.js';
import type { ReadQuery } from '../../query/query.js';
import { parseQueryString } from './parse-query-string.js';
import type { QueryCache } from './parse-query-string.js';
import { callerOf } from '../http/request-lifecycle.js';
import { addedValuesOf } from './guard.js';

/** Dependencies of the endpoints for remote commands. */
export interface RemoteDependencies {
  /** The version of this package. */
  readonly version: string;
  readonly dryRun: DryRunner;
  readonly media: MediaMaintenance;
  readonly progress: ImportProgressStore;
  readonly administration: Omit<AdministrationContext, 'grants' | 'rights'>;
}

/** Dependencies of the REST transport. */
export interface RestDependencies {
  readonly model: ContentModel;
  readonly documents: DocumentService;
  /** Service for the endpoints of published versions. */
  readonly history?: DocumentHistory;
  readonly access: Access;
  /** `/api` */
  readonly prefix: string;
  readonly limits: QueryLimits;
  /** Maximum number of items in one bulk request. */
  readonly maxBulk: number;
  /** Maximum bytes of the body of a bulk request. Default: the limit of other requests. */
  readonly bulkBodyLimit?: number;
  /** True: reads reject unknown parameters. Default: they ignore them, as in Strapi. */
  readonly strictParams?: boolean;
  /** The schemas that clients may read. Absent: their endpoints do not exist. */
  readonly definitions?: Pick<Definitions, 'types' | 'components'>;
  /** Dependencies of the endpoints for remote commands. Absent: these endpoints do not exist. */
  readonly remote?: RemoteDependencies;
  /** Users, roles and signing in. Absent: these endpoints do not exist. */
  readonly accounts?: AccountContext;
  /** True if project code wraps reads of the type. Absent: it wraps none. */
  readonly wrapsReads?: (type: Uid) => boolean;
  /** Cache of responses. Absent: every response is read from the database. */
  readonly cache?: ResponseCache;
  /** Headers for shared caches. Absent: only those of schema files. */
  readonly cacheHeaders?: CacheHeaders | undefined;
}

/** Dependencies of handlers that read. */
export interface ReadDependencies extends RestDependencies {
  readonly queries: QueryCache;
}

/** Sends the response to a request whose caller has the required permission. */
export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Handlers by the names of their operations. */
export type Handlers = Readonly<Record<string, Handler>>;

/** Returns the query string as sent, without the question mark. */
export function queryTextOf(request: FastifyRequest): string {
  const { url } = request;
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** Returns the parsed query string. */
export function queryOf(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const text = queryTextOf(request);
  return text === '' ? {} : parseQueryString(text);
}

/** Returns the document id in the path, or null if it cannot be the id of a document. */
export function documentIdOf(request: FastifyRequest): string | null {
  const { documentId } = request.params as { readonly documentId?: string };
  return parseDocumentId(documentId);
}

/**
 * Returns the client's `data`, without keys that only project code reads. Throws `request/missing-data`
 * unless it is an object.
 */
export function dataOf(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const data = isRecord(request.body) ? request.body['data'] : undefined;
  if (!isRecord(data)) throw createError('request/missing-data');
  const { data: added } = addedValuesOf(request);
  return Object.keys(added).some((name) => Object.hasOwn(data, name))
    ? Object.fromEntries(Object.entries(data).filter(([name]) => !Object.hasOwn(added, name)))
    : data;
}

/** Returns the query string with the parsed values of parameters that project code has added. */
const paramsOf = (request: FastifyRequest): Readonly<Record<string, unknown>> => ({
  ...queryOf(request),
  ...addedValuesOf(request).query,
});

/** Returns the value of `:id` in the path. */
export function idParameterOf(request: FastifyRequest): string | undefined {
  return (request.params as { readonly id?: string }).id;
}

/**
 * Parses a read request, checked against the model and the caller's access.
 *
 * @param options.isList true if the request reads a page of a list, false if it reads one document
 * @param options.status replaces that of the request
 */
export function readQueryOf(
  { model, limits, access }: RestDependencies,
  type: ContentType,
  request: FastifyRequest,
  { isList, status }: { readonly isList: boolean; readonly status?: VersionStatus },
): ReadQuery {
  const params = status === undefined ? paramsOf(request) : { ...paramsOf(request), status };
  const rights = access.readAccessOf(callerOf(request));
  const action = isList || type.kind === 'singleType' ? 'find' : 'findOne';
  const query = parseReadQuery(model, type.uid, params, {
    limits,
    access: rights,
    action,
    defaultLocale: access.locales.defaultCode(),
    paginated: isList,
  });
  return deepFreeze(fromClient(query, { access: rights, action, params }));
}

/**
 * Like {@link readQueryOf}, but returns a cached query if a caller with the same grants has sent the same
 * request.
 */
export function cachedQueryOf(
  dependencies: ReadDependencies,
  type: ContentType,
  request: FastifyRequest,
  isList: boolean,
): ReadQuery {
  const { access, queries } = dependencies;
  const caller = callerOf(request);
  const parse = (): ReadQuery => readQueryOf(dependencies, type, request, { isList });
  if (access.readAccessOf(caller).scopeOf !== undefined) return parse();
  return queries.getOrParse(
    caller.grants,
    { uid: type.uid, isList, defaultLocale: access.locales.defaultCode(), text: queryTextOf(request) },
    parse,
  );
}

/** Returns the locale of a request, or the default locale. */
export function localeOf({ access }: RestDependencies, request: FastifyRequest): string {
  return parseLocale(queryOf(request)['locale'], access.locales.defaultCode());
}

interface WriteOptions {
  readonly action: 'create' | 'update';
  /** Default: the data of the request, which must have some. */
  readonly data?: CreateParams['data'];
  /** The status if the request names none. Default: `published`. */
  readonly defaultStatus?: VersionStatus;
}

/** Parses a write request: the data, the version to write, and the selection of the response. */
export function writeParamsOf(
  { model, limits, access }: RestDependencies,
  type: ContentType,
  request: FastifyRequest,
  { action, data: sent = dataOf(request), defaultStatus = 'published' }: WriteOptions,
): CreateParams {
  const query = paramsOf(request);
  const rights = access.readAccessOf(callerOf(request));
  const status = sentStatus(query['status']) ?? defaultStatus;
  const written: CreateParams = {
    type: type.uid,
    data: sent,
    locale: parseLocale(query['locale'], access.locales.defaultCode()),
    status,
    access: rights,
    selection: parseSelection(model, type.uid, query, { limits, access: rights, action, status }),
  };
  const { data } = addedValuesOf(request);
  return fromClient(written, { access: rights, action, params: query, data });
}
