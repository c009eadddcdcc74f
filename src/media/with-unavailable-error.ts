import { isDatabaseError } from '../database/database-error.js';
import type { Database } from '../database/database.js';
import { toUnavailableError } from '../database/unavailable-error.js';
import { createError } from '../errors/catalogue.js';

/**
 * Reports errors of the database as `server/unavailable`: it is busy, unreachable or had a conflicting write,
 * and another attempt may succeed.
 */
export function withUnavailableError(database: Database): Database {
  return {
    ...database,
    transact: async (work, options) => {
      try {
        return await database.transact(work, options);
      } catch (error) {
        if (!isDatabaseError(error)) throw error;
        throw toUnavailableError(error) ?? createError('server/unavailable', {}, { cause: error });
      }
    },
  };
}
