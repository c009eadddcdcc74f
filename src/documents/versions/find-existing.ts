import { sql } from 'kysely';
import type { Database } from '../../database/database.js';
import type { BoundValue } from '../../database/dialect/sql-expressions.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, Uid } from '../../model/model.js';

type DocumentIds = ReadonlyMap<Uid, ReadonlySet<string>>;

/** Returns those of the documents that are still there. */
export async function findExisting(
  { dialect: { expressions }, readTexts }: Pick<Database, 'dialect' | 'readTexts'>,
  model: ContentModel,
  wanted: DocumentIds,
): Promise<DocumentIds> {
  const existing = new Map<Uid, ReadonlySet<string>>();
  for (const [uid, documentIds] of wanted) {
    if (!Object.hasOwn(model.typesByUid, uid)) continue;
    const { storage } = typeOf(model, uid);
    const list = expressions.encodeList('text', [...documentIds]);
    const statement = sql`select document_id from ${sql.table(storage.document.table)}
      where ${expressions.inList(sql.ref('document_id'), 'text', list)}`.compile(expressions.kysely);
    const found = await readTexts(statement.sql, statement.parameters as readonly BoundValue[]);
    existing.set(uid, new Set(found.filter((id) => id !== null)));
  }
  return existing;
}
