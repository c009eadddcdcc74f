import type { Database, Transaction } from '../../database/database.js';

/** Values that a server keeps between runs, by key. */
export interface ServerState {
  readonly read: (key: string) => Promise<string | null>;
  readonly write: (key: string, value: string) => Promise<void>;
  /** Returns whether there was a value. */
  readonly remove: (key: string) => Promise<boolean>;
  /** Replaces a value by what `change` returns, while no other process does. Null: the value stays. */
  readonly change: (key: string, change: (value: string | null) => string | null) => Promise<void>;
}

const readValue = async (tx: Transaction, key: string): Promise<string | null> => {
  const row = await tx.model('SystemState').findUnique({ where: { key } });
  return typeof row?.['value'] === 'string' ? row['value'] : null;
};

const writeValue = async (tx: Transaction, key: string, value: string): Promise<void> => {
  await tx.model('SystemState').upsert({ where: { key }, create: { key, value }, update: { value } });
};

/** Opens the state of a server in its database. `transact` may join a transaction that is open already. */
export function createServerState(transact: Database['transact']): ServerState {
  return {
    read: (key) => transact((tx) => readValue(tx, key)),
    write: (key, value) => transact((tx) => writeValue(tx, key, value)),
    remove: (key) =>
      transact(async (tx) => (await tx.model('SystemState').deleteMany({ where: { key } })).count > 0),
    change: (key, change) =>
      transact(async (tx) => {
        await tx.lock(key);
        const value = change(await readValue(tx, key));
        if (value !== null) await writeValue(tx, key, value);
      }),
  };
}
