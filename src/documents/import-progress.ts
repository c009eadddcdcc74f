import { createServerState, writeServerState } from '../database/server-state.js';
import type { Database, Transaction } from '../database/database.js';

/** Progress of an import, as its client describes it. */
export interface ImportProgress {
  /** Names the import. */
  readonly key: string;
  readonly value: string;
}

/** The progress of imports, which the transactions of their writes store. */
export interface ImportProgressStore {
  /** Returns null where no import of the name was interrupted. */
  readonly find: (key: string) => Promise<string | null>;
  readonly remove: (key: string) => Promise<void>;
}

const PREFIX = 'import/rows/';

/** Stores progress with what is written in the same transaction, so that neither is there alone. */
export async function saveImportProgress(tx: Transaction, { key, value }: ImportProgress): Promise<void> {
  await writeServerState(tx, PREFIX + key, value);
}

/** Opens the progress of imports into a database. */
export function createImportProgress(
  database: Pick<Database, 'dialect' | 'readTexts' | 'transact'>,
): ImportProgressStore {
  const state = createServerState(database);
  return {
    find: (key) => state.read(PREFIX + key),
    remove: async (key) => void (await state.remove(PREFIX + key)),
  };
}
