/** The forms of tables of values. */
export const TABLE_FORMATS = ['csv', 'jsonl', 'json'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** One row of a table. */
export interface TableRow {
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** By column. Empty where the row cannot be read. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Why the row cannot be read. Null: it can. */
  readonly problem: string | null;
  /** Source of the row: cells of CSV, or the text of JSON. */
  readonly source: readonly string[] | string;
}

/** A table that is being read. */
export interface Table {
  /** The columns of the first line. Null: each row names its own. */
  readonly columns: readonly string[] | null;
  readonly rows: AsyncIterable<TableRow>;
}

/** The column of rejected rows that says why. It is passed over where such rows are read again. */
export const REASON_COLUMN = '_reason';

/** The member of a rejected row of JSON that holds a text that is no JSON. */
export const TEXT_COLUMN = '_text';

/** The most characters of one row. More is taken for a quote that is never closed. */
export const MAX_ROW_LENGTH = 8 * 1024 * 1024;
