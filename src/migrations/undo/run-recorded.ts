import type { CopyLocation, MigrationSession } from '../../database/dialect/migration-support.js';
import { createError } from '../../errors/catalogue.js';
import { shortName } from '../../lib/names.js';
import type { Migration } from '../files/load-migrations.js';
import { countRows } from '../impact/data-impact.js';
import { joinClauses, quoteName } from '../../database/dialect/sql-text.js';
import type { MigrationDialect } from '../../database/dialect/dialect.js';
import type { MigrationStep } from '../plan/compare-tables.js';
import { renamedColumn, renamedTable } from '../schema/renames.js';
import type { Rename } from '../schema/renames.js';
import { parseTables } from '../schema/schema-tables.js';
import type { Table, Tables } from '../schema/schema-tables.js';
import { copyDatabase } from './database-copies.js';
import { deleteRecord, readRecords, recordOf, writeRecord } from './migration-record.js';
import type { TableCopy } from './migration-record.js';

/*
 * Records the effects of each migration, and copies the rows that it changes, so that it can be reverted.
 * See revert-migrations for reverting, undo-migration for restoring copies, and squash-migrations for folding
 * a history.
 */

/** Column of a copy: 1 if the migration deleted the row. */
export const REMOVED_COLUMN = 'galley_removed';
/** Column of a copy: the time of the last change of the content that the row belongs to. */
export const CHANGED_COLUMN = 'galley_changed_at';

const CONTENT_TIME = 'updated_at';

/** Returns SQL of the time, as text, of the last change of the content that a row of `r` belongs to. */
export const contentTime = (table: Table | undefined, tables: Tables): string => {
  if (table?.columns.has(CONTENT_TIME) === true) return `CAST(r."${CONTENT_TIME}" AS TEXT)`;
  const owner = table?.references.find(
    ({ columns, target }) => columns.length === 1 && tables.get(target)?.columns.has(CONTENT_TIME) === true,
  );
  if (owner === undefined) return 'NULL';
  const [column = ''] = owner.columns;
  const [key = ''] = owner.targetColumns;
  return joinClauses(
    `(SELECT CAST(o."${CONTENT_TIME}" AS TEXT) FROM ${quoteName(owner.target)} AS o`,
    `WHERE o.${quoteName(key)} = r.${quoteName(column)})`,
  );
};

const locate = async (session: MigrationSession, dialect: MigrationDialect): Promise<CopyLocation> => {
  try {
    return await dialect.migrations.copyLocation(session, { creates: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw createError('migration/copy-failed', { reason }, { cause: error });
  }
};

/** Copies the rows of tables before a migration changes them. Copies nothing if all tables are empty. */
async function copyRows(
  session: MigrationSession,
  name: string,
  affected: readonly string[],
  { dialect, before }: { readonly dialect: MigrationDialect; readonly before: Tables },
): Promise<readonly TableCopy[]> {
  const counted: { readonly table: string; readonly rows: number }[] = [];
  for (const table of affected)
    counted.push({ table, rows: await countRows(session, `FROM ${quoteName(table)}`) });
  if (counted.every(({ rows }) => rows === 0)) return [];
  const location = await locate(session, dialect);
  const kept: TableCopy[] = [];
  for (const { table, rows } of counted) {
    const copy = rows === 0 ? null : shortName(`${name}_${table}`, dialect.migrations.maxNameBytes);
    if (copy !== null)
      await session.script(
        `CREATE TABLE ${location(copy)} AS SELECT r.*, 0 AS "${REMOVED_COLUMN}", ` +
          `${contentTime(before.get(table), before)} AS "${CHANGED_COLUMN}" FROM ${quoteName(table)} AS r`,
      );
    kept.push({ table, copy, rows });
  }
  return kept;
}

/** Returns the columns that identify a row of the table. */
export const rowKeyOf = (table: Table | undefined): readonly string[] => table?.uniques[0] ?? [];

/** Marks the copies of rows that the migration deleted, to distinguish them from later deletions. */
async function markRemoved(
  session: MigrationSession,
  kept: readonly TableCopy[],
  {
    dialect,
    before,
    renames,
  }: {
    readonly dialect: MigrationDialect;
    readonly before: Tables;
    readonly renames: readonly Rename[];
  },
): Promise<void> {
  if (kept.length === 0) return;
  const location = await dialect.migrations.copyLocation(session, { creates: false });
  const columns = await session.columns();
  for (const { table, copy } of kept) {
    if (copy === null) continue;
    const remaining = columns.get(renamedTable(table, renames));
    const key = rowKeyOf(before.get(table));
    const sameRow = key.map(
      (column) =>
        `r.${quoteName(renamedColumn(table, column, renames))} = ${location(copy)}.${quoteName(column)}`,
    );
    const isKeyKept = key.every((column) => remaining?.has(renamedColumn(table, column, renames)) === true);
    if (remaining !== undefined && (key.length === 0 || !isKeyKept)) continue;
    const survives =
      remaining === undefined
        ? ''
        : joinClauses(
            `WHERE NOT EXISTS (SELECT 1 FROM ${quoteName(renamedTable(table, renames))} AS r`,
            `WHERE ${sameRow.join(' AND ')})`,
          );
    await session.script(joinClauses(`UPDATE ${location(copy)} SET "${REMOVED_COLUMN}" = 1`, survives));
  }
}

const NAME = String.raw`(?:"?\w+"?\.)?"?(\w+)"?`;

/** Statements that change or delete rows in place. */
const ROW_STATEMENTS = [
  new RegExp(String.raw`\bUPDATE\s+(?:ONLY\s+)?${NAME}\s+(?:AS\s+\w+\s+)?SET\b`, 'gi'),
  new RegExp(String.raw`\bDELETE\s+FROM\s+(?:ONLY\s+)?${NAME}`, 'gi'),
  new RegExp(String.raw`\bTRUNCATE\s+(?:TABLE\s+)?${NAME}`, 'gi'),
  new RegExp(String.raw`\b(?:INSERT\s+OR\s+)?REPLACE\s+INTO\s+${NAME}`, 'gi'),
];

/** Statements that drop values in scripts written by hand. Generated scripts drop tables to rebuild them. */
const DROP_STATEMENTS = [
  new RegExp(String.raw`\bDROP\s+TABLE\s+(?:IF\s+EXISTS\s+)?${NAME}`, 'gi'),
  new RegExp(String.raw`\bALTER\s+TABLE\s+(?:ONLY\s+)?${NAME}[^;]*\b(?:DROP|ALTER)\b`, 'gi'),
];

const namesIn = (sql: string, patterns: readonly RegExp[]): readonly string[] =>
  patterns.flatMap((pattern) => [...sql.matchAll(pattern)].map(([, name = '']) => name));

const CHANGING_ACTIONS: ReadonlySet<MigrationStep['action']> = new Set([
  'drop-table',
  'drop-column',
  'change-column',
]);

interface ChangedRows {
  readonly sql: string;
  readonly renames: readonly Rename[];
  /** The steps between the schemas, by the names after the renames. Null for SQL written by hand. */
  readonly steps: readonly MigrationStep[] | null;
}

/** Returns the existing tables whose rows a migration changes or drops. */
function affectedTables(tables: readonly string[], { sql, renames, steps }: ChangedRows): readonly string[] {
  const names = new Set([
    ...namesIn(sql, ROW_STATEMENTS),
    ...(steps === null
      ? namesIn(sql, DROP_STATEMENTS)
      : steps.filter(({ action }) => CHANGING_ACTIONS.has(action)).map(({ table }) => table)),
  ]);
  return tables.filter((table) => names.has(table) || names.has(renamedTable(table, renames)));
}

interface RunOptions {
  readonly dialect: MigrationDialect;
  /** The steps between the tables, by the names after the renames. Null for SQL written by hand. */
  readonly steps: readonly MigrationStep[] | null;
  readonly run: () => Promise<void>;
  /** Receives the path of the copy of the database. */
  readonly onCopy?: ((path: string) => void) | undefined;
}

/**
 * Runs a migration with `run`, after copying the rows that it changes or drops, and records its effects, so
 * that it can be reverted.
 *
 * @param previous the migrations before it, oldest first
 */
export async function runRecorded(
  session: MigrationSession,
  migration: Migration,
  previous: readonly Migration[],
  { dialect, steps, run, onCopy }: RunOptions,
): Promise<void> {
  const { name, sql, renames } = migration;
  const record = recordOf(migration, previous);
  const before: Tables = record.before === null ? new Map() : await parseTables(record.before);
  const existing = [...(await session.columns()).keys()];
  const affected = affectedTables(existing, { sql, renames, steps });
  const kept = await copyRows(session, name, affected, { dialect, before });
  const path = kept.length === 0 ? null : copyDatabase(session, name);
  if (path !== null) onCopy?.(path);
  await run();
  await markRemoved(session, kept, { dialect, before, renames });
  await writeRecord(session, { ...record, kept });
}

/**
 * Records a migration in place of another and keeps the copied rows, or only deletes the other's record.
 *
 * @param previous the migrations before both, oldest first
 */
export async function replaceRecord(
  session: MigrationSession,
  replaced: string,
  migration: Migration | null,
  previous: readonly Migration[],
): Promise<void> {
  const kept = (await readRecords(session)).get(replaced)?.kept ?? [];
  await deleteRecord(session, replaced);
  if (migration === null) return;
  await writeRecord(session, { ...recordOf(migration, previous), kept });
}
