import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import type { Uid } from '../../model/model.js';
import type { DocumentsFunction } from './documents.js';
import type { StrapiDocuments } from './document-params.js';
import { accessIn } from '../../query/read-access.js';
import { checkedCalls, ENTITY_PARAMS } from './call-params.js';
import type { QueryEngine } from './query-engine.js';
import { withUnavailable } from '../unavailable.js';
import type { Entry } from './version-reader.js';

type Params = Readonly<Record<string, unknown>>;

/** `strapi.entityService`, which identifies rows by their numeric ids. */
export interface EntityService {
  readonly findMany: (uid: Uid, params?: Params) => Promise<Entry[] | Entry | null>;
  readonly findPage: (uid: Uid, params?: Params) => Promise<unknown>;
  readonly findOne: (uid: Uid, id: unknown, params?: Params) => Promise<Entry | null>;
  readonly count: (uid: Uid, params?: Params) => Promise<number>;
  readonly create: (uid: Uid, params: Params) => Promise<Entry>;
  readonly update: (uid: Uid, id: unknown, params: Params) => Promise<Entry | null>;
  readonly delete: (uid: Uid, id: unknown, params?: Params) => Promise<Entry | null>;
  readonly load: (
    uid: Uid,
    entry: unknown,
    field: string | readonly string[],
    params?: Params,
  ) => Promise<unknown>;
  readonly loadPages: (
    uid: Uid,
    entry: unknown,
    field: string,
    params?: Params,
    pagination?: Params,
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
const withStatus = ({ publicationState, ...params }: Params): Params => {
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
const statusFromData = ({ data }: Params): string =>
  isRecord(data) && data['publishedAt'] === null ? 'draft' : 'published';

const findPage = async (
  { findMany, count }: StrapiDocuments,
  { page = 1, pageSize = 10, ...rest }: Params,
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
  const identify = ({ documentId, locale }: Entry): Params => ({
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
