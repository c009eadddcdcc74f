import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import type { Uid } from '../../model/model.js';
import { withUnavailable } from '../unavailable.js';
import type { Params, StrapiDocuments } from './document-params.js';
import type { QueryEngine } from './query-engine.js';
import { sliceOf } from './query-params.js';
import type { QueryParams } from './query-params.js';
import type { Entry } from './version-reader.js';

type Row = Readonly<Record<string, unknown>>;
type Compare = (value: unknown, operand: unknown) => boolean;

const lower = (value: unknown): string => String(value).toLowerCase();
const isIn: Compare = (value, operand) =>
  (Array.isArray(operand) ? operand : [operand]).some((each) => isSame(value, each));
/** Compares ids from requests, which are strings, with numbers, too. */
const isSame: Compare = (value, operand) =>
  value === operand ||
  (typeof value === 'number' && typeof operand === 'string' && String(value) === operand);
const compareValues = (value: unknown, operand: unknown): number => {
  const [left, right] = [value, operand instanceof Date ? operand.toISOString() : operand];
  if (typeof left === 'number') return left - Number(right);
  return String(left) < String(right) ? -1 : Number(String(left) > String(right));
};

const OPERATORS: Readonly<Record<string, Compare>> = {
  $eq: isSame,
  $eqi: (value, operand) => lower(value) === lower(operand),
  $ne: (value, operand) => !isSame(value, operand),
  $nei: (value, operand) => lower(value) !== lower(operand),
  $in: isIn,
  $notIn: (value, operand) => !isIn(value, operand),
  $lt: (value, operand) => compareValues(value, operand) < 0,
  $lte: (value, operand) => compareValues(value, operand) <= 0,
  $gt: (value, operand) => compareValues(value, operand) > 0,
  $gte: (value, operand) => compareValues(value, operand) >= 0,
  $contains: (value, operand) => String(value).includes(String(operand)),
  $notContains: (value, operand) => !String(value).includes(String(operand)),
  $containsi: (value, operand) => lower(value).includes(lower(operand)),
  $notContainsi: (value, operand) => !lower(value).includes(lower(operand)),
  $startsWith: (value, operand) => String(value).startsWith(String(operand)),
  $startsWithi: (value, operand) => lower(value).startsWith(lower(operand)),
  $endsWith: (value, operand) => String(value).endsWith(String(operand)),
  $endsWithi: (value, operand) => lower(value).endsWith(lower(operand)),
  $null: (value, operand) => (value === null) === (operand !== false && operand !== 'false'),
  $notNull: (value, operand) => (value !== null) === (operand !== false && operand !== 'false'),
};

/** Thrown for a condition that rows in memory cannot be compared with. */
class UnknownCondition extends Error {}

const assertDefined = (name: string, value: unknown): void => {
  if (value === undefined) throw new UnknownCondition(`${name} is undefined, which would match any row`);
};

const toList = (conditions: unknown): readonly unknown[] =>
  Array.isArray(conditions) ? conditions : [conditions];

const matchesValue = (value: unknown, condition: unknown): boolean => {
  if (Array.isArray(condition)) return isIn(value, condition);
  if (!isRecord(condition)) return isSame(value, condition);
  return Object.entries(condition).every(([operator, operand]) => {
    assertDefined(operator, operand);
    if (operator === '$not') return !matchesValue(value, operand);
    const compare = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
    if (compare === undefined) throw new UnknownCondition(`there is no ${operator} for such rows`);
    return compare(value, operand);
  });
};

/** True if a row in memory matches a condition of the query engine. */
function matchesRow(row: Row, condition: unknown): boolean {
  if (condition === undefined || condition === null) return true;
  if (Array.isArray(condition)) return condition.every((each) => matchesRow(row, each));
  if (!isRecord(condition)) throw new UnknownCondition('a condition must be an object');
  return Object.entries(condition).every(([name, value]) => {
    assertDefined(name, value);
    if (name === '$and') return toList(value).every((each) => matchesRow(row, each));
    if (name === '$or') return toList(value).some((each) => matchesRow(row, each));
    if (name === '$not') return !matchesRow(row, value);
    if (!Object.hasOwn(row, name)) throw new UnknownCondition(`such rows have no ${name}`);
    return matchesValue(row[name], value);
  });
}

/** Reads and writes rows that are not documents, of which there are few. Errors name `call`. */
export interface RowSource {
  readonly all: () => Promise<readonly Entry[]>;
  readonly create: (params: Params, call: string) => Promise<Entry>;
  readonly update: (row: Entry, params: Params, call: string) => Promise<Entry>;
  readonly remove: (row: Entry, call: string) => Promise<Entry>;
}

/** The queries of such rows, for `strapi.db.query` and `strapi.documents`. */
export interface RowQueries {
  readonly query: QueryEngine;
  readonly documents: StrapiDocuments;
}

/** Returns the error for a call with invalid arguments. */
export const invalidCall = (call: string, reason: string) =>
  createError('strapi/invalid-call', { call, reason });

/** Parses a sort order: `name:desc`, `{ name: 'desc' }`, or a list of these. */
const ordersOf = (sort: unknown): readonly (readonly [string, boolean])[] => {
  if (Array.isArray(sort)) return sort.flatMap((each) => ordersOf(each));
  if (typeof sort === 'string')
    return sort.split(',').map((part) => {
      const [name = '', direction = 'asc'] = part.trim().split(':');
      return [name, direction.toLowerCase() === 'desc'] as const;
    });
  return isRecord(sort)
    ? Object.entries(sort).map(
        ([name, direction]) => [name, String(direction).toLowerCase() === 'desc'] as const,
      )
    : [];
};

const compareBy =
  (orders: ReturnType<typeof ordersOf>) =>
  (left: Entry, right: Entry): number => {
    for (const [name, isDescending] of orders) {
      const [a, b] = [left[name], right[name]];
      const difference = typeof a === 'number' ? a - Number(b) : String(a).localeCompare(String(b));
      if (difference !== 0) return isDescending ? -difference : difference;
    }
    return left.id - right.id;
  };

const pickFields = (row: Entry, fields: unknown): Entry => {
  const names = typeof fields === 'string' ? fields.split(',').map((name) => name.trim()) : fields;
  if (!Array.isArray(names) || names.length === 0 || names.includes('*')) return row;
  const kept = Object.entries(row).filter(
    ([name]) => ['id', 'documentId'].includes(name) || names.includes(name),
  );
  return Object.fromEntries(kept) as Entry;
};

const matchesSearch = (row: Entry, text: unknown): boolean =>
  typeof text !== 'string' ||
  Object.values(row).some(
    (value) => typeof value === 'string' && value.toLowerCase().includes(text.toLowerCase()),
  );

/** Filters, sorts and slices rows in memory, and passes writes to the source. */
const createRows = (source: RowSource, call: string) => {
  const matching = async ({ where, filters, _q }: QueryParams): Promise<readonly Entry[]> => {
    const rows = await source.all();
    try {
      return rows.filter(
        (row) => matchesRow(row, where) && matchesRow(row, filters) && matchesSearch(row, _q),
      );
    } catch (error) {
      throw error instanceof UnknownCondition ? invalidCall(call, error.message) : error;
    }
  };
  const find = async (params: QueryParams): Promise<Entry[]> => {
    const { orderBy, sort, select, fields } = params;
    const slice = sliceOf(params);
    const { start, limit } = isRecord(slice) ? slice : {};
    const rows = (await matching(params)).toSorted(compareBy(ordersOf(orderBy ?? sort)));
    const end = limit === -1 ? rows.length : Number(start) + Number(limit);
    return rows.slice(Number(start), end).map((row) => pickFields(row, select ?? fields));
  };
  return {
    find,
    matching,
    create: (params: Params): Promise<Entry> => source.create(params, call),
    update: (row: Entry, params: Params): Promise<Entry> => source.update(row, params, call),
    remove: (row: Entry): Promise<Entry> => source.remove(row, call),
  };
};

type MemoryRows = ReturnType<typeof createRows>;

const pageOf = ({ page = 1, pageSize = 10 }: QueryParams, total: number) => {
  const numbers = { page: Number(page), pageSize: Number(pageSize) };
  return { ...numbers, pageCount: Math.ceil(total / numbers.pageSize), total };
};

const createQuery = (rows: MemoryRows, uid: Uid, call: string): QueryEngine => {
  const count = async (params: QueryParams = {}): Promise<number> => (await rows.matching(params)).length;
  const first = async (params: QueryParams): Promise<Entry | null> =>
    (await rows.matching(params))[0] ?? null;
  const forEach = async (params: QueryParams, work: (row: Entry) => Promise<unknown>) => {
    const found = await rows.matching(params);
    for (const row of found) await work(row);
    return { count: found.length };
  };
  return withUnavailable(
    {
      uid,
      findOne: async (params = {}) => (await rows.find({ ...params, limit: 1 }))[0] ?? null,
      findMany: async (params = {}) => rows.find(params),
      findWithCount: async (params = {}) => [await rows.find(params), await count(params)] as const,
      findPage: async (params = {}) => {
        const pagination = pageOf(params, await count(params));
        return { results: await rows.find({ ...params, ...pagination }), pagination };
      },
      count,
      create: async (params) => rows.create(params),
      createMany: async ({ data }) => {
        const ids: number[] = [];
        for (const item of Array.isArray(data) ? (data as readonly unknown[]) : [])
          ids.push((await rows.create({ data: item })).id);
        return { count: ids.length, ids };
      },
      update: async (params) => {
        const row = await first(params);
        return row === null ? null : rows.update(row, params);
      },
      updateMany: async (params) => forEach(params, (row) => rows.update(row, params)),
      delete: async (params) => {
        const row = await first(params);
        return row === null ? null : rows.remove(row);
      },
      deleteMany: async (params = {}) => forEach(params, rows.remove),
      load: async () => null,
      loadPages: async () => ({ results: [], pagination: pageOf({}, 0) }),
    },
    call,
  );
};

const createDocuments = (rows: MemoryRows, call: string): StrapiDocuments => {
  const named = async ({ documentId }: Params): Promise<Entry | null> =>
    typeof documentId === 'string' ? ((await rows.matching({ where: { documentId } }))[0] ?? null) : null;
  const toParams = ({ pagination, start, ...rest }: Params): QueryParams => {
    const given = { offset: start, ...rest, ...(isRecord(pagination) ? pagination : {}) };
    return { ...given, offset: 'start' in given ? given['start'] : given.offset };
  };
  const findFirst = async (params: Params = {}): Promise<Entry | null> =>
    (await rows.find({ ...toParams(params), limit: 1 }))[0] ?? null;
  return withUnavailable(
    {
      findMany: async (params: Params = {}) => rows.find(toParams(params)),
      findFirst,
      findOne: async ({ documentId, fields }: Params) =>
        typeof documentId === 'string' ? findFirst({ filters: { documentId }, fields }) : null,
      count: async (params: Params = {}) => (await rows.matching(toParams(params))).length,
      create: async (params: Params) => rows.create(params),
      update: async (params: Params) => {
        const row = await named(params);
        return row === null ? null : rows.update(row, params);
      },
      delete: async (params: Params) => {
        const row = await named(params);
        return { documentId: row?.documentId, entries: row === null ? [] : [await rows.remove(row)] };
      },
      clone: async () => {
        throw invalidCall(`${call}.clone`, 'such rows cannot be copied');
      },
    },
    call,
  );
};

/** Creates the queries of a type whose rows are not documents. */
export function createRowQueries(uid: Uid, source: RowSource): RowQueries {
  const queryCall = `strapi.db.query('${uid}')`;
  const documentsCall = `strapi.documents('${uid}')`;
  return {
    query: createQuery(createRows(source, queryCall), uid, queryCall),
    documents: createDocuments(createRows(source, documentsCall), documentsCall),
  };
}
