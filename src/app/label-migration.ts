import type { Step } from '../migrations/compare-tables.js';

const MOST_TABLES = 3;

/**
 * A name for a migration nobody has named: the tables it is about.
 *
 * @example labelMigration([{ action: 'add-column', table: 'articles', column: 'lead' }]) // 'articles'
 */
export function labelMigration(steps: readonly Step[]): string {
  const tables = [...new Set(steps.map(({ table }) => table))];
  return tables.length === 0 || tables.length > MOST_TABLES ? 'content_types' : tables.join('_');
}
