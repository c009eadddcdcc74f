import { sql } from 'kysely';
import type { SqlExpressions } from '../../dialects/sql-expressions.js';
import type { Statement } from './table-statements.js';

/** The statements of a type's document table, which has one row per document. */
export interface DocumentStatements {
  readonly insert: (documentId: string) => Statement;
  /** Increments the documents' revisions, which locks their rows until the transaction ends. */
  readonly lock: (documentIds: readonly string[]) => Statement;
  /** Deletes the document. The database deletes its versions and links with it. */
  readonly delete: (documentId: string) => Statement;
  /** Selects the `document_id` of the first document. */
  readonly first: () => Statement;
}

/** Compiles the statements of a document table. */
export function compileDocumentTable(expressions: SqlExpressions, name: string): DocumentStatements {
  const table = sql.id(name);
  const compile = (statement: ReturnType<typeof sql>): string => statement.compile(expressions.kysely).sql;
  const insert = compile(sql`insert into ${table} (document_id) values (${sql.val(null)})`);
  const isLocked = expressions.inList(sql`document_id`, 'text', null);
  const lock = compile(sql`update ${table} set revision = revision + 1 where ${isLocked}`);
  const remove = compile(
    sql`delete from ${table} where document_id = ${expressions.parameter('text', null)}`,
  );
  const first = compile(sql`select document_id from ${table} order by document_id limit 1`);
  return {
    insert: (documentId) => ({ sql: insert, parameters: [documentId] }),
    lock: (documentIds) => ({ sql: lock, parameters: [expressions.encodeList('text', documentIds)] }),
    delete: (documentId) => ({ sql: remove, parameters: [documentId] }),
    first: () => ({ sql: first, parameters: [] }),
  };
}
