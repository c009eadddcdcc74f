import type { SessionRow } from '../../../database/dialect/migration-support.js';
import { isUnique } from '../../../documents/validation/parse-scalar.js';
import type { ColumnKind } from '../../../lib/stored-value.js';
import type { Attribute, ContentType } from '../../../model/model.js';
import { joinClauses, quoteName } from '../../../database/dialect/sql-text.js';
import type { ContentPlanRequest } from '../content-transition.js';
import { distinguishedBy, isMoved, remainingVersions, tableAfter } from './scalar-change.js';
import type { PresentScalar, ScalarChange } from './scalar-change.js';

interface Statements {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Returns SQL of the stored value after the migration for SQL of the value before it. */
export function convertedSql({ from }: PresentScalar, value: string): string {
  if (from === null || from.conversion.kind === 'impossible') return 'NULL';
  if (from.conversion.kind === 'same') return value;
  const converted = from.conversion.stored(value);
  return from.keepsRest ? `coalesce(${converted}, ${value})` : converted;
}

/** Saves the converted values in a temporary table while the column changes. */
const moveValues = (change: PresentScalar, table: string, column: string, keptTable: string): Statements => {
  const converted = convertedSql(change, quoteName(column));
  const rows = joinClauses(
    `SELECT "id", ${converted} AS "value" FROM ${quoteName(table)}`,
    `WHERE ${quoteName(column)} IS NOT NULL`,
  );
  const mayShare = change.after.draftAndPublish ? `v."status" = 'draft' OR ` : '';
  const remaining = remainingVersions(change, table);
  const remainingFirst =
    remaining.length === 0 ? '' : `CASE WHEN ${remaining.join(' AND ')} THEN 0 ELSE 1 END, `;
  const group = ['r."value"', ...distinguishedBy(change).map((name) => `v.${quoteName(name)}`)];
  // If documents have equal values, only the first keeps its value.
  const firsts = joinClauses(
    `SELECT r."id", CASE WHEN ${mayShare}row_number() OVER`,
    `(PARTITION BY ${group.join(', ')} ORDER BY ${remainingFirst}r."id") = 1 THEN r."value" END AS "value"`,
    `FROM (${rows}) AS r JOIN ${quoteName(table)} AS v ON v."id" = r."id"`,
  );
  const target = quoteName(change.attribute.column.name);
  return {
    before: [`CREATE TABLE ${keptTable} AS ${isUnique(change.attribute) ? firsts : rows};`],
    after: [
      joinClauses(
        `UPDATE ${quoteName(table)} SET ${target} = k."value"`,
        `FROM ${keptTable} AS k WHERE k."id" = ${quoteName(table)}."id";`,
      ),
      `DROP TABLE ${keptTable};`,
    ],
  };
};

const deleteValues = (table: string, column: string): Statements => ({
  before: [
    `UPDATE ${quoteName(table)} SET ${quoteName(column)} = NULL WHERE ${quoteName(column)} IS NOT NULL;`,
  ],
  after: [],
});

const rewriteValues = (change: PresentScalar, table: string, column: string): Statements => ({
  before: [
    joinClauses(
      `UPDATE ${quoteName(table)} SET ${quoteName(column)} = ${convertedSql(change, quoteName(column))}`,
      `WHERE ${quoteName(column)} IS NOT NULL;`,
    ),
  ],
  after: [],
});

const NONE: Statements = { before: [], after: [] };

const convertValues = (change: PresentScalar, table: string, keptTable: string): Statements => {
  const { from } = change;
  if (from === null) return NONE;
  if (from.conversion.kind === 'impossible') return deleteValues(table, from.column);
  if (isMoved(change)) return moveValues(change, table, from.column, keptTable);
  return from.conversion.kind === 'same' ? NONE : rewriteValues(change, table, from.column);
};

const fillValues = ({ fill, attribute }: PresentScalar, table: string): readonly string[] => {
  const column = quoteName(attribute.column.name);
  return fill === null
    ? []
    : [`UPDATE ${quoteName(table)} SET ${column} = ${fill.sql} WHERE ${column} IS NULL;`];
};

/** Returns the statements that convert values and fill in missing ones. */
export function scalarStatements(changes: readonly ScalarChange[], request: ContentPlanRequest): Statements {
  const kept = changes.filter((change) => change.kind === 'present');
  const statements = kept.map((change, index): Statements => {
    const table = tableAfter(change, request);
    const { before, after } = convertValues(change, table, quoteName(`galley_kept_values_${index}`));
    return { before, after: [...after, ...fillValues(change, table)] };
  });
  return {
    before: statements.flatMap(({ before }) => before),
    after: statements.flatMap(({ after }) => after),
  };
}

type ValueExpressions = ContentPlanRequest['dialect']['migrations']['values'];

/** Returns SQL of a stored value as text: JSON text for `json`, otherwise its text form. */
export const readable = (values: ValueExpressions, kind: ColumnKind, value: string): string =>
  kind === 'json' ? `CAST(${value} AS TEXT)` : values.textForm(kind, value);

const READ_AS_JSON: ReadonlySet<ColumnKind> = new Set(['json', 'integer', 'double', 'boolean']);

/** Parses text that {@link readable} selects into the value that the API shows. */
export const parseReadable = (kind: ColumnKind, text: string): unknown =>
  READ_AS_JSON.has(kind) ? (JSON.parse(text) as unknown) : text;

/** The values that the condition of an attribute reads in the same version. */
export interface ConditionValues {
  /** Expressions that a query selects from the versions, as table `v`. */
  readonly columns: readonly string[];
  /** Returns the values of a row after the migration, by the names of their attributes. */
  readonly parse: (row: SessionRow) => Readonly<Record<string, unknown>>;
}

const columnAlias = (index: number): string => `condition${index}`;

/** Returns the columns and the parser of the values that the condition of an attribute reads. */
export function conditionValues(
  { dialect }: ContentPlanRequest,
  changes: readonly ScalarChange[],
  type: ContentType,
  { condition }: Attribute,
): ConditionValues {
  const read = changes.filter(
    (change): change is PresentScalar =>
      change.kind === 'present' &&
      change.after === type &&
      condition?.reads.includes(change.attribute.name) === true,
  );
  const select = (change: PresentScalar): string =>
    change.from === null
      ? 'NULL'
      : readable(
          dialect.migrations.values,
          change.attribute.column.kind,
          convertedSql(change, `v.${quoteName(change.from.attribute.column.name)}`),
        );
  const parse = ({ attribute, fill }: PresentScalar, text: unknown): unknown =>
    typeof text === 'string' ? parseReadable(attribute.column.kind, text) : (fill?.value ?? null);
  return {
    columns: read.map((change, index) => `${select(change)} AS "${columnAlias(index)}"`),
    parse: (row) =>
      Object.fromEntries(
        read.map((change, index) => [change.attribute.name, parse(change, row[columnAlias(index)])]),
      ),
  };
}
