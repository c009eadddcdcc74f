import * as Args from '@oclif/core/args';
import { FILE_UID } from '../../model/content-types/builtin/registry.js';
import type { MediaStores } from '../../project/open-content-store.js';
import type { MediaFile } from '../../transfer/store/media-store.js';
import { resolveReferences } from '../../transfer/store/references.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { parseRecordId } from '../../lib/record-id.js';

const description = 'The name of the file, its id, documentId, hash or URL.';

/** The argument of commands about one file. */
export const fileArgument = { file: Args.string({ required: true, description }) };

/** The argument of commands about files. */
export const filesArgument = { files: Args.string({ required: true, multiple: true, description }) };

/** Creates `media/unknown-file`. */
export function unknownFile(name: string): Error {
  return createError('media/unknown-file', { name });
}

const resolveName = async ({ content }: MediaStores, name: string): Promise<string> => {
  const reference = { type: FILE_UID, name, path: 'file' };
  const { documentIdOf } = await resolveReferences(content, [reference]);
  try {
    return documentIdOf(reference);
  } catch (error) {
    if (isGalleyError(error) && error.code === 'content/unknown-reference') throw unknownFile(name);
    throw error;
  }
};

/**
 * Finds a file of the media library by what a command calls it.
 *
 * @throws `media/unknown-file`, `content/ambiguous-reference`
 */
export async function findFile(stores: MediaStores, name: string): Promise<MediaFile> {
  const id = parseRecordId(name);
  const filters =
    id === null
      ? { documentId: { $eq: await resolveName(stores, name) } }
      : { $or: [{ id: { $eq: id } }, { name: { $eq: name } }] };
  const found = await stores.media.find({ filters });
  const file = found.find((candidate) => candidate.id === id) ?? found[0];
  if (file === undefined) throw unknownFile(name);
  return file;
}

/** Finds files, each of them once. */
export async function findFiles(
  stores: MediaStores,
  names: readonly string[],
): Promise<readonly MediaFile[]> {
  const files = new Map<number, MediaFile>();
  for (const name of names) {
    const file = await findFile(stores, name);
    files.set(file.id, file);
  }
  return [...files.values()];
}
