import type { AtStake } from './at-stake.js';
import type { Column, Table, Tables } from './schema-tables.js';

/** One thing a migration does, as data for whoever prints it. */
export interface Step {
  readonly action: 'create-table' | 'drop-table' | 'rename-table' | 'add-column' | 'drop-column' | 'rename-column' | 'change-column' | 'change-keys';
  readonly table: string;
  readonly column?: string;
  /** The new name, of a rename. */
  readonly to?: string;
}

export interface Comparison {
  readonly steps: readonly Step[];
  readonly stakes: readonly AtStake[];
  /** Columns whose values cannot be kept: they are dropped and made anew. */
  readonly replaced: readonly { readonly table: string; readonly column: string }[];
}

/** Types that take every value of another one, on every database, so that nothing changes but the type. */
const KEEPS: Readonly<Record<string, readonly string[]>> = {
  Int: ['BigInt', 'Float', 'Decimal', 'String'],
  BigInt: ['Decimal', 'String'],
  Json: ['String'],
};

const isSuperset = (wide: readonly string[], narrow: readonly string[]): boolean => narrow.every((value) => wide.includes(value));

const sizeOf = (nativeType: string | null): number => (nativeType === null ? Number.POSITIVE_INFINITY : Number(/^VarChar\((\d+)\)$/.exec(nativeType)?.[1] ?? Number.NaN));

const typeName = (column: Column): string => (column.nativeType ?? column.type) + (column.isList ? '[]' : '');

/** The values go: another type altogether, or an enumeration that lost one. */
const isReplaced = (before: Column, after: Column): boolean => {
  if (before.isList !== after.isList) return true;
  if (before.type !== after.type) return !(KEEPS[before.type] ?? []).includes(after.type);
  return before.values !== null && !isSuperset(after.values ?? [], before.values);
};

/** The same type in another native form, which may be shorter: the database casts, and stops where a value does not fit. */
const isNarrowed = (before: Column, after: Column): boolean =>
  before.type === after.type && before.nativeType !== after.nativeType && !(sizeOf(after.nativeType) >= sizeOf(before.nativeType));

const isChanged = (before: Column, after: Column): boolean =>
  typeName(before) !== typeName(after) || before.isRequired !== after.isRequired || before.isFilled !== after.isFilled || isReplaced(before, after);

const compareColumn = (table: string, before: Column, after: Column): readonly AtStake[] => {
  const column = before.name;
  const isLost = isReplaced(before, after);
  const stakes: AtStake[] = [];
  if (isLost || isNarrowed(before, after)) stakes.push({ kind: 'type', table, column, from: typeName(before), to: typeName(after) });
  if (isLost && after.isRequired && !after.isFilled) stakes.push({ kind: 'required', table, column, isNew: true });
  if (!isLost && after.isRequired && !before.isRequired) stakes.push({ kind: 'required', table, column, isNew: false });
  return stakes;
};

const sameNames = (left: readonly string[], right: readonly string[]): boolean => left.length === right.length && left.every((name, index) => name === right[index]);
const hasKey = (keys: readonly (readonly string[])[], key: readonly string[]): boolean => keys.some((candidate) => sameNames(candidate.toSorted(), key.toSorted()));

/** New constraints over columns whose values stay; a column that begins empty cannot break one, and one filled by a default is left out of the count. */
const compareKeys = (before: Table, after: Table, kept: ReadonlySet<string>): readonly AtStake[] => {
  const stakes: AtStake[] = [];
  for (const key of after.uniques) {
    if (hasKey(before.uniques, key)) continue;
    const begins = key.filter((name) => !kept.has(name));
    const columns = key.filter((name) => kept.has(name));
    if (begins.every((name) => after.columns.get(name)?.isFilled === true) && columns.length > 0) stakes.push({ kind: 'unique', table: before.name, columns });
  }
  for (const reference of after.references) {
    const isOld = before.references.some(({ columns, target }) => target === reference.target && sameNames(columns, reference.columns));
    if (!isOld && reference.columns.every((name) => kept.has(name))) stakes.push({ kind: 'reference', table: before.name, ...reference });
  }
  return stakes;
};

const sameKeys = (before: Table, after: Table): boolean =>
  before.uniques.length === after.uniques.length &&
  after.uniques.every((key) => hasKey(before.uniques, key)) &&
  before.references.length === after.references.length &&
  after.references.every(({ columns, target }) => before.references.some((known) => known.target === target && sameNames(known.columns, columns)));

const compareTable = (before: Table, after: Table): Comparison => {
  const table = before.name;
  const steps: Step[] = [];
  const stakes: AtStake[] = [];
  const replaced: { readonly table: string; readonly column: string }[] = [];
  for (const column of before.columns.values()) {
    const next = after.columns.get(column.name);
    if (next === undefined) {
      steps.push({ action: 'drop-column', table, column: column.name });
      stakes.push({ kind: 'column', table, column: column.name });
      continue;
    }
    if (isChanged(column, next)) steps.push({ action: 'change-column', table, column: column.name });
    if (isReplaced(column, next)) replaced.push({ table, column: column.name });
    stakes.push(...compareColumn(table, column, next));
  }
  for (const column of after.columns.values()) {
    if (before.columns.has(column.name)) continue;
    steps.push({ action: 'add-column', table, column: column.name });
    if (column.isRequired && !column.isFilled) stakes.push({ kind: 'required', table, column: column.name, isNew: true });
  }
  const kept = new Set([...after.columns.keys()].filter((name) => before.columns.has(name) && !replaced.some(({ column }) => column === name)));
  if (!sameKeys(before, after)) steps.push({ action: 'change-keys', table });
  return { steps, stakes: [...stakes, ...compareKeys(before, after, kept)], replaced };
};

/** What changes from one set of tables to another, and what of it existing rows may not survive. */
export function compareTables(before: Tables, after: Tables): Comparison {
  const parts: Comparison[] = [];
  for (const table of before.values()) {
    const next = after.get(table.name);
    if (next !== undefined) parts.push(compareTable(table, next));
    else parts.push({ steps: [{ action: 'drop-table', table: table.name }], stakes: [{ kind: 'table', table: table.name }], replaced: [] });
  }
  for (const { name } of after.values()) {
    if (!before.has(name)) parts.push({ steps: [{ action: 'create-table', table: name }], stakes: [], replaced: [] });
  }
  return {
    steps: parts.flatMap(({ steps }) => steps),
    stakes: parts.flatMap(({ stakes }) => stakes),
    replaced: parts.flatMap(({ replaced }) => replaced),
  };
}
