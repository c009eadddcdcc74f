import type { Strictness } from '../../model/fields/field-type.js';
import type { Attribute, ContentType } from '../../model/model.js';
import { joinClauses, quoteName } from '../migration-dialect.js';
import { renamedColumn, renamedTable } from '../schema/renamed-location.js';
import { hasColumns, ImpactCounter } from '../impact/data-impact.js';
import type { Inspection } from '../impact/data-impact.js';
import type { ContentPlanPart, ContentPlanRequest } from './content-plan.js';
import { inspectMember } from './json/inspect-values.js';
import type { ValueInspection } from './json/inspect-values.js';
import { createValueComparison } from './json/compare-values.js';
import type { ValueComparison } from './json/compare-values.js';
import { createRewriteContext } from './json/rewrite-context.js';
import { rewriteValue } from './json/rewrite-value.js';
import { readColumn, TABLE_ALIAS } from './read-column.js';
import type { InspectedColumn } from './read-column.js';
import { isItemsAttribute, isNewlyRequired, isRenamed, isRewritten } from './json/value-change.js';
import type { MemberChange } from './json/value-change.js';
import { conditionValues } from './scalars/row-values.js';
import type { ConditionValues } from './scalars/row-values.js';
import { listScalarChanges } from './scalars/scalar-change.js';
import { remainingVersions } from './scalars/remaining-versions.js';

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

const isAffected = (member: MemberChange): boolean => member.change.kind !== 'same' || isRenamed(member);

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
      return isAffected(member) ? [{ type, typeAfter, member, table, column, tableAfter, columnAfter }] : [];
    });
  });
};

const strictnessOf = ({ draftAndPublish }: ContentType, status: unknown): Strictness =>
  draftAndPublish && status === 'draft' ? 'draft' : 'full';

/** Returns a function that is true for the first of equal values. */
const createUniqueness = (): ((value: unknown) => boolean) => {
  const seen = new Set<string>();
  return (value) => {
    const key = JSON.stringify(value);
    return !seen.has(key) && seen.add(key).has(key);
  };
};

/** Returns the values beside a column that its condition reads after the migration. Null: it has none. */
const valuesBeside = (
  { typeAfter, member }: ColumnChange,
  request: ContentPlanRequest,
): ConditionValues | null =>
  member.after?.condition === undefined
    ? null
    : conditionValues(request, listScalarChanges(request), typeAfter, member.after);

const inspectedColumn = (change: ColumnChange, request: ContentPlanRequest): InspectedColumn => {
  const { type, typeAfter, member, table, column } = change;
  const { json } = request.dialect.migrations;
  const name = `${TABLE_ALIAS}.${quoteName(column)}`;
  return {
    table,
    column,
    kind: member.before.column.kind,
    before: json.toText(name),
    after: json.toText(rewriteValue(createRewriteContext(json, request.after), member.change, name)),
    // Those that a condition requires are counted apart.
    withNulls: member.after?.required === true && isNewlyRequired(member.before, member.after),
    beside: valuesBeside(change, request)?.columns ?? [],
    versions: remainingVersions({ before: type, after: typeAfter }),
  };
};

const inspectColumn =
  (change: ColumnChange, request: ContentPlanRequest): Inspection =>
  async (session) => {
    const { type, typeAfter, member, table, column } = change;
    if (!(await hasColumns(session, table, ['id', column]))) return [];
    const counter = new ImpactCounter(type.uid);
    const isFirst = createUniqueness();
    const beside = valuesBeside(change, request);
    await readColumn(session, inspectedColumn(change, request), ({ before, after, locale, status, row }) => {
      const inspection: ValueInspection = {
        counter,
        after: request.after,
        strictness: strictnessOf(typeAfter, status),
        isFirst: (value) => isFirst([locale, status, value]),
      };
      const key = `${typeAfter.uid}.${member.after?.name ?? member.before.name}`;
      const itemAfter = beside?.parse(row);
      inspectMember(inspection, member, { before, after, path: member.before.name, key, itemAfter });
    });
    return counter.impact();
  };

/** True if the column holds JSON before and after, so that its values can be rewritten in place. */
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

/** The columns with components whose values change. */
export function changedJsonColumns(request: ContentPlanRequest): readonly InspectedColumn[] {
  return columnChanges(request).map((change) => inspectedColumn(change, request));
}

/**
 * Plans what happens to components and dynamic zones, which are stored as JSON: one statement per column
 * rewrites everything in it, however deep, in all versions.
 */
export function planJsonColumns(request: ContentPlanRequest): ContentPlanPart {
  const changes = columnChanges(request);
  const replaced = changes.filter((change) => !staysJson(change));
  return {
    statementsBefore: changes.flatMap((change) => statement(change, request)),
    isCovered: (change) =>
      (change.kind === 'column' || change.kind === 'type') &&
      replaced.some(
        ({ tableAfter, columnAfter }) => change.table === tableAfter && change.column === columnAfter,
      ),
    inspections: changes.map((change) => inspectColumn(change, request)),
  };
}
