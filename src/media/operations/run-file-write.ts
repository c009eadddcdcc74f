import type { FileValues, FileWrite } from '../file-hooks.js';
import type { MediaContext } from '../media-context.js';
import { parseFileInfo } from '../file-info.js';
import { infoValues } from '../file-table.js';

interface FileChange {
  readonly action: 'update' | 'delete';
  readonly data: FileValues | null;
}

/**
 * Runs one write of an existing file with its hooks. `work` returns what it has
 * written, or null if the file no longer existed. Returns false if there is no such file.
 */
export async function runFileWrite(
  { database, files, hooks }: MediaContext,
  id: number,
  { action, data }: FileChange,
  work: (write: FileWrite) => Promise<FileWrite | null>,
): Promise<boolean> {
  const documentId = await database.transact((tx) => files.documentIdOf(tx, id));
  if (documentId === null) return false;
  let isWritten = false;
  await hooks.around({ action, documentId, data }, async (changed) => {
    const write = { action, documentId, data: data === null ? null : mergeChangedValues(data, changed) };
    const written = await work(write);
    isWritten = written !== null;
    if (written !== null) await hooks.after(written);
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
