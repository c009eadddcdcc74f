import type { MigrationStep } from '../migrations/plan/compare-tables.js';

const MAX_TABLES = 3;

/**
 * Returns the default name of a migration: the names of the tables that it changes.
 *
 * @example
 *   labelMigration([{ action: 'add-column', table: 'articles', column: 'lead' }]); // 'articles'
 */
export function labelMigration(steps: readonly MigrationStep[]): string {
  const tables = [...new Set(steps.map(({ table }) => table))];
  return tables.length === 0 || tables.length > MAX_TABLES ? 'content_types' : tables.join('_');
}
