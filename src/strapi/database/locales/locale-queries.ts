import type { Access, LocaleRecord } from '../../../access/access.js';
import { addLocale } from '../../../access/locales/add-locale.js';
import { listLocales } from '../../../access/locales/find-locales.js';
import { removeLocale } from '../../../access/locales/remove-locale.js';
import { renameLocale } from '../../../access/locales/rename-locale.js';
import type { Config } from '../../../config/config.js';
import type { Database } from '../../../database/database.js';
import { createError } from '../../../errors/catalogue.js';
import { isRecord } from '../../../lib/is-record.js';
import type { ContentModel, Uid } from '../../../model/model.js';
import type { Params, StrapiDocuments } from '../documents-context.js';
import type { QueryEngine } from '../query-engine.js';
import type { QueryParams } from '../query-params.js';
import { sliceOf } from '../query-params.js';
import { withUnavailable } from '../unavailable-calls.js';
import type { Entry } from '../version-reader.js';
import { matchesRow, UnknownCondition } from './match-row.js';

/** The type of locales, which are no documents here. */
export const LOCALE_UID: Uid = 'plugin::i18n.locale';

/** `plugin::i18n.locale` in `strapi.db.query` and `strapi.documents`. */
export interface LocaleQueries {
  readonly query: QueryEngine;
  readonly documents: StrapiDocuments;
}

export interface LocaleDependencies {
  readonly access: Pick<Access, 'refresh'>;
  readonly config: Pick<Config, 'secrets'>;
  readonly database: Database;
  readonly model: ContentModel;
}

type Rows = readonly Entry[];

/** A locale as Strapi's rows have it, which do not say which one is the default. */
export function toLocaleRow({ isDefault: _isDefault, ...locale }: LocaleRecord): Entry {
  return { ...locale, publishedAt: locale.createdAt, locale: null };
}

const invalidCall = (call: string, reason: string) => createError('strapi/invalid-call', { call, reason });

/** `name:desc`, `{ name: 'desc' }` or a list of these. */
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
      const order = typeof a === 'number' ? a - Number(b) : String(a).localeCompare(String(b));
      if (order !== 0) return isDescending ? -order : order;
    }
    return left.id - right.id;
  };

const pick = (row: Entry, fields: unknown): Entry => {
  const names = typeof fields === 'string' ? fields.split(',').map((name) => name.trim()) : fields;
  if (!Array.isArray(names) || names.length === 0 || names.includes('*')) return row;
  const kept = Object.entries(row).filter(
    ([name]) => ['id', 'documentId'].includes(name) || names.includes(name),
  );
  return Object.fromEntries(kept) as Entry;
};

const search = (row: Entry, text: unknown): boolean =>
  typeof text !== 'string' ||
  [row['name'], row['code']].some((value) => String(value).toLowerCase().includes(text.toLowerCase()));

/** Reads and writes locales. Writes hold for all running servers, and are refused where content is lost. */
const createLocaleRows = ({ access, config, database, model }: LocaleDependencies, call: string) => {
  const context = { database, model, salt: config.secrets.apiTokenSalt };
  const all = async (): Promise<Rows> => (await listLocales(context)).map(toLocaleRow);
  const matching = async ({ where, filters, _q }: QueryParams): Promise<Rows> => {
    const rows = await all();
    try {
      return rows.filter((row) => matchesRow(row, where) && matchesRow(row, filters) && search(row, _q));
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
    return rows.slice(Number(start), end).map((row) => pick(row, select ?? fields));
  };
  const changed = async (work: () => Promise<LocaleRecord>): Promise<Entry> => {
    const locale = await work();
    await access.refresh();
    return toLocaleRow(locale);
  };
  return {
    find,
    matching,
    create: ({ data }: Params): Promise<Entry> => {
      if (!isRecord(data) || typeof data['code'] !== 'string')
        throw invalidCall(`${call}.create`, 'it takes { data } with a code');
      const { code, name } = data;
      return changed(() => addLocale(context, { code, ...(typeof name === 'string' ? { name } : {}) }));
    },
    update: ({ id, ...row }: Entry, { data }: Params): Promise<Entry> => {
      const { code = row['code'], name = row['name'] } = isRecord(data) ? data : {};
      if (code !== row['code'])
        throw invalidCall(
          `${call}.update`,
          'the code of a locale cannot change, since content is stored in it',
        );
      return changed(() => renameLocale(context, { id, name: String(name) }));
    },
    remove: (row: Entry): Promise<Entry> =>
      changed(async () => (await removeLocale(context, { code: String(row['code']) })).locale),
  };
};

type LocaleRows = ReturnType<typeof createLocaleRows>;

const pageOf = ({ page = 1, pageSize = 10 }: QueryParams, total: number) => {
  const numbers = { page: Number(page), pageSize: Number(pageSize) };
  return { ...numbers, pageCount: Math.ceil(total / numbers.pageSize), total };
};

const createQuery = (rows: LocaleRows, call: string): QueryEngine => {
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
      uid: LOCALE_UID,
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

const createDocuments = (rows: LocaleRows, call: string): StrapiDocuments => {
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
        throw invalidCall(`${call}.clone`, 'two locales cannot have one code');
      },
    },
    call,
  );
};

/** Creates what reads and writes locales in the place of documents. */
export function createLocaleQueries(dependencies: LocaleDependencies): LocaleQueries {
  const queryCall = `strapi.db.query('${LOCALE_UID}')`;
  const documentsCall = `strapi.documents('${LOCALE_UID}')`;
  return {
    query: createQuery(createLocaleRows(dependencies, queryCall), queryCall),
    documents: createDocuments(createLocaleRows(dependencies, documentsCall), documentsCall),
  };
}
