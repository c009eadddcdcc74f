import { defined } from '../../../lib/defined.js';
import type { ContentModel, ContentType, Link, LinkAttribute } from '../../../model/model.js';
import { joinClauses, quoteName } from '../../migration-dialect.js';
import { targetsOf } from './match-links.js';

/** The alias of the versions. */
const VERSION = 'v';

/** A table that holds links, and the condition for a link of the version {@link VERSION}. */
interface LinkCondition {
  readonly table: string;
  readonly column: string;
  readonly sql: string;
}

const sameVersion = (alias: string, owner: ContentType, type: ContentType): readonly string[] => [
  ...(owner.draftAndPublish ? [`${alias}."status" = 'published'`] : []),
  ...(owner.localized && type.localized ? [`${alias}."locale" = ${VERSION}."locale"`] : []),
];

/** The links of an inverse side are those of the published versions that own them. */
const inverseCondition = (
  type: ContentType,
  link: Link,
  owner: ContentType,
  column: string,
): LinkCondition => {
  const owners = quoteName(owner.storage.version.table);
  const isColumn = link.kind === 'column';
  const table = isColumn ? owner.storage.version.table : link.table;
  const conditions = [
    `${isColumn ? 'o' : 'l'}.${quoteName(column)} = ${VERSION}."document_id"`,
    ...sameVersion('o', owner, type),
    ...(link.kind === 'table' && link.hasTargetStatus ? [`l."target_status" = 'published'`] : []),
    ...(link.kind === 'table' && link.hasTargetLocale ? [`l."target_locale" = ${VERSION}."locale"`] : []),
  ];
  const from = isColumn
    ? `${owners} AS o`
    : `${quoteName(table)} AS l JOIN ${owners} AS o ON o."id" = l."source_id"`;
  return { table, column, sql: `EXISTS (SELECT 1 FROM ${from} WHERE ${conditions.join(' AND ')})` };
};

const ownerCondition = (type: ContentType, link: Link, column: string): LinkCondition => {
  const name = quoteName(column);
  if (link.kind === 'column')
    return { table: type.storage.version.table, column, sql: `${VERSION}.${name} IS NOT NULL` };
  const sql = joinClauses(
    `EXISTS (SELECT 1 FROM ${quoteName(link.table)} AS l`,
    `WHERE l."source_id" = ${VERSION}."id" AND l.${name} IS NOT NULL)`,
  );
  return { table: link.table, column, sql };
};

/** The conditions for a link, one for each type that it may lead to, by the names before the migration. */
export const linkConditions = (
  type: ContentType,
  { link, side }: LinkAttribute,
  { typesByUid }: ContentModel,
): readonly LinkCondition[] => {
  if (link === null) return [];
  if (side === 'owner') return targetsOf(link).map(({ column }) => ownerCondition(type, link, column));
  const owner = defined(typesByUid[link.owner], `The type ${link.owner}`);
  return targetsOf(link)
    .filter(({ uid }) => uid === type.uid)
    .map(({ column }) => inverseCondition(type, link, owner, column));
};
