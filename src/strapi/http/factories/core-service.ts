import { ValidationError } from '../../../errors/project-errors.js';
import { isRecord } from '../../../lib/records.js';
import type { ContentType } from '../../../model/model.js';
import { applyOverrides, markCore } from './core.js';
import type { CoreStrapi, Overrides, Params, Tools } from './core.js';

/** The part of a list that is read. */
interface Slice {
  readonly start: number;
  readonly limit: number;
  readonly isPaged: boolean;
}

const numberOr = (value: unknown, fallback: number): number => {
  const number = Number(value ?? fallback);
  return Number.isInteger(number) ? number : fallback;
};

/** Parses `pagination` as Strapi does. A size above the limit becomes the limit, -1 the largest allowed. */
function sliceOf({ config }: CoreStrapi, { pagination }: Params): Slice {
  const { defaultLimit, maxLimit } = config.api.rest;
  const given = isRecord(pagination) ? pagination : {};
  const isPaged = !('start' in given || 'limit' in given);
  const requested = numberOr(isPaged ? given['pageSize'] : given['limit'], defaultLimit);
  const most = maxLimit > 0 ? maxLimit : Number.MAX_SAFE_INTEGER;
  const limit = requested === -1 ? most : Math.min(Math.max(requested, isPaged ? 1 : 0), most);
  const start = isPaged ? (Math.max(numberOr(given['page'], 1), 1) - 1) * limit : numberOr(given['start'], 0);
  return { start: Math.max(start, 0), limit, isPaged };
}

const TRUE: ReadonlySet<unknown> = new Set([true, 'true', 't', '1', 1]);
const FALSE: ReadonlySet<unknown> = new Set([false, undefined, 'false', 'f', '0', 0]);

/** True if a list is counted. */
function isCounted({ pagination }: Params): boolean {
  if (!isRecord(pagination) || !('withCount' in pagination)) return true;
  const { withCount } = pagination;
  if (TRUE.has(withCount)) return true;
  if (FALSE.has(withCount)) return false;
  throw new ValidationError('Invalid withCount parameter. Expected "t","1","true","false","0","f"');
}

/** Returns the pagination of a response: the page or slice, and the totals if they were counted. */
function printSlice({ start, limit, isPaged }: Slice, total: number | null): Params {
  if (!isPaged) return { start, limit, ...(total === null ? {} : { total }) };
  const page = { page: Math.floor(start / limit) + 1, pageSize: limit };
  return total === null ? page : { ...page, pageCount: Math.ceil(total / limit), total };
}

type Method = (...values: never[]) => unknown;

/** The methods of a service. Some exist for collection types only, some for single types. */
interface CoreService {
  find(params: Params): Promise<{ readonly results: unknown; readonly pagination: unknown }>;
  findOne(documentId: unknown, params: Params): Promise<unknown>;
  create(params: Params): Promise<unknown>;
  update(documentId: unknown, params: Params): Promise<unknown>;
  createOrUpdate(params: Params): Promise<unknown>;
  delete(...values: unknown[]): Promise<unknown>;
}

interface Base {
  getFetchParams(params?: Params): Params;
}

const helpers: Base = markCore({
  getFetchParams: (params: Params = {}): Params => ({ status: 'published', ...params }),
});

/** Removes `status`, since deletion removes both versions. */
const withoutStatus = ({ status: _status, ...params }: Params): Params => params;

const deletedEntries = (deleted: { readonly entries?: readonly unknown[] } | null): Params => ({
  deletedEntries: deleted === null ? 0 : (deleted.entries?.length ?? 1),
});

const collectionMethods = (strapi: CoreStrapi, { uid }: ContentType): Readonly<Record<string, Method>> => ({
  async find(this: Base, params: Params = {}) {
    const fetchParams = this.getFetchParams(params);
    const slice = sliceOf(strapi, fetchParams);
    const documents = strapi.documents(uid);
    const { start, limit } = slice;
    // Clients may send `page` outside of `pagination`, where it has no effect.
    const range = {
      ...fetchParams,
      pagination: undefined,
      page: undefined,
      pageSize: undefined,
      start,
      limit,
    };
    const results = await documents.findMany(range);
    const total = isCounted(fetchParams) ? await documents.count(range) : null;
    return { results, pagination: printSlice(slice, total) };
  },
  async findOne(this: Base, documentId: unknown, params: Params = {}) {
    return strapi.documents(uid).findOne({ ...this.getFetchParams(params), documentId });
  },
  async create(this: Base, params: Params = { data: {} }) {
    return strapi.documents(uid).create(this.getFetchParams(params));
  },
  async update(this: Base, documentId: unknown, params: Params = { data: {} }) {
    return strapi.documents(uid).update({ ...this.getFetchParams(params), documentId });
  },
  async delete(this: Base, documentId: unknown, params: Params = {}) {
    const deleted = { ...withoutStatus(this.getFetchParams(params)), documentId };
    return deletedEntries(await strapi.documents(uid).delete(deleted));
  },
});

/** Returns the id of a single type's document, in any locale. */
const documentIdOf = async (strapi: CoreStrapi, uid: string): Promise<unknown> =>
  (await strapi.documents(uid).findFirst({ status: 'draft', locale: '*', fields: ['documentId'] }))?.[
    'documentId'
  ];

const singleMethods = (strapi: CoreStrapi, { uid }: ContentType): Readonly<Record<string, Method>> => ({
  async find(this: Base, params: Params = {}) {
    return strapi.documents(uid).findFirst(this.getFetchParams(params));
  },
  async createOrUpdate(this: Base, params: Params = {}) {
    const documentId = await documentIdOf(strapi, uid);
    const all = this.getFetchParams(params);
    const documents = strapi.documents(uid);
    return documentId === undefined ? documents.create(all) : documents.update({ ...all, documentId });
  },
  async delete(this: Base, params: Params = {}) {
    const documentId = await documentIdOf(strapi, uid);
    if (documentId === undefined) return { deletedEntries: 0 };
    const deleted = { ...withoutStatus(this.getFetchParams(params)), documentId };
    return deletedEntries(await strapi.documents(uid).delete(deleted));
  },
});

const createBase = (strapi: CoreStrapi, type: ContentType): object => {
  const methods = type.kind === 'singleType' ? singleMethods(strapi, type) : collectionMethods(strapi, type);
  return Object.assign(Object.create(helpers) as object, markCore(methods));
};

/** `factories.createCoreService` */
export function createCoreService(uid: string, overrides?: Overrides): (tools: Tools) => object {
  return (tools) => {
    const type = tools.strapi.contentType(uid);
    if (type === undefined) throw new Error(`createCoreService: there is no content-type ${uid}`);
    return applyOverrides(createBase(tools.strapi, type), overrides, tools);
  };
}

/** Returns the service of a type: the project's, or else the core's. */
export function serviceOf(strapi: CoreStrapi, uid: string): CoreService {
  return (strapi.service(uid) ?? createCoreService(uid)({ strapi })) as CoreService;
}
