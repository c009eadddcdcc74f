import type { ContentModel, ContentType, Uid } from '../../../model/model.js';
import { quoteName } from '../../migration-dialect.js';
import type { Rename } from '../../schema/rename-in-schema.js';
import { renamedColumn, renamedTable } from '../../schema/renamed-location.js';
import { ownedLinks, targetsOf } from '../links/match-links.js';

/** Selects the ids of all documents but the first, which is the one that a single type shows. */
export const otherDocuments = (table: string): string => {
  const name = quoteName(table);
  return (
    `SELECT "document_id" FROM ${name} WHERE "document_id" <> ` +
    `(SELECT "document_id" FROM ${name} ORDER BY "document_id" LIMIT 1)`
  );
};

/** A column that holds documents of a type, with the attribute that it belongs to. */
export interface Referrer {
  readonly type: Uid;
  readonly attribute: string;
  /** The link table or version table. */
  readonly table: string;
  readonly column: string;
  readonly isLinkTable: boolean;
}

/** The columns that hold documents of a type. */
export function referrersOf(model: ContentModel, target: ContentType): readonly Referrer[] {
  return ownedLinks(model).flatMap(({ link, owner, attribute }) =>
    targetsOf(link)
      .filter(({ uid }) => uid === target.uid)
      .map(({ column }): Referrer => ({
        type: owner.uid,
        attribute: attribute.name,
        table: link.kind === 'column' ? owner.storage.version.table : link.table,
        column,
        isLinkTable: link.kind !== 'column',
      })),
  );
}

/**
 * Statements that delete all documents but the first, with their versions and all links from and to them. No
 * cascade is relied on, since SQLite migrates without enforcing references.
 */
export function deleteOtherDocumentsSql(
  model: ContentModel,
  type: ContentType,
  renames: readonly Rename[],
): readonly string[] {
  const documents = renamedTable(type.storage.document.table, renames);
  const versions = quoteName(renamedTable(type.storage.version.table, renames));
  const isDeleted = `IN (${otherDocuments(documents)})`;
  const linksTo = referrersOf(model, type).map(({ table, column, isLinkTable }) => {
    const [name, target] = [renamedTable(table, renames), renamedColumn(table, column, renames)].map(
      quoteName,
    );
    return isLinkTable
      ? `DELETE FROM ${name} WHERE ${target} ${isDeleted};`
      : `UPDATE ${name} SET ${target} = NULL WHERE ${target} ${isDeleted};`;
  });
  const linksFrom = ownedLinks(model).flatMap(({ link, owner }) =>
    link.kind === 'column' || owner.uid !== type.uid
      ? []
      : [
          `DELETE FROM ${quoteName(renamedTable(link.table, renames))} WHERE "source_id" IN ` +
            `(SELECT "id" FROM ${versions} WHERE "document_id" ${isDeleted});`,
        ],
  );
  return [
    ...linksTo,
    ...linksFrom,
    `DELETE FROM ${versions} WHERE "document_id" ${isDeleted};`,
    `DELETE FROM ${quoteName(documents)} WHERE "document_id" ${isDeleted};`,
  ];
}
