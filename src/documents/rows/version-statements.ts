import { sql } from 'kysely';
import type { Dialect } from '../../dialects/dialect.js';
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

/** Versions of one document, of one locale or one status where those are said. */
export interface VersionChoice {
  readonly documentId: string;
  readonly locale?: string;
  readonly status?: VersionStatus;
}

/** The statements of a type's version table. */
export interface VersionStatements extends TableStatements {
  /** Answers a document's versions, oldest first, for `read`. */
  readonly load: (documentId: string) => Statement;
  readonly read: (row: Readonly<Record<string, unknown>>) => FieldValues;
  /** Answers the `id`s. */
  readonly find: (versions: VersionChoice) => Statement;
  readonly deleteAll: (versions: VersionChoice) => Statement;
}

/** Compiles the statements of a type whose rows have those content columns; none is executed here. */
export function compileVersions(dialect: Dialect, { storage }: ContentType, content: readonly Column[]): VersionStatements {
  const columns = [...SYSTEM_COLUMNS, ...content];
  const table = sql.id(storage.version.table);
  const all = sql.join([ID, ...columns].map(({ name }) => sql.id(name)));
  const load = sql`select ${all} from ${table} where document_id = ${dialect.parameter('text', null)} order by id`.compile(dialect.kysely).sql;
  const chosen = ({ documentId, locale, status }: VersionChoice) => {
    const conditions = Object.entries({ document_id: documentId, locale, status }).flatMap(([name, value]) =>
      (value === undefined ? [] : [sql`${sql.id(name)} = ${dialect.parameter('text', value)}`]));
    return sql`from ${table} where ${sql.join(conditions, sql` and `)}`;
  };
  return {
    ...compileTable(dialect, storage.version.table, columns),
    load: (documentId) => ({ sql: load, parameters: [documentId] }),
    read: (row) => Object.fromEntries([ID, ...columns].map(({ name, field, kind }) => [field, readStored(kind, row[name])])),
    find: (versions) => sql`select id ${chosen(versions)}`.compile(dialect.kysely),
    deleteAll: (versions) => sql`delete ${chosen(versions)}`.compile(dialect.kysely),
  };
}
