import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '../database/database.js';
import { createError } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';
import type { StoredPlaces } from './media.js';
import { parsePlaces } from './stored-places.js';

const PREFIX = 'upload:';
/** Raw, since every start looks for entries, and Prisma Client takes long to load. */
const ENTRIES_SQL = `SELECT key, value FROM cms_state WHERE key LIKE '${PREFIX}%'`;

/**
 * Stored objects that have no row yet, or no longer. The entry is in the database, so that another process
 * can remove the objects if the one that wrote it ends.
 */
export interface OutboxEntry {
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
  await tx.model('SystemState').create({ data: { key: entry.key, value: entry.value } });
  return entry;
}

/**
 * Deletes an entry in the transaction that writes the rows of its objects. Throws `upload/timed-out` if a
 * sweep has claimed it meanwhile.
 */
export async function commitEntry(tx: Transaction, { key, value }: OutboxEntry): Promise<void> {
  const { count } = await tx.model('SystemState').deleteMany({ where: { key, value } });
  if (count === 0) throw createError('upload/timed-out');
}

/**
 * Claims an entry, so that no other process handles it. Returns null if it was deleted, or claimed by another
 * process.
 */
export async function claimEntry(database: Database, entry: OutboxEntry): Promise<OutboxEntry | null> {
  const claimed = createEntry(entry, entry.key);
  const { count } = await database.transact((tx) =>
    tx
      .model('SystemState')
      .updateMany({ where: { key: entry.key, value: entry.value }, data: { value: claimed.value } }),
  );
  return count === 0 ? null : claimed;
}

/** Deletes an entry whose objects were removed. */
export async function deleteEntry(database: Database, { key, value }: OutboxEntry): Promise<void> {
  await database.transact((tx) => tx.model('SystemState').deleteMany({ where: { key, value } }));
}

/** Returns the names of all objects that have an entry. */
export async function findPendingKeys(tx: Transaction): Promise<readonly string[]> {
  const rows = await tx.query(ENTRIES_SQL, []);
  return rows.flatMap((row) => parseEntry(String(row['key']), String(row['value']))?.keys ?? []);
}

/** Returns the entries older than `age` milliseconds. */
export async function findOverdueEntries(database: Database, age: number): Promise<readonly OutboxEntry[]> {
  const rows = await database.transact((tx) => tx.query(ENTRIES_SQL, []));
  const before = Date.now() - age;
  return rows
    .flatMap((row) => parseEntry(String(row['key']), String(row['value'])) ?? [])
    .filter(({ createdAt }) => createdAt < before);
}
