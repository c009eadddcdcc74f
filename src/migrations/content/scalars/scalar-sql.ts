import { joinClauses, quoteName } from '../../migration-dialect.js';
import type { ContentPlanRequest } from '../content-plan.js';
import { isUnique } from '../../../documents/validation/parse-scalar.js';
import { distinguishedBy, remainingVersions } from './remaining-versions.js';
import { isMoved, tableAfter } from './scalar-change.js';
import type { KeptScalar, ScalarChange } from './scalar-change.js';

interface Statements {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** SQL of the stored value after the migration over the one before it. */
export function convertedSql({ from }: KeptScalar, value: string): string {
  if (from === null || from.conversion.kind === 'impossible') return 'NULL';
  if (from.conversion.kind === 'same') return value;
  const converted = from.conversion.stored(value);
  return from.keepsRest ? `coalesce(${converted}, ${value})` : converted;
}

/** Keeps the converted values in a table of their own, while the column changes. */
const moveValues = (change: KeptScalar, table: string, column: string, keptTable: string): Statements => {
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
  // Of documents with equal values, the first keeps it.
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

const rewriteValues = (change: KeptScalar, table: string, column: string): Statements => ({
  before: [
    joinClauses(
      `UPDATE ${quoteName(table)} SET ${quoteName(column)} = ${convertedSql(change, quoteName(column))}`,
      `WHERE ${quoteName(column)} IS NOT NULL;`,
    ),
  ],
  after: [],
});

const NONE: Statements = { before: [], after: [] };

const convertValues = (change: KeptScalar, table: string, keptTable: string): Statements => {
  const { from } = change;
  if (from === null) return NONE;
  if (from.conversion.kind === 'impossible') return deleteValues(table, from.column);
  if (isMoved(change)) return moveValues(change, table, from.column, keptTable);
  return from.conversion.kind === 'same' ? NONE : rewriteValues(change, table, from.column);
};

const fillValues = ({ fill, attribute }: KeptScalar, table: string): readonly string[] => {
  const column = quoteName(attribute.column.name);
  return fill === null
    ? []
    : [`UPDATE ${quoteName(table)} SET ${column} = ${fill.sql} WHERE ${column} IS NULL;`];
};

/** The statements that convert values and fill in missing ones. */
export function scalarStatements(changes: readonly ScalarChange[], request: ContentPlanRequest): Statements {
  const kept = changes.filter((change) => change.kind === 'kept');
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
