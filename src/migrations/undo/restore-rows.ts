import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { joinClauses, quoteName } from '../../database/dialect/sql-text.js';
import type { MigrationDialect } from '../../database/dialect/dialect.js';
import { renamedColumn, renamedTable } from '../schema/renames.js';
import type { Rename } from '../schema/renames.js';
import type { Table, Tables } from '../schema/schema-tables.js';
import { CHANGED_COLUMN, REMOVED_COLUMN, contentTime, rowKeyOf } from './run-recorded.js';
import type { TableCopy } from './migration-record.js';

/** Columns that identify a version. They are never set from a copy. */
const IDENTITY: ReadonlySet<string> = new Set([
  'id',
  'document_id',
  'locale',
  'status',
  'revision',
  'created_at',
  'updated_at',
  'published_at',
]);
const VERSION_KEY = ['document_id', 'locale', 'status'];

/** A table of the schema before the migration, with the copy of its rows. */
interface CopiedTable {
  readonly table: Table;
  /** The quoted name of the table with the copy. */
  readonly copy: string;
}

/** The copies of the rows that a migration changed or dropped, with the tables to restore them in. */
export interface RowCopies {
  readonly kept: readonly TableCopy[];
  readonly renames: readonly Rename[];
  /** The tables before and after the migration. */
  readonly before: Tables;
  readonly after: Tables;
  readonly dialect: MigrationDialect;
}

const targetExists = (
  { target, targetColumns, columns }: Table['references'][number],
  row: string,
): string => {
  const same = columns.map(
    (column, index) => `t.${quoteName(targetColumns[index] ?? column)} = ${row}.${quoteName(column)}`,
  );
  return `EXISTS (SELECT 1 FROM ${quoteName(target)} AS t WHERE ${same.join(' AND ')})`;
};

/** Returns SQL of a value of the copy; null if it refers to a deleted row. */
const copiedValue = (table: Table, column: string): string => {
  const value = `k.${quoteName(column)}`;
  const reference = table.references.find(({ columns }) => columns.length === 1 && columns[0] === column);
  return reference === undefined || table.columns.get(column)?.isRequired === true
    ? value
    : `CASE WHEN ${targetExists(reference, 'k')} THEN ${value} END`;
};

const sameValues = (columns: readonly string[]): string =>
  columns.map((column) => `r.${quoteName(column)} = k.${quoteName(column)}`).join(' AND ');

const requiredReferences = (table: Table): readonly string[] =>
  table.references
    .filter(({ columns }) => columns.every((column) => table.columns.get(column)?.isRequired === true))
    .map((reference) => targetExists(reference, 'k'));

/** Inserts the rows that the migration deleted, unless other rows have their unique values. */
const insertRemoved = ({ table, copy }: CopiedTable): string => {
  const name = quoteName(table.name);
  const columns = [...table.columns.keys()];
  const isFreeOf = (unique: readonly string[]): string =>
    `NOT EXISTS (SELECT 1 FROM ${name} AS r WHERE ${sameValues(unique)})`;
  const isFree = [
    ...table.uniques.map(isFreeOf),
    ...table.publishedUniques.map((unique) => `(k."status" <> 'published' OR ${isFreeOf(unique)})`),
  ];
  return joinClauses(
    `INSERT INTO ${name} (${columns.map(quoteName).join(', ')})`,
    `SELECT ${columns.map((column) => copiedValue(table, column)).join(', ')} FROM ${copy} AS k`,
    `WHERE ${[`k."${REMOVED_COLUMN}" = 1`, ...isFree, ...requiredReferences(table)].join(' AND ')}`,
    'ORDER BY 1',
  );
};

const updateFrom = (
  { table, copy }: CopiedTable,
  columns: readonly string[],
  conditions: readonly string[],
): readonly string[] =>
  columns.length === 0
    ? []
    : [
        joinClauses(
          `UPDATE ${quoteName(table.name)} AS r`,
          `SET ${columns.map((column) => `${quoteName(column)} = ${copiedValue(table, column)}`).join(', ')}`,
          `FROM ${copy} AS k WHERE ${conditions.join(' AND ')}`,
        ),
      ];

const isUnchanged = (table: Table, tables: Tables): string =>
  `k."${CHANGED_COLUMN}" = ${contentTime(table, tables)}`;

const contentColumns = (table: Table): readonly string[] =>
  [...table.columns.keys()].filter((column) => !IDENTITY.has(column));

/** Returns the statements that restore the values of one table, once it has its old columns. */
const restoreTable = (copied: CopiedTable, { renames, before, after }: RowCopies): readonly string[] => {
  const { table } = copied;
  const next = after.get(renamedTable(table.name, renames));
  const key = rowKeyOf(table);
  const isVersionTable = table.uniques.some((unique) =>
    VERSION_KEY.every((column) => unique.includes(column)),
  );
  const columns = contentColumns(table);
  const survives = [`k."${REMOVED_COLUMN}" = 0`, sameValues(key)];
  const droppedColumns = columns.filter(
    (column) => next?.columns.has(renamedColumn(table.name, column, renames)) !== true,
  );
  return [
    ...(next === undefined || key.length === 0
      ? []
      : [
          ...updateFrom(copied, droppedColumns, survives),
          ...updateFrom(copied, table.columns.has('updated_at') ? columns : [], [
            ...survives,
            isUnchanged(table, before),
          ]),
        ]),
    // A version that the reversal created again, such as a draft, gets its former values.
    ...(isVersionTable
      ? updateFrom(copied, columns, [`k."${REMOVED_COLUMN}" = 1`, sameValues(VERSION_KEY)])
      : []),
    insertRemoved(copied),
  ];
};

/** Sorts tables so that each comes after those it refers to. */
const byReference = (tables: readonly CopiedTable[]): readonly CopiedTable[] => {
  const sorted: CopiedTable[] = [];
  const visit = (copied: CopiedTable, path: readonly string[]): void => {
    const { name, references } = copied.table;
    if (sorted.includes(copied) || path.includes(name)) return;
    for (const { target } of references) {
      const parent = tables.find(({ table }) => table.name === target);
      if (parent !== undefined) visit(parent, [...path, name]);
    }
    sorted.push(copied);
  };
  for (const copied of tables) visit(copied, []);
  return sorted;
};

const copiedTables = async (
  session: MigrationSession,
  { kept, before, dialect }: RowCopies,
): Promise<readonly CopiedTable[]> => {
  if (kept.length === 0) return [];
  const location = await dialect.migrations.copyLocation(session, { creates: false });
  return byReference(
    kept.flatMap(({ table: name, copy }) => {
      const table = before.get(name);
      return table === undefined || copy === null ? [] : [{ table, copy: location(copy) }];
    }),
  );
};

/**
 * Clears the content of rows that have not changed since the migration, before it is reverted. Their former
 * values are restored later, so that the current ones are neither converted nor counted as lost.
 */
export async function clearUnchanged(session: MigrationSession, rows: RowCopies): Promise<void> {
  const { renames, after } = rows;
  for (const { table, copy } of await copiedTables(session, rows)) {
    const next = after.get(renamedTable(table.name, renames));
    const key = rowKeyOf(table);
    if (next?.columns.has('updated_at') !== true || !table.columns.has('updated_at') || key.length === 0)
      continue;
    const columns = contentColumns(next).filter((column) => next.columns.get(column)?.isRequired === false);
    if (columns.length === 0) continue;
    await session.script(
      joinClauses(
        `UPDATE ${quoteName(next.name)} AS r`,
        `SET ${columns.map((column) => `${quoteName(column)} = NULL`).join(', ')}`,
        `FROM ${copy} AS k WHERE k."${REMOVED_COLUMN}" = 0 AND ${sameValues(key)}`,
        `AND ${isUnchanged(next, after)}`,
      ),
    );
  }
}

/** Restores the values that a migration changed or dropped, once the tables have their former structure. */
export async function restoreRows(session: MigrationSession, rows: RowCopies): Promise<void> {
  const { continueNumberingSql } = rows.dialect.migrations;
  for (const copied of await copiedTables(session, rows)) {
    for (const statement of restoreTable(copied, rows)) await session.script(statement);
    if (continueNumberingSql !== null && copied.table.columns.has('id'))
      await session.script(continueNumberingSql(copied.table.name, 'id'));
  }
}
