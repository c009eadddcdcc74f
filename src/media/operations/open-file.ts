import type { Readable } from 'node:stream';
import { createError } from '../../errors/catalogue.js';
import { errorCode } from '../../lib/error-code.js';
import type { StoredFile } from '../file-table.js';
import type { MediaContext } from '../media-context.js';
import type { StorageProvider } from '../media.js';
import { openUrl } from '../open-url.js';

/** Opens the content of a file where it is stored. @throws `upload/missing-object` */
export const openObject = async (
  provider: StorageProvider,
  { hash, ext, url, name }: StoredFile,
): Promise<Readable> => {
  try {
    return await (provider.open === undefined ? openUrl(url) : provider.open(`${hash}${ext}`));
  } catch (cause) {
    if (errorCode(cause) !== 'ENOENT' && provider.open !== undefined) throw cause;
    throw createError('upload/missing-object', { name, key: `${hash}${ext}` }, { cause });
  }
};

/**
 * Opens the content of the file `id`.
 *
 * @throws `upload/missing-object`
 */
export async function openFile({ database, files, providers }: MediaContext, id: number): Promise<Readable> {
  const file = await database.transact((tx) => files.find(tx, id));
  if (file === null) throw createError('upload/missing-object', { name: String(id), key: '' });
  return openObject(providers.current, file);
}
