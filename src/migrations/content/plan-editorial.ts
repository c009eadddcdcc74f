import type { Uid } from '../../model/model.js';
import { joinClauses, quoteName, quoteText } from '../migration-dialect.js';
import type { ContentPlanPart, ContentPlanRequest } from './content-plan.js';
import type { ModelMatch } from './match-models.js';

const VERSIONS = 'cms_versions';
/** The tables of what is kept of documents, and planned for them. */
const TABLES = ['cms_schedules', VERSIONS];

/** Under this key `cms_state` holds the list of webhooks, which name types. */
const WEBHOOKS = 'strapi/webhooks';

interface TypeRename {
  readonly from: Uid;
  readonly to: Uid;
}

/** Names the types of rows anew, all at once, since types may swap names. */
const renameTypes = (table: string, renames: readonly TypeRename[]): string => {
  const type = quoteName('type');
  const cases = renames.map(({ from, to }) => `WHEN ${quoteText(from)} THEN ${quoteText(to)}`);
  return joinClauses(
    `UPDATE ${quoteName(table)}`,
    `SET ${type} = CASE ${type} ${cases.join(' ')} ELSE ${type} END`,
    `WHERE ${type} IN (${renames.map(({ from }) => quoteText(from)).join(', ')});`,
  );
};

/** Names the types that webhooks are limited to anew, by way of a name that no type has. */
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

/** Names the attributes of kept versions anew, as those of the documents are. */
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
 * Webhooks, schedules and kept versions follow types and attributes that are renamed. What is kept of a type
 * that is removed stays, and is of use again once that is taken back.
 */
export function planEditorial(request: ContentPlanRequest): ContentPlanPart {
  const { types } = request.match;
  const renames = types.flatMap(({ before, after }): readonly TypeRename[] =>
    after === null || after.uid === before.uid ? [] : [{ from: before.uid, to: after.uid }],
  );
  const renamed =
    renames.length === 0
      ? []
      : [...TABLES.map((table) => renameTypes(table, renames)), renameInWebhooks(renames)];
  return {
    statementsBefore: [],
    statementsAfter: [...renamed, ...types.flatMap((type) => renameAttributes(request, type))],
    accountedDrops: [],
    isCovered: () => false,
    surveys: [],
  };
}
