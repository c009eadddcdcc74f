import type { ExternalDatabase } from './dialect/database-driver.js';
import type { Dialect, DialectName } from './dialect/dialect.js';
import { openExternalPostgres, postgres } from './postgres/postgres.js';
import { openExternalSqlite, sqlite } from './sqlite/sqlite.js';

const DIALECTS: Readonly<Record<DialectName, Dialect>> = { sqlite, postgresql: postgres };

/** Returns the dialect of a name, as a project configures it. */
export function getDialect(name: DialectName): Dialect {
  return DIALECTS[name];
}

/**
 * Opens an external database for reading.
 *
 * @param url of the form `file:/absolute/data.db` or `postgresql://…`
 * @param folder for temporary files, which the caller removes after closing
 * @throws the driver's error if it cannot be opened
 */
export function openExternalDatabase(url: string, folder: string): Promise<ExternalDatabase> {
  return url.startsWith('file:') ? openExternalSqlite(url, folder) : openExternalPostgres(url);
}
