import type { FileValues, FileWrite } from '../file-hooks.js';
import type { MediaContext } from '../media-context.js';
import { parseFileInfo } from '../file-info.js';
import { infoValues } from '../file-table.js';

interface FileChange {
  readonly action: 'update' | 'delete';
  readonly data: FileValues | null;
}

/**
 * Runs one write of an existing file with its hooks. `work` writes and returns whether the file still
 * existed. Returns false if there is no such file.
 */
export async function runFileWrite(
  { database, files, hooks }: MediaContext,
  id: number,
  { action, data }: FileChange,
  work: (write: FileWrite) => Promise<boolean>,
): Promise<boolean> {
  const documentId = await database.transact((tx) => files.documentIdOf(tx, id));
  if (documentId === null) return false;
  let isWritten = false;
  await hooks.around({ action, documentId, data }, async (changed) => {
    const write = { action, documentId, data: data === null ? null : mergeChangedValues(data, changed) };
    isWritten = await work(write);
    if (isWritten) await hooks.after(write);
    return isWritten ? documentId : null;
  });
  return isWritten;
}

/**
 * Returns the values to write after middlewares have run. They may change the attributes that users
 * edit, but not what was detected from the file's content.
 *
 * @throws `upload/invalid-file-info`
 */
export function mergeChangedValues(original: FileValues, changed: FileValues | null): FileValues {
  return changed === null || changed === original
    ? original
    : { ...original, ...infoValues(parseFileInfo(changed)) };
}
