import type { MediaFile } from '../../transfer/store/media-store.js';
import type { MediaMaintenance } from '../../media/media.js';
import type { FileUsage } from '../../media/usages/file-usages.js';
import { keysOfRow } from '../../media/stored-places.js';

/** The most documents that a list names. */
const NAMED = 5;

/** Returns the documents that refer to files. A document occurs once for each of its versions. */
export async function usagesOf(
  maintenance: MediaMaintenance,
  files: readonly MediaFile[],
): Promise<readonly FileUsage[]> {
  const usages: FileUsage[] = [];
  await maintenance.findUsages(files.map(usedFile), (usage) => usages.push(usage));
  return usages;
}

/** Returns by what a file is recognised. */
export function usedFile(file: MediaFile): {
  readonly documentId: string;
  readonly keys: readonly string[];
  readonly url: string;
} {
  return { documentId: file.documentId, keys: keysOfRow(file), url: file.url };
}

const printUsage = ({ type, documentId, attribute, by }: FileUsage): string =>
  `${type} ${documentId} ${attribute}${by === 'address' ? ' (in its text)' : ''}`;

/** Prints who refers to a file, each document and attribute once. Empty: nobody. */
export function printUsages(usages: readonly FileUsage[]): readonly string[] {
  const lines = [...new Set(usages.map(printUsage))];
  const rest = lines.length - NAMED;
  return rest > 0 ? [...lines.slice(0, NAMED), `and ${rest} more`] : lines;
}
