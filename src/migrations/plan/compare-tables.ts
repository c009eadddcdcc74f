import { isDeepStrictEqual } from 'node:util';
import type { TableChange } from '../impact/table-changes.js';
import type { Column, Table, Tables } from '../schema/schema-tables.js';

/** One step of a migration, as data to print. */
export interface MigrationStep {
  readonly action:
    | 'create-table'
    | 'drop-table'
    | 'rename-table'
    | 'add-column'
    | 'drop-column'
    | 'rename-column'
    | 'change-column'
    | 'change-keys';
  readonly table: string;
  readonly column?: string;
  /** The new name, if the step is a rename. */
  readonly to?: string;
}

export interface TableComparison {
  readonly steps: readonly MigrationStep[];
  readonly changes: readonly TableChange[];
  /** Columns that are dropped and added again, since their values cannot be converted. */
  readonly replacedColumns: readonly ReplacedColumn[];
}

interface ReplacedColumn {
  readonly table: string;
  readonly column: string;
}

/** The types that hold every value of another type, on every database. */
const LOSSLESS_CASTS: Readonly<Record<string, readonly string[]>> = {
  Int: ['BigInt', 'Float', 'Decimal', 'String'],
  BigInt: ['Decimal', 'String'],
  Json: ['String'],
};

const isSuperset = (superset: readonly string[], subset: readonly string[]): boolean =>
  subset.every((value) => superset.includes(value));

const maxLength = (nativeType: string | null): number =>
  nativeType === null
    ? Number.POSITIVE_INFINITY
    : Number(/^VarChar\((\d+)\)$/.exec(nativeType)?.[1] ?? Number.NaN);

const typeName = (column: Column): string => (column.nativeType ?? column.type) + (column.isList ? '[]' : '');

/** True if a change of type, or a removed value of an enumeration, loses values. */
const losesValues = (before: Column, after: Column): boolean => {
  if (before.isList !== after.isList) return true;
  if (before.type !== after.type) return !(LOSSLESS_CASTS[before.type] ?? []).includes(after.type);
  return before.values !== null && !isSuperset(after.values ?? [], before.values);
};

/** True if the native type may be shorter. The database then casts, and fails if a value does not fit. */
const isNarrowed = (before: Column, after: Column): boolean =>
  before.type === after.type &&
  before.nativeType !== after.nativeType &&
  !(maxLength(after.nativeType) >= maxLength(before.nativeType));

const isChanged = (before: Column, after: Column): boolean =>
  typeName(before) !== typeName(after) ||
  before.isRequired !== after.isRequired ||
  before.hasDatabaseDefault !== after.hasDatabaseDefault ||
  losesValues(before, after);

const compareColumn = (table: string, before: Column, after: Column): readonly TableChange[] => {
  const column = before.name;
  const isReplaced = losesValues(before, after);
  const changes: TableChange[] = [];
  if (isReplaced || isNarrowed(before, after))
    changes.push({ kind: 'type', table, column, from: typeName(before), to: typeName(after) });
  if (isReplaced && after.isRequired && !after.hasDatabaseDefault)
    changes.push({ kind: 'required', table, column, isNew: true });
  if (!isReplaced && after.isRequired && !before.isRequired)
    changes.push({ kind: 'required', table, column, isNew: false });
  return changes;
};

const hasKey = (keys: readonly (readonly string[])[], key: readonly string[]): boolean =>
  keys.some((candidate) => isDeepStrictEqual(candidate.toSorted(), key.toSorted()));

/**
 * Finds new constraints that existing values may violate. A column that begins empty violates none, and a
 * column that is filled with a default is left out of the key.
 */
const compareKeys = (
  before: Table,
  after: Table,
  keptColumns: ReadonlySet<string>,
): readonly TableChange[] => {
  const changes: TableChange[] = [];
  const table = before.name;
  const mayBeViolated = (key: readonly string[]): boolean =>
    key.some((name) => keptColumns.has(name)) &&
    key.every((name) => keptColumns.has(name) || after.columns.get(name)?.hasDatabaseDefault === true);
  const keptOf = (key: readonly string[]): readonly string[] => key.filter((name) => keptColumns.has(name));
  for (const key of after.uniques)
    if (!hasKey(before.uniques, key) && mayBeViolated(key))
      changes.push({ kind: 'unique', table, columns: keptOf(key) });
  for (const key of after.publishedUniques)
    if (!hasKey([...before.uniques, ...before.publishedUniques], key) && mayBeViolated(key))
      changes.push({ kind: 'unique', table, columns: keptOf(key), amongPublished: true });
  for (const reference of after.references) {
    const existedBefore = before.references.some(
      ({ columns, target }) => target === reference.target && isDeepStrictEqual(columns, reference.columns),
    );
    if (!existedBefore && reference.columns.every((name) => keptColumns.has(name)))
      changes.push({ kind: 'reference', table: before.name, ...reference });
  }
  return changes;
};

const areSameKeys = (
  before: readonly (readonly string[])[],
  after: readonly (readonly string[])[],
): boolean => before.length === after.length && after.every((key) => hasKey(before, key));

const haveSameKeys = (before: Table, after: Table): boolean =>
  areSameKeys(before.uniques, after.uniques) &&
  areSameKeys(before.publishedUniques, after.publishedUniques) &&
  before.references.length === after.references.length &&
  after.references.every(({ columns, target }) =>
    before.references.some(
      (candidate) => candidate.target === target && isDeepStrictEqual(candidate.columns, columns),
    ),
  );

const compareTable = (before: Table, after: Table): TableComparison => {
  const table = before.name;
  const steps: MigrationStep[] = [];
  const changes: TableChange[] = [];
  const replacedColumns: ReplacedColumn[] = [];
  for (const column of before.columns.values()) {
    const next = after.columns.get(column.name);
    if (next === undefined) {
      steps.push({ action: 'drop-column', table, column: column.name });
      changes.push({ kind: 'column', table, column: column.name });
      continue;
    }
    if (isChanged(column, next)) steps.push({ action: 'change-column', table, column: column.name });
    if (losesValues(column, next)) replacedColumns.push({ table, column: column.name });
    changes.push(...compareColumn(table, column, next));
  }
  for (const column of after.columns.values()) {
    if (before.columns.has(column.name)) continue;
    steps.push({ action: 'add-column', table, column: column.name });
    if (column.isRequired && !column.hasDatabaseDefault)
      changes.push({ kind: 'required', table, column: column.name, isNew: true });
  }
  const keptColumns = new Set(
    [...after.columns.keys()].filter(
      (name) => before.columns.has(name) && !replacedColumns.some(({ column }) => column === name),
    ),
  );
  if (!haveSameKeys(before, after)) steps.push({ action: 'change-keys', table });
  return {
    steps,
    changes: [...changes, ...compareKeys(before, after, keptColumns)],
    replacedColumns,
  };
};

/** Compares two sets of tables: the steps between them, and those that may delete data. */
export function compareTables(before: Tables, after: Tables): TableComparison {
  const comparisons: TableComparison[] = [];
  for (const table of before.values()) {
    const next = after.get(table.name);
    if (next !== undefined) comparisons.push(compareTable(table, next));
    else
      comparisons.push({
        steps: [{ action: 'drop-table', table: table.name }],
        changes: [{ kind: 'table', table: table.name }],
        replacedColumns: [],
      });
  }
  for (const { name } of after.values()) {
    if (!before.has(name))
      comparisons.push({
        steps: [{ action: 'create-table', table: name }],
        changes: [],
        replacedColumns: [],
      });
  }
  return {
    steps: comparisons.flatMap(({ steps }) => steps),
    changes: comparisons.flatMap(({ changes }) => changes),
    replacedColumns: comparisons.flatMap(({ replacedColumns }) => replacedColumns),
  };
}
