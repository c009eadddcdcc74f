import type { MigrationSession } from '../../database/dialect/migration-support.js';
import type { Attribute, ContentModel, Link } from '../../model/model.js';
import { joinClauses, quoteName } from '../../database/dialect/sql-text.js';
import { remainingRows } from '../plan/version-sql.js';
import type { RemainingVersions } from '../plan/version-sql.js';
import { originalColumn, originalTable } from '../schema/renames.js';
import type { Rename } from '../schema/renames.js';
import { countRows, impactOn } from './data-impact.js';
import type { DataImpact, UncountedImpact, Inspection } from './data-impact.js';

/**
 * The storage of an attribute: columns of its type's table, and its link table. DatabaseColumns are in the
 * same order before and after a rename.
 */
interface AttributeStorage {
  readonly columns: readonly string[];
  readonly linkTable: string | null;
}

const NO_STORAGE: AttributeStorage = Object.freeze({ columns: [], linkTable: null });

const storageOfLink = (link: Link): AttributeStorage =>
  link.kind === 'column'
    ? { columns: [link.column, ...(link.position === null ? [] : [link.position.column])], linkTable: null }
    : { columns: [], linkTable: link.table };

/** Returns the storage of an attribute. The inverse side of a relation has none. */
export function storageOf(attribute: Attribute | undefined): AttributeStorage {
  if (attribute === undefined) return NO_STORAGE;
  if ('column' in attribute) return { columns: [attribute.column.name], linkTable: null };
  return attribute.link === null || attribute.side === 'inverse' ? NO_STORAGE : storageOfLink(attribute.link);
}

/**
 * A step between two schemas that may delete data, or whose constraint existing rows may violate. The content
 * plan counts the deleted values of content-types. The other tables belong to the system and to other tools.
 */
export type TableChange =
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'column'; readonly table: string; readonly column: string }
  /** The values cannot be converted to the new type. */
  | {
      readonly kind: 'type';
      readonly table: string;
      readonly column: string;
      readonly from: string;
      readonly to: string;
    }
  /** All rows lack a value if the column `isNew`; otherwise the rows with null do. */
  | { readonly kind: 'required'; readonly table: string; readonly column: string; readonly isNew: boolean }
  | {
      readonly kind: 'unique';
      readonly table: string;
      readonly columns: readonly string[];
      /** True if drafts may share a value. */
      readonly amongPublished?: true;
      /**
       * Set if versions may share a value before they lose drafts or locales, or locales come to share
       * values.
       */
      readonly amongRemaining?: RemainingVersions;
    }
  | {
      readonly kind: 'reference';
      readonly table: string;
      readonly columns: readonly string[];
      readonly target: string;
      readonly targetColumns: readonly string[];
    };

/** A table (`column` is null) or a column. */
export interface Drop {
  readonly table: string;
  readonly column: string | null;
}

/** Returns the tables and columns that changes drop, including those that are added again. */
export function dropsOf(changes: readonly TableChange[]): readonly Drop[] {
  return changes.flatMap((change): readonly Drop[] => {
    if (change.kind === 'table') return [{ table: change.table, column: null }];
    return change.kind === 'column' || change.kind === 'type'
      ? [{ table: change.table, column: change.column }]
      : [];
  });
}

/** Returns the change with the names before the renames, under which its rows are counted. */
export function withOriginalNames(change: TableChange, renames: readonly Rename[]): TableChange {
  const originalColumns = (table: string, names: readonly string[]): readonly string[] =>
    names.map((name) => originalColumn(table, name, renames));
  const { table } = change;
  const renamed = { ...change, table: originalTable(table, renames) } as TableChange;
  if (renamed.kind === 'table') return renamed;
  if ('column' in renamed) return { ...renamed, column: originalColumn(table, renamed.column, renames) };
  const columns = originalColumns(table, renamed.columns);
  if (renamed.kind === 'reference')
    return {
      ...renamed,
      columns,
      target: originalTable(renamed.target, renames),
      targetColumns: originalColumns(renamed.target, renamed.targetColumns),
    };
  const { shared } = renamed.amongRemaining ?? {};
  return shared === undefined
    ? { ...renamed, columns }
    : {
        ...renamed,
        columns,
        amongRemaining: { ...renamed.amongRemaining, shared: originalColumns(table, shared) },
      };
}

const areSet = (columns: readonly string[], alias = ''): string =>
  columns.map((column) => `${alias}${quoteName(column)} IS NOT NULL`).join(' AND ');

/** Returns the FROM clause of the affected rows. `hasTarget` is true if the target of a reference exists. */
const printSource = (change: TableChange, hasTarget: boolean): string => {
  const from = `FROM ${quoteName(change.table)}`;
  switch (change.kind) {
    case 'table':
      return from;
    case 'column':
    case 'type':
      return `${from} WHERE ${areSet([change.column])}`;
    case 'required':
      return change.isNew ? from : `${from} WHERE ${quoteName(change.column)} IS NULL`;
    case 'unique': {
      const rows = joinClauses(
        change.amongRemaining === undefined ? from : `FROM ${remainingRows(change)}`,
        `WHERE ${areSet(change.columns)}`,
        change.amongPublished === true ? `AND "status" = 'published'` : '',
      );
      const key = change.columns.map(quoteName).join(', ');
      return `FROM (SELECT count(*) OVER (PARTITION BY ${key}) AS "n" ${rows}) AS "groups" WHERE "n" > 1`;
    }
    case 'reference': {
      const isTarget = change.columns.map(
        (column, index) => `t.${quoteName(change.targetColumns[index] ?? column)} = s.${quoteName(column)}`,
      );
      const target = `SELECT 1 FROM ${quoteName(change.target)} AS t WHERE ${isTarget.join(' AND ')}`;
      return joinClauses(
        `${from} AS s WHERE ${areSet(change.columns, 's.')}`,
        hasTarget ? `AND NOT EXISTS (${target})` : '',
      );
    }
  }
};

/** Returns the columns that the count of rows reads. */
const countedColumns = (change: TableChange): readonly string[] => {
  if ('columns' in change)
    return change.kind === 'unique' && change.amongRemaining !== undefined
      ? [...change.columns, 'document_id', 'locale', 'status']
      : change.columns;
  return change.kind === 'table' || (change.kind === 'required' && change.isNew) ? [] : [change.column];
};

/** Returns the reason why versions may no longer share values: ` without drafts`. */
const uniquenessReason = ({ drafts, locales, shared }: RemainingVersions): string => {
  const dropped = [...(drafts ? ['drafts'] : []), ...(locales ? ['locales'] : [])];
  return [
    ...(dropped.length === 0 ? [] : [` without ${dropped.join(' and ')}`]),
    ...(shared === undefined ? [] : [' once all locales share it']),
  ].join(' and');
};

const reasonFor = (change: TableChange): string => {
  switch (change.kind) {
    case 'table':
      return 'the table is dropped';
    case 'column':
      return 'the column is dropped';
    case 'type':
      return `its values cannot be kept when it changes from ${change.from} to ${change.to}`;
    case 'required':
      return 'it becomes required, and has no value';
    case 'unique':
      return `it becomes unique${uniquenessReason(change.amongRemaining ?? {})}, and shares a value`;
    case 'reference':
      return `it has to point into ${change.target}, and does not`;
  }
};

/** Returns the impact to count for a change. Tables of content-types are reported by type and attribute. */
const impactOf = (change: TableChange, model: ContentModel | null): UncountedImpact => {
  const columns = 'columns' in change ? change.columns : 'column' in change ? [change.column] : [];
  const type = model?.types.find(({ storage }) => storage.version.table === change.table);
  const names = columns.map(
    (column) =>
      Object.values(type?.attributes ?? {}).find((attribute) => storageOf(attribute).columns.includes(column))
        ?.name ?? column,
  );
  const place = {
    type: type?.uid ?? `table ${change.table}`,
    path: names.length === 0 ? null : names.join(' + '),
    reason: reasonFor(change),
    remedy: null,
  };
  const isDropped = change.kind === 'table' || change.kind === 'column' || change.kind === 'type';
  return isDropped ? { kind: 'dropped', ...place } : { kind: 'invalid', ...place, isRejected: true };
};

type DatabaseColumns = Awaited<ReturnType<MigrationSession['columns']>>;

const hasAll = (existing: DatabaseColumns, table: string, columns: readonly string[]): boolean =>
  columns.every((column) => existing.get(table)?.has(column) === true) && existing.has(table);

/**
 * Returns an inspection that counts the rows that changes of tables affect. It skips tables and columns that
 * an earlier pending migration has yet to create.
 *
 * @param model the model before the migration, for names of types and attributes; null if it is not known
 */
export function inspectTables(changes: readonly TableChange[], model: ContentModel | null): Inspection {
  return async (session) => {
    if (changes.length === 0) return [];
    const existing = await session.columns();
    const impact: DataImpact[] = [];
    for (const change of changes) {
      if (!hasAll(existing, change.table, countedColumns(change))) continue;
      const hasTarget = change.kind === 'reference' && hasAll(existing, change.target, change.targetColumns);
      const values = await countRows(session, printSource(change, hasTarget));
      impact.push(...impactOn(impactOf(change, model), { values, samples: [] }));
    }
    return impact;
  };
}
