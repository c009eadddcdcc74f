import { createReadStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Unpack } from 'tar';
import { createError } from '../../../errors/catalogue.js';
import { isGalleyError } from '../../../errors/galley-error.js';
import { messageOf } from '../../../lib/source-location.js';
import { createExportDecipher } from './container.js';
import type { Container } from './container.js';

const PARTS = /^(?:metadata\.json$|(?:schemas|entities|links|configuration|assets)(?:\/|$))/;

/** Entries of these types are files; all others would be links or devices. */
const ALLOWED_TYPES = new Set(['File', 'OldFile', 'ContiguousFile', 'Directory', 'GNUDumpDir']);

/** Why an entry must not be unpacked. Null: it may be. */
const refusalOf = (path: string, type: string): string | null => {
  const isOutside = /^(?:[/\\]|[a-z]:)/i.test(path) || path.split(/[/\\]/).includes('..');
  if (isOutside) return 'leads out of the folder it is unpacked to';
  return ALLOWED_TYPES.has(type) ? null : `is no file but a ${type}`;
};

const layersOf = ({ key, isCompressed }: Container): readonly Transform[] => [
  ...(key === null ? [] : [createExportDecipher(key)]),
  ...(isCompressed ? [createGunzip()] : []),
];

/**
 * Unpacks the parts of an export into a folder.
 *
 * @throws `transfer/unsafe-entry`, `transfer/incomplete-archive`
 */
export async function unpack(path: string, container: Container, folder: string): Promise<void> {
  const abort = new AbortController();
  const unpacking = new Unpack({
    cwd: folder,
    strict: true,
    filter: (name, entry) => {
      const type = 'type' in entry ? String(entry.type) : 'File';
      const refusal = refusalOf(name, type);
      if (refusal !== null)
        abort.abort(createError('transfer/unsafe-entry', { path, entry: name, reason: refusal }));
      return refusal === null && PARTS.test(name.replace(/^(?:\.\/)+/, ''));
    },
  });
  const ended = new Promise<void>((resolve, reject) => {
    unpacking.on('close', resolve);
    unpacking.on('error', reject);
  });
  const bytes = new PassThrough();
  bytes.on('data', (chunk: Buffer) => {
    if (!unpacking.write(chunk)) {
      bytes.pause();
      unpacking.once('drain', () => bytes.resume());
    }
  });
  bytes.on('end', () => unpacking.end());
  try {
    await Promise.all([
      pipeline([createReadStream(path), ...layersOf(container), bytes], { signal: abort.signal }),
      ended,
    ]);
    abort.signal.throwIfAborted();
  } catch (error) {
    unpacking.end();
    await Promise.allSettled([ended]);
    const cause: unknown = abort.signal.aborted ? abort.signal.reason : error;
    if (isGalleyError(cause)) throw cause;
    throw createError('transfer/incomplete-archive', { path, reason: messageOf(cause) }, { cause });
  }
}
