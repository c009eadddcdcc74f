/** A table with columns that an object is built on. */
interface RequiredTable {
  readonly table: string;
  readonly columns?: readonly string[];
}

/**
 * Something in the database that Prisma's schema cannot express, such as triggers, functions and full-text
 * tables. It holds nothing that cannot be built anew from the tables of the schema. Its triggers and views
 * may name only tables of objects, and the table that the trigger is on: SQLite renames no table while a view
 * or trigger names one that is missing, as tables do while they are replaced.
 */
export interface DatabaseObject {
  /** Unique in the database. */
  readonly name: string;
  /**
   * Tables and columns that the object requires. Without them the object is not created, as after a migration
   * is reverted.
   */
  readonly requires: readonly RequiredTable[];
  /** The script that builds it, also from the rows that there are. */
  readonly create: string;
  /** The script that drops it. Parts of it may be gone, and the tables that it is built on, too. */
  readonly drop: string;
  /** Run at the end of each migration, which may change columns without its rows being written. */
  readonly afterMigration?: string;
  /**
   * Its parts as the database lists them: tables, views and indexes by name, functions as `name()`, triggers
   * as `table.name`. If one is missing, the object is rebuilt.
   */
  readonly parts: readonly string[];
}

/** Database-specific support for auxiliary objects, which are outside the Prisma schema. */
export interface DatabaseObjectSupport {
  /** Selects all parts there are, in a column `part`. */
  readonly partsSql: string;
  /** Scripts that drop objects built by earlier versions of Galley, by name. */
  readonly retired: Readonly<Record<string, string>>;
  /** True if an error says that the role may not create or drop an object. */
  readonly isDenied: (error: unknown) => boolean;
}
