import type { Database } from '../../database/database.js';
import { createImportProgress } from '../../documents/documents.js';
import type { BulkOutcome, DocumentService } from '../../documents/documents.js';
import { createRecordReader } from '../../documents/read/record-reader.js';
import type { RecordReader } from '../../documents/read/record-reader.js';
import type { DocumentHistory } from '../../documents/versions/document-history.js';
import { parseBulkItems } from '../../documents/write/parse-bulk-items.js';
import { isRecord } from '../../lib/records.js';
import type { ContentModel, Uid } from '../../model/model.js';
import { createReadCompiler } from '../../query/compile/read-compiler.js';
import { exposeFields, exposeModel } from '../../query/schema-fields.js';
import { defaultSelection } from '../../query/parse/server-queries.js';
import { parseReadQuery } from '../../query/parse/parse-read-query.js';
import type { ReadQuery } from '../../query/query.js';
import { FULL_ACCESS } from '../../query/read-access.js';
import { SERVER_LIMITS } from '../../query/read-params.js';
import type {
  ContentDocument,
  ContentLocale,
  ContentStore,
  ContentVersions,
  FindParams,
  RunTransaction,
  WriteOutcome,
} from './content-store.js';

/** Returns the operations on published versions in the project's database. */
function documentVersions(
  history: DocumentHistory,
  transact: RunTransaction,
  parseDocument: (text: string) => ContentDocument,
): ContentVersions {
  return {
    list: (name) => history.list({ ...name, access: FULL_ACCESS }),
    find: (name, version) => history.find({ ...name, access: FULL_ACCESS }, version),
    restore: async (name, version, { isDryRun = false }) => {
      const restore = () => history.restore({ ...name, access: FULL_ACCESS }, version);
      const restored = await (isDryRun ? transact(restore, { isDryRun }) : restore());
      return restored && { document: parseDocument(restored.record), omitted: restored.omitted };
    },
  };
}

export interface DocumentStoreDependencies {
  readonly model: ContentModel;
  readonly database: Database;
  readonly documents: DocumentService;
  readonly history: DocumentHistory;
  readonly locales: () => Promise<readonly ContentLocale[]>;
  readonly defaultLocale: () => string;
}

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

/** Thrown to roll back the transaction of a dry run, with its result. */
class DryRunEnd<T> extends Error {
  constructor(readonly result: T) {
    super('The dry run has ended');
  }
}

/** Creates a function that runs work in one transaction, which all nested calls join. */
export const createRunTransaction =
  ({ transact, join }: Pick<Database, 'transact' | 'join'>): RunTransaction =>
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

/** The model with its private attributes, and a reader of its records. */
interface ExposedReads {
  readonly exposed: ContentModel;
  readonly records: RecordReader;
}

const createExposedReads = (model: ContentModel, database: Database): ExposedReads => {
  const exposed = exposeModel(model);
  const compiler = createReadCompiler(exposed, database.dialect.expressions);
  return { exposed, records: createRecordReader(database, compiler) };
};

const createQueryParser =
  ({ model, defaultLocale }: Pick<DocumentStoreDependencies, 'model' | 'defaultLocale'>) =>
  (type: Uid, { start, limit, ...params }: FindParams, paginated: boolean, read = model): ReadQuery =>
    parseReadQuery(
      read,
      type,
      {
        ...params,
        status: params.status ?? 'draft',
        pagination: { start: start ?? 0, ...(limit === undefined ? {} : { limit }), withCount: false },
      },
      { access: FULL_ACCESS, limits: SERVER_LIMITS, defaultLocale: defaultLocale(), paginated },
    );

/** Creates the content store of the project's database, on the document service. */
export function createDocumentStore({
  model: projectModel,
  database,
  documents,
  history,
  locales,
  defaultLocale,
}: DocumentStoreDependencies): ContentStore {
  const model = exposeFields(projectModel);
  const parseQuery = createQueryParser({ model, defaultLocale });
  const transact = createRunTransaction(database);
  let exposedReads: ExposedReads | undefined;
  return {
    model,
    transact,
    locales,
    maxWrites: Number.MAX_SAFE_INTEGER,
    importProgress: createImportProgress(database),
    find: async (type, params) =>
      (await documents.findMany(parseQuery(type, params, true))).records.map(parseDocument),
    findOne: async (type, documentId, params) => {
      const record = await documents.findOne(parseQuery(type, params, false), documentId);
      return record === null ? null : parseDocument(record);
    },
    findPrivate: async (type, params) => {
      exposedReads ??= createExposedReads(model, database);
      const { exposed, records } = exposedReads;
      return (await records.many(parseQuery(type, params, true, exposed))).map(parseDocument);
    },
    count: (type, params) => documents.count(parseQuery(type, params, true)),
    schedule: (type, documentId, change, { isDryRun = false }) => {
      const schedule = () => documents.schedule({ type, documentId, ...change });
      return isDryRun ? transact(schedule, { isDryRun }) : schedule();
    },
    listScheduled: documents.listScheduled,
    versions: documentVersions(history, transact, parseDocument),
    write: async (type, writes, { isAtomic, isDryRun = false, progress }) => {
      const selection = defaultSelection(model, type);
      const items = parseBulkItems(writes, {
        type,
        locale: undefined,
        defaultLocale: defaultLocale(),
        status: undefined,
        defaultStatus: 'draft',
        access: undefined,
        selectionOf: () => selection,
        maxItems: Number.MAX_SAFE_INTEGER,
        allowsNewIds: true,
      });
      const bulk = (): Promise<readonly BulkOutcome[]> =>
        documents.bulk({ items, atomic: isAtomic, progress });
      if (isDryRun) return (await transact(bulk, { isDryRun })).map(toOutcome);
      return (await bulk()).map(toOutcome);
    },
  };
}
