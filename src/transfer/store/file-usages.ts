import { keysOfRow } from '../../media/file-table.js';
import type { MediaMaintenance } from '../../media/media.js';
import type { FileUsage, UsedFile } from '../../media/usages.js';
import type { MediaFile, MediaStore } from './media-store.js';

/** Returns the identifiers of a file, for the search of its usages. */
function usedFile(file: MediaFile): UsedFile {
  return { documentId: file.documentId, keys: keysOfRow(file), url: file.url };
}

/** Returns the documents that refer to files. A document occurs once for each of its versions. */
export async function usagesOf(
  maintenance: MediaMaintenance,
  files: readonly MediaFile[],
): Promise<readonly FileUsage[]> {
  const usages: FileUsage[] = [];
  await maintenance.findUsages(files.map(usedFile), (usage) => usages.push(usage));
  return usages;
}

/** The number of files in one read. */
const BATCH = 500;

/** Reads all files in batches, in the order in which they were added. */
export async function* readAllFiles(media: MediaStore): AsyncIterable<readonly MediaFile[]> {
  for (let after = 0; ;) {
    const files = await media.find({ filters: { id: { $gt: after } }, sort: ['id'], limit: BATCH });
    if (files.length === 0) return;
    after = files.at(-1)?.id ?? after;
    yield files;
  }
}

/**
 * Returns the files added before a time to which no version of any document refers, neither by a link nor by
 * an address in a text. Later files may be linked soon.
 */
export async function findUnused(media: MediaStore, before: Date): Promise<readonly MediaFile[]> {
  const candidates = new Map<string, MediaFile>();
  for await (const files of readAllFiles(media))
    for (const file of files)
      if (new Date(String(file['createdAt'])) <= before) candidates.set(file.documentId, file);
  if (candidates.size === 0) return [];
  const files = [...candidates.values()].map(usedFile);
  await media.maintenance.findUsages(files, ({ file }) => candidates.delete(file), { isOnce: true });
  return [...candidates.values()];
}
