import type { ContentTransition } from '../content/content-plan.js';
import { storageRenames } from '../content/storage-renames.js';
import { printHeader } from '../files/migration-header.js';
import type { MigrationHeader } from '../files/migration-header.js';
import type { MigrationDialect } from '../migration-dialect.js';
import { diffSchemas } from '../../database/prisma/schema-engine.js';
import { orderRenames } from '../schema/order-renames.js';
import { renameInSchema } from '../schema/rename-in-schema.js';
import type { Rename } from '../schema/rename-in-schema.js';
import { parseTables } from '../schema/schema-tables.js';
import { compareStates } from './compare-states.js';
import type { MigrationEffects, StateComparison } from './compare-states.js';
import type { MigrationStep } from './compare-tables.js';
import { orderIndexes } from './order-indexes.js';

export interface PlanRequest {
  /** The schema after the migrations on disk. Null where there are none. */
  readonly previousSchema: string | null;
  readonly nextSchema: string;
  /** Renames of tables and columns. By default those that the decisions about the content lead to. */
  readonly renames?: readonly Rename[];
  readonly dialect: MigrationDialect;
  /** The content models before and after. Null where one of them is not known. */
  readonly transition?: ContentTransition | null;
}

/** A migration between two schemas: its SQL and its effects. */
export interface MigrationPlan extends MigrationEffects, Pick<StateComparison, 'tableChanges'> {
  /** Empty where the schemas are equal for the database. */
  readonly sql: string;
  readonly steps: readonly MigrationStep[];
  readonly renames: readonly Rename[];
}

const renameStep = (rename: Rename): MigrationStep =>
  rename.kind === 'table'
    ? { action: 'rename-table', table: rename.from, to: rename.to }
    : { action: 'rename-column', table: rename.table, column: rename.from, to: rename.to };

/** Renames that set columns aside whose values cannot be converted to their new type. */
const discardedColumnRenames = ({ replacedColumns, previous, next }: StateComparison): readonly Rename[] =>
  replacedColumns.map(({ table, column }) => {
    const isTaken = (name: string): boolean =>
      previous.get(table)?.columns.has(name) === true || next.get(table)?.columns.has(name) === true;
    let to = `${column}_old`;
    while (isTaken(to)) to += '_';
    return { kind: 'column', table, from: column, to };
  });

/** Returns the renames in an order in which each new name is free: those of tables, or of what they hold. */
const orderedRenames = async ({
  previousSchema,
  renames,
  transition = null,
}: PlanRequest): Promise<readonly Rename[]> => {
  const requested = renames ?? (transition === null ? [] : storageRenames(transition));
  if (previousSchema === null || requested.length === 0) return [];
  return orderRenames(await parseTables(previousSchema), requested);
};

/** Returns the SQL between the schemas, before and after which stored values are converted. */
const printTableSql = async (
  request: PlanRequest,
  comparison: StateComparison,
): Promise<{ readonly discarding: readonly string[]; readonly changing: readonly string[] }> => {
  const { nextSchema, previousSchema, dialect } = request;
  const discarded = renameInSchema(comparison.renamed.text, discardedColumnRenames(comparison), dialect);
  const from = previousSchema === null ? null : discarded.text;
  if (from === nextSchema) return { discarding: [], changing: [] };
  const sql = await diffSchemas({ from, to: nextSchema, provider: dialect.schema.provider });
  return {
    discarding: discarded.sql,
    changing: sql === '' ? [] : [orderIndexes(sql, comparison.next, dialect)],
  };
};

/**
 * Compares two schemas. Returns the SQL that leads from one to the other, and its effects. Reads no database
 * and changes nothing.
 *
 * A column whose values cannot be converted to its new type is renamed, dropped and added again. PostgreSQL
 * would do the same without it, but SQLite would keep values of the old type that cannot be read.
 *
 * @throws `migration/invalid-schema`, `migration/invalid-rename`
 */
export async function planMigration(request: PlanRequest): Promise<MigrationPlan> {
  const { previousSchema, nextSchema, dialect, transition = null } = request;
  const renames = await orderedRenames(request);
  const comparison = await compareStates({
    previousSchema: previousSchema ?? '',
    nextSchema,
    renames,
    transition,
    dialect,
  });
  const { discarding, changing } = await printTableSql(request, comparison);
  const { renamed, statementsBefore, statementsAfter, steps } = comparison;
  return {
    ...comparison,
    sql: [...renamed.sql, ...statementsBefore, ...discarding, ...changing, ...statementsAfter].join('\n'),
    steps: [...(request.renames ?? renames).map(renameStep), ...steps],
    renames,
  };
}

/** Prints the migration's file: the header with its renames and decisions, and the SQL. */
export function printMigration(
  { renames, sql }: Pick<MigrationPlan, 'renames' | 'sql'>,
  accepted: Pick<MigrationHeader, 'isDataLossAccepted' | 'isInvalidAccepted' | 'decisions'>,
): string {
  return printHeader({ renames, ...accepted }) + sql;
}
