import type { Database } from '../database/database.js';
import { parseBulkItems } from '../documents/bulk/parse-items.js';
import type { BulkOutcome, DocumentService } from '../documents/documents.js';
import { isRecord } from '../lib/is-record.js';
import type { ContentModel, Uid } from '../model/model.js';
import { defaultSelection } from '../query/default-selection.js';
import { parseReadQuery } from '../query/parse-read-query.js';
import type { ReadQuery } from '../query/query.js';
import type { QueryLimits } from '../query/read-params.js';
import type {
  ContentDocument,
  ContentLocale,
  ContentStore,
  FindParams,
  RunTransaction,
  WriteOutcome,
} from './content-store.js';

export interface DocumentStoreDependencies {
  readonly model: ContentModel;
  readonly database: Pick<Database, 'transact' | 'join'>;
  readonly documents: DocumentService;
  readonly locales: () => Promise<readonly ContentLocale[]>;
  readonly defaultLocale: () => string;
}

/** Whoever has the database may see everything. */
const ACCESS = { canFind: () => true };

/** What the database can run. */
const LIMITS: QueryLimits = {
  defaultLimit: Number.MAX_SAFE_INTEGER,
  maxLimit: -1,
  populateDepth: 20,
  maxNodes: 10_000,
};

const parseDocument = (text: string): ContentDocument => {
  const document: unknown = JSON.parse(text);
  if (!isRecord(document) || typeof document['documentId'] !== 'string')
    throw new TypeError('A record has no documentId.');
  return { ...document, documentId: document['documentId'] };
};

const toOutcome = (outcome: BulkOutcome): WriteOutcome =>
  'error' in outcome
    ? outcome
    : {
        documentId: outcome.documentId,
        document: outcome.record === null ? null : parseDocument(outcome.record),
      };

/** Ends a transaction that must not be committed. */
class DryRunEnd<T> extends Error {
  constructor(readonly result: T) {
    super('The dry run has ended');
  }
}

const createRunTransaction =
  ({ transact, join }: DocumentStoreDependencies['database']): RunTransaction =>
  async <T>(work: () => Promise<T>, { isDryRun }: { readonly isDryRun: boolean }): Promise<T> => {
    try {
      return await transact((tx) =>
        join(tx, async () => {
          const result = await work();
          if (isDryRun) throw new DryRunEnd(result);
          return result;
        }),
      );
    } catch (error) {
      if (error instanceof DryRunEnd) return error.result as T;
      throw error;
    }
  };

/** The content of the project's own database, read and written through the document service. */
export function createDocumentStore({
  model,
  database,
  documents,
  locales,
  defaultLocale,
}: DocumentStoreDependencies): ContentStore {
  const queryOf = (type: Uid, { start, limit, ...params }: FindParams, paginated: boolean): ReadQuery =>
    parseReadQuery(
      model,
      type,
      {
        ...params,
        status: params.status ?? 'draft',
        pagination: { start: start ?? 0, ...(limit === undefined ? {} : { limit }), withCount: false },
      },
      { access: ACCESS, limits: LIMITS, defaultLocale: defaultLocale(), paginated },
    );
  return {
    model,
    transact: createRunTransaction(database),
    locales,
    find: async (type, params) =>
      (await documents.findMany(queryOf(type, params, true))).records.map(parseDocument),
    findOne: async (type, documentId, params) => {
      const record = await documents.findOne(queryOf(type, params, false), documentId);
      return record === null ? null : parseDocument(record);
    },
    count: (type, params) => documents.count(queryOf(type, params, true)),
    write: async (type, writes, { isAtomic }) => {
      const selection = defaultSelection(model, type);
      const items = parseBulkItems(writes, {
        type,
        locale: defaultLocale(),
        status: 'draft',
        access: undefined,
        selectionOf: () => selection,
        maxItems: Number.MAX_SAFE_INTEGER,
        allowsNewIds: true,
      });
      return (await documents.bulk({ items, atomic: isAtomic })).map(toOutcome);
    },
  };
}
