import { closeSync, openSync } from 'node:fs';
import { OWNER_ONLY } from '../../lib/private-file.js';

/**
 * Creates an empty database file that only its owner may read, unless there is one. SQLite creates files
 * that everybody may read, and gives its log files the permissions of the database. The driver reports why
 * a file cannot be created.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', OWNER_ONLY));
  } catch {
    // It is there already, or the driver fails with the same reason.
  }
}
