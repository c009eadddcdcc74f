import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialect } from '../dialects/dialect.js';
import type { RawConnection } from '../dialects/raw-statement.js';
import type { WriteAdapter } from '../dialects/write-adapter.js';
import { isGalleyError } from '../errors/galley-error.js';
import { createTurns } from '../lib/turns.js';
import { DatabaseFault } from './database-fault.js';
import type { Database, Transaction } from './database.js';
import { delegateOf } from './generated-client.js';
import type { PrismaClientLike } from './generated-client.js';

const ATTEMPTS = 12;
const FIRST_PAUSE_MS = 4;
const LONGEST_PAUSE_MS = 250;
/** Long, because giving up a transaction that only had to wait helps nobody. */
const PATIENCE = { maxWait: 60_000, timeout: 120_000 };

/** Held by transactions that are run again, one at a time. */
const REPETITION = 'transactions run again';

interface Parts {
  readonly dialect: Dialect;
  readonly client: PrismaClientLike;
  readonly adapter: WriteAdapter;
}

/** What the driver said, as the toolkit's own error; everything else as it is. */
export function asDatabaseFault(dialect: Dialect, error: unknown): unknown {
  if (isGalleyError(error) || error instanceof DatabaseFault) return error;
  const fault = dialect.readFault(error);
  return fault === null ? error : new DatabaseFault(fault, error);
}

/** `connection` is asked for each time, since it ends with the transaction: later statements would run outside of it. */
const openTransaction = ({ dialect }: Parts, client: unknown, connection: () => RawConnection, isRepeated: boolean): Transaction => ({
  model: (name) => delegateOf(client, name),
  execute: async (sql, parameters) => connection().execute(sql, parameters),
  query: async (sql, parameters) => connection().query(sql, parameters),
  lock: async (name) => {
    if (dialect.lockName !== null) await connection().query(dialect.lockName, [name]);
  },
  yieldSoon: async () => {
    // One that has its turn waits as long as it takes: the others give way to it.
    if (dialect.limitWaits !== null && !isRepeated) await connection().query(dialect.limitWaits, []);
  },
});

const attempt = <T>(parts: Parts, work: (tx: Transaction) => Promise<T>, isRepeated: boolean): Promise<T> =>
  parts.adapter.watch((connection) => parts.client.$transaction(async (client) => {
    const tx = openTransaction(parts, client, connection, isRepeated);
    if (isRepeated) await tx.lock(REPETITION);
    return work(tx);
  }, PATIENCE));

/** Later attempts wait longer, and each a little differently, so that those in each other's way part. */
const pause = (attempts: number): Promise<void> => sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempts) * (0.5 + Math.random()));

const isPassing = (error: unknown): boolean => error instanceof DatabaseFault && error.fault.kind === 'retry';

const persist = async <T>(parts: Parts, work: (tx: Transaction) => Promise<T>): Promise<T> => {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt(parts, work, attempts > 1);
    } catch (error) {
      const fault = asDatabaseFault(parts.dialect, error);
      if (!isPassing(fault) || attempts === ATTEMPTS) throw fault;
    }
    await pause(attempts);
  }
};

/** Runs transactions: tries again what another writer was in the way of, and lets one at a time in where the database does. */
export function createTransact(parts: Parts): Database['transact'] {
  if (!parts.dialect.singleWriter) return (work) => persist(parts, work);
  const turns = createTurns();
  return (work) => turns.run(() => persist(parts, work));
}
