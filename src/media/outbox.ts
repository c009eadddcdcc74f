import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Transaction } from '../database/database.js';
import { STATE_TABLE } from '../database/server-state.js';
import { readKeptFiles } from '../documents/trash/trash-table.js';
import { createError } from '../errors/catalogue.js';
import { isRecord } from '../lib/records.js';
import { DAY_MS, HOUR_MS } from '../lib/units.js';
import { applyAllVisibility } from './file-visibility.js';
import { keysOfRow, parsePlaces } from './file-table.js';
import type { MediaContext } from './media-context.js';
import type { StoredObject, StoredPlaces } from './media.js';

const PREFIX = 'upload:';
const ENTRIES_SQL = `SELECT key, value FROM cms_state WHERE key LIKE '${PREFIX}%'`;

/**
 * Stored objects without a row: not yet, or no longer. The entry is in the database, so that another process
 * can remove the objects if the writing process ends.
 */
interface OutboxEntry {
  readonly key: string;
  /** The stored JSON. It changes when another process claims the entry. */
  readonly value: string;
  readonly provider: string;
  readonly keys: readonly string[];
  /** Locations of the objects, if their store reported them. */
  readonly places: StoredPlaces;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

type EntryContent = Pick<OutboxEntry, 'provider' | 'keys' | 'places'>;

const createEntry = (
  { provider, keys, places }: EntryContent,
  key = `${PREFIX}${randomUUID()}`,
): OutboxEntry => {
  const at = Date.now();
  return {
    key,
    provider,
    keys,
    places,
    createdAt: at,
    value: JSON.stringify({ provider, keys, places, at, mark: randomUUID() }),
  };
};

const parseEntry = (key: string, value: string): OutboxEntry | null => {
  const content: unknown = JSON.parse(value);
  if (
    !isRecord(content) ||
    typeof content['provider'] !== 'string' ||
    typeof content['at'] !== 'number' ||
    !Array.isArray(content['keys'])
  )
    return null;
  return {
    key,
    value,
    provider: content['provider'],
    keys: content['keys'].map(String),
    places: parsePlaces(content['places']),
    createdAt: content['at'],
  };
};

/** Adds an entry for objects that are about to be stored, or whose row is about to be deleted. */
export async function addEntry(tx: Transaction, content: EntryContent): Promise<OutboxEntry> {
  const entry = createEntry(content);
  await tx.table(STATE_TABLE).insert([{ key: entry.key, value: entry.value }]);
  return entry;
}

/**
 * Deletes an entry in the transaction that writes the rows of its objects. Throws `upload/timed-out` if a
 * sweep has claimed it meanwhile.
 */
export async function commitEntry(tx: Transaction, { key, value }: OutboxEntry): Promise<void> {
  const count = await tx.table(STATE_TABLE).delete({ key, value });
  if (count === 0) throw createError('upload/timed-out');
}

/**
 * Claims an entry, so that no other process handles it. Returns null if it was deleted, or claimed by another
 * process.
 */
async function claimEntry(database: Database, entry: OutboxEntry): Promise<OutboxEntry | null> {
  const claimed = createEntry(entry, entry.key);
  const count = await database.transact((tx) =>
    tx.table(STATE_TABLE).update({ key: entry.key, value: entry.value }, { value: claimed.value }),
  );
  return count === 0 ? null : claimed;
}

/** Deletes an entry whose objects were removed. */
async function deleteEntry(database: Database, { key, value }: OutboxEntry): Promise<void> {
  await database.transact((tx) => tx.table(STATE_TABLE).delete({ key, value }));
}

/** Returns the names of all objects that have an entry. */
async function findPendingKeys(tx: Transaction): Promise<readonly string[]> {
  const rows = await tx.query(ENTRIES_SQL, []);
  return rows.flatMap((row) => parseEntry(String(row['key']), String(row['value']))?.keys ?? []);
}

/** Returns the entries older than `age` milliseconds. */
async function findOverdueEntries(tx: Transaction, age: number): Promise<readonly OutboxEntry[]> {
  const rows = await tx.query(ENTRIES_SQL, []);
  const before = Date.now() - age;
  return rows
    .flatMap((row) => parseEntry(String(row['key']), String(row['value'])) ?? [])
    .filter(({ createdAt }) => createdAt < before);
}

/**
 * Removes the stored objects of an outbox entry, unless their rows were written after all. If this fails, the
 * next sweep tries again.
 */
export async function removeOrphanedObjects(
  { database, providers, onError }: MediaContext,
  entry: OutboxEntry,
): Promise<void> {
  try {
    const provider = providers.find(entry.provider);
    if (provider === null) return;
    const claimed = await claimEntry(database, entry);
    if (claimed === null) return;
    for (const key of claimed.keys) await provider.remove(key, claimed.places[key]);
    await deleteEntry(database, claimed);
  } catch (error) {
    onError(error);
  }
}

/** The longest time from the last byte of an upload until its rows are written. */
const STORING_TIMEOUT_MS = HOUR_MS;
/** The longest time for receiving an upload. */
const RECEIVING_TIMEOUT_MS = DAY_MS;

const clearStaging = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch((): readonly string[] => []);
  for (const name of names) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && found.mtimeMs < Date.now() - RECEIVING_TIMEOUT_MS)
      await rm(path, { recursive: true, force: true });
  }
};

/** Completes the work of processes that ended during an upload, a deletion or a restoration. */
export async function sweep(context: MediaContext): Promise<void> {
  await clearStaging(context.providers.current.stagingFolder);
  const { database } = context;
  const { overdue, kept } = await database.transact(async (tx) => ({
    overdue: await findOverdueEntries(tx, STORING_TIMEOUT_MS),
    kept: await readKeptFiles(tx, database.dialect.expressions),
  }));
  for (const entry of overdue) await removeOrphanedObjects(context, entry);
  await applyAllVisibility(context, kept);
}

/**
 * Returns the objects of the current store that belong to neither a file nor an upload in progress. Null: the
 * store cannot list its objects.
 */
export async function findStrays({
  database,
  files,
  providers,
}: MediaContext): Promise<readonly StoredObject[] | null> {
  const { list } = providers.current;
  if (list === undefined) return null;
  // An object stored before the list was read has an outbox entry until its row is written. So read the list,
  // then the entries, then the rows: each used object is found in one of them.
  const unused = new Map((await list()).map((object) => [object.name, object]));
  const pending = await database.transact(findPendingKeys);
  for (const key of pending) unused.delete(key);
  const keepDeleted = async (): Promise<void> => {
    const kept = await database.transact((tx) => readKeptFiles(tx, database.dialect.expressions));
    for (const key of kept.flatMap(({ values }) => keysOfRow(values))) unused.delete(key);
  };
  // A row may move to the trash, or back, between the reads.
  await keepDeleted();
  await database.transact(async (tx) => {
    for await (const keys of files.storedKeys(tx)) for (const key of keys) unused.delete(key);
  });
  await keepDeleted();
  return [...unused.values()];
}

/** Removes objects of the current store. */
export async function removeStrays({ providers }: MediaContext, names: readonly string[]): Promise<void> {
  for (const name of names) await providers.current.remove(name);
}
