import type { MediaFile, MediaStore } from '../../transfer/store/media-store.js';
import { usedFile } from './usages.js';

/** The number of files that are read at a time. */
const BATCH = 500;

/** Reads all files, some at a time, in the order in which they were added. */
export async function* readAllFiles(media: MediaStore): AsyncIterable<readonly MediaFile[]> {
  for (let after = 0; ;) {
    const files = await media.find({ filters: { id: { $gt: after } }, sort: ['id'], limit: BATCH });
    if (files.length === 0) return;
    after = files.at(-1)?.id ?? after;
    yield files;
  }
}

/**
 * Returns the files to which no version of any document refers, neither by a link nor by an address in a
 * text, and which were added before a time: those added after it may be about to be linked.
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
