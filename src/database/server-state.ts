import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from './database.js';
import { defineTable } from './table.js';

/** The values that servers keep between runs, by key. */
export const STATE_TABLE = defineTable('cms_state', { key: 'text', value: 'text', updatedAt: 'datetime' });

/** Prefix of the name of a setting in Strapi's store: `plugin_users-permissions_advanced`. */
export const STORE_PREFIX = 'strapi/store/';

/** Values that a server keeps between runs, by key. */
export interface ServerState {
  readonly read: (key: string) => Promise<string | null>;
  /** Reads a value on the connection of a transaction, without waiting for another one. */
  readonly readWithin: (tx: Pick<Transaction, 'query'>, key: string) => Promise<string | null>;
  /** Returns the keys with the prefix. */
  readonly keys: (prefix: string) => Promise<readonly string[]>;
  readonly write: (key: string, value: string) => Promise<void>;
  /** Returns true if there was a value. */
  readonly remove: (key: string) => Promise<boolean>;
  /** Replaces a value by the result of `change`, under a lock. Null: the value stays. */
  readonly change: (key: string, change: (value: string | null) => string | null) => Promise<void>;
}

/** Returns a value in a transaction, or null. */
export async function readServerState(tx: Transaction, key: string): Promise<string | null> {
  const row = await tx.table(STATE_TABLE).findFirst({ key });
  return typeof row?.['value'] === 'string' ? row['value'] : null;
}

/** Stores a value in a transaction. */
export async function writeServerState(tx: Transaction, key: string, value: string): Promise<void> {
  await tx.table(STATE_TABLE).upsert('key', { key, value });
}

/** Opens the state of a server in its database. */
export function createServerState({
  dialect,
  readTexts,
  transact,
}: Pick<Database, 'dialect' | 'readTexts' | 'transact'>): ServerState {
  const readSql = `SELECT "value" FROM "cms_state" WHERE "key" = ${dialect.expressions.placeholder(1)}`;
  const keysSql = ({ length }: string): string =>
    `SELECT "key" FROM "cms_state" WHERE substr("key", 1, ${length}) = ${dialect.expressions.placeholder(1)}`;
  return {
    read: async (key) => (await readTexts(readSql, [key]))[0] ?? null,
    readWithin: async (tx, key) => {
      const [row] = await tx.query(readSql, [key]);
      return typeof row?.['value'] === 'string' ? row['value'] : null;
    },
    keys: async (prefix) => (await readTexts(keysSql(prefix), [prefix])).filter((key) => key !== null),
    write: (key, value) => transact((tx) => writeServerState(tx, key, value)),
    remove: (key) => transact(async (tx) => (await tx.table(STATE_TABLE).delete({ key })) > 0),
    change: (key, change) =>
      transact(async (tx) => {
        await tx.lock(key);
        const value = change(await readServerState(tx, key));
        if (value !== null) await writeServerState(tx, key, value);
      }),
  };
}

/** A lease on some work, held by at most one of several processes. */
export interface ProcessLease {
  /** Acquires or renews the lease when that is due. Returns true if this process holds it. */
  readonly hold: () => Promise<boolean>;
  readonly release: () => Promise<void>;
}

/**
 * Creates a lease whose owner is stored in the database. The owner changes the value regularly. If the
 * value stays the same for `leaseMs`, by the clock of another process, the owner has ended.
 *
 * @param key names the work: `webhooks/sender`
 */
export function createProcessLease(state: ServerState, key: string, leaseMs: number): ProcessLease {
  const owner = randomUUID();
  const renewalMs = leaseMs / 3;
  let beat = 0;
  let renewedAt: number | null = null;
  let seen: { readonly value: string | null; readonly since: number } | null = null;
  /** Replaces the value that was read, unless another process was faster. */
  const take = async (isExpected: (value: string | null) => boolean): Promise<boolean> => {
    let isTaken = false;
    beat += 1;
    await state.change(key, (value) => {
      isTaken = isExpected(value);
      return isTaken ? `${owner} ${beat}` : null;
    });
    renewedAt = isTaken ? performance.now() : null;
    return isTaken;
  };
  return {
    hold: async () => {
      const now = performance.now();
      if (renewedAt !== null)
        return now - renewedAt < renewalMs || take((value) => value?.startsWith(owner) === true);
      const value = await state.read(key);
      if (seen === null || seen.value !== value) seen = { value, since: now };
      const isFree = value === null || value === '' || now - seen.since >= leaseMs;
      return isFree && take((current) => current === value);
    },
    release: async () => {
      if (renewedAt === null) return;
      renewedAt = null;
      await state.change(key, (value) => (value?.startsWith(owner) === true ? '' : null));
    },
  };
}
