import { createError } from '../../errors/catalogue.js';

type Driver = typeof import('better-sqlite3');

const load = async (): Promise<Driver> => {
  try {
    const { default: Database } = await import('better-sqlite3');
    // Only opening a database loads the compiled part.
    new Database(':memory:').close();
    return Database;
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n');
    throw createError('database/sqlite-driver-missing', { reason }, { cause: error });
  }
};

let driver: Promise<Driver> | undefined;

/**
 * Loads the driver. It is an optional dependency: it has to be compiled where there is no binary for the
 * machine, and projects on PostgreSQL do not need it.
 *
 * @throws `database/sqlite-driver-missing`
 */
export function loadDriver(): Promise<Driver> {
  driver ??= load();
  return driver;
}
