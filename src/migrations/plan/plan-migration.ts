import type { DestructiveChange } from '../losses/destructive-change.js';
import type { ContentTransition, Survey } from '../content/content-plan.js';
import { planContent } from '../content/plan-content.js';
import { compareTables } from './compare-tables.js';
import type { MigrationStep, TableComparison } from './compare-tables.js';
import type { MigrationDialect } from '../migration-dialect.js';
import { printHeader } from '../files/migration-header.js';
import type { MigrationHeader, MovedLinkLocation } from '../files/migration-header.js';
import { renameInSchema } from '../schema/rename-in-schema.js';
import { orderRenames } from '../schema/order-renames.js';
import { freeConstraintNames } from '../schema/free-constraint-names.js';
import type { Rename, RenamedSchema } from '../schema/rename-in-schema.js';
import { diffSchemas } from '../../prisma/schema-engine.js';
import { parseTables } from '../schema/schema-tables.js';
import type { Tables } from '../schema/schema-tables.js';
import { documentTableRenames } from './document-table-renames.js';
import { orderIndexes } from './order-indexes.js';
import { planVersions } from './plan-versions.js';

export interface PlanRequest {
  /** The schema after the migrations on disk. Null where there are none. */
  readonly previousSchema: string | null;
  readonly nextSchema: string;
  /** Renames, in order. Without a rename, the old column is dropped and the new one is added. */
  readonly renames?: readonly Rename[];
  readonly dialect: MigrationDialect;
  /** The content models before and after. Null where one of them is not known. */
  readonly transition?: ContentTransition | null;
}

export interface MigrationPlan {
  /** Empty where the schemas are equal for the database. */
  readonly sql: string;
  readonly steps: readonly MigrationStep[];
  readonly renames: readonly Rename[];
  /** Dropped tables and columns whose links are kept elsewhere. */
  readonly movedLinks?: readonly MovedLinkLocation[];
  /** Changes that may delete data. `countLosses` tells which of them affect existing rows. */
  readonly destructiveChanges: readonly DestructiveChange[];
  /** Count what happens to stored values in a database. */
  readonly surveys: readonly Survey[];
}

/** Maps names after the renames to the names before them. */
const createNameResolver = (renames: readonly Rename[]) => {
  const originalTable = (name: string): string => {
    let original = name;
    for (const rename of renames.toReversed())
      if (rename.kind === 'table' && rename.to === original) original = rename.from;
    return original;
  };
  const originalColumn = (table: string, column: string): string => {
    let original = column;
    let owner = table;
    for (const rename of renames.toReversed()) {
      if (rename.kind === 'table' && rename.to === owner) owner = rename.from;
      if (rename.kind === 'column' && rename.table === owner && rename.to === original)
        original = rename.from;
    }
    return original;
  };
  return { originalTable, originalColumn };
};

const withOriginalNames = (change: DestructiveChange, renames: readonly Rename[]): DestructiveChange => {
  const { originalTable, originalColumn } = createNameResolver(renames);
  const table = originalTable(change.table);
  const columns = (names: readonly string[], owner: string): readonly string[] =>
    names.map((name) => originalColumn(owner, name));
  switch (change.kind) {
    case 'table':
    case 'draft':
    case 'unpublished':
    case 'locale':
      return { ...change, table };
    case 'column':
    case 'type':
    case 'shared':
    case 'required':
      return { ...change, table, column: originalColumn(change.table, change.column) };
    case 'unique':
      return {
        ...change,
        table,
        columns: columns(change.columns, change.table),
        ...(change.amongRemaining?.shared === undefined
          ? {}
          : {
              amongRemaining: {
                ...change.amongRemaining,
                shared: columns(change.amongRemaining.shared, change.table),
              },
            }),
      };
    case 'reference':
      return {
        ...change,
        table,
        columns: columns(change.columns, change.table),
        target: originalTable(change.target),
        targetColumns: columns(change.targetColumns, change.target),
      };
  }
};

const withOriginalLocations = (
  locations: readonly MovedLinkLocation[],
  renames: readonly Rename[],
): readonly MovedLinkLocation[] => {
  const { originalTable, originalColumn } = createNameResolver(renames);
  return locations.map(({ table, column }) => ({
    table: originalTable(table),
    column: column === null ? null : originalColumn(table, column),
  }));
};

const renameStep = (rename: Rename): MigrationStep =>
  rename.kind === 'table'
    ? { action: 'rename-table', table: rename.from, to: rename.to }
    : { action: 'rename-column', table: rename.table, column: rename.from, to: rename.to };

/** A free name for a column that is about to be dropped. */
const discardedColumnName = (column: string, isTaken: (name: string) => boolean): string => {
  let name = `${column}_old`;
  while (isTaken(name)) name += '_';
  return name;
};

/** Renames that set columns aside whose values cannot be converted to their new type. */
const discardedColumnRenames = (
  replacedColumns: TableComparison['replacedColumns'],
  previous: Tables,
  next: Tables,
): readonly Rename[] =>
  replacedColumns.map(({ table, column }) => ({
    kind: 'column',
    table,
    from: column,
    to: discardedColumnName(
      column,
      (name) =>
        previous.get(table)?.columns.has(name) === true || next.get(table)?.columns.has(name) === true,
    ),
  }));

const planFirstMigration = async (
  nextSchema: string,
  next: Tables,
  dialect: MigrationDialect,
): Promise<MigrationPlan> => {
  const { steps, destructiveChanges } = compareTables(new Map(), next);
  const tableSql = await diffSchemas({ from: null, to: nextSchema, provider: dialect.schema.provider });
  const sql = orderIndexes(tableSql, next, dialect);
  return { sql, steps, renames: [], destructiveChanges, surveys: [] };
};

/** Orders the renames, and adds those of the tables that belong to renamed types. */
const orderedRenames = async (
  previousSchema: string | null,
  requested: readonly Rename[],
  transition: ContentTransition | null,
): Promise<readonly Rename[]> => {
  if (previousSchema === null || requested.length === 0) return [];
  const tables = await parseTables(previousSchema);
  const renames = orderRenames(tables, requested);
  if (transition === null) return renames;
  return [...renames, ...orderRenames(tables, documentTableRenames(transition, renames))];
};

/** Renames tables and columns, and frees names of constraints that are swapped with them. */
const renameAll = (
  previousSchema: string,
  nextSchema: string,
  renames: readonly Rename[],
  dialect: MigrationDialect,
): RenamedSchema => {
  const renamed = renameInSchema(previousSchema, renames, dialect);
  if (renames.length === 0) return renamed;
  const freed = freeConstraintNames(renamed.text, nextSchema);
  return { text: freed.text, sql: [...renamed.sql, ...freed.sql] };
};

/** The plan where no table changes. */
const planContentOnly = ({
  statementsBefore,
  statementsAfter,
  statementsLast,
  surveys,
}: ReturnType<typeof planContent>): MigrationPlan => ({
  sql: [...statementsBefore, ...statementsAfter, ...statementsLast].join('\n'),
  steps: [],
  renames: [],
  destructiveChanges: [],
  surveys,
});

/**
 * Compares two schemas. Returns the SQL that leads from one to the other, and the data it may delete. Reads
 * no database and changes nothing.
 *
 * A column whose values cannot be converted to its new type is renamed, dropped and added again. PostgreSQL
 * would do the same without it, but SQLite would keep values of the old type that cannot be read.
 *
 * @throws `migration/invalid-schema`, `migration/invalid-rename`
 */
export async function planMigration({
  previousSchema,
  nextSchema,
  renames: requestedRenames = [],
  dialect,
  transition = null,
}: PlanRequest): Promise<MigrationPlan> {
  const renames = await orderedRenames(previousSchema, requestedRenames, transition);
  const content = planContent(transition, renames, dialect);
  if (previousSchema === nextSchema && renames.length === 0) return planContentOnly(content);
  const next = await parseTables(nextSchema);
  if (previousSchema === null) return planFirstMigration(nextSchema, next, dialect);
  const renamed = renameAll(previousSchema, nextSchema, renames, dialect);
  const previous = await parseTables(renamed.text);
  const { steps, destructiveChanges, replacedColumns } = compareTables(previous, next);
  const discarded = renameInSchema(
    renamed.text,
    discardedColumnRenames(replacedColumns, previous, next),
    dialect,
  );
  const { provider } = dialect.schema;
  const tableSql = await diffSchemas({ from: discarded.text, to: nextSchema, provider });
  const versions = planVersions({
    previousSchema,
    nextSchema,
    renames,
    next,
    previous,
    replacedColumns,
    areLinksPlanned: transition !== null,
  });
  const statements = [
    ...renamed.sql,
    ...content.statementsBefore,
    ...discarded.sql,
    ...versions.statementsBefore,
    ...(tableSql === '' ? [] : [orderIndexes(tableSql, next, dialect)]),
    ...content.statementsAfter,
    ...versions.statementsAfter,
    ...content.statementsLast,
  ];
  const movedLinks = withOriginalLocations([...versions.movedLinks, ...content.accountedDrops], renames);
  const allChanges = [
    ...destructiveChanges.filter((change) => !versions.isCovered(change)),
    ...versions.destructiveChanges,
  ];
  return {
    // Recorded even where no row changes, since the next migration starts from the recorded schema.
    sql:
      statements.length === 0 && versions.isChanged
        ? '-- The versioning of a table has changed, but none of its rows.'
        : statements.join('\n'),
    steps: [...requestedRenames.map(renameStep), ...steps, ...versions.steps],
    renames,
    ...(movedLinks.length === 0 ? {} : { movedLinks }),
    destructiveChanges: allChanges
      .filter((change) => !content.isCovered(change))
      .map((change) => withOriginalNames(change, renames)),
    surveys: content.surveys,
  };
}

/** Prints the migration's file: the header with its destructive changes, and the SQL. */
export function printMigration(
  {
    destructiveChanges,
    renames,
    movedLinks = [],
    sql,
  }: Pick<MigrationPlan, 'destructiveChanges' | 'renames' | 'movedLinks' | 'sql'>,
  accepted: Pick<MigrationHeader, 'isDataLossAccepted' | 'areMisfitsAccepted' | 'decisions'>,
): string {
  return printHeader({ destructiveChanges, renames, movedLinks, ...accepted }) + sql;
}
