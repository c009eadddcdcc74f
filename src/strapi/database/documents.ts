import type { ContentTypeUid } from '../../documents/document-repository.js';
import type { Uid } from '../../model/model.js';
import type { ReadQuery } from '../../query/query.js';
import { accessIn } from '../../query/read-access.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { toDocumentParams } from './query-params.js';
import { checkedCalls, DOCUMENT_PARAMS, ENTITY_PARAMS } from './call-params.js';
import { useDocumentMiddleware } from './document-middlewares.js';
import type { StrapiMiddleware } from './document-middlewares.js';
import { createContentWrites, createDelete, createDraftActions } from './document-writes.js';
import { parseEntry, parseDocumentQuery } from './document-params.js';
import type {
  Params,
  StrapiDocuments,
  StrapiDocumentsDependencies,
  TypeDocuments,
} from './document-params.js';
import { unknownTypeError, withUnavailable } from '../unavailable.js';
import type { Entry } from './version-reader.js';
import type { QueryEngine } from './query-engine.js';

/** `strapi.documents` */
export interface DocumentsFunction {
  (uid: ContentTypeUid): StrapiDocuments;
  readonly use: (middleware: StrapiMiddleware) => () => void;
  /** True if middlewares of the project read the parameters of calls. */
  readonly findsParams: () => boolean;
}

const createReads = (
  context: TypeDocuments,
): Pick<StrapiDocuments, 'findMany' | 'findFirst' | 'findOne' | 'count'> => {
  const { documents } = context;
  const read = async (query: ReadQuery, params: Params): Promise<Entry[]> => {
    const { records } = await documents.findMany(query);
    return records.map((record) => parseEntry(context, { selection: query.selection, params }, record));
  };
  return {
    findMany: async (given = {}) => {
      const params = toDocumentParams(given);
      return read(parseDocumentQuery(context, params, { paginated: true }), params);
    },
    findFirst: async (given = {}) => {
      const params = toDocumentParams(given);
      const query = parseDocumentQuery(context, { ...params, limit: 1 }, { paginated: true, isFirst: true });
      return (await read(query, params))[0] ?? null;
    },
    findOne: async ({ documentId, ...given }) => {
      const params = toDocumentParams(given);
      // As in Strapi: callers pass ids that may be missing.
      if (typeof documentId !== 'string') return null;
      const query = parseDocumentQuery(context, params, { paginated: false });
      const record = await documents.findOne(query, documentId);
      return record === null ? null : parseEntry(context, { selection: query.selection, params }, record);
    },
    count: async (params = {}) =>
      documents.count(parseDocumentQuery(context, toDocumentParams(params), { paginated: true })),
  };
};

/** Methods that types without drafts lack. Code checks whether they exist before it calls them. */
const DRAFT_ACTIONS: readonly string[] = ['publish', 'unpublish', 'discardDraft'];

/** Creates `strapi.documents`. */
export function createStrapiDocuments(dependencies: StrapiDocumentsDependencies): DocumentsFunction {
  const { model, hooks, defaultLocale, contentTypeOf, rowTypes } = dependencies;
  const repositories = new Map<Uid, StrapiDocuments>();
  /** The middlewares of the project, which read all parameters of a call. */
  const middlewares = new Set<() => void>();
  const open = (uid: Uid): StrapiDocuments => {
    const rowType = Object.hasOwn(rowTypes, uid) ? rowTypes[uid] : undefined;
    if (rowType !== undefined) return rowType.documents;
    const type = model.typesByUid[uid];
    if (type === undefined) throw unknownTypeError(model, 'strapi.documents', uid);
    const call = `strapi.documents('${uid}')`;
    const context = { ...dependencies, type, call };
    const methods: StrapiDocuments = {
      ...createReads(context),
      ...createContentWrites(context),
      delete: createDelete(context),
      ...(type.draftAndPublish ? createDraftActions(context) : {}),
    };
    const isSeen = (params: object): boolean => accessIn(params) !== undefined || middlewares.size > 0;
    return withUnavailable(checkedCalls(methods, { call, params: DOCUMENT_PARAMS, isSeen }), call, {
      absent: type.draftAndPublish ? [] : DRAFT_ACTIONS,
    });
  };
  const documents = (uid: Uid): StrapiDocuments => {
    const known = repositories.get(uid) ?? open(uid);
    repositories.set(uid, known);
    return known;
  };
  return Object.assign(documents, {
    use: (middleware: StrapiMiddleware) => {
      const remove = useDocumentMiddleware({ model, hooks, defaultLocale, contentTypeOf }, middleware);
      middlewares.add(remove);
      return () => {
        middlewares.delete(remove);
        remove();
      };
    },
    findsParams: () => middlewares.size > 0,
  });
}

type EntityParams = Readonly<Record<string, unknown>>;

/** `strapi.entityService`, which identifies rows by their numeric ids. */
export interface EntityService {
  readonly findMany: (uid: Uid, params?: EntityParams) => Promise<Entry[] | Entry | null>;
  readonly findPage: (uid: Uid, params?: EntityParams) => Promise<unknown>;
  readonly findOne: (uid: Uid, id: unknown, params?: EntityParams) => Promise<Entry | null>;
  readonly count: (uid: Uid, params?: EntityParams) => Promise<number>;
  readonly create: (uid: Uid, params: EntityParams) => Promise<Entry>;
  readonly update: (uid: Uid, id: unknown, params: EntityParams) => Promise<Entry | null>;
  readonly delete: (uid: Uid, id: unknown, params?: EntityParams) => Promise<Entry | null>;
  readonly load: (
    uid: Uid,
    entry: unknown,
    field: string | readonly string[],
    params?: EntityParams,
  ) => Promise<unknown>;
  readonly loadPages: (
    uid: Uid,
    entry: unknown,
    field: string,
    params?: EntityParams,
    pagination?: EntityParams,
  ) => Promise<unknown>;
  /** Replaces operations with those that a function returns for the current ones. */
  readonly decorate: (decorator: (operations: EntityService) => Partial<EntityService>) => EntityService;
}

interface EntityServiceDependencies {
  readonly documents: DocumentsFunction;
  readonly query: (uid: Uid) => QueryEngine;
  readonly isSingleType: (uid: Uid) => boolean;
  /** True if middlewares of the project read the parameters of operations. */
  readonly isSeen: () => boolean;
}

/** The statuses for values of `publicationState`. */
const STATES: ReadonlyMap<unknown, string> = new Map([
  ['live', 'published'],
  ['preview', 'draft'],
]);

/** Replaces `publicationState` with `status`. @throws `request/invalid-parameter` */
const withStatus = ({ publicationState, ...params }: EntityParams): EntityParams => {
  if (publicationState === undefined || publicationState === null) return params;
  const status = STATES.get(publicationState);
  if (status === undefined)
    throw createError('request/invalid-parameter', {
      parameter: 'publicationState',
      reason: `it must be ${[...STATES.keys()].map(String).join(' or ')}.`,
    });
  return { status, ...params };
};

/** Returns the status of an entry: `draft` if its data set `publishedAt` to null. */
const statusFromData = ({ data }: EntityParams): string =>
  isRecord(data) && data['publishedAt'] === null ? 'draft' : 'published';

const findPage = async (
  { findMany, count }: StrapiDocuments,
  { page = 1, pageSize = 10, ...rest }: EntityParams,
): Promise<unknown> => {
  const numbers = { page: Number(page), pageSize: Number(pageSize) };
  const results = await findMany({ ...rest, ...numbers });
  const total = await count(rest);
  return { results, pagination: { ...numbers, pageCount: Math.ceil(total / numbers.pageSize), total } };
};

/** The index of the argument that holds the parameters, by method. */
const POSITIONS = {
  findMany: 1,
  findPage: 1,
  count: 1,
  create: 1,
  findOne: 2,
  update: 2,
  delete: 2,
  load: 3,
  loadPages: 3,
};

const WRAPPING = 'Wrap the operations with strapi.documents.use((context, next) => …).';
const REMEDIES = { wrapParams: WRAPPING, wrapResult: WRAPPING };

type Operations = Record<string, (...args: readonly unknown[]) => unknown>;

/** Adds `decorate`, which replaces operations with those that a function returns for the current ones. */
const withDecorate = (operations: Operations): Operations => {
  let current = operations;
  const call =
    (name: string) =>
    (...args: readonly unknown[]): unknown =>
      current[name]?.(...args);
  const service: Operations = Object.fromEntries(Object.keys(operations).map((name) => [name, call(name)]));
  return Object.assign(service, {
    decorate: (decorator: (operations: Operations) => Operations) => {
      current = { ...current, ...decorator(current) };
      for (const name of Object.keys(current)) service[name] ??= call(name);
      return service;
    },
  });
};

/** Creates the service of Strapi 4's form, which Strapi 5 still has. */
export function createEntityService({
  documents,
  query,
  isSingleType,
  isSeen,
}: EntityServiceDependencies): EntityService {
  const findRow = async (uid: Uid, id: unknown): Promise<Entry | null> => {
    if (id === undefined || id === null)
      throw createError('strapi/invalid-call', {
        call: `strapi.entityService (${uid})`,
        reason: 'it requires an id',
      });
    return query(uid).findOne({ where: { id } });
  };
  /** Returns the parameters of the document service that identify a version. */
  const identify = ({ documentId, locale }: Entry): EntityParams => ({
    documentId,
    ...(typeof locale === 'string' ? { locale } : {}),
  });
  const operations: Omit<EntityService, 'decorate'> = {
    findMany: async (uid, params = {}) =>
      isSingleType(uid)
        ? documents(uid).findFirst(withStatus(params))
        : documents(uid).findMany(withStatus(params)),
    findPage: (uid, params = {}) => findPage(documents(uid), withStatus(params)),
    findOne: async (uid, id, params = {}) => {
      const row = await findRow(uid, id);
      if (row === null) return null;
      const draft = await documents(uid).findOne({ ...identify(row), ...withStatus(params) });
      const { fields, populate } = params;
      return draft ?? query(uid).findOne({ where: { id: row.id }, select: fields, populate });
    },
    count: (uid, params = {}) => documents(uid).count(withStatus(params)),
    create: async (uid, params) => documents(uid).create({ status: statusFromData(params), ...params }),
    update: async (uid, id, params) => {
      const row = await findRow(uid, id);
      if (row === null) return null;
      const status = row['publishedAt'] === null ? 'draft' : 'published';
      return documents(uid).update({ status, ...identify(row), ...params, documentId: row.documentId });
    },
    delete: async (uid, id, params = {}) => {
      const row = await findRow(uid, id);
      if (row === null) return null;
      const { documentId } = row;
      const { entries } = await documents(uid).delete({ ...identify(row), ...params, documentId });
      return entries.find((entry) => entry.id === row.id) ?? entries[0] ?? null;
    },
    load: (uid, entry, field, params) => query(uid).load(entry, field, params),
    loadPages: (uid, entry, field, params, pagination) =>
      query(uid).loadPages(entry, field, { ...params, ...pagination }),
  };
  const checks = {
    call: 'strapi.entityService',
    params: ENTITY_PARAMS,
    positions: POSITIONS,
    isSeen: (params: object) => accessIn(params) !== undefined || isSeen(),
  };
  const service = withDecorate(checkedCalls(operations, checks) as unknown as Operations);
  return withUnavailable(service, 'strapi.entityService', { remedies: REMEDIES }) as unknown as EntityService;
}
