import { infoValues } from '../file-table.js';
import type { FileInfo } from '../media.js';
import type { MediaContext } from '../media-context.js';

/** Changes what is said of a file. False: there is no such file. */
export async function updateInfo({ database, files }: MediaContext, id: number, info: FileInfo): Promise<boolean> {
  return database.transact(async (tx) => {
    if ((await files.lock(tx, id)) === null) return false;
    await files.update(tx, id, infoValues(info));
    return true;
  });
}
