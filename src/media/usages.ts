import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database, Transaction } from '../database/database.js';
import { isRecord } from '../lib/records.js';
import type { Uid } from '../lib/ids.js';
import { FILE_UID } from '../model/content-types/builtin-types.js';
import { targetPrefix } from '../model/lookup.js';
import type { Attribute, ContentModel, ContentType } from '../model/model.js';

/** A document that refers to a file in one of its versions. */
export interface FileUsage {
  /** The documentId of the file. */
  readonly file: string;
  readonly type: Uid;
  readonly documentId: string;
  /** Empty where the type is not localized. */
  readonly locale: string;
  readonly status: string;
  readonly attribute: string;
  /** Kind of reference: a link, or the file's address in a text. */
  readonly by: 'link' | 'address';
}

/** Identifiers by which content refers to a file: its documentId in links, and its address in texts. */
export interface UsedFile {
  readonly documentId: string;
  /** The names of its objects in the store, those of copies included. */
  readonly keys: readonly string[];
  readonly url: string;
}

/** Finds the files that texts and values refer to. */
interface FileNames {
  readonly hasDocumentId: (text: string) => boolean;
  /** Returns the documentIds of the files whose addresses a text contains. */
  readonly inText: (text: string) => ReadonlySet<string>;
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Matches the segments of addresses between slashes. */
const SEGMENTS = /\/([^\s"'()<>\\/?#]+)/g;

const segmentsOf = (text: string): readonly string[] =>
  [...text.matchAll(SEGMENTS)].map(([, segment = '']) => decode(segment));

/** Creates a lookup of files by the last segment of their addresses, on any host. */
function createFileNames(files: readonly UsedFile[]): FileNames {
  const documentIds = new Set(files.map(({ documentId }) => documentId));
  const byName = new Map(
    files.flatMap(({ documentId, keys, url }) =>
      [...keys, ...segmentsOf(url).slice(-1)].map((name) => [name, documentId] as const),
    ),
  );
  return {
    hasDocumentId: (text) => documentIds.has(text),
    inText: (text) => {
      if (!text.includes('/')) return new Set();
      return new Set(segmentsOf(text).flatMap((segment) => byName.get(segment) ?? []));
    },
  };
}

/** Number of rows per batch. */
const BATCH = 500;

const TEXT_TYPES: ReadonlySet<string> = new Set(['string', 'text', 'richtext', 'json', 'blocks']);

type Row = Readonly<Record<string, unknown>>;
type FoundReference = Pick<FileUsage, 'file' | 'attribute' | 'by'>;
type OnUsage = (usage: FileUsage) => void;

/** Reports the documents that refer to files. */
export type ScanUsages = (tx: Transaction, files: readonly UsedFile[], onUsage: OnUsage) => Promise<void>;

/** A column that may refer to files. */
interface ScannedColumn {
  readonly attribute: string;
  readonly value: RawBuilder<unknown>;
  readonly isUsed: RawBuilder<unknown>;
  readonly find: (value: string, names: FileNames) => readonly Pick<FoundReference, 'file' | 'by'>[];
}

const byAddress = (text: string, names: FileNames): readonly Pick<FoundReference, 'file' | 'by'>[] =>
  [...names.inText(text)].map((file) => ({ file, by: 'address' }));

const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isRecord(value) ? Object.values(value).flatMap(stringsIn) : [];
};

const OF_FILES = targetPrefix(FILE_UID);

/** Finds files in JSON. Links in components are documentIds, after the type if several are possible. */
const inJson = (json: string, names: FileNames): readonly Pick<FoundReference, 'file' | 'by'>[] =>
  stringsIn(JSON.parse(json)).flatMap((text) => {
    const file = text.startsWith(OF_FILES) ? text.slice(OF_FILES.length) : text;
    return names.hasDocumentId(file) ? [{ file, by: 'link' as const }] : byAddress(text, names);
  });

const scannedColumn = (
  { dialect: { expressions } }: Database,
  attribute: Attribute,
): readonly ScannedColumn[] => {
  if (attribute.family === 'relation' || attribute.family === 'media') {
    if (attribute.link?.kind !== 'column' || attribute.side !== 'owner' || attribute.target !== FILE_UID)
      return [];
    const value = sql.ref(attribute.link.column);
    const find = (file: string, names: FileNames) =>
      names.hasDocumentId(file) ? [{ file, by: 'link' as const }] : [];
    return [{ attribute: attribute.name, value, isUsed: sql`${value} is not null`, find }];
  }
  if (attribute.family === 'scalar' && !TEXT_TYPES.has(attribute.type)) return [];
  const column = sql.ref(attribute.column.name);
  const { kind } = attribute.column;
  const value = kind === 'json' ? expressions.asText('json', column) : column;
  if (attribute.family !== 'scalar')
    return [{ attribute: attribute.name, value, isUsed: sql`${column} is not null`, find: inJson }];
  const slash = expressions.parameter('text', expressions.encode('text', '/'));
  const isUsed = expressions.contains(sql<string>`${value}`, slash, 'anywhere');
  return [{ attribute: attribute.name, value, isUsed, find: kind === 'json' ? inJson : byAddress }];
};

/** Runs a statement for the rows after an id until it returns no more rows. */
const readAll = async (
  tx: Transaction,
  { dialect: { expressions } }: Database,
  select: (after: RawBuilder<unknown>) => RawBuilder<unknown>,
  onRow: (row: Row) => void,
): Promise<void> => {
  for (let after = 0; ;) {
    const id = expressions.parameter('integer', expressions.encode('integer', after));
    const statement = sql`${select(id)} limit ${sql.lit(BATCH)}`.compile(expressions.kysely);
    const rows = await tx.query(statement.sql, statement.parameters);
    for (const row of rows) onRow(row);
    if (rows.length < BATCH) return;
    after = Number(rows.at(-1)?.['row_id']);
  }
};

const usageOf = ({ uid }: ContentType, row: Row, found: FoundReference): FileUsage => ({
  ...found,
  type: uid,
  documentId: String(row['document_id']),
  locale: String(row['locale']),
  status: String(row['status']),
});

const scanColumns = async (
  tx: Transaction,
  database: Database,
  type: ContentType,
  names: FileNames,
  onUsage: OnUsage,
): Promise<void> => {
  const columns = Object.values(type.attributes).flatMap((attribute) => scannedColumn(database, attribute));
  if (columns.length === 0) return;
  const values = sql.join(columns.map(({ value }, index) => sql`${value} as ${sql.ref(`value_${index}`)}`));
  const isUsed = sql.join(
    columns.map((column) => sql`(${column.isUsed})`),
    sql` or `,
  );
  await readAll(
    tx,
    database,
    (after) => sql`select id as row_id, document_id, locale, status, ${values}
      from ${sql.table(type.storage.version.table)} where id > ${after} and (${isUsed}) order by id`,
    (row) => {
      for (const [index, { attribute, find }] of columns.entries()) {
        const value = row[`value_${index}`];
        if (typeof value !== 'string') continue;
        for (const found of find(value, names)) onUsage(usageOf(type, row, { ...found, attribute }));
      }
    },
  );
};

/** Returns the column of a link table that names files. Null: the link does not lead to files. */
const fileColumn = (attribute: Attribute): { readonly table: string; readonly column: string } | null => {
  if ((attribute.family !== 'relation' && attribute.family !== 'media') || attribute.side !== 'owner')
    return null;
  const { link } = attribute;
  if (link?.kind === 'table')
    return attribute.target === FILE_UID ? { table: link.table, column: 'target_document_id' } : null;
  const target = link?.kind === 'morph' ? link.targets.find(({ uid }) => uid === FILE_UID) : undefined;
  return link?.kind === 'morph' && target !== undefined ? { table: link.table, column: target.column } : null;
};

const scanLinks = async (
  tx: Transaction,
  database: Database,
  type: ContentType,
  names: FileNames,
  onUsage: OnUsage,
): Promise<void> => {
  for (const attribute of Object.values(type.attributes)) {
    const link = fileColumn(attribute);
    if (link === null) continue;
    const file = sql.ref(`link.${link.column}`);
    await readAll(
      tx,
      database,
      (after) => sql`select link.id as row_id, version.document_id, version.locale, version.status,
        ${file} as file from ${sql.table(link.table)} as link
        join ${sql.table(type.storage.version.table)} as version on version.id = link.source_id
        where link.id > ${after} and ${file} is not null order by link.id`,
      (row) => {
        const found = { file: String(row['file']), attribute: attribute.name, by: 'link' as const };
        if (names.hasDocumentId(found.file)) onUsage(usageOf(type, row, found));
      },
    );
  }
};

/**
 * Creates a scan of all types for links to files, and of their texts for addresses, by which Markdown and
 * blocks show images.
 */
export function createUsageScan(database: Database, model: ContentModel): ScanUsages {
  return async (tx, files, onUsage) => {
    const names = createFileNames(files);
    for (const type of model.types.filter(({ uid }) => uid !== FILE_UID)) {
      await scanColumns(tx, database, type, names, onUsage);
      await scanLinks(tx, database, type, names, onUsage);
    }
  };
}
