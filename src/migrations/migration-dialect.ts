import type { Dialect } from '../database/dialect/dialect.js';

export { quoteName, quoteText } from '../database/dialect/sql-text.js';

/** The parts of a dialect that migrations need. */
export type MigrationDialect = Pick<Dialect, 'name' | 'schema' | 'migrations' | 'revisions' | 'expressions'>;

/** Joins the clauses of a statement into one line. */
export function joinClauses(...clauses: readonly string[]): string {
  return clauses.filter((clause) => clause !== '').join(' ');
}
