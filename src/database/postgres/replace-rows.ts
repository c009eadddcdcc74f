import type { MigrationSession, ReplacedTable } from '../dialect/migration-support.js';
import { quoteName } from '../dialect/sql-text.js';

/** The foreign keys of the project's tables: all of them have one column. */
const SELECT_KEYS = `
  SELECT c.conname::text AS "name", pg_get_constraintdef(c.oid) AS "definition",
    r.relname::text AS "table", t.relname::text AS "target",
    a.attname::text AS "column", k.attname::text AS "key", a.attnotnull AS "isRequired"
  FROM pg_constraint AS c
  JOIN pg_class AS r ON r.oid = c.conrelid
  JOIN pg_class AS t ON t.oid = c.confrelid
  JOIN pg_attribute AS a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
  JOIN pg_attribute AS k ON k.attrelid = c.confrelid AND k.attnum = c.confkey[1]
  WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace AND cardinality(c.conkey) = 1`;

interface ForeignKey {
  readonly name: string;
  readonly definition: string;
  readonly table: string;
  readonly target: string;
  readonly column: string;
  readonly key: string;
  readonly isRequired: boolean;
}

const readKeys = async (
  { query }: MigrationSession,
  tables: ReadonlySet<string>,
): Promise<readonly ForeignKey[]> =>
  (await query(SELECT_KEYS))
    .map((row) => ({
      name: String(row['name']),
      definition: String(row['definition']),
      table: String(row['table']),
      target: String(row['target']),
      column: String(row['column']),
      key: String(row['key']),
      isRequired: row['isRequired'] === true,
    }))
    .filter(({ table, target }) => tables.has(table) || tables.has(target));

/** Lets go of rows that are gone, as deleting them would have: a required reference takes its row along. */
const releaseSql = ({ table, column, target, key, isRequired }: ForeignKey): string => {
  const isDangling =
    `${quoteName(column)} IS NOT NULL AND NOT EXISTS ` +
    `(SELECT 1 FROM ${quoteName(target)} AS t` +
    ` WHERE t.${quoteName(key)} = ${quoteName(table)}.${quoteName(column)})`;
  return isRequired
    ? `DELETE FROM ${quoteName(table)} WHERE ${isDangling}`
    : `UPDATE ${quoteName(table)} SET ${quoteName(column)} = NULL WHERE ${isDangling}`;
};

const releaseDangling = async ({ query }: MigrationSession, keys: readonly ForeignKey[]): Promise<void> => {
  for (;;) {
    let released = 0;
    for (const key of keys) released += (await query(`${releaseSql(key)} RETURNING 1`)).length;
    if (released === 0) return;
  }
};

/** Replaces the rows of tables by copies. */
export async function replaceRows(
  session: MigrationSession,
  tables: readonly ReplacedTable[],
): Promise<void> {
  const { script } = session;
  const keys = await readKeys(session, new Set(tables.map(({ table }) => table)));
  for (const { table, name } of keys)
    await script(`ALTER TABLE ${quoteName(table)} DROP CONSTRAINT ${quoteName(name)}`);
  for (const { table, copy, columns } of tables) {
    const list = columns.map(quoteName).join(', ');
    await script(`DELETE FROM ${quoteName(table)}`);
    if (copy !== null) await script(`INSERT INTO ${quoteName(table)} (${list}) SELECT ${list} FROM ${copy}`);
  }
  await releaseDangling(session, keys);
  for (const { table, name, definition } of keys)
    await script(`ALTER TABLE ${quoteName(table)} ADD CONSTRAINT ${quoteName(name)} ${definition}`);
}

const SELECT_OBJECTS = `
  SELECT 'TABLE' AS "type", relname::text AS "name" FROM pg_class
  WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace
  UNION ALL
  SELECT CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'MATERIALIZED VIEW' END, relname::text FROM pg_class
  WHERE relkind IN ('v', 'm') AND relnamespace = current_schema()::regnamespace
  UNION ALL
  SELECT 'TYPE', typname::text FROM pg_type
  WHERE typtype = 'e' AND typnamespace = current_schema()::regnamespace`;

/** Drops every table, view and enumeration of the schema. */
export async function dropEverything({ query, script }: MigrationSession): Promise<void> {
  for (const { type, name } of await query(SELECT_OBJECTS))
    await script(`DROP ${String(type)} IF EXISTS ${quoteName(String(name))} CASCADE`);
}
