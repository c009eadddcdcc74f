import type { ReadObjects } from '../../database/dialect/search-expressions.js';
import type { Database } from '../../database/database.js';
import { createRecordReader } from '../../documents/read/record-reader.js';
import { isRecord } from '../../lib/records.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, Uid } from '../../model/model.js';
import { parseReadQuery } from '../../query/parse/parse-read-query.js';
import type { ReadQuery } from '../../query/query.js';
import { FULL_ACCESS } from '../../query/read-access.js';
import { SERVER_LIMITS } from '../../query/read-context.js';
import type { RawReadParams } from '../../query/read-context.js';
import { createReadCompiler } from '../../query/compile/read-compiler.js';
import { completeEntry } from './entry-shape.js';
import { exposeModel } from '../../query/schema-fields.js';
import { toReadParams } from './query-params.js';
import type { QueryParams } from './query-params.js';

/** A row in the form that server code gets. */
export type Entry = Record<string, unknown> & { readonly id: number; readonly documentId: string };

/** Reads versions as Strapi's query engine reads rows: drafts and published versions of all locales. */
export interface VersionReader {
  readonly find: (uid: Uid, params: QueryParams) => Promise<Entry[]>;
  readonly count: (uid: Uid, params: QueryParams) => Promise<number>;
}

/** The `select` and `populate` of a call, for its rows and populated rows. */
interface Selected {
  readonly select?: unknown;
  readonly populate?: unknown;
}

const pickBelow = (entry: Readonly<Record<string, unknown>>, populate: unknown): Record<string, unknown> => {
  if (!isRecord(populate)) return entry;
  const parts = Object.entries(populate).flatMap(([name, options]) => {
    const value = entry[name];
    if (!isRecord(options) || value === null || value === undefined) return [];
    const pick = (item: unknown): unknown => (isRecord(item) ? pickSelected(item, options) : item);
    return [[name, Array.isArray(value) ? value.map(pick) : pick(value)] as const];
  });
  return { ...entry, ...Object.fromEntries(parts) };
};

/**
 * Returns an entry with the selected attributes. If `select` names attributes, `documentId` is omitted unless
 * it is named, and so is `id` unless `populate` is given.
 */
function pickSelected(entry: Record<string, unknown>, selected: Selected): Record<string, unknown> {
  const { select, populate } = selected;
  const names = typeof select === 'string' ? select.split(',').map((name) => name.trim()) : select;
  const picked = pickBelow(entry, populate);
  if (!Array.isArray(names) || names.length === 0 || names.includes('*')) return picked;
  const { id, documentId, ...rest } = picked;
  return {
    ...(names.includes('id') || populate !== undefined ? { id } : {}),
    ...(names.includes('documentId') ? { documentId } : {}),
    ...rest,
  };
}

interface VersionReaderDependencies {
  readonly model: ContentModel;
  readonly database: Database;
  /** The auxiliary objects, outside the Prisma schema, that reads use. */
  readonly objects: ReadObjects;
  readonly defaultLocale: () => string;
}

/** Creates the reader of versions. */
export function createVersionReader({
  model,
  database,
  objects,
  defaultLocale,
}: VersionReaderDependencies): VersionReader {
  const exposed = exposeModel(model);
  const compiler = createReadCompiler(exposed, database.dialect.expressions, { objects });
  const records = createRecordReader(database, compiler);
  const queryOf = (uid: Uid, params: QueryParams): ReadQuery => {
    const raw: RawReadParams = toReadParams(exposed, typeOf(exposed, uid), params);
    const query = parseReadQuery(
      exposed,
      uid,
      { ...raw, locale: '*' },
      { access: FULL_ACCESS, limits: SERVER_LIMITS, defaultLocale: defaultLocale(), paginated: true },
    );
    return Object.freeze({ ...query, isOfAllStatuses: true });
  };
  return {
    find: async (uid, params) => {
      const query = queryOf(uid, params);
      const type = typeOf(exposed, uid);
      const requested = { fields: params.select, populate: params.populate };
      const read = { selection: query.selection, requested };
      return (await records.many(query)).map((text) => {
        const entry = completeEntry(exposed, type, read, JSON.parse(text) as Entry);
        return pickSelected(entry, params) as Entry;
      });
    },
    count: (uid, { where, filters, _q }) => records.count(queryOf(uid, { where, filters, _q })),
  };
}
