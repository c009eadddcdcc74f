import { isRecord } from '../../lib/is-record.js';
import type { MediaFile } from './media-store.js';

/** Returns a record of the media library with the types that its attributes have. */
export function parseFile(record: unknown): MediaFile {
  if (!isRecord(record) || typeof record['documentId'] !== 'string')
    throw new TypeError('A file has no documentId.');
  const { documentId, id, name, hash, ext, mime, size, url } = record;
  return {
    ...record,
    documentId: String(documentId),
    id: Number(id),
    name: String(name),
    hash: String(hash),
    ext: typeof ext === 'string' ? ext : null,
    mime: String(mime),
    size: Number(size),
    url: String(url),
  };
}
