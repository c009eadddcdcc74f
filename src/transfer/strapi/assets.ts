import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ExternalDatabase } from '../../database/dialect/database-driver.js';
import { isRecord } from '../../lib/records.js';
import type { JsonValue } from '../../lib/stored-value.js';
import type { AssetRecord, SchemaRecord } from '../source.js';
import { readScalars, scalarColumnsOf } from './entities.js';
import { tableOf } from './layout.js';
import { readNumber, readRows, readText } from './rows.js';

type Metadata = Readonly<Record<string, JsonValue>>;

const download = (url: string): Readable => {
  const output = new PassThrough();
  const run = async (): Promise<void> => {
    const { body, ok, status } = await fetch(url);
    if (!ok || body === null) throw new Error(`${url} responded with status ${status}`);
    await pipeline(Readable.fromWeb(body), output);
  };
  run().catch((error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))));
  return output;
};

const findRemote = async (url: JsonValue | undefined): Promise<Pick<AssetRecord, 'size' | 'open'> | null> => {
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) return null;
  try {
    const { ok, headers } = await fetch(url, { method: 'HEAD' });
    return ok ? { size: Number(headers.get('content-length') ?? 0), open: () => download(url) } : null;
  } catch {
    return null;
  }
};

const findLocal = async (path: string): Promise<Pick<AssetRecord, 'size' | 'open'> | null> => {
  const found = await stat(path).catch(() => null);
  return found?.isFile() === true ? { size: found.size, open: () => createReadStream(path) } : null;
};

/** Returns the metadata of the file, then of its smaller formats. */
const describeAll = (id: number, file: Metadata): readonly Metadata[] => {
  const formats = isRecord(file['formats']) ? Object.entries(file['formats']) : [];
  return [
    { ...file, id },
    ...formats.flatMap(([type, format]) =>
      isRecord(format) ? [{ ...format, type, id, mainHash: file['hash'] ?? null }] : [],
    ),
  ];
};

/** Returns the name of a stored file. Null: the name leads out of the folder, so Strapi did not write it. */
const nameOf = ({ hash, ext }: Metadata): string | null => {
  const name = [hash, ext].filter((part) => typeof part === 'string').join('');
  return name === '' || basename(name) !== name ? null : name;
};

/** Reads the stored file that a row describes, and its smaller formats. Skips those that cannot be read. */
export async function* findAssets(
  id: number,
  file: Metadata,
  uploads: string | null,
): AsyncGenerator<AssetRecord> {
  for (const metadata of describeAll(id, file)) {
    const name = nameOf(metadata);
    if (name === null) continue;
    const local = uploads === null ? null : await findLocal(join(uploads, name));
    const found = local ?? (await findRemote(metadata['url']));
    if (found !== null) yield { name, metadata, ...found };
  }
}

/** Reads the stored files: from the uploads folder, otherwise from their URLs. Skips unreachable files. */
export async function* readAssets(
  database: ExternalDatabase,
  schema: SchemaRecord | undefined,
  uploads: string | null,
): AsyncGenerator<AssetRecord> {
  if (schema === undefined) return;
  const columns = scalarColumnsOf(database, schema);
  const query = {
    table: tableOf(schema),
    columns: ['document_id', ...columns.map(({ column }) => column)],
  };
  for await (const row of readRows(database, query)) {
    const file = { documentId: readText(row['document_id']), ...readScalars(columns, row) };
    yield* findAssets(readNumber(row['id']), file, uploads);
  }
}
