import { contentValues, infoValues } from '../file-table.js';
import type { FileInfo, StagedFile } from '../media.js';
import type { MediaContext } from '../media-context.js';
import { storeFiles } from './store-files.js';

/** Stores files and writes their rows; answers the rows' ids in the same order. */
export function keepFiles(context: MediaContext, files: readonly StagedFile[], infos: readonly FileInfo[]): Promise<readonly number[]> {
  const { name } = context.providers.current;
  const rows = files.map((file, index) => ({ ...contentValues(file, name), ...infoValues(infos[index] ?? {}) }));
  return storeFiles(context, files, (tx) => context.files.insert(tx, rows));
}
