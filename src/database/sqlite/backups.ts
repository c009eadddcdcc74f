import { createError } from '../../errors/catalogue.js';
import { hasErrorCode } from '../../lib/error-code.js';
import { messageOf } from '../../lib/source-location.js';
import type { BackupSupport, DatabaseCopies } from '../dialect/backups.js';
import { createPrivateFile } from './create-private-file.js';
import { loadDriver } from './load-driver.js';
import { sqlitePath } from './url.js';

/** All pages at once: a copy that takes several steps begins anew where others write in between. */
const IN_ONE_STEP = { progress: () => 0x7fff_ffff };

const transfer = async (from: string, to: string): Promise<void> => {
  const Database = await loadDriver();
  const database = new Database(from, { readonly: true, fileMustExist: true });
  try {
    createPrivateFile(to);
    await database.backup(to, IN_ONE_STEP);
  } finally {
    database.close();
  }
};

const check: DatabaseCopies['check'] = async (path) => {
  const Database = await loadDriver();
  try {
    const database = new Database(path, { readonly: true, fileMustExist: true });
    try {
      const found = String(database.pragma('integrity_check(1)', { simple: true }));
      return found === 'ok' ? null : found;
    } finally {
      database.close();
    }
  } catch (error) {
    return messageOf(error);
  }
};

const copy: DatabaseCopies['copy'] = async (url, path) => {
  try {
    await transfer(sqlitePath(url), path);
  } catch (error) {
    if (!hasErrorCode(error, 'SQLITE_FULL')) throw error;
    throw createError('transfer/cannot-write', { path, reason: 'its disk is full' }, { cause: error });
  }
};

export const SQLITE_BACKUPS: BackupSupport = {
  copies: {
    copy,
    check,
    // Others that have the database open see its new content with their next statement.
    restore: (path, url) => transfer(path, sqlitePath(url)),
  },
  countServersSql: null,
};
