import type { ForeignDatabase } from './dialect/foreign-database.js';
import { openForeignPostgres } from './postgres/foreign-database.js';
import { openForeignSqlite } from './sqlite/foreign-database.js';

/**
 * Opens a database for reading.
 *
 * @param url of the form `file:/absolute/data.db` or `postgresql://…`
 * @param folder for temporary files, which the caller removes after closing
 * @throws the driver's error where it cannot be opened
 */
export function openForeignDatabase(url: string, folder: string): Promise<ForeignDatabase> {
  return url.startsWith('file:') ? openForeignSqlite(url, folder) : openForeignPostgres(url);
}
