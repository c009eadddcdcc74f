import type { ContentType } from '../../../model/model.js';
import { markCore } from '../core-code.js';
import { applyOverrides } from './apply-overrides.js';
import { isCounted, printSlice, sliceOf } from './pagination.js';
import type { CoreStrapi, Overrides, Params, Tools } from './strapi-services.js';

type Method = (...values: never[]) => unknown;

/** The methods of a service, of which some are for collections and some for single types. */
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

/** Deleting concerns both versions. */
const withoutStatus = ({ status: _status, ...params }: Params): Params => params;

const deletedEntries = (deleted: { readonly entries?: readonly unknown[] } | null): Params => ({
  deletedEntries: deleted === null ? 0 : (deleted.entries?.length ?? 1),
});

const collectionMethods = (strapi: CoreStrapi, { uid }: ContentType): Readonly<Record<string, Method>> => ({
  async find(this: Base, params: Params = {}) {
    const fetchParams = this.getFetchParams(params);
    const slice = sliceOf(strapi, fetchParams);
    const documents = strapi.documents(uid);
    const range = { ...fetchParams, pagination: undefined, start: slice.start, limit: slice.limit };
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

/** A single type's document, in whichever locale it exists. */
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
