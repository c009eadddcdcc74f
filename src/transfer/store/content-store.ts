/**
 * The folder store contains the content and media stores of commands: this interface, and its implementation
 * on the local database.
 */
import { randomUUID } from 'node:crypto';
import { createServerState } from '../../database/server-state.js';
import { createRunTransaction } from '../../documents/document-context.js';
import type { RunTransaction } from '../../documents/document-context.js';
import type { KeptVersion } from '../../documents/versions/keep-versions.js';
import type { DocumentHistory, HistoryParams } from '../../documents/versions/document-history.js';
import { createImportProgress } from '../../documents/documents.js';
import type {
  ImportProgress,
  ImportProgressStore,
  BulkOutcome,
  DocumentService,
  Omission,
  TranslateParams,
} from '../../documents/documents.js';
import type { Schedule, ScheduleFilter, ScheduledChange } from '../../documents/schedules/schedule-store.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, Uid, VersionStatus } from '../../model/model.js';
import { SERVER_LIMITS } from '../../query/read-context.js';
import type { RawReadParams } from '../../query/read-context.js';
import type { Database } from '../../database/database.js';
import { createRecordReader } from '../../documents/read/record-reader.js';
import type { RecordReader } from '../../documents/read/record-reader.js';
import { parseBulkItems } from '../../documents/write/parse-bulk-items.js';
import { compileDocumentTable } from '../../documents/write/version-statements.js';
import { isRecord } from '../../lib/records.js';
import { createReadCompiler } from '../../query/compile/read-compiler.js';
import { exposeFields, exposeModel } from '../../query/schema-fields.js';
import { defaultSelection } from '../../query/parse/server-queries.js';
import { parseReadQuery } from '../../query/parse/parse-read-query.js';
import type { ReadQuery } from '../../query/query.js';
import { FULL_ACCESS } from '../../query/read-access.js';

/** A document as the content API returns it. */
export interface ContentDocument {
  readonly documentId: string;
  readonly [attribute: string]: unknown;
}

/** Parameters of a read: those of the content API, and the range of the list. */
export interface FindParams extends Omit<RawReadParams, 'pagination'> {
  readonly start?: number;
  /** Undefined: all documents. */
  readonly limit?: number;
}

/** One write, as an item of a bulk request of the content API. */
export interface ContentWrite {
  readonly action: 'create' | 'update' | 'delete' | 'publish' | 'unpublish' | 'discardDraft';
  /** Of `create`: the documentId to use. Absent: a new one. */
  readonly documentId?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** `published` also publishes the written values. Default: `draft`. */
  readonly status?: VersionStatus;
  /** Default: the default locale. Of `delete`, `*` means all locales. */
  readonly locale?: string;
  /**
   * The `updatedAt` of the draft that was read. The outcome is an error of the kind `precondition-failed` if
   * it has changed since. Not of `create`.
   */
  readonly ifMatch?: string | undefined;
}

/** Outcome of one write. */
export type WriteOutcome =
  | {
      readonly documentId: string;
      /** Null: it was deleted. */
      readonly document: ContentDocument | null;
    }
  | { readonly error: Error };

export interface WriteOptions {
  /** True if nothing is written when one of the writes fails. */
  readonly isAtomic: boolean;
  /** Runs all checks, and rolls everything back. */
  readonly isDryRun?: boolean;
  /** Stored in the transaction of the writes. */
  readonly progress?: ImportProgress | undefined;
}

/** Publication times, as in the content API. Null: removed. */
interface ScheduleTimes {
  readonly locale?: string | undefined;
  readonly data: Readonly<Partial<Record<'publishAt' | 'unpublishAt', string | null>>>;
}

export interface ContentLocale {
  readonly code: string;
  readonly isDefault: boolean;
}

/** The published versions of one locale of a document. Missing documents and versions are null. */
export interface ContentVersions {
  readonly list: (name: VersionedName) => Promise<readonly KeptVersion[] | null>;
  readonly find: (name: VersionedName, version: number) => ReturnType<DocumentHistory['find']>;
  /** Writes the content of a version into the draft. */
  readonly restore: (
    name: VersionedName,
    version: number,
    options: Pick<WriteOptions, 'isDryRun'>,
  ) => Promise<CopiedVersion | null>;
}

/** Identifies one locale of a document. */
export type VersionedName = Omit<HistoryParams, 'access'>;

/** A new locale of a document. */
type Translation = Pick<TranslateParams, 'documentId' | 'locale' | 'from' | 'attributes' | 'data' | 'status'>;

/** A draft with the content of a version or of another locale, and the attributes that were not copied. */
export interface CopiedVersion {
  /** Null: nothing was written. */
  readonly document: ContentDocument | null;
  readonly omitted: readonly Omission[];
}

/**
 * The content that commands read and write: in the project's database, or on a remote server. Reads return
 * null for a missing document.
 */
export interface ContentStore {
  readonly model: ContentModel;
  /** Lists versions: drafts by default. */
  readonly find: (type: Uid, params: FindParams) => Promise<readonly ContentDocument[]>;
  readonly findOne: (
    type: Uid,
    documentId: string,
    params: Omit<FindParams, 'start' | 'limit'>,
  ) => Promise<ContentDocument | null>;
  readonly count: (type: Uid, params: FindParams) => Promise<number>;
  /** Lists versions as `find` does, with private attributes. Null: the store cannot read these. */
  readonly findPrivate: ((type: Uid, params: FindParams) => Promise<readonly ContentDocument[]>) | null;
  /** Writes in the given order, in one transaction, and returns an outcome for each. */
  readonly write: (
    type: Uid,
    writes: readonly ContentWrite[],
    options: WriteOptions,
  ) => Promise<readonly WriteOutcome[]>;
  /** Copies a locale of a document to a new one. Returns null if the document does not exist there. */
  readonly translate: (
    type: Uid,
    translation: Translation,
    options: Pick<WriteOptions, 'isDryRun'>,
  ) => Promise<CopiedVersion | null>;
  /** Schedules the publication of a document. Returns null if it has no such draft. */
  readonly schedule: (
    type: Uid,
    documentId: string,
    change: ScheduleTimes,
    options: Pick<WriteOptions, 'isDryRun'>,
  ) => Promise<Schedule | null>;
  /** Lists schedules, the earliest first: of all types, or of documents of one type. */
  readonly listScheduled: (filter: ScheduleFilter) => Promise<readonly ScheduledChange[]>;
  readonly versions: ContentVersions;
  /**
   * Runs work whose reads and writes belong to one transaction. With `isDryRun`, rolls the transaction back.
   * A remote store sends the writes when the work is done: until then they seem to succeed, and reads do not
   * see them. Null: the store has no transactions of several writes.
   */
  readonly transact: RunTransaction | null;
  /** Locks a document until the transaction of {@link transact} ends. Null: the store has no locks. */
  readonly lock: ((type: Uid, documentId: string) => Promise<void>) | null;
  /**
   * Returns the name that identifies the database among others, in a form for names of folders. Null: it has
   * none yet, and gets one at the first call that is not a dry run.
   */
  readonly databaseName: (options: { readonly isDryRun: boolean }) => Promise<string | null>;
  readonly locales: () => Promise<readonly ContentLocale[]>;
  /** True if writes may have `ifMatch`. False for a remote server of an earlier release. */
  readonly comparesRevisions: boolean;
  /** The most writes of one transaction. */
  readonly maxWrites: number;
  /** Null: a remote server of an earlier release stores none. */
  readonly importProgress: ImportProgressStore | null;
}

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

interface DocumentStoreDependencies {
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

/** Returns the code of the default locale of a store, or null. */
export async function defaultLocaleOf(store: Pick<ContentStore, 'locales'>): Promise<string | null> {
  return (await store.locales()).find(({ isDefault }) => isDefault)?.code ?? null;
}

/** The key of the random name of a database. */
const NAME_KEY = 'content-files/database';

/** Returns the name of a database. Sets it first if there is none. */
const nameDatabase = async (database: Database, isDryRun: boolean): Promise<string | null> => {
  const state = createServerState(database);
  const name = await state.read(NAME_KEY);
  if (name !== null || isDryRun) return name;
  await state.change(NAME_KEY, (other) => (other === null ? `local-${randomUUID().slice(0, 8)}` : null));
  return state.read(NAME_KEY);
};

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
    lock: (type, documentId) =>
      database.transact(async (tx) => {
        const { table } = typeOf(model, type).storage.document;
        const { sql, parameters } = compileDocumentTable(database.dialect.expressions, table).lock([
          documentId,
        ]);
        await tx.query(sql, parameters);
      }),
    databaseName: ({ isDryRun }) => nameDatabase(database, isDryRun),
    locales,
    comparesRevisions: true,
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
    translate: async (type, translation, { isDryRun = false }) => {
      const selection = defaultSelection(model, type);
      const translate = () => documents.translate({ type, selection, ...translation });
      const translated = await (isDryRun ? transact(translate, { isDryRun }) : translate());
      return translated && { document: parseDocument(translated.record), omitted: translated.omitted };
    },
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
