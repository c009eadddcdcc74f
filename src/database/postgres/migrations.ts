import type { CopyLocation, MigrationSession, MigrationSupport } from '../dialect/migration-support.js';
import { quoteName, quoteText } from '../dialect/sql-text.js';
import { openSession } from './migration-session.js';
import { buildPostgresIndexes } from './build-indexes.js';
import { POSTGRES_MIGRATION_VALUES } from './migration-values.js';
import { POSTGRES_OBJECTS } from './objects.js';
import { POSTGRES_JSON_REWRITING } from './json-rewriting.js';
import { buildPostgresSearch } from './search-indexes.js';
import { dropEverything, replaceRows } from './replace-rows.js';

const CREATE_HISTORY_TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id"                    VARCHAR(36) PRIMARY KEY NOT NULL,
    "checksum"              VARCHAR(64) NOT NULL,
    "finished_at"           TIMESTAMPTZ,
    "migration_name"        VARCHAR(255) NOT NULL,
    "logs"                  TEXT,
    "rolled_back_at"        TIMESTAMPTZ,
    "started_at"            TIMESTAMPTZ NOT NULL DEFAULT now(),
    "applied_steps_count"   INTEGER NOT NULL DEFAULT 0
)`;

const SELECT_SCHEMAS = `
  SELECT current_schema()::text AS "current", array_agg(nspname)::text[] AS "names" FROM pg_namespace`;

/** Copies are in a schema of their own, of which there is one for each schema with a project. */
const locateCopies = async (
  { query, script }: MigrationSession,
  { creates }: { readonly creates: boolean },
): Promise<CopyLocation> => {
  const [row] = await query(SELECT_SCHEMAS);
  const current = String(row?.['current']);
  const schema = current === 'public' ? 'galley_kept' : `galley_kept_${current}`;
  const existing: unknown = row?.['names'];
  // Not IF NOT EXISTS, which needs the right to create schemas even where there is one.
  if (creates && !(Array.isArray(existing) && existing.includes(schema)))
    await script(`CREATE SCHEMA ${quoteName(schema)}`);
  return (name) => `${quoteName(schema)}.${quoteName(name)}`;
};

const continueNumberingSql = (table: string, column: string): string =>
  `SELECT setval(s, (SELECT coalesce(max(${quoteName(column)}), 0) + 1 FROM ${quoteName(table)}), false)` +
  ` FROM pg_get_serial_sequence(${quoteText(quoteName(table))}, ${quoteText(column)}) AS s` +
  ' WHERE s IS NOT NULL';

export const POSTGRES_MIGRATIONS = Object.freeze<MigrationSupport>({
  maxNameBytes: 63,
  buildIndexes: buildPostgresIndexes,
  orderedColumn: ({ name, isText, isDescending }) =>
    `${name}${isText ? ' COLLATE "C"' : ''}${isDescending ? ' DESC NULLS LAST' : ' NULLS FIRST'}`,
  createHistoryTableSql: CREATE_HISTORY_TABLE,
  databaseFolder: () => null,
  copyLocation: locateCopies,
  undo: { kind: 'rows', replace: replaceRows },
  dropEverything,
  continueNumberingSql,
  openSession,
  objects: POSTGRES_OBJECTS,
  statistics: [],
  search: { objectsFor: () => [], build: buildPostgresSearch },
  values: POSTGRES_MIGRATION_VALUES,
  json: POSTGRES_JSON_REWRITING,
});
