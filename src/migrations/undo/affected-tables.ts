import type { MigrationStep } from '../plan/compare-tables.js';
import { renamedTable } from '../schema/renamed-location.js';
import type { Rename } from '../schema/rename-in-schema.js';

const NAME = String.raw`(?:"?\w+"?\.)?"?(\w+)"?`;

/** Statements that change or delete rows in place. */
const ROW_STATEMENTS = [
  new RegExp(String.raw`\bUPDATE\s+(?:ONLY\s+)?${NAME}\s+(?:AS\s+\w+\s+)?SET\b`, 'gi'),
  new RegExp(String.raw`\bDELETE\s+FROM\s+(?:ONLY\s+)?${NAME}`, 'gi'),
  new RegExp(String.raw`\bTRUNCATE\s+(?:TABLE\s+)?${NAME}`, 'gi'),
  new RegExp(String.raw`\b(?:INSERT\s+OR\s+)?REPLACE\s+INTO\s+${NAME}`, 'gi'),
];

/** Statements that drop values, in scripts written by hand. A generated one drops tables to rebuild them. */
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

export interface ChangedRows {
  readonly sql: string;
  readonly renames: readonly Rename[];
  /** The steps between the schemas, by the names after the renames. Null for SQL written by hand. */
  readonly steps: readonly MigrationStep[] | null;
}

/** Returns which of the existing tables hold rows that a migration changes or drops. */
export function affectedTables(
  tables: readonly string[],
  { sql, renames, steps }: ChangedRows,
): readonly string[] {
  const names = new Set([
    ...namesIn(sql, ROW_STATEMENTS),
    ...(steps === null
      ? namesIn(sql, DROP_STATEMENTS)
      : steps.filter(({ action }) => CHANGING_ACTIONS.has(action)).map(({ table }) => table)),
  ]);
  return tables.filter((table) => names.has(table) || names.has(renamedTable(table, renames)));
}
