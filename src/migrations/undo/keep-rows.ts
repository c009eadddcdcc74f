import type { CopyLocation, MigrationSession } from '../../database/dialect/migration-support.js';
import { createError } from '../../errors/catalogue.js';
import { defined } from '../../lib/defined.js';
import { shortName } from '../../lib/short-name.js';
import { joinClauses, quoteName } from '../migration-dialect.js';
import type { MigrationDialect } from '../migration-dialect.js';
import type { Table, Tables } from '../schema/schema-tables.js';
import { renamedColumn, renamedTable } from '../schema/renamed-location.js';
import type { Rename } from '../schema/rename-in-schema.js';
import type { KeptTable } from './migration-record.js';

/** In a copy: 1 where the migration has deleted the row. */
export const REMOVED_COLUMN = 'galley_removed';
/** In a copy: when the content that the row belongs to was last changed. */
export const CHANGED_COLUMN = 'galley_changed_at';

const CONTENT_TIME = 'updated_at';

/** SQL for the time of the last change of the content that a row of `r` belongs to; as text. */
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

const countRows = async (session: MigrationSession, source: string): Promise<number> => {
  const [row] = await session.query(`SELECT count(*) AS "count" FROM ${source}`);
  return Number(defined(row?.['count'], 'The number of rows'));
};

const locate = async (session: MigrationSession, dialect: MigrationDialect): Promise<CopyLocation> => {
  try {
    return await dialect.migrations.copyLocation(session, { creates: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw createError('migration/copy-failed', { reason }, { cause: error });
  }
};

/** Copies the rows of tables before a migration changes them. Copies nothing where none of them has rows. */
export async function keepRows(
  session: MigrationSession,
  name: string,
  affected: readonly string[],
  { dialect, before }: { readonly dialect: MigrationDialect; readonly before: Tables },
): Promise<readonly KeptTable[]> {
  const counted: { readonly table: string; readonly rows: number }[] = [];
  for (const table of affected) counted.push({ table, rows: await countRows(session, quoteName(table)) });
  if (counted.every(({ rows }) => rows === 0)) return [];
  const location = await locate(session, dialect);
  const kept: KeptTable[] = [];
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

/** The columns that identify a row of the table. */
export const keyOf = (table: Table | undefined): readonly string[] => table?.uniques[0] ?? [];

/** Marks the copies of rows that the migration has deleted, so that later deletions are told from them. */
export async function markRemoved(
  session: MigrationSession,
  kept: readonly KeptTable[],
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
    const key = keyOf(before.get(table));
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
