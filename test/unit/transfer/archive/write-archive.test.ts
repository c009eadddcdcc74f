import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Transform } from 'node:stream';
import { list } from 'tar';
import { describe, expect, it } from 'vitest';
import {
  TAR_END,
  packEntries,
  writeVerifiedArchive,
} from '../../../../src/transfer/archive/write-archive.js';
import type { TarEntries } from '../../../../src/transfer/archive/write-archive.js';

const NAMES = [
  `assets/uploads/${'a'.repeat(100)}`,
  `assets/uploads/thumbnail_${'b'.repeat(91)}.png`,
  `assets/uploads/${'c'.repeat(251)}.txt`,
  `${'d'.repeat(200)}/${'e'.repeat(200)}/f.txt`,
  'assets/uploads/Künstler.jpg',
  `assets/uploads/${'ü'.repeat(100)}.jpg`,
  'assets/uploads/写真 1.jpg',
];

async function* entries(tar: TarEntries): AsyncGenerator<Buffer> {
  for (const name of NAMES) yield* tar.text(name, `the text of ${name}`);
  yield TAR_END;
}

const target = (): { readonly folder: string; readonly path: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  return { folder, path: join(folder, 'out.tar') };
};

describe('an archive', () => {
  it.each([
    { isCompressed: false, key: null },
    { isCompressed: true, key: null },
    { isCompressed: true, key: 'secret' },
  ])('holds files with names of any length and script (%o)', async (packing) => {
    const { folder, path } = target();
    await writeVerifiedArchive(path, packing, (tar) => packEntries(entries(tar), packing));
    expect(readdirSync(folder)).toEqual(['out.tar']);
    if (packing.key !== null) return;
    const found: string[] = [];
    await list({ file: path, strict: true, onReadEntry: (entry) => found.push(entry.path) });
    expect(found).toEqual(NAMES);
  });

  it('needs Pax headers only where a name does not fit', async () => {
    const packing = { isCompressed: false, key: null };
    const { path } = target();
    await writeVerifiedArchive(path, packing, (tar) => {
      const plain = async function* (): AsyncGenerator<Buffer> {
        yield* tar.text('assets/uploads/plain.txt', 'x');
        yield TAR_END;
      };
      return packEntries(plain(), packing);
    });
    expect(readFileSync(path).includes('PaxHeader')).toBe(false);
  });

  it('is removed where what was written is not what is read again, and what was there stays', async () => {
    const packing = { isCompressed: false, key: null };
    const { folder, path } = target();
    await writeVerifiedArchive(path, packing, (tar) => packEntries(entries(tar), packing));
    const before = createHash('sha256').update(readFileSync(path)).digest('hex');
    let bytes = 0;
    const damage = [
      // A byte of a file is another one.
      new Transform({
        transform(chunk: Buffer, _encoding, done) {
          done(null, Buffer.from(chunk.toString('latin1').replace('the text', 'the test'), 'latin1'));
        },
      }),
      // The end is missing.
      new Transform({
        transform(chunk: Buffer, _encoding, done) {
          done(null, chunk.subarray(0, Math.max(0, 2000 - bytes)));
          bytes += chunk.length;
        },
      }),
    ];
    for (const stream of damage)
      await expect(
        writeVerifiedArchive(path, packing, (tar) => packEntries(entries(tar), packing).pipe(stream)),
      ).rejects.toMatchObject({ code: 'transfer/cannot-write' });
    await expect(
      writeVerifiedArchive(path, packing, () => Readable.from([]).pipe(new PassThrough())),
    ).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(['out.tar']);
    expect(createHash('sha256').update(readFileSync(path)).digest('hex')).toBe(before);
  });

  it('opens no file that is not read, so that its absence is reported to nobody', async () => {
    const { folder, path } = target();
    const stopping = new AbortController();
    const opened: string[] = [];
    const packing = { isCompressed: false, key: null };
    const stopped = writeVerifiedArchive(path, { ...packing, signal: stopping.signal }, (tar) => {
      const stoppedEntries = async function* (): AsyncGenerator<Buffer> {
        for await (const bytes of tar.file('sea.txt', 3, () => Readable.from([opened.push('sea.txt')]))) {
          stopping.abort();
          await new Promise(setImmediate);
          yield bytes;
        }
      };
      return packEntries(stoppedEntries(), packing);
    });
    await expect(stopped).rejects.toMatchObject({ code: 'ABORT_ERR' });
    await new Promise(setImmediate);
    expect(opened).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
