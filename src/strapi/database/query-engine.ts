import { joinTransaction } from '../../documents/document-context.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { typeOf } from '../../model/lookup.js';
import type { Uid } from '../../model/model.js';
import { checkedCalls, QUERY_PARAMS } from './call-params.js';
import { READ_SUBJECTS, ROW_SUBJECTS } from './lifecycles.js';
import type { QueryParams } from './query-params.js';
import {
  assertWhere,
  assertWhereDefined,
  requireData,
  deleteRow,
  insertRow,
  invalidCall,
  readRow,
  findRows,
  updateRow,
} from './rows.js';
import type { RowDependencies, TypeEngine } from './rows.js';
import { withUnavailable } from '../unavailable.js';
import type { Entry } from './version-reader.js';

type MutableParams = Record<string, unknown> & QueryParams;

interface Pagination {
  readonly page: number;
  readonly pageSize: number;
  readonly pageCount: number;
  readonly total: number;
}

/** `strapi.db.query(uid)` */
export interface QueryEngine {
  readonly uid: Uid;
  readonly findOne: (params?: QueryParams) => Promise<Entry | null>;
  readonly findMany: (params?: QueryParams) => Promise<Entry[]>;
  readonly findWithCount: (params?: QueryParams) => Promise<readonly [Entry[], number]>;
  readonly findPage: (
    params?: QueryParams,
  ) => Promise<{ readonly results: Entry[]; readonly pagination: Pagination }>;
  readonly count: (params?: QueryParams) => Promise<number>;
  readonly create: (params: QueryParams) => Promise<Entry>;
  readonly createMany: (
    params: QueryParams,
  ) => Promise<{ readonly count: number; readonly ids: readonly number[] }>;
  readonly update: (params: QueryParams) => Promise<Entry | null>;
  readonly updateMany: (params: QueryParams) => Promise<{ readonly count: number }>;
  readonly delete: (params: QueryParams) => Promise<Entry | null>;
  readonly deleteMany: (params?: QueryParams) => Promise<{ readonly count: number }>;
  readonly load: (entry: unknown, fields: string | readonly string[], params?: unknown) => Promise<unknown>;
  readonly loadPages: (entry: unknown, field: string, params?: unknown) => Promise<unknown>;
}

type Subject = Parameters<TypeEngine['lifecycles']['has']>[1];

/** The result of an operation that finds no row to write. `after` listeners are then not called. */
const NO_ROW = Symbol('nothing');

const TIMES: Readonly<Record<string, (data: Readonly<Record<string, unknown>>) => object>> = {
  Create: (data) => ({ createdAt: new Date(), updatedAt: new Date(), ...data }),
  Update: (data) => ({ ...data, updatedAt: new Date() }),
};

/** Adds times to the data, which listeners read, unless the caller has set them. */
const withTimes = (subject: Subject, params: QueryParams | undefined): MutableParams => {
  const data = params?.data;
  const add = TIMES[subject];
  if (add === undefined || !isRecord(data)) return { ...params };
  return { ...params, data: add(data) };
};

/** Calls the listeners before and after an operation, and applies their changes of the parameters. */
const withListeners = async <T>(
  { type, lifecycles }: TypeEngine,
  subject: Subject,
  given: QueryParams | undefined,
  work: (params: MutableParams) => Promise<T | typeof NO_ROW>,
): Promise<T | null> => {
  const params = withTimes(subject, given);
  const states = await lifecycles.run(`before${subject}`, type.uid, { params });
  const result = await work(params);
  if (result === NO_ROW) return null;
  await lifecycles.run(`after${subject}`, type.uid, { params, result }, states);
  return result;
};

const createReads = (
  engine: TypeEngine,
): Pick<QueryEngine, 'findOne' | 'findMany' | 'findWithCount' | 'findPage' | 'count'> => {
  const { type, reader } = engine;
  const findOne: QueryEngine['findOne'] = (given) =>
    withListeners(
      engine,
      'FindOne',
      given,
      async (params) => (await reader.find(type.uid, { ...params, limit: 1 }))[0] ?? null,
    );
  const findMany: QueryEngine['findMany'] = async (given) =>
    (await withListeners(engine, 'FindMany', given, (params) => reader.find(type.uid, params))) ?? [];
  const count: QueryEngine['count'] = async (given) =>
    (await withListeners(engine, 'Count', given, (params) => reader.count(type.uid, params))) ?? 0;
  return {
    findOne,
    findMany,
    count,
    findWithCount: async (params) => [await findMany(params), await count(params)],
    findPage: async ({ page = 1, pageSize = 10, ...rest } = {}) => {
      const numbers = { page: Number(page), pageSize: Number(pageSize) };
      const results = await findMany({ ...rest, ...numbers });
      const total = await count(rest);
      return { results, pagination: { ...numbers, pageCount: Math.ceil(total / numbers.pageSize), total } };
    },
  };
};

type Written<T> = T | typeof NO_ROW;

const createRow = async (engine: TypeEngine, params: MutableParams): Promise<Entry> => {
  const id = await insertRow(engine, requireData(engine, 'create', params));
  const result = await readRow(engine, id, params);
  if (result === null) throw createError('request/not-found');
  return result;
};

const createRows = async (engine: TypeEngine, { data }: MutableParams) => {
  if (!Array.isArray(data) || data.length === 0)
    throw invalidCall(engine, 'createMany', 'it requires { data } with a list that is not empty');
  const ids: number[] = [];
  for (const item of data as readonly unknown[])
    ids.push(await insertRow(engine, requireData(engine, 'createMany', { data: item })));
  return { count: ids.length, ids };
};

const changeRow = async (engine: TypeEngine, params: MutableParams): Promise<Written<Entry | null>> => {
  const data = requireData(engine, 'update', params);
  assertWhere(engine, 'update', params);
  const [row] = await findRows(engine, params, 1);
  if (row === undefined) return NO_ROW;
  const id = await updateRow(engine, row, data);
  return id === null ? null : readRow(engine, id, params);
};

const removeRow = async (engine: TypeEngine, params: MutableParams): Promise<Written<Entry | null>> => {
  assertWhere(engine, 'delete', params);
  const [row] = await findRows(engine, params, 1);
  if (row === undefined) return NO_ROW;
  const { select } = params;
  const selected = Array.isArray(select) ? { select: ['id', ...(select as readonly unknown[])] } : {};
  const result = await readRow(engine, row.id, { ...params, ...selected });
  await deleteRow(engine, row);
  return result;
};

const forEachRow = async (
  engine: TypeEngine,
  params: MutableParams,
  work: (row: Awaited<ReturnType<typeof findRows>>[number]) => Promise<unknown>,
): Promise<{ readonly count: number }> => {
  const rows = await findRows(engine, params);
  for (const row of rows) await work(row);
  return { count: rows.length };
};

const createWrites = (
  engine: TypeEngine,
): Pick<QueryEngine, 'create' | 'createMany' | 'update' | 'updateMany' | 'delete' | 'deleteMany'> => {
  /** Runs a write and its listeners in one transaction, so that an error rolls back everything. */
  const inTransaction = <T>(
    subject: Subject,
    given: QueryParams | undefined,
    work: (params: MutableParams) => Promise<Written<T>>,
  ): Promise<T | null> => joinTransaction(engine.database, () => withListeners(engine, subject, given, work));
  const requireResult = async <T>(result: Promise<T | null>): Promise<T> => {
    const value = await result;
    if (value === null) throw createError('request/not-found');
    return value;
  };
  return {
    create: (given) => requireResult(inTransaction('Create', given, (params) => createRow(engine, params))),
    createMany: (given) =>
      requireResult(inTransaction('CreateMany', given, (params) => createRows(engine, params))),
    update: (given) => inTransaction('Update', given, (params) => changeRow(engine, params)),
    updateMany: (given) =>
      requireResult(
        inTransaction('UpdateMany', given, (params) => {
          const data = requireData(engine, 'updateMany', params);
          assertWhereDefined(engine, 'updateMany', params);
          return forEachRow(engine, params, (row) => updateRow(engine, row, data));
        }),
      ),
    delete: (given) => inTransaction('Delete', given, (params) => removeRow(engine, params)),
    deleteMany: (given) =>
      requireResult(
        inTransaction('DeleteMany', given, (params) => {
          assertWhereDefined(engine, 'deleteMany', params);
          return forEachRow(engine, params, (row) => deleteRow(engine, row));
        }),
      ),
  };
};

const idIn = (engine: TypeEngine, entry: unknown): unknown => {
  const id = isRecord(entry) ? entry['id'] : undefined;
  if (id === undefined || id === null) throw invalidCall(engine, 'load', 'it requires an entry with its id');
  return id;
};

const createLoads = (
  engine: TypeEngine,
  findOne: QueryEngine['findOne'],
): Pick<QueryEngine, 'load' | 'loadPages'> => {
  const load: QueryEngine['load'] = async (entry, fields, params) => {
    const names = typeof fields === 'string' ? [fields] : fields;
    const options = isRecord(params) ? params : true;
    const populate = Object.fromEntries(names.map((name) => [name, options]));
    const found = await findOne({ where: { id: idIn(engine, entry) }, select: ['id'], populate });
    if (typeof fields === 'string') return found?.[fields] ?? null;
    return found === null ? null : Object.fromEntries(names.map((name) => [name, found[name] ?? null]));
  };
  return {
    load,
    loadPages: async (entry, field, params = {}) => {
      const { page = 1, pageSize = 10, ...rest } = isRecord(params) ? params : {};
      const numbers = { page: Number(page), pageSize: Number(pageSize) };
      const all = await load(entry, field, rest);
      const list: readonly unknown[] = Array.isArray(all) ? all : all === null ? [] : [all];
      const start = (numbers.page - 1) * numbers.pageSize;
      const total = list.length;
      return {
        results: list.slice(start, start + numbers.pageSize),
        pagination: { ...numbers, pageCount: Math.ceil(total / numbers.pageSize), total },
      };
    },
  };
};

/** Creates `strapi.db.query(uid)`, which reads and writes single versions and validates nothing. */
export function createQueryEngine(dependencies: RowDependencies, uid: Uid): QueryEngine {
  const call = `strapi.db.query('${uid}')`;
  const engine: TypeEngine = { ...dependencies, type: typeOf(dependencies.model, uid), call };
  const reads = createReads(engine);
  const methods = { uid, ...reads, ...createWrites(engine), ...createLoads(engine, reads.findOne) };
  // Listeners read all parameters of a call.
  const isSeen = (): boolean => dependencies.lifecycles.has(uid, ...READ_SUBJECTS, ...ROW_SUBJECTS);
  return withUnavailable(checkedCalls<QueryEngine>(methods, { call, params: QUERY_PARAMS, isSeen }), call);
}
