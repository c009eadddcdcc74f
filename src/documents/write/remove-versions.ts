import { sql } from 'kysely';
import type { Transaction } from '../../database/database.js';
import { defined } from '../../lib/defined.js';
import type { DocumentContext } from '../document-context.js';
import { unlinkLocale } from '../links/apply/unlink-locale.js';
import { isCovered } from './document-write.js';
import type { PreparedWrite, LockedWrite } from './document-write.js';

type Removal = Pick<PreparedWrite, 'type'> & { readonly removed: NonNullable<PreparedWrite['removed']> };

/** Deletes documents with all that is stored of them. The database deletes their versions and links. */
const deleteDocuments = async (
  { documentTableOf, schedules }: DocumentContext,
  tx: Transaction,
  { type }: Removal,
  documentIds: readonly string[],
): Promise<void> => {
  const statement = documentTableOf(type).delete(documentIds);
  await tx.execute(statement.sql, statement.parameters);
  if (type.draftAndPublish) await schedules.remove(tx, { type: type.uid, documentIds, locale: null });
};

/** Deletes versions of documents that stay. The database deletes their links with them. */
const deleteVersions = async (
  { database }: DocumentContext,
  tx: Transaction,
  { type, removed }: Removal,
  documentIds: readonly string[],
): Promise<void> => {
  const { expressions } = database.dialect;
  const isListed = expressions.inList(sql`document_id`, 'text', expressions.encodeList('text', documentIds));
  const conditions = Object.entries(removed).flatMap(([name, value]) =>
    value === null ? [] : [sql`${sql.id(name)} = ${expressions.parameter('text', value)}`],
  );
  const { sql: text, parameters } = sql`delete from ${sql.id(type.storage.version.table)}
    where ${sql.join([isListed, ...conditions], sql` and `)}`.compile(expressions.kysely);
  await tx.execute(text, parameters);
};

/**
 * Deletes versions of documents of one type: one locale, all locales, or the published version. A document
 * is deleted with its last version.
 */
export async function removeVersions(
  context: DocumentContext,
  tx: Transaction,
  writes: readonly LockedWrite[],
): Promise<void> {
  const { type, removed: pattern } = defined(writes[0], 'A write').write;
  const removed = defined(pattern, 'The removed versions');
  const whole: string[] = [];
  const partial: string[] = [];
  const withoutLocale: string[] = [];
  for (const { document } of writes) {
    const { documentId } = document;
    const kept = document.rows.filter((row) => !isCovered(removed, row));
    (kept.length === 0 ? whole : partial).push(documentId);
    if (kept.length > 0 && !kept.some((row) => row.locale === removed.locale)) withoutLocale.push(documentId);
  }
  if (whole.length > 0) await deleteDocuments(context, tx, { type, removed }, whole);
  if (partial.length > 0) await deleteVersions(context, tx, { type, removed }, partial);
  if (removed.locale === null || withoutLocale.length === 0) return;
  for (const documentId of withoutLocale) await unlinkLocale(context, tx, type, documentId, removed.locale);
  await context.schedules.remove(tx, {
    type: type.uid,
    documentIds: withoutLocale,
    locale: removed.locale,
  });
}
