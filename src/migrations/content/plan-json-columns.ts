import type { Attribute, ComponentAttribute, ContentType, DynamicZoneAttribute } from '../../model/model.js';
import { joinClauses, quoteName } from '../migration-dialect.js';
import { renamedColumn, renamedTable } from '../schema/renamed-location.js';
import type { ContentPlanPart, ContentPlanRequest, Survey } from './content-plan.js';
import { accountMember } from './json/account-values.js';
import { createValueComparison } from './json/compare-values.js';
import type { ValueComparison } from './json/compare-values.js';
import { createRewriteContext } from './json/rewrite-context.js';
import { rewriteValue } from './json/rewrite-value.js';
import { hasColumns, readColumn } from './json/survey-column.js';
import { Tally } from './json/tally.js';
import { isItemsAttribute, isNewlyRequired, isRenamed, isRewritten } from './json/value-change.js';
import type { MemberChange } from './json/value-change.js';

type ColumnAttribute = Extract<Attribute, { readonly column: unknown }>;

/** A column before and after the migration. */
interface ColumnChange {
  readonly type: ContentType;
  readonly typeAfter: ContentType;
  readonly member: MemberChange & { readonly before: ColumnAttribute };
  readonly table: string;
  readonly column: string;
  /** Their names after the renames of the migration. */
  readonly tableAfter: string;
  readonly columnAfter: string;
}

const hasColumn = (attribute: Attribute): attribute is ColumnAttribute => 'column' in attribute;

const changeOf = (
  comparison: ValueComparison,
  owner: ContentType,
  before: Attribute,
  after: Attribute | null,
): MemberChange['change'] =>
  after === null
    ? { kind: 'dropped', before, reason: 'the attribute is removed' }
    : comparison.compare(owner.uid, before, after);

const isToldOf = (member: MemberChange): boolean => member.change.kind !== 'same' || isRenamed(member);

const columnChanges = (request: ContentPlanRequest): readonly ColumnChange[] => {
  const { match, renames } = request;
  const comparison = createValueComparison(request);
  return match.types.flatMap(({ before: type, after: typeAfter, attributes }) => {
    const table = type.storage.version.table;
    const tableAfter = renamedTable(table, renames);
    // Where the table is dropped, the comparison of the tables accounts for its rows.
    if (typeAfter === null || typeAfter.storage.version.table !== tableAfter) return [];
    return attributes.flatMap(({ before, after }): readonly ColumnChange[] => {
      if (before === null || !hasColumn(before)) return [];
      if (!isItemsAttribute(before) && !isItemsAttribute(after)) return [];
      const change = changeOf(comparison, typeAfter, before, after);
      const member = { before, after, change, fill: undefined };
      const { name: column } = before.column;
      const columnAfter = renamedColumn(table, column, renames);
      return isToldOf(member) ? [{ type, typeAfter, member, table, column, tableAfter, columnAfter }] : [];
    });
  });
};

const survey =
  (change: ColumnChange, request: ContentPlanRequest): Survey =>
  async (session) => {
    const { type, typeAfter, member, table, column } = change;
    if (!(await hasColumns(session, table, ['id', column]))) return [];
    const { json } = request.dialect.migrations;
    const name = `${quoteName(table)}.${quoteName(column)}`;
    const context = createRewriteContext(json, request.after);
    const account = { tally: new Tally(type.uid), after: request.after };
    await readColumn(
      session,
      {
        table,
        column,
        kind: member.before.column.kind,
        before: json.toText(name),
        after: json.toText(rewriteValue(context, member.change, name)),
        withNulls: member.after !== null && isNewlyRequired(member.before, member.after),
      },
      (before, after) =>
        accountMember(account, member, {
          before,
          after,
          path: member.before.name,
          key: `${typeAfter.singularName}.${member.after?.name ?? member.before.name}`,
        }),
    );
    return account.tally.changes();
  };

/** Whether the column holds JSON before and after, so that its values can be rewritten in place. */
const staysJson = ({ member: { before, after } }: ColumnChange): boolean =>
  before.column.kind === 'json' && after !== null && hasColumn(after) && after.column.kind === 'json';

const statement = (change: ColumnChange, request: ContentPlanRequest): readonly string[] => {
  const { member, tableAfter, columnAfter } = change;
  if (!isRewritten(member.change) || member.after === null || !hasColumn(member.after)) return [];
  const { json } = request.dialect.migrations;
  const [table, column] = [quoteName(tableAfter), quoteName(columnAfter)];
  const context = createRewriteContext(json, request.after);
  const value =
    member.change.kind === 'dropped' || !staysJson(change)
      ? 'NULL'
      : json.toColumn(rewriteValue(context, member.change, `${table}.${column}`));
  return [joinClauses(`UPDATE ${table} SET ${column} = ${value}`, `WHERE ${column} IS NOT NULL;`)];
};

/** Counts the versions that lack a component or dynamic zone which is added as required. */
const surveyAdded =
  (type: ContentType, attribute: ComponentAttribute | DynamicZoneAttribute): Survey =>
  async (session) => {
    const { table } = type.storage.version;
    if (!(await hasColumns(session, table, []))) return [];
    const [row] = await session.query(`SELECT count(*) AS "count" FROM ${quoteName(table)}`);
    const tally = new Tally(type.uid);
    tally.add({
      kind: 'misfit',
      path: attribute.name,
      reason: 'must be set',
      remedy: null,
      count: Number(row?.['count']),
    });
    return tally.changes();
  };

const addedSurveys = ({ match }: ContentPlanRequest): readonly Survey[] =>
  match.types.flatMap(({ before: type, attributes }) =>
    attributes.flatMap(({ before, after }) =>
      before === null && isItemsAttribute(after) && after.required ? [surveyAdded(type, after)] : [],
    ),
  );

/**
 * Plans what happens to components and dynamic zones, which are stored as JSON: one statement per column
 * rewrites everything in it, however deep, in all versions.
 */
export function planJsonColumns(request: ContentPlanRequest): ContentPlanPart {
  const changes = columnChanges(request);
  const replaced = changes.filter((change) => !staysJson(change));
  return {
    statementsBefore: changes.flatMap((change) => statement(change, request)),
    statementsAfter: [],
    accountedDrops: replaced.map(({ tableAfter, columnAfter }) => ({
      table: tableAfter,
      column: columnAfter,
    })),
    isCovered: (change) =>
      (change.kind === 'column' || change.kind === 'type') &&
      replaced.some(
        ({ tableAfter, columnAfter }) => change.table === tableAfter && change.column === columnAfter,
      ),
    surveys: [...changes.map((change) => survey(change, request)), ...addedSurveys(request)],
  };
}
