import { isDeepStrictEqual } from 'node:util';
import { readHistory, withSession } from '../apply/migration-history.js';
import type { MigrationTarget } from '../apply/migration-history.js';
import { contentAfterMigrations, schemaAfterMigrations } from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import { EMPTY_CONTENT, parseContentSnapshot, withoutDefaults } from '../files/snapshots.js';
import type { ContentSnapshot } from '../files/snapshots.js';
import { parseTables } from '../schema/schema-tables.js';
import type { Column, Table, Tables } from '../schema/schema-tables.js';
import { readRecords } from '../undo/migration-record.js';
import type { MigrationRecord } from '../undo/migration-record.js';

/** The schema and content-types that the code serving a database relies on. Null if unknown. */
interface StoredShape {
  readonly schema: string | null;
  readonly content: ContentSnapshot | null;
}

/** Returns the shape of a database to which the migrations have been applied. */
export function shapeAfter(migrations: readonly Migration[]): StoredShape {
  return migrations.length === 0
    ? { schema: '', content: EMPTY_CONTENT }
    : { schema: schemaAfterMigrations(migrations), content: contentAfterMigrations(migrations) };
}

/** True if code that does not know the column can write rows. */
const isOptional = ({ isRequired, hasDatabaseDefault }: Column): boolean => !isRequired || hasDatabaseDefault;

const includesAll = (all: readonly unknown[], some: readonly unknown[]): boolean =>
  some.every((value) => all.some((candidate) => isDeepStrictEqual(candidate, value)));

/** Returns all unique keys. Code written for a key of all rows also obeys one of published versions only. */
const keysOf = ({ uniques, publishedUniques }: Table): Table['uniques'] => [...uniques, ...publishedUniques];

const isTableExtended = (before: Table, after: Table | undefined): boolean => {
  if (after === undefined) return false;
  const isNew = (column: string): boolean => !before.columns.has(column);
  const [keysBefore, keysAfter] = [keysOf(before), keysOf(after)];
  const newUniques = keysAfter.filter((key) => !includesAll(keysBefore, [key]));
  const newReferences = after.references.filter((reference) => !includesAll(before.references, [reference]));
  return (
    [...before.columns].every(([name, column]) => isDeepStrictEqual(after.columns.get(name), column)) &&
    [...after.columns.values()].every((column) => !isNew(column.name) || isOptional(column)) &&
    includesAll(keysAfter, keysBefore) &&
    includesAll(after.references, before.references) &&
    newUniques.every((key) => key.some(isNew)) &&
    newReferences.every(({ columns }) => columns.some(isNew))
  );
};

const areTablesExtended = (before: Tables, after: Tables): boolean =>
  [...before.values()].every((table) => isTableExtended(table, after.get(table.name)));

type Entries = ContentSnapshot['types'];

const attributesOf = ({ attributes }: Entries[string]): Entries => (attributes ?? {}) as Entries;

const isEntryExtended = (before: Entries[string], after: Entries[string] | undefined): boolean => {
  if (after === undefined) return false;
  const [attributesBefore, attributesAfter] = [attributesOf(before), attributesOf(after)];
  return (
    isDeepStrictEqual({ ...before, attributes: null }, { ...after, attributes: null }) &&
    Object.entries(attributesAfter).every(([name, attribute]) =>
      Object.hasOwn(attributesBefore, name)
        ? isDeepStrictEqual(attributesBefore[name], attribute)
        : attribute['required'] !== true,
    ) &&
    Object.keys(attributesBefore).every((name) => Object.hasOwn(attributesAfter, name))
  );
};

const areEntriesExtended = (before: Entries, after: Entries): boolean =>
  Object.entries(before).every(([uid, entry]) => isEntryExtended(entry, after[uid]));

/**
 * True if a change only adds: tables, columns that may be empty, content-types, components, and attributes
 * that are not required. Code that was written for the shape before can serve the shape after.
 */
export async function isAdditive(before: StoredShape, after: StoredShape): Promise<boolean> {
  if (before.schema === null || before.content === null) return false;
  if (after.schema === null || after.content === null) return false;
  const [contentBefore, contentAfter] = [withoutDefaults(before.content), withoutDefaults(after.content)];
  return (
    areEntriesExtended(contentBefore.types, contentAfter.types) &&
    areEntriesExtended(contentBefore.components, contentAfter.components) &&
    areTablesExtended(
      before.schema === '' ? new Map() : await parseTables(before.schema),
      await parseTables(after.schema),
    )
  );
}

/** True if a script contains more than comments. */
export function hasStatements(sql: string): boolean {
  return sql.split('\n').some((line) => line.trim() !== '' && !line.trimStart().startsWith('--'));
}

/**
 * True if instances of the previous release may continue to serve while the migrations are applied and
 * afterwards. The effects of SQL written by hand are not known.
 *
 * @param names the names of the `migrations` that are applied
 */
export async function areSafeWhileRunning(
  migrations: readonly Migration[],
  names: readonly string[],
): Promise<boolean> {
  for (const [index, { name, snapshot, sql }] of migrations.entries()) {
    if (!names.includes(name)) continue;
    const isSafe =
      snapshot === null
        ? !hasStatements(sql)
        : await isAdditive(
            shapeAfter(migrations.slice(0, index)),
            shapeAfter(migrations.slice(0, index + 1)),
          );
    if (!isSafe) return false;
  }
  return true;
}

/** Migrations applied or reverted since a running server started. */
export interface SchemaChange {
  /** The migrations applied since, then the reverted ones. */
  readonly migrations: readonly string[];
  /** True if the server may continue to serve, since the database has everything that it relies on. */
  readonly isCompatible: boolean;
}

/** Returns the shape after the last applied migration, as far as it is known. */
const currentShape = (
  applied: readonly string[],
  records: ReadonlyMap<string, MigrationRecord>,
): StoredShape => {
  const last = applied.findLast((name) => records.get(name)?.after !== null);
  const { after = null, contentAfter = null } = (last === undefined ? undefined : records.get(last)) ?? {};
  return { schema: after, content: contentAfter === null ? null : parseContentSnapshot(contentAfter) };
};

/**
 * Compares the migrations of the database with those that a server was started with. Returns null if they are
 * the same. Reads no folder, which another release may have replaced while the server runs.
 */
export function findSchemaChange(
  target: MigrationTarget,
  started: { readonly migrations: readonly string[]; readonly shape: StoredShape },
): Promise<SchemaChange | null> {
  return withSession(target, false, async (session) => {
    const applied = (await readHistory(session)).map(({ name }) => name);
    const added = applied.filter((name) => !started.migrations.includes(name));
    const removed = started.migrations.filter((name) => !applied.includes(name));
    if (added.length + removed.length === 0) return null;
    const records = await readRecords(session);
    const isKnown = added.every((name) => {
      const record = records.get(name);
      return record !== undefined && (record.after !== null || !hasStatements(record.sql));
    });
    const isCompatible = isKnown && (await isAdditive(started.shape, currentShape(applied, records)));
    return { migrations: [...added, ...removed], isCompatible };
  });
}
