import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '../database/database.js';
import { fail } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';

const PREFIX = 'upload:';

/**
 * Stored files that no row stands for: not yet, or no more. Kept in the database, so that whoever is left can remove them
 * when the process that wrote it is gone.
 */
export interface JournalEntry {
  readonly key: string;
  /** As stored; also tells whether anybody else has taken the entry over. */
  readonly value: string;
  readonly provider: string;
  readonly keys: readonly string[];
  /** Milliseconds since 1970. */
  readonly at: number;
}

type Listed = Pick<JournalEntry, 'provider' | 'keys'>;

const createEntry = ({ provider, keys }: Listed, key = `${PREFIX}${randomUUID()}`): JournalEntry => {
  const at = Date.now();
  return { key, provider, keys, at, value: JSON.stringify({ provider, keys, at, mark: randomUUID() }) };
};

const parseEntry = (key: string, value: string): JournalEntry | null => {
  const content: unknown = JSON.parse(value);
  if (!isRecord(content) || typeof content['provider'] !== 'string' || typeof content['at'] !== 'number' || !Array.isArray(content['keys'])) return null;
  return { key, value, provider: content['provider'], keys: content['keys'].map(String), at: content['at'] };
};

/** Notes files that are about to be stored, or whose row is about to go. */
export async function note(tx: Transaction, listed: Listed): Promise<JournalEntry> {
  const entry = createEntry(listed);
  await tx.model('SystemState').create({ data: { key: entry.key, value: entry.value } });
  return entry;
}

/** The files have their rows, written in this same transaction. Throws `upload/overtaken` where they have been given up meanwhile. */
export async function settle(tx: Transaction, { key, value }: JournalEntry): Promise<void> {
  const { count } = await tx.model('SystemState').deleteMany({ where: { key, value } });
  if (count === 0) throw fail('upload/overtaken');
}

/** Takes an entry over, so that nobody else can settle it. Null: it is settled, or somebody else has taken it over. */
export async function claim(database: Database, entry: JournalEntry): Promise<JournalEntry | null> {
  const claimed = createEntry(entry, entry.key);
  const { count } = await database.transact((tx) => tx.model('SystemState').updateMany({ where: { key: entry.key, value: entry.value }, data: { value: claimed.value } }));
  return count === 0 ? null : claimed;
}

/** The files are gone. */
export async function strike(database: Database, { key, value }: JournalEntry): Promise<void> {
  await database.transact((tx) => tx.model('SystemState').deleteMany({ where: { key, value } }));
}

/** Entries older than `age` milliseconds. */
export async function overdue(database: Database, age: number): Promise<readonly JournalEntry[]> {
  const rows = await database.transact((tx) => tx.model('SystemState').findMany({ where: { key: { startsWith: PREFIX } } }));
  const before = Date.now() - age;
  return rows.flatMap((row) => parseEntry(String(row['key']), String(row['value'])) ?? []).filter(({ at }) => at < before);
}
