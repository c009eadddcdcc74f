import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Transaction } from '../../database/database.js';
import { defined } from '../../lib/assert.js';
import type { ColumnLink, ContentType } from '../../model/model.js';
import type { DocumentContext } from '../document-context.js';
import { incomingMappings } from '../links/relation-mapping.js';
import type { RelationMapping, RelationTarget } from '../links/relation-mapping.js';
import { isCovered } from './write-context.js';
import type { LockedWrite, PreparedWrite } from './write-context.js';

const clearColumn = (
  { owner }: RelationMapping,
  { column, position }: ColumnLink,
  documentId: string,
  locale: string,
): RawBuilder<unknown> => {
  const assignments = [column, ...(position === null ? [] : [position.column])].map(
    (name) => sql`${sql.id(name)} = null`,
  );
  return sql`update ${sql.id(owner.storage.version.table)}
    set ${sql.join(assignments)}
    where ${sql.id(column)} = ${documentId} and locale = ${locale}`;
};

const deleteLinkRows = (
  { owner, localeStoredIn }: RelationMapping,
  table: string,
  relationTarget: RelationTarget,
  documentId: string,
  locale: string,
): RawBuilder<unknown> => {
  const versions = sql.id(owner.storage.version.table);
  const isInLocale =
    localeStoredIn === 'link'
      ? sql`target_locale = ${locale}`
      : sql`source_id in (select id from ${versions} where locale = ${locale})`;
  const pointsToDocument = sql`${sql.id(relationTarget.column)} = ${documentId}`;
  return sql`delete from ${sql.id(table)} where ${pointsToDocument} and ${isInLocale}`;
};

/**
 * Deletes the links to one locale of a document when that locale is deleted and others remain. Otherwise they
 * would reappear when the locale is created again.
 */
async function unlinkLocale(
  { model, database }: DocumentContext,
  tx: Transaction,
  type: ContentType,
  documentId: string,
  locale: string,
): Promise<void> {
  for (const mapping of incomingMappings(model, type)) {
    const relationTarget = mapping.targets.find((target) => target.type.uid === type.uid);
    if (relationTarget === undefined || mapping.localeStoredIn === 'none') continue;
    const { link } = mapping;
    const statement =
      link.kind === 'column'
        ? clearColumn(mapping, link, documentId, locale)
        : deleteLinkRows(mapping, link.table, relationTarget, documentId, locale);
    const compiled = statement.compile(database.dialect.expressions.kysely);
    await tx.execute(compiled.sql, compiled.parameters);
  }
}

type Removal = Pick<PreparedWrite, 'type'> & { readonly removed: NonNullable<PreparedWrite['removed']> };

/** Deletes documents and their schedules. The database deletes their versions and links. */
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

/** The documents of a removal by the versions that remain. */
interface Removed {
  /** None remain. */
  readonly whole: readonly string[];
  /** Some remain. */
  readonly partial: readonly string[];
  /** Those of `partial` of which no version remains in the locale. */
  readonly withoutLocale: readonly string[];
}

/** Copies what a deletion removes to the trash. */
const keepRemoved = async (
  { trash }: DocumentContext,
  tx: Transaction,
  { type: { uid: type }, removed: { locale, status } }: Removal,
  { whole, partial, withoutLocale }: Removed,
): Promise<void> => {
  await trash.add(tx, { type, documentIds: whole });
  if (locale === null) return;
  const unlinked = new Set(withoutLocale);
  const others = partial.filter((documentId) => !unlinked.has(documentId));
  const versions = { locale, status, isUnlinked: false };
  await trash.add(tx, { type, documentIds: withoutLocale, versions: { ...versions, isUnlinked: true } });
  await trash.add(tx, { type, documentIds: others, versions });
};

/**
 * Deletes versions of documents of one type: one locale, all locales, or the published version. A document is
 * deleted with its last version.
 */
export async function removeVersions(
  context: DocumentContext,
  tx: Transaction,
  writes: readonly LockedWrite[],
): Promise<void> {
  const { type, action, removed: pattern } = defined(writes[0], 'A write').write;
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
  const isDeletion = action === 'delete';
  const kept = { whole, partial: isDeletion ? partial : [], withoutLocale: isDeletion ? withoutLocale : [] };
  await keepRemoved(context, tx, { type, removed }, kept);
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
