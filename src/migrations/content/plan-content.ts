import { PERMISSION_UID } from '../../model/content-types/builtin-types.js';
import type { Uid } from '../../model/model.js';
import { joinClauses, quoteName, quoteText } from '../../database/dialect/sql-text.js';
import { planVersionRows } from '../plan/plan-versions.js';
import type { ContentPlanPart, ContentPlanRequest, ModelMatch } from './content-transition.js';
import { planJsonColumns } from './json/plan-json-columns.js';
import { planLinks } from './links/plan-links.js';
import { planCode } from './plan-code.js';
import { planRequired } from './plan-required.js';
import { planScalarColumns } from './scalars/plan-scalar-columns.js';

const VERSIONS = 'cms_versions';
/** The tables of schedules and of former versions of documents. */
const EDITORIAL_TABLES = ['cms_schedules', VERSIONS];
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

const renameTypes = (table: string, renames: readonly TypeRename[]): string => {
  const type = quoteName('type');
  const cases = renames.map(({ from, to }) => [`${type} = ${quoteText(from)}`, quoteText(to)] as const);
  return replaceAll(table, type, cases);
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

/** Renames attributes in the former versions of documents. */
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
  const content = json.ofText(`${quoteName(VERSIONS)}.${column}`);
  // A former attribute may have had the name.
  const omitted = [...keys.values()].filter((name) => !keys.has(name));
  const renamed = json.object(content, 'v', { keys, values: new Map(), omitted, added: [] });
  return [
    joinClauses(
      `UPDATE ${quoteName(VERSIONS)}`,
      `SET ${column} = ${json.toText(renamed)}`,
      `WHERE ${quoteName('type')} = ${quoteText(type.uid)};`,
    ),
  ];
};

/**
 * Plans the renames of types and attributes in permissions of roles and tokens, webhooks, schedules and
 * former versions. References to a removed type stay, and apply again if the removal is reverted.
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
          ...EDITORIAL_TABLES.map((table) => renameTypes(table, renames)),
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
