import type { MigrationSession, SessionRow } from '../../../database/dialect/migration-support.js';
import type { ColumnKind } from '../../../lib/stored-value.js';
import type { Strictness } from '../../../model/fields/field-type.js';
import type { Attribute, ContentType } from '../../../model/model.js';
import { ImpactCounter, hasColumns } from '../../impact/data-impact.js';
import type { Inspection } from '../../impact/data-impact.js';
import { joinClauses, quoteName } from '../../../database/dialect/sql-text.js';
import { renamedColumn, renamedTable } from '../../schema/renames.js';
import type { ContentPlanPart, ContentPlanRequest } from '../content-transition.js';
import { createValueComparison } from './compare-values.js';
import type { ValueComparison } from './compare-values.js';
import { inspectMember } from './inspect-values.js';
import type { ValueInspection } from './inspect-values.js';
import { createRewriteContext, rewriteValue } from './rewrite-value.js';
import { isItemsAttribute, isNewlyRequired, isRenamed, isRewritten } from './value-change.js';
import type { MemberChange } from './value-change.js';
import { listScalarChanges, remainingVersions } from '../scalars/scalar-change.js';
import { conditionValues } from '../scalars/scalar-sql.js';
import type { ConditionValues } from '../scalars/scalar-sql.js';

/** A column of a version table, by its names before the migration. */
interface InspectedColumn {
  readonly table: string;
  readonly column: string;
  readonly kind: ColumnKind;
  /** SQL of the values as text, before and after the migration, for the table as {@link TABLE_ALIAS}. */
  readonly before: string;
  readonly after: string;
  /** True if rows without a value are read as well. */
  readonly withNulls: boolean;
  /** Additional columns to select with each value, from the same version. */
  readonly siblings?: readonly string[];
  /** Conditions that every version read must meet. */
  readonly versions: readonly string[];
}

export const TABLE_ALIAS = 'v';

/** One value, and the version that holds it. */
interface InspectedValue {
  readonly before: unknown;
  readonly after: unknown;
  readonly locale: unknown;
  readonly status: unknown;
  readonly row: SessionRow;
}

const BATCH_SIZE = 500;

const parseStored = (kind: ColumnKind, value: unknown): unknown => {
  if (value === null || value === undefined) return null;
  return kind === 'json' && typeof value === 'string' ? JSON.parse(value) : value;
};

/** Reads the values of a column before and after the migration, of all versions, in batches. */
export async function readColumn(
  session: MigrationSession,
  { table, column, kind, before, after, withNulls, siblings = [], versions }: InspectedColumn,
  onValue: (value: InspectedValue) => void,
): Promise<void> {
  const conditions = [
    'v."id" > $1',
    ...versions,
    ...(withNulls ? [] : [`v.${quoteName(column)} IS NOT NULL`]),
  ];
  const sql = joinClauses(
    `SELECT v."id", v."locale", v."status",`,
    [`${before} AS "before"`, `${after} AS "after"`, ...siblings].join(', '),
    `FROM ${quoteName(table)} AS ${TABLE_ALIAS} WHERE ${conditions.join(' AND ')}`,
    `ORDER BY v."id" LIMIT ${BATCH_SIZE}`,
  );
  for (let last = 0; ;) {
    const rows = await session.query(sql, [last]);
    for (const row of rows) {
      const { before: old, after: next, locale, status } = row;
      onValue({ before: parseStored(kind, old), after: parseStored('json', next), locale, status, row });
    }
    if (rows.length < BATCH_SIZE) return;
    last = Number(rows.at(-1)?.['id']);
  }
}

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
    // If the table is dropped, the comparison of the tables counts its rows.
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

/** Returns a function that returns true for the first of equal values. */
const createUniqueness = (): ((value: unknown) => boolean) => {
  const seen = new Set<string>();
  return (value) => {
    const key = JSON.stringify(value);
    return !seen.has(key) && seen.add(key).has(key);
  };
};

/** Returns the values that the column's condition reads after the migration; null if it has no condition. */
const siblingValues = (
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
    // `planRequired` counts the values that a condition requires.
    withNulls: member.after?.required === true && isNewlyRequired(member.before, member.after),
    siblings: siblingValues(change, request)?.columns ?? [],
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
    const siblings = siblingValues(change, request);
    await readColumn(session, inspectedColumn(change, request), ({ before, after, locale, status, row }) => {
      const inspection: ValueInspection = {
        counter,
        after: request.after,
        strictness: strictnessOf(typeAfter, status),
        isFirst: (value) => isFirst([locale, status, value]),
      };
      const key = `${typeAfter.uid}.${member.after?.name ?? member.before.name}`;
      const itemAfter = siblings?.parse(row);
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

/** Returns the columns with components whose values change. */
export function changedJsonColumns(request: ContentPlanRequest): readonly InspectedColumn[] {
  return columnChanges(request).map((change) => inspectedColumn(change, request));
}

/**
 * Plans the changes of components and dynamic zones, which are stored as JSON. One statement per column
 * rewrites its values in all versions, at every depth.
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
