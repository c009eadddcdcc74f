import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Transaction } from '../../../database/database.js';
import type { ColumnLink, ContentModel, ContentType } from '../../../model/model.js';
import type { DocumentContext } from '../../document-context.js';
import { compileRelationMappings } from '../relation-mapping.js';
import type { RelationTarget, RelationMapping } from '../relation-mapping.js';

/** Returns the links that can point at documents of a type, seen from their owners. */
const incomingMappings = (model: ContentModel, target: ContentType): readonly RelationMapping[] =>
  model.types
    .flatMap((type) => compileRelationMappings(model, type))
    .filter(
      ({ attribute, targets }) =>
        attribute.side === 'owner' && targets.some(({ type }) => type.uid === target.uid),
    );

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
  const pointsHere = sql`${sql.id(relationTarget.column)} = ${documentId}`;
  return sql`delete from ${sql.id(table)} where ${pointsHere} and ${isInLocale}`;
};

/**
 * Deletes the links to one locale of a document when that locale is deleted and others remain. Otherwise they
 * would reappear when the locale is created again.
 */
export async function unlinkLocale(
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
