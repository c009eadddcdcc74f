import { sql } from 'kysely';
import type { AccountConfig } from '../../config/account-settings.js';
import type { Database, Transaction } from '../../database/database.js';
import type { WriteLog } from '../../documents/log/write-log.js';
import { createError } from '../../errors/catalogue.js';
import { chunksOf } from '../../lib/collections.js';
import { isRecord } from '../../lib/records.js';
import type { MediaLibrary } from '../../media/media.js';
import { USER_UID } from '../../model/content-types/builtin-types.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import type { ContentSource, ImportOptions } from '../source.js';
import { readServerState, writeServerState } from '../../database/server-state.js';
import type { LinkContext } from './resolve-links.js';
import type { RowIndex } from './row-index.js';
import type { SourceInspection } from './inspect-source.js';
import { ImportFindings } from './import-model.js';

/** Returns the JSON value that is stored under a key, or null. */
export async function readState(tx: Transaction, key: string): Promise<unknown> {
  const value = await readServerState(tx, key);
  return value === null ? null : (JSON.parse(value) as unknown);
}

/** Stores a JSON value under a key. */
export async function writeState(tx: Transaction, key: string, state: unknown): Promise<void> {
  await writeServerState(tx, key, JSON.stringify(state));
}

/** Target of an import. */
export interface ImportTarget {
  readonly database: Database;
  readonly model: ContentModel;
  readonly media: MediaLibrary;
  /** The configuration of user accounts. */
  readonly accounts: AccountConfig;
  /** The log of changes. Absent: the import is not logged. */
  readonly log?: Pick<WriteLog, 'record'>;
}

/** The ids of documents in the database, by the uid of their type. */
export type ExistingDocuments = ReadonlyMap<string, ReadonlySet<string>>;

const CHUNK_SIZE = 5000;

/** Returns those of the documents that the database has. */
export async function findExisting(
  { database, model }: ImportTarget,
  documents: Iterable<readonly [uid: string, documentIds: Iterable<string>]>,
): Promise<ExistingDocuments> {
  const { expressions } = database.dialect;
  const existing = new Map<string, ReadonlySet<string>>();
  for (const [uid, documentIds] of documents) {
    const table = model.typesByUid[uid]?.storage.document.table;
    if (table === undefined) continue;
    const isListed = expressions.inList(sql`document_id`, 'text', null);
    const text = sql`select document_id from ${sql.id(table)} where ${isListed}`.compile(
      expressions.kysely,
    ).sql;
    const found = new Set<string>();
    for (const chunk of chunksOf(documentIds, CHUNK_SIZE))
      for (const id of await database.readTexts(text, [expressions.encodeList('text', chunk)]))
        if (id !== null) found.add(id);
    existing.set(uid, found);
  }
  return existing;
}

const countRows = (database: Database, table: string): Promise<number> =>
  database.readNumber(
    sql`select count(*) from (select 1 from ${sql.id(table)} limit 1) as found`.compile(
      database.dialect.expressions.kysely,
    ).sql,
    [],
  );

/** True if the database has neither documents of the project's types nor users. */
export async function isNewDatabase({ database, model }: ImportTarget): Promise<boolean> {
  for (const { origin, uid, storage } of model.types) {
    if (origin !== 'project' && uid !== USER_UID) continue;
    if ((await countRows(database, storage.document.table)) > 0) return false;
  }
  return true;
}

/** Returns the offset that makes the ids of an export's rows free: 0 unless remaining rows use some. */
export async function findOffset(
  { database }: ImportTarget,
  tx: Transaction,
  { storage }: ContentType,
  { ids }: RowIndex,
): Promise<number> {
  const table = sql.id(storage.version.table);
  const statement = sql`select min(id) as smallest, max(id) as largest from ${table}`;
  const [row] = await tx.query(statement.compile(database.dialect.expressions.kysely).sql, []);
  const largest = Number(row?.['largest'] ?? 0);
  const isFree = largest < ids.smallest || Number(row?.['smallest'] ?? 0) > ids.largest;
  return largest === 0 || isFree ? 0 : largest;
}

const PROGRESS_KEY = 'import';
const EXISTING_KEY = 'import-existing';

/**
 * Progress of an import. It is stored in each transaction of the import, so that an interrupted import
 * continues.
 */
export interface Progress {
  /** Identifies the source and the options of the import. */
  readonly identity: string;
  readonly description: string;
  /** The number of completed steps. */
  readonly step: number;
  /** The number of completed items of the current step. */
  readonly done: number;
  /** Offsets added to the ids of rows, by the uid of their type. */
  readonly offsets: Readonly<Record<string, number>>;
}

/** An interrupted import, with the documents that the database had before it. */
export interface Interrupted {
  readonly progress: Progress;
  readonly existing: ExistingDocuments;
}

/** Returns the identity of an import: the same text for the same content and options. */
export function identityOf(
  { fingerprint }: ContentSource,
  { parts, types, excludedTypes, existing }: ImportOptions,
): string {
  return JSON.stringify([
    fingerprint,
    [...parts].toSorted(),
    types === null ? null : [...types].toSorted(),
    existing,
    ...(excludedTypes === undefined ? [] : [[...excludedTypes].toSorted()]),
  ]);
}

const parseExistingDocuments = (value: unknown): ExistingDocuments =>
  new Map(
    Object.entries(isRecord(value) ? value : {}).map(([uid, ids]) => [
      uid,
      new Set(Array.isArray(ids) ? ids.map(String) : []),
    ]),
  );

/**
 * Returns the interrupted import. Null: there is none.
 *
 * @throws `transfer/unfinished-import` if it was another one
 */
export async function findInterrupted(database: Database, identity: string): Promise<Interrupted | null> {
  return database.transact(async (tx) => {
    const progress = (await readState(tx, PROGRESS_KEY)) as Progress | null;
    if (progress === null) return null;
    if (progress.identity !== identity)
      throw createError('transfer/unfinished-import', { description: progress.description });
    return { progress, existing: parseExistingDocuments(await readState(tx, EXISTING_KEY)) };
  });
}

export async function saveProgress(tx: Transaction, progress: Progress): Promise<void> {
  await writeState(tx, PROGRESS_KEY, progress);
}

/** Stores the documents that the database had before the import, which cannot be found out later. */
export async function saveExisting(tx: Transaction, existing: ExistingDocuments): Promise<void> {
  const entries = [...existing].map(([uid, ids]) => [uid, [...ids]] as const);
  await writeState(tx, EXISTING_KEY, Object.fromEntries(entries));
}

/** Deletes the progress of an import that has ended or is abandoned. */
export async function deleteProgress(tx: Transaction): Promise<void> {
  await tx.model('SystemState').deleteMany({ where: { key: { in: [PROGRESS_KEY, EXISTING_KEY] } } });
}

/** Context of all steps of an import. */
export interface ImportRun {
  readonly target: ImportTarget;
  readonly source: ContentSource;
  readonly options: ImportOptions;
  readonly inspection: SourceInspection;
  /** The documents that the database had before the import. */
  readonly existing: ExistingDocuments;
  readonly links: LinkContext;
  /** True if the import writes the document. */
  readonly isWritten: (uid: string, documentId: string) => boolean;
  readonly offsetOf: (uid: string) => number;
  /** Stores the progress in the transaction that does the work. */
  readonly save: (tx: Transaction, change: Partial<Pick<Progress, 'done' | 'offsets'>>) => Promise<void>;
  readonly onProgress: (detail: string) => void;
}

/** The documents that the database has. */
export interface KnownDocuments {
  /** Documents of the export. */
  readonly existing: ExistingDocuments;
  /** Other documents that the export links. */
  readonly linked: ExistingDocuments;
}

/** Returns the context for resolving links, and a function that is true if the import writes a document. */
export function createLinkContext(
  inspection: SourceInspection,
  { existing, linked }: KnownDocuments,
  { existing: policy }: ImportOptions,
  findings: ImportFindings = new ImportFindings(),
): { readonly links: LinkContext; readonly isWritten: ImportRun['isWritten'] } {
  const has = (uid: string, documentId: string): boolean => existing.get(uid)?.has(documentId) === true;
  const isImported = (uid: string, documentId: string): boolean =>
    inspection.selected(uid) !== undefined && inspection.rows.get(uid)?.has(documentId) === true;
  return {
    links: {
      model: inspection.model,
      rows: inspection.rows,
      links: inspection.links,
      findings,
      defaultLocale: inspection.defaultLocale,
      isAvailable: (uid, documentId) =>
        isImported(uid, documentId) || has(uid, documentId) || linked.get(uid)?.has(documentId) === true,
    },
    isWritten: (uid, documentId) =>
      inspection.selected(uid) !== undefined && !(policy === 'skip' && has(uid, documentId)),
  };
}
