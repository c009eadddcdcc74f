import type { Database, Transaction } from '../../database/database.js';

/** A transaction that ends when its owner says so. Calls do not join it by themselves. */
export interface ManualTransaction {
  readonly tx: Transaction;
  readonly end: (commits: boolean) => Promise<void>;
}

/** Ends a transaction that has not failed and is to be rolled back. */
class RolledBack extends Error {}

/** Begins a transaction, and leaves it open. */
export function beginTransaction(database: Database): Promise<ManualTransaction> {
  return new Promise((resolve, reject) => {
    let end: (commits: boolean) => void = () => undefined;
    const ending = new Promise<boolean>((resolveEnding) => {
      end = resolveEnding;
    });
    const running: Promise<void> = database
      .transact(async (tx) => {
        resolve({
          tx,
          end: (commits) => {
            end(commits);
            return running;
          },
        });
        if (!(await ending)) throw new RolledBack('The transaction is rolled back');
      })
      .catch((error: unknown) => {
        reject(error);
        if (!(error instanceof RolledBack)) throw error;
      });
    running.catch(() => undefined);
  });
}
