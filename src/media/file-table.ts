import type { Transaction } from '../database/database.js';
import type { Table } from '../database/table.js';
import { documentTable, versionTable } from '../documents/write/version-statements.js';
import { defined } from '../lib/assert.js';
import { chunksOf } from '../lib/collections.js';
import { isRecord, withoutUndefined } from '../lib/records.js';
import { FILE_UID } from '../model/content-types/builtin-types.js';
import { typeOf } from '../model/lookup.js';
import { NO_LOCALE } from '../model/model.js';
import type { ContentModel, ContentType } from '../model/model.js';
import { kilobytes } from './file-info.js';
import type { FileInfo, FileValues, StagedFile, StoredPlace, StoredPlaces } from './media.js';

const objectKey = ({ hash, ext }: FileValues): string =>
  `${String(hash)}${typeof ext === 'string' ? ext : ''}`;

const formatsOf = (row: FileValues): readonly (readonly [string, FileValues])[] =>
  isRecord(row['formats'])
    ? Object.entries(row['formats']).flatMap(([name, format]) => (isRecord(format) ? [[name, format]] : []))
    : [];

/** Returns the row of a file and its formats, each of which is stored as an object. */
const objectsOfRow = (row: FileValues): readonly FileValues[] => [
  row,
  ...formatsOf(row).map(([, format]) => format),
];

/** Returns the names under which a file and its copies are stored. */
export function keysOfRow(row: FileValues): readonly string[] {
  return objectsOfRow(row).map(objectKey);
}

/** Returns the names of a file's copies, in the order of their keys: `thumbnail`. */
function formatNamesOfRow(row: FileValues): readonly string[] {
  return formatsOf(row).map(([name]) => name);
}

const parsePlace = (values: FileValues): StoredPlace => ({
  url: String(values['url']),
  previewUrl: typeof values['previewUrl'] === 'string' ? values['previewUrl'] : null,
  metadata: values['provider_metadata'] ?? null,
});

/** Returns the places of a file's objects in its row. */
function placesOfRow(row: FileValues): StoredPlaces {
  return Object.fromEntries(objectsOfRow(row).map((part) => [objectKey(part), parsePlace(part)]));
}

/** Returns the stored objects of a file's row. */
export function objectsIn(row: FileValues): Pick<StoredFile, 'provider' | 'keys' | 'places'> {
  return { provider: String(row['provider']), keys: keysOfRow(row), places: placesOfRow(row) };
}

/** Parses the places of objects from stored JSON. */
export function parsePlaces(value: unknown): StoredPlaces {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, place]) =>
      isRecord(place) ? [[key, parsePlace({ ...place, provider_metadata: place['metadata'] })]] : [],
    ),
  );
}

const withPlace = (values: FileValues, places: StoredPlaces): FileValues => {
  const place = places[objectKey(values)];
  if (place === undefined) return values;
  const { url, previewUrl, metadata } = place;
  return { ...values, url, ...(previewUrl === null ? {} : { previewUrl }), provider_metadata: metadata };
};

/** Returns the values of a file's row with the places that its store reported. */
export function withPlaces(values: FileValues, places: StoredPlaces): FileValues {
  const formats = formatsOf(values).map(([name, format]) => [name, withPlace(format, places)] as const);
  const placed = withPlace(values, places);
  return formats.length === 0 ? placed : { ...placed, formats: Object.fromEntries(formats) };
}

/** Number of rows per batch. */
const BATCH = 1000;

/** Properties of a stored file for reading or removing it. */
export interface StoredFile {
  readonly documentId: string;
  readonly name: string;
  readonly hash: string;
  /** `.jpg`, or empty. */
  readonly ext: string;
  readonly url: string;
  readonly provider: string;
  readonly mime: string;
  /** The names under which the file and its copies are stored. */
  readonly keys: readonly string[];
  /** The names of the copies, in the order of their keys. */
  readonly formatNames: readonly string[];
  readonly places: StoredPlaces;
}

/** The row of a file that is about to be created. */
interface NewFile {
  readonly documentId: string;
  readonly values: FileValues;
}

/** The rows of files. */
export interface FileTable {
  /** Returns the document id of a file, or null if there is none. */
  readonly documentIdOf: (tx: Transaction, id: number) => Promise<string | null>;
  /** Writes the document rows of new files. */
  readonly reserve: (tx: Transaction, documentIds: readonly string[]) => Promise<void>;
  /** Writes the rows of new files. Returns their ids in the same order. */
  readonly insert: (tx: Transaction, files: readonly NewFile[]) => Promise<readonly number[]>;
  /** Returns the names under which files and their copies are stored, some at a time. */
  readonly storedKeys: (tx: Transaction) => AsyncIterable<readonly string[]>;
  /** Finds a file. */
  readonly find: (tx: Transaction, id: number) => Promise<StoredFile | null>;
  /** Finds a file by its document id. */
  readonly findDocument: (tx: Transaction, documentId: string) => Promise<StoredFile | null>;
  /** Returns the document ids of the files that have one of the hashes. */
  readonly findByHash: (tx: Transaction, hashes: readonly string[]) => Promise<readonly string[]>;
  /** Finds a file and locks it until the transaction ends. */
  readonly lock: (tx: Transaction, id: number) => Promise<StoredFile | null>;
  readonly update: (tx: Transaction, id: number, values: FileValues) => Promise<void>;
  /** Deletes the row of a file, and with it every link. */
  readonly delete: (tx: Transaction, file: StoredFile) => Promise<void>;
}

/** Returns the values of a row that describe the content of a file. */
export function contentValues(file: StagedFile, provider: string): FileValues {
  const { name, hash, ext, mime, width, height, formats, url } = file;
  return { name, hash, ext, mime, width, height, formats, url, provider, size: kilobytes(file.bytes) };
}

/** Returns the values of a row that users edit, without those that were not sent. */
export function infoValues({ name, alternativeText, caption, focalPoint }: FileInfo): FileValues {
  return withoutUndefined({ name, alternativeText, caption, focalPoint });
}

/** Returns the system columns of a new file's row. */
const systemColumns = () => {
  const now = new Date().toISOString();
  return { locale: NO_LOCALE, status: 'published', createdAt: now, updatedAt: now, publishedAt: now };
};

/** Returns a function that turns the values of attributes into those of a row's fields. */
const compileToRow = (type: ContentType): ((values: FileValues) => FileValues) => {
  const columns = Object.values(type.attributes).flatMap((attribute) =>
    'column' in attribute ? [[attribute.name, attribute.column] as const] : [],
  );
  return (values) =>
    Object.fromEntries(
      columns.flatMap(([name, { field }]) => (name in values ? [[field, values[name]] as const] : [])),
    );
};

const documentIdOf = async (tx: Transaction, versions: Table, id: number): Promise<string | null> => {
  const found = await tx.table(versions).findFirst({ id }, { fields: ['documentId'] });
  return found === null ? null : String(found['documentId']);
};

const insertRows = async (
  tx: Transaction,
  versions: Table,
  rows: readonly (FileValues & { readonly documentId: string })[],
): Promise<readonly number[]> => {
  await tx.table(versions).insert(rows);
  const documentId = rows.map((row) => row.documentId);
  const written = await tx.table(versions).find({ documentId }, { fields: ['id', 'documentId'] });
  const ids = new Map(written.map((row) => [row['documentId'], Number(row['id'])]));
  return rows.map((row) => defined(ids.get(row.documentId), 'the row of a new file'));
};

const findFile = async (
  tx: Transaction,
  versions: Table,
  where: Readonly<Record<'id', number> | Record<'documentId', string>>,
): Promise<StoredFile | null> => {
  const row = await tx.table(versions).findFirst(where);
  if (row === null) return null;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    documentId: text(row['documentId']),
    name: text(row['name']),
    hash: text(row['hash']),
    ext: text(row['ext']),
    url: text(row['url']),
    mime: text(row['mime']),
    formatNames: formatNamesOfRow(row),
    ...objectsIn(row),
  };
};

const storedKeys = async function* (tx: Transaction, versions: Table): AsyncIterable<readonly string[]> {
  for (let after = 0; ;) {
    const rows = await tx
      .table(versions)
      .find(
        { id: { above: after } },
        { fields: ['id', 'hash', 'ext', 'formats'], orderBy: 'id', limit: BATCH },
      );
    if (rows.length === 0) return;
    after = Number(rows.at(-1)?.['id']);
    yield rows.flatMap(keysOfRow);
  }
};

/** Returns a file after locking its document, which increments the revision. */
const lockFile = async (
  tx: Transaction,
  [documents, versions]: readonly [Table, Table],
  id: number,
): Promise<StoredFile | null> => {
  const documentId = await documentIdOf(tx, versions, id);
  if (documentId === null) return null;
  const count = await tx.table(documents).increment({ documentId }, 'revision');
  return count === 0 ? null : findFile(tx, versions, { id });
};

/** Creates the table of files. */
export function createFileTable(model: ContentModel): FileTable {
  const type = typeOf(model, FILE_UID);
  const [documents, versions] = [documentTable(type), versionTable(type)];
  const toRow = compileToRow(type);
  return Object.freeze<FileTable>({
    documentIdOf: (tx, id) => documentIdOf(tx, versions, id),
    reserve: async (tx, documentIds) => {
      await tx.table(documents).insert(documentIds.map((documentId) => ({ documentId })));
    },
    insert: async (tx, files) => {
      const rows = files.map(({ documentId, values }) => ({
        ...toRow(values),
        documentId,
        ...systemColumns(),
      }));
      return insertRows(tx, versions, rows);
    },
    storedKeys: (tx) => storedKeys(tx, versions),
    find: (tx, id) => findFile(tx, versions, { id }),
    findDocument: (tx, documentId) => findFile(tx, versions, { documentId }),
    findByHash: async (tx, hashes) => {
      const found: string[] = [];
      for (const hash of chunksOf(hashes, BATCH)) {
        const rows = await tx.table(versions).find({ hash }, { fields: ['documentId'] });
        found.push(...rows.map(({ documentId }) => String(documentId)));
      }
      return found;
    },
    lock: (tx, id) => lockFile(tx, [documents, versions], id),
    update: async (tx, id, values) => {
      await tx.table(versions).update({ id }, { ...toRow(values), updatedAt: new Date() });
    },
    delete: async (tx, { documentId }) => {
      await tx.table(documents).delete({ documentId });
    },
  });
}
