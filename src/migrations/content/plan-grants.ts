import { PERMISSION_UID } from '../../content-types/builtin/registry.js';
import type { Uid } from '../../model/model.js';
import { joinClauses, quoteName } from '../migration-dialect.js';
import type { ContentPlanPart, ContentPlanRequest } from './content-plan.js';

/** The table of what tokens may do, which is no content-type's. */
const TOKEN_PERMISSIONS = 'cms_api_token_permissions';

interface TypeRename {
  readonly from: Uid;
  readonly to: Uid;
}

const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const ACTION = quoteName('action');

const isActionOf = (uid: Uid): string => `substr(${ACTION}, 1, ${uid.length + 1}) = ${quoteText(`${uid}.`)}`;

/** Names the types of actions (`api::article.article.find`) anew. All at once, since types may swap names. */
const renameActions = (table: string, renames: readonly TypeRename[]): string => {
  const cases = renames.map(
    ({ from, to }) =>
      `WHEN ${isActionOf(from)} THEN ${quoteText(`${to}.`)} || substr(${ACTION}, ${from.length + 2})`,
  );
  return joinClauses(
    `UPDATE ${quoteName(table)}`,
    `SET ${ACTION} = CASE ${cases.join(' ')} ELSE ${ACTION} END`,
    `WHERE ${renames.map(({ from }) => isActionOf(from)).join(' OR ')};`,
  );
};

/** Permissions of roles and tokens follow a content-type that is renamed. */
export function planGrants({ after, match }: ContentPlanRequest): ContentPlanPart {
  const renames = match.types.flatMap(({ before, after: renamed }): readonly TypeRename[] =>
    renamed === null || renamed.uid === before.uid ? [] : [{ from: before.uid, to: renamed.uid }],
  );
  const permissions = after.typesByUid[PERMISSION_UID];
  const tables = permissions === undefined ? [] : [permissions.storage.version.table, TOKEN_PERMISSIONS];
  return {
    statementsBefore: [],
    statementsAfter: renames.length === 0 ? [] : tables.map((table) => renameActions(table, renames)),
    accountedDrops: [],
    isCovered: () => false,
    surveys: [],
  };
}
