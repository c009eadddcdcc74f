import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { isRecord } from '../../lib/records.js';
import { contentAfterMigrations, schemaAfterMigrations } from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import { printContentSnapshot } from '../files/snapshots.js';
import type { MigrationDialect } from '../../database/dialect/dialect.js';

/** The system table of the effects of migrations on this database; part of prisma/base.prisma. */
export const RECORD_TABLE = 'cms_migrations';

/** A table whose rows were copied before a migration changed or dropped them. */
export interface TableCopy {
  /** The name before the migration. */
  readonly table: string;
  /** The name of the copy; null if the table had no rows. */
  readonly copy: string | null;
  readonly rows: number;
}

/**
 * Record of the effects of a migration on this database. It complements Prisma's record, so that a checkout
 * without the migration's folder can revert the migration.
 */
export interface MigrationRecord {
  readonly name: string;
  readonly sql: string;
  /** The Prisma schema before and after. Null if there was none, or if the migration was written by hand. */
  readonly before: string | null;
  readonly after: string | null;
  /** The snapshots of the content-types before and after. Null if they are not known. */
  readonly contentBefore: string | null;
  readonly contentAfter: string | null;
  readonly kept: readonly TableCopy[];
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const parseCopies = (value: unknown): readonly TableCopy[] =>
  (Array.isArray(value) ? value : [])
    .filter(isRecord)
    .map(({ table, copy, rows }) => ({ table: String(table), copy: textOrNull(copy), rows: Number(rows) }));

const parseRecord = (name: string, json: string): MigrationRecord => {
  const value: unknown = JSON.parse(json);
  const fields = isRecord(value) ? value : {};
  return {
    name,
    sql: textOrNull(fields['sql']) ?? '',
    before: textOrNull(fields['before']),
    after: textOrNull(fields['after']),
    contentBefore: textOrNull(fields['contentBefore']),
    contentAfter: textOrNull(fields['contentAfter']),
    kept: parseCopies(fields['kept']),
  };
};

const hasTable = async (session: MigrationSession): Promise<boolean> =>
  (await session.columns()).has(RECORD_TABLE);

/** Reads all records by name. Databases that older releases have migrated may lack some, or the table. */
export async function readRecords(session: MigrationSession): Promise<ReadonlyMap<string, MigrationRecord>> {
  if (!(await hasTable(session))) return new Map();
  const rows = await session.query(`SELECT "name", "record" FROM "${RECORD_TABLE}"`);
  return new Map(
    rows.map(({ name, record }) => [String(name), parseRecord(String(name), String(record))] as const),
  );
}

/** Writes a record in place of an older one, unless the migrated schema has no table for it. */
export async function writeRecord(
  session: MigrationSession,
  { name, ...fields }: MigrationRecord,
): Promise<void> {
  if (!(await hasTable(session))) return;
  await session.query(`DELETE FROM "${RECORD_TABLE}" WHERE "name" = $1`, [name]);
  await session.query(`INSERT INTO "${RECORD_TABLE}" ("name", "record") VALUES ($1, $2)`, [
    name,
    JSON.stringify(fields),
  ]);
}

/** Deletes a record. */
export async function deleteRecord(session: MigrationSession, name: string): Promise<void> {
  if (await hasTable(session)) await session.query(`DELETE FROM "${RECORD_TABLE}" WHERE "name" = $1`, [name]);
}

/** Drops copies of rows. */
export async function dropCopies(
  session: MigrationSession,
  { kept, dialect }: { readonly kept: readonly TableCopy[]; readonly dialect: MigrationDialect },
): Promise<void> {
  const location = await dialect.migrations.copyLocation(session, { creates: false });
  for (const { copy } of kept)
    if (copy !== null) await session.script(`DROP TABLE IF EXISTS ${location(copy)}`);
}

/** Returns the snapshot of the content-types after migrations, as text. */
const contentTextAfter = (migrations: readonly Migration[]): string | null => {
  const content = contentAfterMigrations(migrations);
  return content === null ? null : printContentSnapshot(content);
};

/** Returns the record of a migration, derived from its folder and those before it. */
export const recordOf = (
  migration: Migration,
  previous: readonly Migration[],
): Omit<MigrationRecord, 'kept'> => ({
  name: migration.name,
  sql: migration.sql,
  before: schemaAfterMigrations(previous),
  after: migration.snapshot === null ? null : schemaAfterMigrations([...previous, migration]),
  contentBefore: contentTextAfter(previous),
  contentAfter: migration.snapshot === null ? null : contentTextAfter([...previous, migration]),
});

/**
 * Returns the records of all migrations by name. If an older release applied a migration, its record is
 * derived from its folder.
 */
export async function knownRecords(
  session: MigrationSession,
  migrations: readonly Migration[],
): Promise<ReadonlyMap<string, MigrationRecord>> {
  const fromFolders = migrations.map((migration, index): readonly [string, MigrationRecord] => [
    migration.name,
    { ...recordOf(migration, migrations.slice(0, index)), kept: [] },
  ]);
  return new Map([...fromFolders, ...(await readRecords(session))]);
}
