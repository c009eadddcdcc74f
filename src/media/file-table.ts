import { FILE_UID } from '../content-types/builtin/registry.js';
import type { Transaction } from '../database/database.js';
import { NO_LOCALE } from '../model/model.js';
import type { ContentModel } from '../model/model.js';
import type { FileValues } from './file-hooks.js';
import { kilobytes } from './file-name.js';
import type { FileInfo, StagedFile } from './media.js';

/** What has to be known of a stored file to remove it. */
export interface StoredFile {
  readonly documentId: string;
  readonly provider: string;
  readonly mime: string;
  /** The names under which it and its copies are stored. */
  readonly keys: readonly string[];
}

/** A file that is about to have a row. */
export interface NewFile {
  readonly documentId: string;
  readonly values: FileValues;
}

/** The rows of files. */
export interface FileTable {
  /** The document id of a file; null: there is none. */
  readonly documentIdOf: (tx: Transaction, id: number) => Promise<string | null>;
  /** Makes room for new files, whose rows are still to be written. */
  readonly reserve: (tx: Transaction, documentIds: readonly string[]) => Promise<void>;
  /** Writes rows for new files, and answers their ids in the same order. */
  readonly insert: (tx: Transaction, files: readonly NewFile[]) => Promise<readonly number[]>;
  /** Finds a file and keeps others from changing it until the transaction ends. */
  readonly lock: (tx: Transaction, id: number) => Promise<StoredFile | null>;
  readonly update: (tx: Transaction, id: number, values: FileValues) => Promise<void>;
  /** Takes the row away, and with it every link. */
  readonly delete: (tx: Transaction, file: StoredFile) => Promise<void>;
}

const isRow = (value: unknown): value is FileValues => typeof value === 'object' && value !== null;

const keysOf = (row: FileValues): readonly string[] => {
  const formats = isRow(row['formats']) ? Object.values(row['formats']).filter(isRow) : [];
  return [row, ...formats].map(({ hash, ext }) => `${String(hash)}${typeof ext === 'string' ? ext : ''}`);
};

/** What a row says of the content of a file. */
export function contentValues(file: StagedFile, provider: string): FileValues {
  const { name, hash, ext, mime, width, height, formats, url } = file;
  return { name, hash, ext, mime, width, height, formats, url, provider, size: kilobytes(file.bytes) };
}

/** What a row says of a file in people's own words; only what was said. */
export function infoValues({ name, alternativeText, caption, focalPoint }: FileInfo): FileValues {
  const said = { name, alternativeText, caption, focalPoint };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** The table of files of a model. `jsonNull` is what the client writes for SQL null in JSON columns. */
export function createFileTable(model: ContentModel, jsonNull: unknown): FileTable {
  const type = model.typesByUid[FILE_UID];
  if (type === undefined) throw new TypeError(`The model lacks the built-in type ${FILE_UID}.`);
  const { anchor, version } = type.storage;
  const columns = Object.values(type.attributes).flatMap((attribute) => ('column' in attribute ? [[attribute.name, attribute.column] as const] : []));
  const toRow = (values: FileValues): FileValues =>
    Object.fromEntries(columns.flatMap(([name, { field, kind }]) => {
      if (!(name in values)) return [];
      return [[field, values[name] === null && kind === 'json' ? jsonNull : values[name]] as const];
    }));

  return Object.freeze<FileTable>({
    documentIdOf: async (tx, id) => {
      const found = await tx.model(version.model).findUnique({ where: { id }, select: { documentId: true } });
      return found === null ? null : String(found['documentId']);
    },
    reserve: async (tx, documentIds) => {
      await tx.model(anchor.model).createMany({ data: documentIds.map((documentId) => ({ documentId })) });
    },
    insert: async (tx, files) => {
      const now = new Date().toISOString();
      const rows = files.map(({ documentId, values }) => ({ ...toRow(values), documentId, locale: NO_LOCALE, status: 'published', createdAt: now, updatedAt: now, publishedAt: now }));
      await tx.model(version.model).createMany({ data: rows });
      const written = await tx.model(version.model).findMany({ where: { documentId: { in: rows.map(({ documentId }) => documentId) } }, select: { id: true, documentId: true } });
      const ids = new Map(written.map((row) => [row['documentId'], Number(row['id'])]));
      return rows.map(({ documentId }) => ids.get(documentId) ?? 0);
    },
    lock: async (tx, id) => {
      const found = await tx.model(version.model).findUnique({ where: { id }, select: { documentId: true } });
      if (found === null) return null;
      const documentId = String(found['documentId']);
      const { count } = await tx.model(anchor.model).updateMany({ where: { documentId }, data: { revision: { increment: 1 } } });
      const row = count === 0 ? null : await tx.model(version.model).findUnique({ where: { id } });
      return row === null ? null : { documentId, provider: String(row['provider']), mime: String(row['mime']), keys: keysOf(row) };
    },
    update: async (tx, id, values) => {
      await tx.model(version.model).update({ where: { id }, data: { ...toRow(values), updatedAt: new Date().toISOString() }, select: { id: true } });
    },
    delete: async (tx, { documentId }) => {
      await tx.model(anchor.model).deleteMany({ where: { documentId } });
    },
  });
}
