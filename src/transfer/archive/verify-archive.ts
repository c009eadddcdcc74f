import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Parser } from 'tar';
import { createError } from '../../errors/catalogue.js';
import { messageOf } from '../../lib/source-location.js';
import { layersOf, recogniseContainer } from './container.js';
import type { Container } from './container.js';
import { MANIFEST, parseManifest } from './manifest.js';
import type { FileDigest } from './manifest.js';

/** Digests and manifest found by reading an archive again. */
interface Found {
  readonly files: Map<string, FileDigest>;
  manifest: string;
}

const readEntries = async (path: string, container: Container): Promise<Found> => {
  const found: Found = { files: new Map(), manifest: '' };
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const hash = createHash('sha256');
      const isManifest = entry.path === MANIFEST;
      entry.on('data', (chunk) => {
        hash.update(chunk);
        if (isManifest) found.manifest += chunk.toString('utf8');
      });
      entry.on('end', () => found.files.set(entry.path, { size: entry.size, sha256: hash.digest('hex') }));
    },
  });
  const ended = new Promise<void>((resolve, reject) => {
    parser.on('end', () => resolve());
    parser.on('error', reject);
  });
  const writing = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (parser.write(chunk)) done();
      else parser.once('drain', () => done());
    },
    final: (done) => {
      parser.end();
      done();
    },
  });
  await Promise.all([pipeline([createReadStream(path), ...layersOf(container), writing]), ended]);
  return found;
};

/**
 * Reads an archive again and compares all of it with what was written, without unpacking it.
 *
 * @param written the files of the archive. Undefined: those of its manifest
 * @throws `transfer/incomplete-archive`
 */
export async function verifyArchive(
  path: string,
  container: Container,
  written?: Readonly<Record<string, FileDigest>>,
): Promise<void> {
  const { files, manifest } = await readEntries(path, container).catch((error: unknown) => {
    throw createError('transfer/incomplete-archive', { path, reason: messageOf(error) }, { cause: error });
  });
  if (written === undefined) files.delete(MANIFEST);
  const expected = Object.entries(written ?? parseManifest(manifest, path).files);
  const wrong = expected.find(([name, { size, sha256 }]) => {
    const file = files.get(name);
    return file?.size !== size || file.sha256 !== sha256;
  });
  if (wrong !== undefined || files.size !== expected.length)
    throw createError('transfer/incomplete-archive', {
      path,
      reason: `${wrong?.[0] ?? 'a file'} is not as it was`,
    });
}

/**
 * Reads an archive of Galley that was made elsewhere and compares all of it with its manifest.
 *
 * @throws `transfer/incomplete-archive`, `transfer/foreign-file`
 */
export async function verifyFetchedArchive(path: string): Promise<void> {
  await verifyArchive(path, await recogniseContainer(path, () => Promise.resolve(null)));
}
