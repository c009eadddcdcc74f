import { sql } from 'kysely';
import type { SqlExpressions } from '../../database/dialect/sql-expressions.js';
import type { Column, ContentType, VersionStatus } from '../../model/model.js';
import { readStored } from './stored-form.js';
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
      // A copy has room for all values from the start, which takes half the time.
      const values: Record<string, unknown> = { ...noValues };
      for (const { name, field, kind } of allColumns) values[field] = readStored(kind, row[name]);
      return toVersionRow(values);
    },
  };
}
