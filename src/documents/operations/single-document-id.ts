import { sql } from 'kysely';
import type { ContentType } from '../../model/model.js';
import type { DocumentContext } from '../document-context.js';

/** The id of a single type's document, or null before its first write. */
export async function singleDocumentId({ database }: DocumentContext, type: ContentType): Promise<string | null> {
  const statement = sql`select document_id from ${sql.id(type.storage.anchor.table)} order by document_id limit 1`.compile(database.dialect.kysely);
  const [documentId] = await database.readTexts(statement.sql, []);
  return documentId ?? null;
}
