import type { RawBuilder } from 'kysely';
import type { DatabaseObject, RequiredTable } from './database-object.js';
import { SYSTEM_TABLE } from './revisions.js';
import { quoteName, quoteText } from './sql-text.js';

/** How many versions each content-type has, by status and locale. */
export const TOTALS_TABLE = 'cms_totals';

/** The status of the row that a type has while its totals are known. */
export const KNOWN = '';

/** A version table whose rows are counted. */
export interface CountedTable {
  /** The UID of the content-type. */
  readonly name: string;
  readonly table: string;
  /** The columns that no two published rows of a locale have in common, besides those of all types. */
  readonly uniqueColumns: readonly string[];
}

/** How rows are counted while they are written. */
export interface TotalSupport {
  /** The objects in the database that count. */
  readonly objectsFor: (tables: readonly CountedTable[]) => readonly DatabaseObject[];
}

export interface TotalOptions {
  /** The UID of the content-type. */
  readonly name: string;
  readonly table: string;
  readonly status: RawBuilder<unknown>;
  /** Null: all locales. */
  readonly locale: RawBuilder<unknown> | null;
  /** Counts the rows themselves. */
  readonly counted: RawBuilder<unknown>;
}

/** How totals are read. */
export interface TotalExpressions {
  /** Selects the name of the table with the totals, if the database has it. */
  readonly tableSql: string;
  /** Whether an error says that the database has no such table any more. */
  readonly isTableMissing: (error: unknown) => boolean;
  /** A statement that reads a total, or counts rows where one of the triggers is gone. */
  readonly total: (options: TotalOptions) => RawBuilder<unknown>;
}

/** Selects what is known, in the form of parts of objects. */
export const KNOWN_TOTALS_SQL = `SELECT 'totals of ' || "type" AS "part"
  FROM ${TOTALS_TABLE} WHERE "status" = '${KNOWN}'`;

/** The part of an object that says that the totals of a type are known. */
export const knownPart = (name: string): string => `totals of ${name}`;

export const totalRequirements = ({ table }: CountedTable): readonly RequiredTable[] => [
  { table: SYSTEM_TABLE },
  { table, columns: ['status', 'locale'] },
];

/** The script that counts all rows of a type. */
export const fillTotals = ({ name, table }: CountedTable): string =>
  [
    `DELETE FROM ${TOTALS_TABLE} WHERE "type" = ${quoteText(name)};`,
    `INSERT INTO ${TOTALS_TABLE} ("type", "status", "locale", "number")` +
      ` SELECT ${quoteText(name)}, "status", "locale", count(*)` +
      ` FROM ${quoteName(table)} GROUP BY "status", "locale";`,
    `INSERT INTO ${TOTALS_TABLE} ("type", "status", "locale", "number")` +
      ` VALUES (${quoteText(name)}, '${KNOWN}', '', 0);`,
  ].join('\n');
