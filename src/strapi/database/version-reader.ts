import type { Database } from '../../database/database.js';
import { createRecordReader } from '../../documents/record-reader.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, Uid } from '../../model/model.js';
import { parseReadQuery } from '../../query/parse-read-query.js';
import type { ReadQuery } from '../../query/query.js';
import type { QueryLimits, RawReadParams } from '../../query/read-params.js';
import { createReadCompiler } from '../../sql/read-compiler.js';
import { exposeModel } from './exposed-model.js';
import { toReadParams } from './query-params.js';
import type { QueryParams } from './query-params.js';

/** A row as code on the server gets it. */
export type Entry = Record<string, unknown> & { readonly id: number; readonly documentId: string };

/** Reads versions as Strapi's query engine reads rows: drafts and published ones of all locales alike. */
export interface VersionReader {
  readonly find: (uid: Uid, params: QueryParams) => Promise<Entry[]>;
  readonly count: (uid: Uid, params: QueryParams) => Promise<number>;
}

/** Code on the server may see everything. */
export const SERVER_ACCESS = { canFind: (): boolean => true };

/** It is not limited, save by what a database can run. */
export const SERVER_LIMITS: QueryLimits = {
  defaultLimit: Number.MAX_SAFE_INTEGER,
  maxLimit: -1,
  populateDepth: 20,
  maxNodes: 10_000,
};

/** A condition without a value would match any row, where its author expects one. */
const assertNoUndefined = (call: string, where: unknown, path: string): void => {
  if (where === undefined) throw createError('strapi/undefined-condition', { call, path });
  if (Array.isArray(where))
    where.forEach((item, index) => assertNoUndefined(call, item, `${path}[${index}]`));
  else if (isRecord(where))
    for (const [key, value] of Object.entries(where)) assertNoUndefined(call, value, `${path}.${key}`);
};

/** Where `select` names attributes, ids are left out unless it names them, too, or something is populated. */
const pickSelected = (entry: Entry, { select, populate }: QueryParams): Entry => {
  const names = typeof select === 'string' ? select.split(',').map((name) => name.trim()) : select;
  if (!Array.isArray(names) || names.length === 0 || names.includes('*') || populate !== undefined)
    return entry;
  const { id, documentId, ...rest } = entry;
  return {
    ...(names.includes('id') ? { id } : {}),
    ...(names.includes('documentId') ? { documentId } : {}),
    ...rest,
  } as Entry;
};

interface VersionReaderDependencies {
  readonly model: ContentModel;
  readonly database: Database;
  readonly defaultLocale: () => string;
}

export function createVersionReader({
  model,
  database,
  defaultLocale,
}: VersionReaderDependencies): VersionReader {
  const exposed = exposeModel(model);
  const compiler = createReadCompiler(exposed, database.dialect.expressions);
  const records = createRecordReader(database, compiler);
  const queryOf = (uid: Uid, params: QueryParams): ReadQuery => {
    const { where } = params;
    if (where !== undefined && where !== null) assertNoUndefined(`strapi.db.query('${uid}')`, where, 'where');
    const raw: RawReadParams = toReadParams(exposed, typeOf(exposed, uid), params);
    const query = parseReadQuery(
      exposed,
      uid,
      { ...raw, locale: '*' },
      { access: SERVER_ACCESS, limits: SERVER_LIMITS, defaultLocale: defaultLocale(), paginated: true },
    );
    return Object.freeze({ ...query, isOfAllStatuses: true });
  };
  return {
    find: async (uid, params) =>
      (await records.many(queryOf(uid, params))).map((text) =>
        pickSelected(JSON.parse(text) as Entry, params),
      ),
    count: (uid, { where, filters, _q }) => records.count(queryOf(uid, { where, filters, _q })),
  };
}
