import type { Database as SqliteDatabase } from 'better-sqlite3';

/**
 * Makes the C library keep memory for later that statements have used. Until something large is freed for the
 * first time, glibc gives what SQLite takes for temporary tables (some 100 kB for each sorted list and each
 * part of a search) back to the system after each statement, which then clears it page by page for the next
 * one: a search took up to seven times as long.
 */
export function keepMemory(database: SqliteDatabase): void {
  const bytes = 4 * 1024 * 1024;
  database.prepare(`SELECT substr(zeroblob(${bytes}), 1, 1)`).get();
}
