import { sql } from 'kysely';
import type { Dialect } from '../../dialects/dialect.js';
import type { Statement } from './table-statements.js';

/** The statements of a type's anchor table: one row per document. */
export interface AnchorStatements {
  readonly insert: (documentId: string) => Statement;
  /** Counts the documents' revisions up, which keeps other writers of them waiting until the transaction ends. */
  readonly lock: (documentIds: readonly string[]) => Statement;
  /** The database deletes versions and links with the document. */
  readonly delete: (documentId: string) => Statement;
  /** Answers `document_id` of the first document. */
  readonly first: () => Statement;
}

/** Compiles the statements once; none is executed here. */
export function compileAnchor(dialect: Dialect, name: string): AnchorStatements {
  const table = sql.id(name);
  const text = (statement: ReturnType<typeof sql>): string => statement.compile(dialect.kysely).sql;
  const insert = text(sql`insert into ${table} (document_id) values (${sql.val(null)})`);
  const lock = text(sql`update ${table} set revision = revision + 1 where ${dialect.among(sql`document_id`, 'text', null)}`);
  const remove = text(sql`delete from ${table} where document_id = ${dialect.parameter('text', null)}`);
  const first = text(sql`select document_id from ${table} order by document_id limit 1`);
  return {
    insert: (documentId) => ({ sql: insert, parameters: [documentId] }),
    lock: (documentIds) => ({ sql: lock, parameters: [dialect.encodeList('text', documentIds)] }),
    delete: (documentId) => ({ sql: remove, parameters: [documentId] }),
    first: () => ({ sql: first, parameters: [] }),
  };
}
