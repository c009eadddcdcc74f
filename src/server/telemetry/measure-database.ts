import type { Database } from '../../database/database.js';
import type { DatabaseWork } from './observer.js';

/** Returns a database that tells how long its reads and transactions took, also those that failed. */
export function measureDatabase(
  database: Database,
  onDone: (kind: DatabaseWork, ms: number) => void,
): Database {
  const time = async <T>(kind: DatabaseWork, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    try {
      return await work();
    } finally {
      onDone(kind, performance.now() - start);
    }
  };
  return {
    ...database,
    readTexts: (...read) => time('read', () => database.readTexts(...read)),
    readNumber: (...read) => time('count', () => database.readNumber(...read)),
    // What joins a transaction is part of it.
    transact: (work, options) =>
      database.joined() === null
        ? time('transaction', () => database.transact(work, options))
        : database.transact(work, options),
  };
}
