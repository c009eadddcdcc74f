import type { Dialect } from '../dialects/dialect.js';

export { quoteText } from '../dialects/sql-text.js';

/** The parts of a dialect that migrations need. */
export type MigrationDialect = Pick<Dialect, 'name' | 'schema' | 'migrations'>;

/** Quotes the name of a table or column; the same on every supported database. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Joins the clauses of a statement into one line. */
export function joinClauses(...clauses: readonly string[]): string {
  return clauses.filter((clause) => clause !== '').join(' ');
}
