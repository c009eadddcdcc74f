import { isDatabaseFault } from '../database/database-fault.js';
import type { Database } from '../database/database.js';
import { fail } from '../errors/catalogue.js';

/** A database that is busy, away or overtaken by another write is nobody's fault, and whoever tries again may succeed. */
export function availableDatabase(database: Database): Database {
  return {
    ...database,
    transact: async (work) => {
      try {
        return await database.transact(work);
      } catch (error) {
        throw isDatabaseFault(error) ? fail('server/unavailable', {}, { cause: error }) : error;
      }
    },
  };
}
