import { DanglingReferences } from '../dialect/migration-support.js';
import type { SqliteConnection } from './drivers/connection.js';

/** The rest of a statement. Texts and names may contain semicolons. Other quotes are not parsed. */
const REST = String.raw`(?:[^;'"/[\x60-]|'[^']*'|"[^"]*"|-(?!-)|/(?!\*))*(?:;|$)`;

const UNDERSTOOD = [
  String.raw`(?:SAVEPOINT|RELEASE|ROLLBACK TO)\b`,
  String.raw`CREATE (?:UNIQUE )?INDEX\b`,
  // Unique ones, which references need, have other names.
  String.raw`DROP INDEX "\w+_idx"`,
  String.raw`CREATE TABLE\b`,
  String.raw`ALTER TABLE "\w+" ADD COLUMN\b(?![^]*\bREFERENCES\b)`,
  // Not recognized with another schema, or with OR.
  String.raw`(?:INSERT INTO|UPDATE(?! OR\b)|DELETE FROM) "?(\w+)\b"?(?!\s*\.)`,
];

/** A comment, or a statement that changes no rows or the rows of one named table. */
const STATEMENT = new RegExp(`--.*|(?:${UNDERSTOOD.join('|')})${REST}`, 'gi');

/**
 * Returns the tables whose rows a script changes, or null if it contains unknown statements, which may change
 * any table.
 */
export function findWrittenTables(script: string): readonly string[] | null {
  // A match inside of another statement leaves the beginning of that statement.
  const isUnderstood = script.replaceAll(STATEMENT, '').trim() === '';
  if (!isUnderstood) return null;
  return [...script.matchAll(STATEMENT)].flatMap(([, table]) => (table === undefined ? [] : [table]));
}

/** Finds a table without triggers that has no references and is not referred to. */
const SELECT_UNRELATED = `
  SELECT 1 FROM sqlite_master AS m
  WHERE m."type" = 'table' AND lower(m."name") = lower($1)
    AND NOT EXISTS (
      SELECT 1 FROM sqlite_master AS t WHERE t."type" = 'trigger' AND lower(t."tbl_name") = lower($1))
    AND NOT EXISTS (
      SELECT 1 FROM sqlite_master AS o JOIN pragma_foreign_key_list(o."name") AS f
      WHERE o."type" = 'table' AND (lower(o."name") = lower($1) OR lower(f."table") = lower($1)))`;

/** Tracks the tables written in a transaction without enforced foreign keys. */
export interface ReferenceWatch {
  /** Begins a transaction. */
  readonly reset: () => void;
  /** Records a script. Call it for every script, except those known to keep references. */
  readonly note: (script: string) => void;
  /**
   * Checks all rows, unless no reference can be broken. For a migration that builds an index, the check takes
   * three times as long as the index.
   *
   * @throws DanglingReferences
   */
  readonly assertUnbroken: () => void;
}

/** Creates the watch of a connection. */
export function watchReferences(database: SqliteConnection): ReferenceWatch {
  const written = new Set<string>();
  let isUnderstood = true;
  const mayBeBroken = (): boolean => {
    if (!isUnderstood) return true;
    const find = database.prepare(SELECT_UNRELATED);
    return [...written].some((table) => find.values({ 1: table }).length === 0);
  };
  return {
    reset: () => {
      written.clear();
      isUnderstood = true;
    },
    note: (script) => {
      const tables = findWrittenTables(script);
      if (tables === null) isUnderstood = false;
      else for (const table of tables) written.add(table);
    },
    assertUnbroken: () => {
      if (!mayBeBroken()) return;
      const dangling = database.prepare('SELECT DISTINCT "table" FROM pragma_foreign_key_check').values();
      if (dangling.length > 0) throw new DanglingReferences(dangling.map(String));
    },
  };
}
