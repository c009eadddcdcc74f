import { spawnSync } from 'node:child_process';
import { createCipheriv, randomBytes, scryptSync } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { create, Header } from 'tar';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { detectContainer } from '../../../../src/transfer/archive/container.js';
import { openArchive } from '../../../../src/transfer/archive/open-archive.js';
import { writeExportArchive, writeExportFolder } from '../../../support/strapi-export.js';
import type { ExportContent } from '../../../support/strapi-export.js';

const CONTENT: ExportContent = {
  entities: [
    { type: 'api::tag.tag', id: 1, data: { documentId: 'a', name: 'Salt' } },
    { type: 'api::tag.tag', id: 2, data: { documentId: 'b', name: 'Pepper' } },
  ],
  links: [
    {
      kind: 'relation.basic',
      relation: 'manyToOne',
      left: { type: 'api::tag.tag', field: 'parent', ref: 1 },
      right: { type: 'api::tag.tag', ref: 2 },
    },
  ],
  configuration: [{ type: 'core-store', value: { key: 'plugin_i18n_default_locale', value: 'fr' } }],
  assets: { 'salt_1.txt': 'grains' },
};

/** Returns the header of a file whose name makes the encrypted header begin with these bytes. */
const headerEncryptedTo = (prefix: Buffer, key: Buffer): Buffer => {
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  // The first block of a header is the beginning of the path, and ECB encrypts each block alone.
  const firstBlock = Buffer.alloc(16);
  for (let number = 0; ; number += 1) {
    const path = `entities/${number}.jsonl`;
    firstBlock.fill(0).write(path, 'latin1');
    if (!cipher.update(firstBlock).subarray(0, prefix.length).equals(prefix)) continue;
    const header = Buffer.alloc(512);
    new Header({ path, size: 0, type: 'File', mode: 0o644 }).encode(header);
    return header;
  }
};

/** An archive that says of one file that it is so large, and has as many zeros of it as asked for. */
const archiveOfZeros = (size: number, written: number): Buffer => {
  const header = Buffer.alloc(512);
  new Header({ path: 'assets/uploads/zeros.bin', size, type: 'File', mode: 0o644 }).encode(header);
  return Buffer.concat([header, Buffer.alloc(written)]);
};

const MEGABYTE = 1024 * 1024;

const collect = async <T>(records: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
};

describe('an export of Strapi', () => {
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'galley-archive-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true, force: true });
    });
  });

  /** What is there of unpacked archives. */
  const unpacked = (): readonly string[] => {
    const parent = join(folder, 'site/.galley/transfer');
    return existsSync(parent) ? readdirSync(parent) : [];
  };

  /** Whatever became of it, nothing is left behind. */
  const openAndClose = async (path: string, key: string | null = null): Promise<unknown> => {
    const source = await openArchive(path, join(folder, 'site'), () => Promise.resolve(key));
    const [asset] = await collect(source.assets());
    const content = asset === undefined ? null : Buffer.concat(await collect(asset.open())).toString();
    const records = [await collect(source.entities()), await collect(source.links()), content];
    await source.close();
    return records;
  };

  const failure = async (path: string, key: string | null = null): Promise<unknown> => {
    const error: unknown = await openAndClose(path, key).catch((thrown: unknown) => thrown);
    expect(unpacked()).toEqual([]);
    return error;
  };

  it.each([
    ['plain', { compress: false }],
    ['compressed', {}],
    ['encrypted', { key: 'secret', compress: false }],
    ['compressed and encrypted', { key: 'secret' }],
  ])('is read from an archive, %s, whatever its name', async (_name, options) => {
    const path = join(folder, 'export');
    writeExportArchive(path, CONTENT, options);
    expect(await openAndClose(path, 'secret')).toEqual([CONTENT.entities, CONTENT.links, 'grains']);
    expect(unpacked()).toEqual([]);
  });

  it('removes what killed processes have left of archives, and nothing else', async () => {
    const path = join(folder, 'export');
    writeExportArchive(path, CONTENT);
    const ended = spawnSync(process.execPath, ['-e', '']).pid;
    for (const name of [`${ended}-gone`, `${process.ppid}-runs`])
      mkdirSync(join(folder, 'site/.galley/transfer', name), { recursive: true });
    await openAndClose(path);
    expect(unpacked()).toEqual([`${process.ppid}-runs`]);
  });

  it('ends where the archive says, before any further bytes', async () => {
    const path = join(folder, 'export.tar');
    writeExportArchive(path, CONTENT, { compress: false });
    appendFileSync(path, Buffer.alloc(MEGABYTE));
    appendFileSync(path, archiveOfZeros(2 ** 50, 512));
    expect(await openAndClose(path)).toEqual([CONTENT.entities, CONTENT.links, 'grains']);
  });

  it('is read from a folder, which stays', async () => {
    writeExportFolder(join(folder, 'export'), CONTENT);
    expect(await openAndClose(join(folder, 'export'))).toEqual([CONTENT.entities, CONTENT.links, 'grains']);
    expect(readdirSync(join(folder, 'export'))).toContain('metadata.json');
  });

  it('is read where it is small, however much its last block was filled up', async () => {
    const path = join(folder, 'export');
    for (let length = 0; length < 4; length += 1) {
      const data = { documentId: 'a', name: randomBytes(length).toString('base64') };
      const entities = [{ type: 'api::tag.tag', id: 1, data }];
      writeExportArchive(path, { entities }, { key: 'secret' });
      expect(await openAndClose(path, 'secret')).toEqual([entities, [], null]);
    }
  });

  it.each(['{', '[', '--', '\u001f\u008b'])(
    'is read where it begins as %j once it is encrypted',
    async (prefix) => {
      const path = join(folder, 'export');
      const key = scryptSync('secret', '', 16);
      const header = headerEncryptedTo(Buffer.from(prefix, 'latin1'), key);
      const cipher = createCipheriv('aes-128-ecb', key, null);
      writeFileSync(
        path,
        Buffer.concat([cipher.update(header), cipher.update(Buffer.alloc(1024)), cipher.final()]),
      );
      expect(await detectContainer(path, () => Promise.resolve('secret'))).toEqual({
        key,
        isCompressed: false,
      });
    },
  );

  it('is not read with another key or without one', async () => {
    const path = join(folder, 'export.enc');
    writeExportArchive(path, CONTENT, { key: 'secret' });
    expect(await failure(path, 'other')).toMatchObject({ code: 'transfer/wrong-key' });
    expect(await failure(path)).toMatchObject({ code: 'transfer/key-required' });
  });

  it.each([{}, { compress: false }, { key: 'secret' }])(
    'is refused where its end is cut off: %j',
    async (options) => {
      const path = join(folder, 'export');
      writeExportArchive(path, CONTENT, options);
      const { length } = readFileSync(path);
      truncateSync(path, Math.floor(length / 32) * 16);
      expect(await failure(path, 'secret')).toMatchObject({ code: 'transfer/incomplete-archive' });
    },
  );

  it('is refused where metadata.json is missing, which is written last', async () => {
    writeExportFolder(folder, CONTENT);
    rmSync(join(folder, 'metadata.json'));
    expect(await failure(folder)).toMatchObject({ code: 'transfer/incomplete-archive' });
  });

  it('is refused where Strapi 4 has made it', async () => {
    const path = join(folder, 'export.tar.gz');
    writeExportArchive(path, { ...CONTENT, version: '4.25.1' });
    expect(await failure(path)).toMatchObject({
      code: 'transfer/unsupported-version',
      message: expect.stringContaining('4.25.1') as string,
    });
  });

  it('is refused where it holds a path that leaves its folder', async () => {
    const path = join(folder, 'export.tar');
    writeFileSync(join(folder, 'outside.txt'), 'outside');
    writeExportFolder(join(folder, 'export'), CONTENT);
    create({ cwd: join(folder, 'export'), file: path, sync: true, preservePaths: true }, [
      '../outside.txt',
      '.',
    ]);
    expect(await failure(path)).toMatchObject({ code: 'transfer/unsafe-entry' });
  });

  it('is refused where it holds a link', async () => {
    const path = join(folder, 'export.tar');
    writeExportFolder(join(folder, 'export'), CONTENT);
    symlinkSync('/etc/passwd', join(folder, 'export', 'assets', 'uploads', 'link.txt'));
    create({ cwd: join(folder, 'export'), file: path, sync: true }, ['.']);
    expect(await failure(path)).toMatchObject({
      code: 'transfer/unsafe-entry',
      message: expect.stringContaining('SymbolicLink') as string,
    });
  });

  it.each([
    ['an empty file', ''],
    ['another archive', 'PK\u0003\u0004'],
    ['JSON', '{}'],
    ['text', 'hello'],
    ['compressed text', gzipSync('hello '.repeat(500))],
  ])('is not taken for %s', async (_name, content) => {
    const path = join(folder, 'file');
    writeFileSync(path, content);
    expect(await failure(path)).toMatchObject({
      code: content === '' ? 'transfer/incomplete-archive' : 'transfer/unknown-file',
    });
  });

  it('is not taken for a folder without one, and has to exist', async () => {
    expect(await failure(folder)).toMatchObject({ code: 'transfer/unknown-file' });
    expect(await failure(join(folder, 'missing'))).toMatchObject({ code: 'transfer/not-found' });
  });

  it('is refused where it unpacks to far more than any export does', async () => {
    const path = join(folder, 'export.tar.gz');
    writeFileSync(path, gzipSync(archiveOfZeros(33 * MEGABYTE, 33 * MEGABYTE)));
    expect(await failure(path)).toMatchObject({ code: 'transfer/too-compressed' });
  });

  it('is refused where its files are larger than the space that is free', async () => {
    const path = join(folder, 'export.tar');
    writeFileSync(path, archiveOfZeros(2 ** 50, 10 * MEGABYTE));
    expect(await failure(path)).toMatchObject({
      code: 'transfer/no-space',
      message: expect.stringContaining('1,073,741,824 MB') as string,
    });
  });

  it('is refused where a line is longer than any record', async () => {
    writeExportFolder(folder, CONTENT);
    truncateSync(join(folder, 'entities/entities_00001.jsonl'), 65 * MEGABYTE);
    expect(await failure(folder)).toMatchObject({
      code: 'transfer/invalid-record',
      message: expect.stringContaining('entities/entities_00001.jsonl:3: the line is longer') as string,
    });
  });

  it('is refused where metadata.json is longer than it can be', async () => {
    writeExportFolder(folder, CONTENT);
    truncateSync(join(folder, 'metadata.json'), 2 * MEGABYTE);
    expect(await failure(folder)).toMatchObject({ code: 'transfer/incomplete-archive' });
  });

  it('has records with all characters, over the parts in which a file is read', async () => {
    const name = `\u2028\u2029\u0085 🌊 ${'é'.repeat(100_000)}`;
    const entities = [1, 2].map((id) => ({ type: 'api::tag.tag', id, data: { documentId: 'a', name } }));
    writeExportFolder(folder, { entities });
    expect(await openAndClose(folder)).toEqual([entities, [], null]);
  });

  it('is refused where values are nested deeper than a database reads them', async () => {
    const list = '['.repeat(100_000) + ']'.repeat(100_000);
    const text = `{"type":"api::tag.tag","id":1,"data":{"documentId":"a","name":${list}}}\n`;
    writeExportFolder(folder, { ...CONTENT, files: { 'entities/entities_00001.jsonl': text } });
    expect(await failure(folder)).toMatchObject({
      code: 'transfer/invalid-record',
      message: expect.stringContaining('nested too deeply') as string,
    });
  });

  it('names the line of a record that cannot be read', async () => {
    const file = 'entities/entities_00001.jsonl';
    writeExportFolder(folder, { ...CONTENT, files: { [file]: '{"type":"a","id":1,"data":{}}\n{"type":\n' } });
    expect(await failure(folder)).toMatchObject({
      code: 'transfer/invalid-record',
      message: expect.stringContaining(`${file}:2`) as string,
    });
  });
});
