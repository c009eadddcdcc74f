import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { SqlExpressions } from '../../database/dialect/sql-expressions.js';
import { readStored } from '../../database/table.js';
import type { Table } from '../../database/table.js';
import { memoize } from '../../lib/collections.js';
import type { StoredScalar } from '../../lib/stored-value.js';
import type {
  Attribute,
  Column,
  ContentType,
  MorphLink,
  TableLink,
  VersionStatus,
} from '../../model/model.js';
import type { ParsedInput, StoredValues } from '../validation/input.js';
import { compileTable } from './table-statements.js';
import type { FieldValues, Statement, TableStatements } from './table-statements.js';

const ID: Column = { name: 'id', field: 'id', kind: 'integer' };

const SYSTEM_COLUMNS: readonly Column[] = [
  { name: 'document_id', field: 'documentId', kind: 'text' },
  { name: 'locale', field: 'locale', kind: 'text' },
  { name: 'status', field: 'status', kind: 'text' },
  { name: 'created_at', field: 'createdAt', kind: 'datetime' },
  { name: 'updated_at', field: 'updatedAt', kind: 'datetime' },
  { name: 'published_at', field: 'publishedAt', kind: 'datetime' },
];

/** The columns that every version table has. */
export const VERSION_COLUMNS: readonly Column[] = [ID, ...SYSTEM_COLUMNS];

const DOCUMENT_COLUMNS: readonly Column[] = [
  { name: 'document_id', field: 'documentId', kind: 'text' },
  { name: 'revision', field: 'revision', kind: 'integer' },
];

/** One stored version of a document. */
export interface VersionRow {
  readonly id: number;
  readonly documentId: string;
  readonly locale: string;
  readonly status: VersionStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly publishedAt: Date | null;
  /** All columns of the row, by their field names in the generated client. */
  readonly values: FieldValues;
}

/** The statements of a type's version table. */
export interface VersionStatements extends TableStatements {
  /** Selects the versions of documents, oldest first. `read` parses the rows. */
  readonly load: (documentIds: readonly string[]) => Statement;
  readonly read: (row: Readonly<Record<string, unknown>>) => VersionRow;
}

const toVersionRow = (values: FieldValues): VersionRow => ({
  id: Number(values['id']),
  documentId: String(values['documentId']),
  locale: String(values['locale']),
  status: values['status'] === 'draft' ? 'draft' : 'published',
  createdAt: values['createdAt'] as Date,
  updatedAt: values['updatedAt'] as Date,
  publishedAt: values['publishedAt'] as Date | null,
  values,
});

/**
 * Compiles the statements of a type's version table.
 *
 * @param content the columns that hold content
 */
export function compileVersionTable(
  expressions: SqlExpressions,
  { storage }: ContentType,
  content: readonly Column[],
): VersionStatements {
  const columns = [...SYSTEM_COLUMNS, ...content];
  const allColumns = [ID, ...columns];
  const table = sql.id(storage.version.table);
  const columnNames = sql.join(allColumns.map(({ name }) => sql.id(name)));
  const noValues: FieldValues = Object.fromEntries(allColumns.map(({ field }) => [field, null]));
  const isOfDocuments = expressions.inList(sql`document_id`, 'text', null);
  const load = sql`select ${columnNames} from ${table} where ${isOfDocuments} order by id`.compile(
    expressions.kysely,
  ).sql;
  return {
    ...compileTable(expressions, storage.version.table, columns),
    load: (documentIds) => ({ sql: load, parameters: [expressions.encodeList('text', documentIds)] }),
    read: (row) => {
      // Copying an object with all fields takes half the time of adding them one by one.
      const values: Record<string, unknown> = { ...noValues };
      for (const { name, field, kind } of allColumns) values[field] = readStored(kind, row[name]);
      return toVersionRow(values);
    },
  };
}

/** Returns the version table of a type. */
export function versionTable(type: ContentType): Table {
  const columns = [...VERSION_COLUMNS, ...contentFields(type)];
  return { name: type.storage.version.table, columns, isStamped: false };
}

/** Returns the document table of a type. */
export function documentTable({ storage }: ContentType): Table {
  return { name: storage.document.table, columns: DOCUMENT_COLUMNS, isStamped: false };
}

/** A column of a version row that holds content. */
export interface ContentField extends Column {
  /** True if the value is the same in all locales of a document. */
  readonly shared: boolean;
}

const fieldsOf = (type: ContentType, attribute: Attribute): readonly ContentField[] => {
  const shared = type.localized && !attribute.localized;
  if ('column' in attribute) return [{ ...attribute.column, shared }];
  const { link } = attribute;
  if (link?.kind !== 'column' || attribute.side !== 'owner') return [];
  const target: ContentField = { name: link.column, field: link.field, kind: 'text', shared };
  if (link.position === null) return [target];
  return [target, { name: link.position.column, field: link.position.field, kind: 'double', shared }];
};

/** Returns the columns of a version row that are copied when it is published. */
export function contentFields(type: ContentType): readonly ContentField[] {
  return Object.values(type.attributes).flatMap((attribute) => fieldsOf(type, attribute));
}

/** Returns the values of some fields; null for missing ones. */
export function pickFields(values: FieldValues, fields: readonly ContentField[]): FieldValues {
  const picked: Record<string, unknown> = {};
  for (const { field } of fields) picked[field] = values[field] ?? null;
  return picked;
}

/** Returns the desired values that differ from the stored ones. */
export function changedFields(stored: FieldValues, desired: FieldValues): FieldValues {
  const changed: Record<string, unknown> = {};
  for (const field of Object.keys(desired)) {
    const [before, after] = [stored[field] ?? null, desired[field] ?? null];
    // Most values are equal texts, for which this comparison is much faster.
    if (before !== after && !isDeepStrictEqual(before, after)) changed[field] = desired[field];
  }
  return changed;
}

/** Returns the scalars and components of a parsed input by field name. */
export function parsedFields(type: ContentType, { scalars, components }: ParsedInput): FieldValues {
  const fields: Record<string, unknown> = {};
  for (const values of [scalars, components])
    for (const [name, value] of values) {
      const attribute = type.attributes[name];
      if (attribute !== undefined && 'column' in attribute) fields[attribute.column.field] = value;
    }
  return fields;
}

/**
 * Returns the stored scalars and components of a version by attribute name.
 *
 * @param which `shared` for only the values that are the same in all locales
 */
export function storedValues(
  type: ContentType,
  row: VersionRow | undefined,
  which: 'all' | 'shared',
): StoredValues {
  return {
    get: (name) => {
      const attribute = row === undefined ? undefined : type.attributes[name];
      if (attribute === undefined || !('column' in attribute)) return undefined;
      if (which === 'shared' && attribute.localized) return undefined;
      return (row?.values[attribute.column.field] ?? null) as StoredScalar;
    },
  };
}

/** The statements of a type's document table, which has one row per document. */
export interface DocumentStatements {
  readonly insert: (documentIds: readonly string[]) => Statement;
  /**
   * Increments the documents' revisions, which locks their rows until the transaction ends. Returns the
   * `document_id` of each document that exists.
   */
  readonly lock: (documentIds: readonly string[]) => Statement;
  /** Deletes the documents. The database deletes their versions and links with them. */
  readonly delete: (documentIds: readonly string[]) => Statement;
  /** Selects the `document_id` of the first document. */
  readonly first: () => Statement;
}

/** Compiles the statements of a document table. */
export function compileDocumentTable(expressions: SqlExpressions, name: string): DocumentStatements {
  const table = sql.id(name);
  const compile = (statement: ReturnType<typeof sql>): string => statement.compile(expressions.kysely).sql;
  const insert = memoize((count: number) =>
    compile(
      sql`insert into ${table} (document_id)
        values ${sql.join(Array.from({ length: count }, () => sql`(${sql.val(null)})`))}`,
    ),
  );
  const isListed = expressions.inList(sql`document_id`, 'text', null);
  const lockSql = compile(
    sql`update ${table} set revision = revision + 1 where ${isListed} returning document_id`,
  );
  const deleteSql = compile(sql`delete from ${table} where ${isListed}`);
  const first = compile(sql`select document_id from ${table} order by document_id limit 1`);
  const listed = (documentIds: readonly string[]) => [expressions.encodeList('text', documentIds)];
  return {
    insert: (documentIds) => ({ sql: insert(documentIds.length), parameters: documentIds }),
    lock: (documentIds) => ({ sql: lockSql, parameters: listed(documentIds) }),
    delete: (documentIds) => ({ sql: deleteSql, parameters: listed(documentIds) }),
    first: () => ({ sql: first, parameters: [] }),
  };
}

const targetColumns = (link: TableLink | MorphLink): readonly Column[] => {
  if (link.kind === 'morph')
    return link.targets.map(({ column, field }) => ({ name: column, field, kind: 'text' }));
  return [{ name: 'target_document_id', field: 'targetDocumentId', kind: 'text' }];
};

const stateColumns = (link: TableLink): readonly Column[] => [
  ...(link.hasInversePosition
    ? [{ name: 'inverse_position', field: 'inversePosition', kind: 'double' } as const]
    : []),
  ...(link.hasTargetStatus ? [{ name: 'target_status', field: 'targetStatus', kind: 'text' } as const] : []),
  ...(link.hasTargetLocale ? [{ name: 'target_locale', field: 'targetLocale', kind: 'text' } as const] : []),
];

/** Returns all columns of a link table except its `id`. */
export function linkColumns(link: TableLink | MorphLink): readonly Column[] {
  return [
    { name: 'source_id', field: 'sourceId', kind: 'integer' },
    ...targetColumns(link),
    { name: 'position', field: 'position', kind: 'double' },
    ...(link.kind === 'table' ? stateColumns(link) : []),
  ];
}

/** Returns the table of a link. */
export function linkTable(link: TableLink | MorphLink): Table {
  return { name: link.table, columns: [ID, ...linkColumns(link)], isStamped: false };
}

/** Compiles the statements of a link table. */
export function compileLinkTable(expressions: SqlExpressions, link: TableLink | MorphLink): TableStatements {
  return compileTable(expressions, link.table, linkColumns(link));
}
