import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { ApplicationError } from '../../../errors/project-errors.js';
import { isRecord } from '../../../lib/is-record.js';
import type { IncomingFile } from '../../../media/media.js';

const textOf = (file: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | undefined => {
  for (const name of names) if (typeof file[name] === 'string' && file[name] !== '') return file[name];
  return undefined;
};

/** The content with the number of bytes that were read of it. */
const contentOf = (
  file: Readonly<Record<string, unknown>>,
): { readonly content: Readable; readonly bytes: () => number } => {
  const { buffer, stream, getStream } = file;
  if (Buffer.isBuffer(buffer)) return { content: Readable.from([buffer]), bytes: () => buffer.length };
  const path = textOf(file, 'filepath', 'path');
  if (path !== undefined) {
    const content = createReadStream(path);
    return { content, bytes: () => content.bytesRead };
  }
  const content: unknown = typeof getStream === 'function' ? Reflect.apply(getStream, file, []) : stream;
  if (content instanceof Readable) return { content, bytes: () => Number(file['size'] ?? 0) };
  throw new ApplicationError('An uploaded file needs a filepath, a buffer or a stream.');
};

/**
 * Reads what code written for Strapi uploads: a file of a request (`ctx.request.files`), a path with a name
 * and a type, a buffer or a stream.
 */
export function toIncomingFile(value: unknown, sizeLimit: number): IncomingFile {
  const file = isRecord(value) ? value : { ...(value as object) };
  const path = textOf(file, 'filepath', 'path');
  const { content, bytes } = contentOf(file);
  return {
    name: textOf(file, 'originalFilename', 'name') ?? (path === undefined ? undefined : basename(path)),
    type: textOf(file, 'mimetype', 'type', 'mime'),
    content,
    isTruncated: () => bytes() > sizeLimit,
  };
}
