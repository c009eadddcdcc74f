import { sql } from 'kysely';
import { USER_UID } from '../../model/content-types/builtin/registry.js';
import type { AccountConfig } from '../../config/stored-account-settings.js';
import type { Database, Transaction } from '../../database/database.js';
import { chunksOf } from '../../lib/chunks.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import type { MediaLibrary } from '../../media/media.js';
import type { RowIndex } from './row-index.js';

/** Target of an import. */
export interface ImportTarget {
  readonly database: Database;
  readonly model: ContentModel;
  readonly media: MediaLibrary;
  /** The settings of people's accounts that hold. */
  readonly accounts: AccountConfig;
}

/** The document ids that are in the database, by the uid of their type. */
export type ExistingDocuments = ReadonlyMap<string, ReadonlySet<string>>;

const CHUNK_SIZE = 5000;

/** Finds out which of some documents the database has. */
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

/** True if the database has neither documents of the project's own types nor users. */
export async function isNewDatabase({ database, model }: ImportTarget): Promise<boolean> {
  for (const { origin, uid, storage } of model.types) {
    if (origin !== 'project' && uid !== USER_UID) continue;
    if ((await countRows(database, storage.document.table)) > 0) return false;
  }
  return true;
}

/**
 * Returns what to add to the ids of an export's rows so that they are free: nothing, unless rows that stay
 * have ids among them.
 */
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
