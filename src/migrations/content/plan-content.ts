import { PERMISSION_UID } from '../../model/content-types/builtin-types.js';
import type { Uid, Attribute, ContentModel, ContentType, Link, LinkAttribute } from '../../model/model.js';
import { joinClauses, quoteName, quoteText } from '../../database/dialect/sql-text.js';
import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { defined } from '../../lib/assert.js';
import { planVersionRows } from '../plan/plan-versions.js';
import { countRows, findIn, hasColumns, impactOn } from '../impact/data-impact.js';
import type { Finding, Inspection } from '../impact/data-impact.js';
import type { ContentPlanPart, ContentPlanRequest, ModelMatch } from './content-transition.js';
import { planJsonColumns } from './json/plan-json-columns.js';
import { planLinks } from './links/plan-links.js';
import { planCode } from './plan-code.js';
import { planScalarColumns } from './scalars/plan-scalar-columns.js';
import { strictnessIn } from './json/invalid-reason.js';
import { isItemsAttribute, isNewlyRequired } from './json/value-change.js';
import { isLinkAttribute, targetsOf } from './links/match-links.js';
import { fromVersions, readBatches } from './scalars/inspect-scalar.js';
import { listScalarChanges } from './scalars/scalar-change.js';
import { conditionValues } from './scalars/scalar-sql.js';
import type { ConditionValues } from './scalars/scalar-sql.js';

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

/** Returns the condition for an inverse side. Its links are those of the published versions that own them. */
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

/** Returns the conditions for a link, one for each target type, by the names before the migration. */
const linkConditions = (
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

/** An attribute that the migration makes required, maybe by a condition. */
interface RequiredAttribute {
  readonly before: ContentType;
  readonly after: ContentType;
  readonly from: Attribute | null;
  readonly attribute: Attribute;
  /** The values that the condition reads; null if the attribute is always required. */
  readonly siblings: ConditionValues | null;
}

const isList = (attribute: Attribute): boolean => isLinkAttribute(attribute) && attribute.many;

/** True if the inspection of JSON columns already counts the missing values. */
const isReadAsJson = (from: Attribute | null, attribute: Attribute): boolean =>
  from !== null && !isLinkAttribute(from) && (isItemsAttribute(from) || isItemsAttribute(attribute));

const findRequired = (request: ContentPlanRequest): readonly RequiredAttribute[] => {
  const changes = listScalarChanges(request);
  const isFilled = (type: ContentType, { name }: Attribute): boolean =>
    changes.some(
      (change) =>
        change.kind === 'present' &&
        change.after === type &&
        change.attribute.name === name &&
        change.fill !== null,
    );
  return request.match.types.flatMap(({ before, after, attributes }) =>
    attributes.flatMap(({ before: from, after: attribute }) => {
      if (after === null || attribute === null || !isNewlyRequired(from, attribute)) return [];
      if (isList(attribute) || isFilled(after, attribute)) return [];
      if (attribute.required && isReadAsJson(from, attribute)) return [];
      const siblings = attribute.required ? null : conditionValues(request, changes, after, attribute);
      return [{ before, after, from, attribute, siblings }];
    }),
  );
};

/** Returns SQL conditions for versions `v` that lack the attribute; null if the tables do not exist yet. */
const lackingConditions = async (
  session: MigrationSession,
  { before: type, from, attribute }: RequiredAttribute,
  request: ContentPlanRequest,
): Promise<readonly string[] | null> => {
  const { table } = type.storage.version;
  if (!(await hasColumns(session, table, ['status']))) return null;
  // Links and values never become one another.
  if (from === null || isLinkAttribute(from) !== isLinkAttribute(attribute)) return [];
  if (!isLinkAttribute(from))
    return (await hasColumns(session, table, [from.column.name]))
      ? [`v.${quoteName(from.column.name)} IS NULL`]
      : null;
  const links = linkConditions(type, from, request.before);
  for (const link of links) if (!(await hasColumns(session, link.table, [link.column]))) return null;
  return links.map(({ sql }) => `NOT ${sql}`);
};

const remedyFor = ({ after, attribute }: RequiredAttribute): string | null => {
  if (isLinkAttribute(attribute))
    return `Link one in each first: cms content update ${after.singularName} ID --set ${attribute.name}=…`;
  if (attribute.family !== 'scalar') return null;
  const defaults = attribute.default === undefined || !attribute.required ? '' : ' or --use-defaults';
  return `--set '${after.uid}.${attribute.name}=…'${defaults}`;
};

/** Finds the versions that lack the attribute. */
const findLacking = async (
  session: MigrationSession,
  { attribute, siblings }: RequiredAttribute,
  versions: string,
): Promise<Finding> => {
  if (siblings !== null) {
    let values = 0;
    await readBatches(session, ['v."status"', ...siblings.columns].join(', '), versions, (row) => {
      if (strictnessIn(attribute, 'full', siblings.parse(row)) === 'full') values += 1;
    });
    return { values, samples: [] };
  }
  return isLinkAttribute(attribute)
    ? findIn(session, `SELECT v."id" AS "version_id", v."document_id" AS "sample" ${versions}`)
    : { values: await countRows(session, versions), samples: [] };
};

const inspectRequired =
  (required: RequiredAttribute, request: ContentPlanRequest): Inspection =>
  async (session) => {
    const { before, after, from, attribute } = required;
    const lacking = await lackingConditions(session, required, request);
    if (lacking === null) return [];
    const isChecked = after.draftAndPublish ? [`v."status" = 'published'`] : ['1 = 1'];
    const versions = fromVersions({ before, after }, ...lacking, ...isChecked);
    const place = { type: before.uid, path: from?.name ?? attribute.name, reason: 'must be set' };
    return impactOn(
      { ...place, kind: 'invalid', remedy: remedyFor(required) },
      await findLacking(session, required, versions),
    );
  };

/** Plans the count of versions that lack a value which the migration requires. It adds no statements. */
function planRequired(request: ContentPlanRequest): ContentPlanPart {
  return { inspections: findRequired(request).map((required) => inspectRequired(required, request)) };
}

const VERSIONS = 'cms_versions';
const RELEASE_ITEMS = 'cms_release_items';
/** The tables of schedules, of former versions of documents, and of changes of releases. */
const EDITORIAL_TABLES = ['cms_schedules', VERSIONS, RELEASE_ITEMS];
/** The tables of deleted documents and of their rows. */
const TRASH = 'cms_trash';
const TRASH_ROWS = 'cms_trash_rows';
/** The table of the permissions of API tokens, which has no content-type. */
const TOKEN_PERMISSIONS = 'cms_api_token_permissions';
/** The key of `cms_state` that holds the list of webhooks, which name types. */
const WEBHOOKS = 'strapi/webhooks';

interface TypeRename {
  readonly from: Uid;
  readonly to: Uid;
}

/** Replaces the values of a column in one statement, since types may swap names. */
const replaceAll = (
  table: string,
  column: string,
  cases: readonly (readonly [condition: string, value: string])[],
): string =>
  joinClauses(
    `UPDATE ${quoteName(table)}`,
    `SET ${column} = CASE ${cases.map(([when, value]) => `WHEN ${when} THEN ${value}`).join(' ')} END`,
    `WHERE ${cases.map(([when]) => when).join(' OR ')};`,
  );

const renameTypes = (table: string, renames: readonly TypeRename[], name = 'type'): string => {
  const column = quoteName(name);
  const cases = renames.map(({ from, to }) => [`${column} = ${quoteText(from)}`, quoteText(to)] as const);
  return replaceAll(table, column, cases);
};

/** Renames types in actions (`api::article.article.find`). */
const renameActions = (table: string, renames: readonly TypeRename[]): string => {
  const action = quoteName('action');
  const cases = renames.map(({ from, to }) => {
    const isOfType = `substr(${action}, 1, ${from.length + 1}) = ${quoteText(`${from}.`)}`;
    return [isOfType, `${quoteText(`${to}.`)} || substr(${action}, ${from.length + 2})`] as const;
  });
  return replaceAll(table, action, cases);
};

/** Renames the types that webhooks are limited to, by way of temporary names. */
const renameInWebhooks = (renames: readonly TypeRename[]): string => {
  const replaced = (text: string, from: string, to: string): string =>
    `replace(${text}, ${quoteText(`"${from}"`)}, ${quoteText(`"${to}"`)})`;
  const between = ({ from }: TypeRename): string => `renamed ${from}`;
  const column = quoteName('value');
  const freed = renames.reduce((text, rename) => replaced(text, rename.from, between(rename)), column);
  const value = renames.reduce((text, rename) => replaced(text, between(rename), rename.to), freed);
  return joinClauses(
    `UPDATE ${quoteName('cms_state')}`,
    `SET ${column} = ${value}`,
    `WHERE ${quoteName('key')} = ${quoteText(WEBHOOKS)};`,
  );
};

/**
 * Renames attributes in the former versions of documents, in those that releases replaced, and in deleted
 * documents and their links.
 */
const renameAttributes = (
  { dialect: { migrations } }: ContentPlanRequest,
  { after: type, attributes }: ModelMatch['types'][number],
): readonly string[] => {
  const keys = new Map(
    attributes.flatMap(({ before, after }) =>
      before === null || after === null || before.name === after.name ? [] : [[before.name, after.name]],
    ),
  );
  if (type === null || keys.size === 0) return [];
  const { json } = migrations;
  const column = quoteName('content');
  // A former attribute may have had the name.
  const omitted = [...keys.values()].filter((name) => !keys.has(name));
  const isOfType = `${quoteName('type')} = ${quoteText(type.uid)}`;
  const renameIn = (table: string, condition: string): string => {
    const content = json.ofText(`${quoteName(table)}.${column}`);
    const renamed = json.object(content, 'v', { keys, values: new Map(), omitted, added: [] });
    return joinClauses(
      `UPDATE ${quoteName(table)}`,
      `SET ${column} = ${json.toText(renamed)}`,
      `WHERE ${condition};`,
    );
  };
  const attribute = quoteName('attribute');
  const links = [...keys].map(([from, to]) => {
    const isRenamed = `${isOfType} AND ${attribute} = ${quoteText(from)}`;
    return [isRenamed, quoteText(to)] as const;
  });
  return [
    renameIn(VERSIONS, isOfType),
    renameIn(RELEASE_ITEMS, `${isOfType} AND ${column} IS NOT NULL`),
    renameIn(TRASH_ROWS, `${isOfType} AND ${quoteName('content')} <> '{}'`),
    replaceAll(TRASH_ROWS, attribute, links),
  ];
};

/**
 * Plans the renames of types and attributes in permissions of roles and tokens, webhooks, schedules, former
 * versions and deleted documents. References to a removed type stay, and apply again if the removal is
 * reverted.
 */
function planReferences(request: ContentPlanRequest): ContentPlanPart {
  const { types } = request.match;
  const renames = types.flatMap(({ before, after }): readonly TypeRename[] =>
    after === null || after.uid === before.uid ? [] : [{ from: before.uid, to: after.uid }],
  );
  const permissions = request.after.typesByUid[PERMISSION_UID]?.storage.version.table;
  const actionTables = permissions === undefined ? [] : [permissions, TOKEN_PERMISSIONS];
  const renamed =
    renames.length === 0
      ? []
      : [
          ...actionTables.map((table) => renameActions(table, renames)),
          ...[...EDITORIAL_TABLES, TRASH, TRASH_ROWS].map((table) => renameTypes(table, renames)),
          renameTypes(TRASH_ROWS, renames, 'target'),
          renameInWebhooks(renames),
        ];
  return { statementsAfter: [...renamed, ...types.flatMap((type) => renameAttributes(request, type))] };
}

/**
 * Plans the changes of stored values for a change of the content model. Start reading here: each planner
 * covers one kind of storage (scalar columns, JSON columns, links, required values, versions and references).
 */
export function planContent(request: ContentPlanRequest): Required<ContentPlanPart> {
  // The code's part comes first: inspections look up what it has computed.
  const plans = [
    planCode,
    planScalarColumns,
    planJsonColumns,
    planLinks,
    planRequired,
    planVersionRows,
    planReferences,
  ];
  const parts = plans.map((plan): ContentPlanPart => plan(request));
  return {
    statementsBefore: parts.flatMap(({ statementsBefore = [] }) => statementsBefore),
    statementsAfter: parts.flatMap(({ statementsAfter = [] }) => statementsAfter),
    statementsLast: parts.flatMap(({ statementsLast = [] }) => statementsLast),
    isCovered: (change) => parts.some(({ isCovered }) => isCovered?.(change) === true),
    inspections: parts.flatMap(({ inspections = [] }) => inspections),
  };
}
