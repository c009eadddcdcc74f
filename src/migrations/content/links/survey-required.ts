import { defined } from '../../../lib/defined.js';
import type { Attribute, ContentModel, ContentType, Link, LinkAttribute } from '../../../model/model.js';
import type { MigrationSession } from '../../../dialects/migration-support.js';
import { joinClauses, quoteName } from '../../migration-dialect.js';
import type { ContentPlanRequest, Survey } from '../content-plan.js';
import { findIn, toChanges } from '../findings.js';
import { isLinkAttribute, targetsOf } from './match-links.js';

const VERSION = 'v';

/** A to-one relation or media attribute that must be set after the migration, and need not have been. */
interface RequiredLink {
  readonly type: ContentType;
  readonly before: Attribute | null;
  readonly after: LinkAttribute;
}

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
  { type, before }: Pick<RequiredLink, 'type' | 'before'>,
  { typesByUid }: ContentModel,
): readonly LinkCondition[] => {
  if (before === null || !isLinkAttribute(before) || before.link === null) return [];
  const { link, side } = before;
  if (side === 'owner') return targetsOf(link).map(({ column }) => ownerCondition(type, link, column));
  const owner = defined(typesByUid[link.owner], `The type ${link.owner}`);
  return targetsOf(link)
    .filter(({ uid }) => uid === type.uid)
    .map(({ column }) => inverseCondition(type, link, owner, column));
};

/** Whether the tables exist: not while an earlier migration has yet to create them. */
export const isStored = async (
  session: MigrationSession,
  table: string,
  links: readonly LinkCondition[],
): Promise<boolean> => {
  const columns = await session.columns();
  return columns.has(table) && links.every((link) => columns.get(link.table)?.has(link.column) === true);
};

/** Counts the published versions that lack a relation or a file which they must have after the migration. */
const surveyRequired =
  (required: RequiredLink, { before: model }: ContentPlanRequest): Survey =>
  async (session) => {
    const { type, before, after } = required;
    const { table } = type.storage.version;
    const links = linkConditions(required, model);
    if (!(await isStored(session, table, links))) return [];
    const lacking = links.map(({ sql }) => ` AND NOT ${sql}`).join('');
    const query = joinClauses(
      `SELECT ${VERSION}."id" AS "version_id", ${VERSION}."document_id" AS "sample"`,
      `FROM ${quoteName(table)} AS ${VERSION} WHERE ${VERSION}."status" = 'published'${lacking}`,
    );
    return toChanges(
      {
        kind: 'misfit',
        type: type.uid,
        path: before?.name ?? after.name,
        reason: 'must be set',
        remedy: `Link one in each first: cms content update ${type.singularName} ID --set ${after.name}=…`,
      },
      await findIn(session, query),
    );
  };

const isNewlyRequired = (before: Attribute | null, after: Attribute | null): after is LinkAttribute =>
  isLinkAttribute(after) && !after.many && after.required && before?.required !== true;

/** Counts what lacks a value where a relation or a media attribute becomes required. */
export function requiredLinkSurveys(request: ContentPlanRequest): readonly Survey[] {
  return request.match.types.flatMap(({ before: type, attributes }) =>
    attributes.flatMap(({ before, after }) =>
      isNewlyRequired(before, after) ? [surveyRequired({ type, before, after }, request)] : [],
    ),
  );
}
