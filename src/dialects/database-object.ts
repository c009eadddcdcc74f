/** A table with columns that an object is built on. */
export interface RequiredTable {
  readonly table: string;
  readonly columns?: readonly string[];
}

/**
 * Something in the database that Prisma's schema cannot express, such as triggers, functions and full-text
 * tables. It holds nothing that cannot be built anew from the tables of the schema. What it runs later may
 * name only tables of objects, and the table that its trigger is on: SQLite renames no table while a view or
 * trigger names one that is missing, as tables do while they are replaced.
 */
export interface DatabaseObject {
  /** Unique in the database. */
  readonly name: string;
  /** What must be there. Without it the object is left out, as where a migration was taken back. */
  readonly requires: readonly RequiredTable[];
  /** The script that builds it, also from the rows that there are. */
  readonly create: string;
  /** The script that drops it. Parts of it may be gone, and the tables that it is built on, too. */
  readonly drop: string;
  /** Run at the end of each migration, which may change columns without its rows being written. */
  readonly afterMigration?: string;
  /**
   * Its parts as the database lists them: tables, views and indexes by name, functions as `name()`, triggers
   * as `table.name`. Where one is gone, the object is built anew.
   */
  readonly parts: readonly string[];
}

/** What is different between databases about objects beside the schema. */
export interface DatabaseObjectSupport {
  /** Selects all parts there are, in a column `part`. */
  readonly partsSql: string;
  /** Whether an error says that the role may not create or drop an object. */
  readonly isDenied: (error: unknown) => boolean;
}
