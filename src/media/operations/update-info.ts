import { infoValues } from '../file-table.js';
import type { FileInfo } from '../media.js';
import type { MediaContext } from '../media-context.js';
import { runFileWrite } from './run-file-write.js';

/** Updates the attributes of a file that users edit. Returns false if there is no such file. */
export async function updateInfo(context: MediaContext, id: number, info: FileInfo): Promise<boolean> {
  const { database, files, hooks } = context;
  return runFileWrite(context, id, { action: 'update', data: infoValues(info) }, (write) =>
    database.transact(async (tx) => {
      if ((await files.lock(tx, id)) === null) return null;
      await hooks.before(write, tx);
      await files.update(tx, id, write.data ?? {});
      return write;
    }),
  );
}
