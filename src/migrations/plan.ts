import type { AtStake } from './at-stake.js';
import { compareTables } from './compare-tables.js';
import type { Step } from './compare-tables.js';
import type { MigrationDialect } from './migration-dialect.js';
import { printHead } from './migration-head.js';
import type { MovedPlace } from './migration-head.js';
import { renameInSchema } from './rename-in-schema.js';
import type { Rename } from './rename-in-schema.js';
import { diffSchemas } from './schema-engine.js';
import { parseTables } from './schema-tables.js';
import { planVersions } from './plan-versions.js';

export interface PlanRequest {
  /** The schema the migrations on disk lead to; null: there are none. */
  readonly previousSchema: string | null;
  readonly nextSchema: string;
  /** What was renamed, in order; without a rename, a new name is a new column and the old one is dropped. */
  readonly renames?: readonly Rename[];
  readonly dialect: MigrationDialect;
}

export interface MigrationPlan {
  /** Empty where the schemas are the same to the database. */
  readonly sql: string;
  readonly steps: readonly Step[];
  readonly renames: readonly Rename[];
  /** Tables and columns that go, and whose links are put elsewhere. */
  readonly moved?: readonly MovedPlace[];
  /** What existing rows may not survive. Which of it concerns rows that exist, {@link measureLosses} tells. */
  readonly stakes: readonly AtStake[];
}

/** Table and column names before the renames, by the names after them. */
const createNameHistory = (renames: readonly Rename[]) => {
  const tableBefore = (name: string): string => {
    let before = name;
    for (const rename of renames.toReversed()) if (rename.kind === 'table' && rename.to === before) before = rename.from;
    return before;
  };
  const columnBefore = (table: string, column: string): string => {
    let before = column;
    let owner = table;
    for (const rename of renames.toReversed()) {
      if (rename.kind === 'table' && rename.to === owner) owner = rename.from;
      if (rename.kind === 'column' && rename.table === owner && rename.to === before) before = rename.from;
    }
    return before;
  };
  return { tableBefore, columnBefore };
};

const withNamesBefore = (stake: AtStake, renames: readonly Rename[]): AtStake => {
  const { tableBefore, columnBefore } = createNameHistory(renames);
  const table = tableBefore(stake.table);
  const columns = (names: readonly string[], owner: string): readonly string[] => names.map((name) => columnBefore(owner, name));
  switch (stake.kind) {
    case 'table':
    case 'draft':
    case 'unpublished':
    case 'locale':
      return { ...stake, table };
    case 'column':
    case 'type':
    case 'shared':
    case 'required':
      return { ...stake, table, column: columnBefore(stake.table, stake.column) };
    case 'unique':
      return { ...stake, table, columns: columns(stake.columns, stake.table) };
    case 'reference':
      return {
        ...stake,
        table,
        columns: columns(stake.columns, stake.table),
        target: tableBefore(stake.target),
        targetColumns: columns(stake.targetColumns, stake.target),
      };
  }
};

const renameStep = (rename: Rename): Step =>
  rename.kind === 'table'
    ? { action: 'rename-table', table: rename.from, to: rename.to }
    : { action: 'rename-column', table: rename.table, column: rename.from, to: rename.to };

/** A name for a column on its way out that none of the schema's columns has. */
const outgoingName = (column: string, taken: (name: string) => boolean): string => {
  let name = `${column}_old`;
  while (taken(name)) name += '_';
  return name;
};

/**
 * Compares two schemas and says what leads from one to the other and what that puts at stake. Reads no database and changes nothing.
 *
 * A column whose values cannot be kept in its new type is moved out of the way, dropped and made anew: left to themselves PostgreSQL does
 * the same, while SQLite would keep values of the old type that nothing could read.
 *
 * @throws `migration/invalid-schema`, `migration/invalid-rename`
 */
export async function planMigration({ previousSchema, nextSchema, renames = [], dialect }: PlanRequest): Promise<MigrationPlan> {
  if (previousSchema === nextSchema && renames.length === 0) return { sql: '', steps: [], renames, stakes: [] };
  const next = await parseTables(nextSchema);
  if (previousSchema === null) {
    const { steps, stakes } = compareTables(new Map(), next);
    return { sql: await diffSchemas({ from: null, to: nextSchema, dialect }), steps, renames: [], stakes };
  }
  const renamed = renameInSchema(previousSchema, renames, dialect);
  const previous = await parseTables(renamed.text);
  const { steps, stakes, replaced } = compareTables(previous, next);
  const outgoing = renameInSchema(
    renamed.text,
    replaced.map(({ table, column }) => ({
      kind: 'column',
      table,
      from: column,
      to: outgoingName(column, (name) => previous.get(table)?.columns.has(name) === true || next.get(table)?.columns.has(name) === true),
    })),
    dialect,
  );
  const changes = await diffSchemas({ from: outgoing.text, to: nextSchema, dialect });
  const versions = planVersions({ previousSchema, nextSchema, renames, next });
  const statements = [...renamed.sql, ...outgoing.sql, ...versions.before, ...(changes === '' ? [] : [changes]), ...versions.after];
  const { tableBefore, columnBefore } = createNameHistory(renames);
  const moved = versions.moved.map(({ table, column }) => ({ table: tableBefore(table), column: column === null ? null : columnBefore(table, column) }));
  return {
    // Written down even where no row changes, or the next migration would not know.
    sql: statements.length === 0 && versions.isChanged ? '-- What rows stand for has changed, and no row with it.' : statements.join('\n'),
    steps: [...renames.map(renameStep), ...steps, ...versions.steps],
    renames,
    ...(moved.length === 0 ? {} : { moved }),
    stakes: [...stakes.filter((stake) => !versions.settles(stake)), ...versions.stakes].map((stake) => withNamesBefore(stake, renames)),
  };
}

/** The whole text of the migration's file: what is at stake, the word that accepts it, and the SQL. */
export function printMigration({ stakes, renames, moved = [], sql }: Pick<MigrationPlan, 'stakes' | 'renames' | 'moved' | 'sql'>, acceptsDataLoss: boolean): string {
  return printHead({ stakes, renames, moved, isAccepted: acceptsDataLoss }) + sql;
}
