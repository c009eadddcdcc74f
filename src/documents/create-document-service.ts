import type { Database, Transaction } from '../database/database.js';
import type { ReadObjects } from '../database/dialect/search-expressions.js';
import { typeOf } from '../model/lookup.js';
import { memoize } from '../lib/collections.js';
import type { ContentModel } from '../model/model.js';
import { createReadCompiler } from '../query/compile/read-compiler.js';
import type { ReadCompiler } from '../query/compile/read-compiler.js';
import { compileInput } from './validation/compile-input.js';
import { runBulk } from './write/run-bulk.js';
import type { OpenNestedDocuments } from './write/run-bulk.js';
import { createRecordReader } from './read/record-reader.js';
import type { CountRows, ReadUsages } from './read/record-reader.js';
import type { DocumentContext } from './document-context.js';
import type { DocumentService, Locales } from './documents.js';
import { createDocumentHooks, createOperationHooks, openHookCall } from './hooks.js';
import type { DocumentHooks, HookTransaction, OpenRepositories } from './hooks.js';
import { createNestedTransaction, databaseIn } from '../database/nested-transaction.js';
import type { NestedTransaction } from '../database/nested-transaction.js';
import { createGetRepository } from './create-repository.js';
import { compileRelationMappings } from './links/relation-mapping.js';
import { aggregate, count, findMany, findOne, singleDocumentId } from './read/find-documents.js';
import type { WriteLog } from './log/write-log.js';
import { findSchedule, listScheduled, schedule } from './schedules/schedule-documents.js';
import { createError } from '../errors/catalogue.js';
import { createVersionStore } from './write/version-store.js';
import type { VersionStore } from './write/version-store.js';
import {
  compileDocumentTable,
  compileLinkTable,
  compileVersionTable,
  contentFields,
} from './write/version-statements.js';
import { createScheduleStore } from './schedules/schedule-store.js';
import { translateDocument } from './write/translate-document.js';
import { createDocumentTrash } from './trash/document-trash.js';
import { NO_TRASH } from './trash/trash-table.js';
import type { TrashTable } from './trash/trash-table.js';
import { runWrite, writeAndRead } from './write/write-documents.js';

export interface DocumentServiceDependencies {
  readonly model: ContentModel;
  readonly database: Database;
  readonly locales: Locales;
  /** Auxiliary objects that reads use. Default: none. */
  readonly objects?: ReadObjects;
  /** The project's middlewares and listeners. */
  readonly hooks?: DocumentHooks;
  readonly clock?: () => Date;
  /** The log of writes, for schedules. Default: they are not logged. */
  readonly log?: WriteLog | undefined;
  /** Counts the rows of lists. Default: by a query each time. */
  readonly countRows?: CountRows | undefined;
  /** Counts the reads. Those in hooks of writes are not counted. */
  readonly usages?: ReadUsages | undefined;
  /** Keeps deleted documents. Default: they are deleted for good. */
  readonly trash?: TrashTable | undefined;
  /** Changes the service that hooks get inside a transaction. */
  readonly decorateNested?: (documents: DocumentService) => DocumentService;
}

/** The document service, with the hooks for writes that other code makes. */
export interface DocumentServiceWithHooks extends DocumentService {
  /** Adds `documents` to a transaction of other code. */
  readonly openHookTransaction: (tx: Transaction) => HookTransaction;
  /** The same service without the middlewares around its operations. */
  readonly unwrapped: DocumentService;
  readonly versions: VersionStore;
}

const noHooks = (): DocumentHooks => createDocumentHooks({ onError: () => {} });

const createContext = (
  {
    model,
    database,
    locales,
    usages,
    countRows,
    trash = NO_TRASH,
    log,
    clock = () => new Date(),
  }: DocumentServiceDependencies,
  compiler: ReadCompiler,
): Omit<DocumentContext, 'hooks'> => {
  const { expressions } = database.dialect;
  return {
    model,
    database,
    locales,
    clock,
    log: log ?? null,
    nested: null,
    records: createRecordReader(database, compiler, { countRows, usages, model }),
    schedules: createScheduleStore(expressions),
    trash,
    validatorOf: memoize((type) => compileInput(model, type)),
    contentFieldsOf: memoize(contentFields),
    relationsOf: memoize((type) => compileRelationMappings(model, type)),
    documentTableOf: memoize(({ storage }) => compileDocumentTable(expressions, storage.document.table)),
    versionTableOf: memoize((type) => compileVersionTable(expressions, type, contentFields(type))),
    linkTableOf: memoize((link) => compileLinkTable(expressions, link)),
  };
};

/** Returns the written document. If it is hidden from the caller, throws as for a missing document. */
const required = <T>(written: T | null): T => {
  if (written === null) throw createError('request/not-found');
  return written;
};

const createOperations = (context: DocumentContext, openNested: OpenNestedDocuments): DocumentService => {
  const { hooks, model } = context;
  const operations: DocumentService = {
    findMany: (query, signal) =>
      hooks.run('findMany', query.type, query, (params) => findMany(context, params, signal)),
    findOne: (query, documentId, signal) =>
      hooks.run('findOne', query.type, { query, documentId }, (params) =>
        findOne(context, params.query, params.documentId, signal),
      ),
    count: (query) => hooks.run('count', query.type, query, (params) => count(context, params)),
    aggregate: (query, signal) =>
      hooks.run('aggregate', query.query.type, query, (params) => aggregate(context, params, signal)),
    create: (params) =>
      hooks.run('create', params.type, params, async (final) =>
        required(await writeAndRead(context, { action: 'create', params: final })),
      ),
    update: (params) =>
      hooks.run('update', params.type, params, (final) =>
        writeAndRead(context, { action: 'update', params: final }),
      ),
    singleDocumentId: (type) => singleDocumentId(context, typeOf(model, type)),
    delete: (params) =>
      hooks.run(
        'delete',
        params.type,
        params,
        async (final) => (await runWrite(context, { action: 'delete', params: final })) !== null,
      ),
    publish: (params) =>
      hooks.run('publish', params.type, params, (final) =>
        writeAndRead(context, { action: 'publish', params: final }),
      ),
    unpublish: (params) =>
      hooks.run('unpublish', params.type, params, (final) =>
        writeAndRead(context, { action: 'unpublish', params: final }),
      ),
    discardDraft: (params) =>
      hooks.run('discardDraft', params.type, params, (final) =>
        writeAndRead(context, { action: 'discardDraft', params: final }),
      ),
    translate: (params) => translateDocument(context, operations, params),
    schedule: (params) => schedule(context, params),
    findSchedule: (params) => findSchedule(context, params),
    listScheduled: (filter) => listScheduled(context, filter),
    bulk: (params) => runBulk(context, openNested, params),
    trash: createDocumentTrash(context),
  };
  return operations;
};

/**
 * Creates the document service of a model and a database.
 *
 * @example
 *   const documents = createDocumentService({ model, database, locales });
 *   const data = { name: 'red' };
 *   const { documentId } = await documents.create({ type: 'api::tag.tag', data, selection });
 */
export function createDocumentService(dependencies: DocumentServiceDependencies): DocumentServiceWithHooks {
  const { model, database, locales, objects, hooks = noHooks(), decorateNested } = dependencies;
  const compiler = createReadCompiler(model, database.dialect.expressions, {
    objects,
  });
  const context = createContext(dependencies, compiler);
  const openDocuments = (tx: Transaction, nested: NestedTransaction, depth: number): DocumentService => {
    const nestedDatabase = databaseIn(database, tx);
    const documents = createOperations(
      {
        ...context,
        nested,
        database: nestedDatabase,
        records: createRecordReader(nestedDatabase, compiler),
        hooks: createOperationHooks({ hooks, database, openRepositories, parent: { tx, depth } }),
      },
      openNestedAt(depth + 1),
    );
    return decorateNested?.(documents) ?? documents;
  };
  const openNestedAt =
    (depth: number): OpenNestedDocuments =>
    (tx) => {
      const nested = createNestedTransaction(tx, depth);
      return { nested, documents: openDocuments(tx, nested, depth) };
    };
  const openRepositories: OpenRepositories = (tx, nested, depth) =>
    createGetRepository({
      model,
      documents: openDocuments(tx, nested, depth),
      defaultLocale: locales.defaultCode,
    });
  const operationHooks = createOperationHooks({ hooks, database, openRepositories, parent: null });
  const unwrappedContext: DocumentContext = {
    ...context,
    hooks: { ...operationHooks, run: (_action, _type, params, work) => work(params) },
  };
  return Object.freeze<DocumentServiceWithHooks>({
    ...createOperations({ ...context, hooks: operationHooks }, openNestedAt(1)),
    unwrapped: createOperations(unwrappedContext, openNestedAt(1)),
    versions: createVersionStore(unwrappedContext),
    openHookTransaction: (tx) => openHookCall(openRepositories, tx, 1).tx,
  });
}
