import { sql } from 'kysely';
import type { SqlExpressions } from '../../database/dialect/sql-expressions.js';
import { memoize } from '../../lib/memoize.js';
import type { Statement } from './table-statements.js';

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
