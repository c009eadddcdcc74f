import type { FileValues, FileWrite } from '../file-hooks.js';
import type { MediaContext } from '../media-context.js';
import { changedValues } from './changed-values.js';

interface Change {
  readonly action: 'update' | 'delete';
  readonly data: FileValues | null;
}

/**
 * Does one write of a file that is there, with all who take part. `work` writes and answers whether the file was still there.
 * False: there is no such file.
 */
export async function changeFile({ database, files, hooks }: MediaContext, id: number, { action, data }: Change, work: (write: FileWrite) => Promise<boolean>): Promise<boolean> {
  const documentId = await database.transact((tx) => files.documentIdOf(tx, id));
  if (documentId === null) return false;
  let isDone = false;
  await hooks.around({ action, documentId, data }, async (changed) => {
    const write = { action, documentId, data: data === null ? null : changedValues(data, changed) };
    isDone = await work(write);
    if (isDone) await hooks.after(write);
    return isDone ? documentId : null;
  });
  return isDone;
}
