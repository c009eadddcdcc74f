import { createCipheriv, createHash, scryptSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { create } from 'tar';
import type { EntityRecord, LinkRecord } from '../../src/transfer/source.js';

/** What an export of Strapi's holds. */
export interface ExportContent {
  readonly version?: string;
  readonly schemas?: readonly object[];
  readonly entities?: readonly EntityRecord[];
  readonly links?: readonly LinkRecord[];
  readonly configuration?: readonly object[];
  /** The texts of stored files by name. */
  readonly assets?: Readonly<Record<string, string>>;
  /** Further files by path. */
  readonly files?: Readonly<Record<string, string>>;
}

const lines = (records: readonly object[] = []): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** Writes an export as a folder. */
export function writeExportFolder(folder: string, content: ExportContent): void {
  const files: Readonly<Record<string, string>> = {
    'metadata.json': JSON.stringify({
      createdAt: '2026-01-02T03:04:05.678Z',
      strapi: { version: content.version ?? '5.44.0' },
    }),
    'schemas/schemas_00001.jsonl': lines(content.schemas),
    'entities/entities_00001.jsonl': lines(content.entities),
    'links/links_00001.jsonl': lines(content.links),
    'configuration/configuration_00001.jsonl': lines(content.configuration),
    ...Object.fromEntries(
      Object.entries(content.assets ?? {}).map(([name, text]) => [`assets/uploads/${name}`, text]),
    ),
    ...content.files,
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Writes an archive of Galley's own. `change` touches the folder once its digests are taken. */
export function writeOwnArchive(
  path: string,
  content: ExportContent,
  {
    change,
    formatVersion = 1,
  }: { readonly change?: (folder: string) => void; readonly formatVersion?: number } = {},
): void {
  const folder = mkdtempSync(join(tmpdir(), 'galley-export-'));
  try {
    writeExportFolder(folder, content);
    rmSync(join(folder, 'metadata.json'));
    const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
    const digests = names.map((name) => {
      const bytes = readFileSync(join(folder, name));
      return [
        name,
        { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
      ] as const;
    });
    const manifest = {
      format: 'galley',
      formatVersion,
      createdAt: '2026-01-02T03:04:05.678Z',
      kind: 'content',
    };
    writeFileSync(
      join(folder, 'manifest.json'),
      JSON.stringify({ ...manifest, files: Object.fromEntries(digests) }),
    );
    change?.(folder);
    create({ cwd: folder, file: path, sync: true, gzip: true }, ['.']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const encrypt = (bytes: Buffer, password: string): Buffer => {
  const cipher = createCipheriv('aes-128-ecb', scryptSync(password, '', 16), null);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
};

/** Writes an export as an archive, compressed unless `compress` is false, encrypted if there is a key. */
export function writeExportArchive(
  path: string,
  content: ExportContent,
  { compress = true, key }: { readonly compress?: boolean; readonly key?: string } = {},
): void {
  const folder = mkdtempSync(join(tmpdir(), 'galley-export-'));
  try {
    writeExportFolder(folder, content);
    create({ cwd: folder, file: path, sync: true }, ['.']);
    const plain = readFileSync(path);
    const packed = compress ? gzipSync(plain) : plain;
    writeFileSync(path, key === undefined ? packed : encrypt(packed, key));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
