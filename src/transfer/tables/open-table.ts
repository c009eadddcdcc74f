import { decodeText } from './decode-text.js';
import type { DecodeOptions } from './decode-text.js';
import { readCsv } from './read-csv.js';
import { readJsonLines, readJsonList } from './read-json.js';
import { REASON_COLUMN } from './table.js';
import type { Table, TableFormat } from './table.js';

export interface OpenTableOptions extends DecodeOptions {
  readonly format: TableFormat;
  readonly delimiter: string;
}

/**
 * Opens a table whose bytes arrive in pieces.
 *
 * @throws `table/empty`, `table/invalid`, `table/wrong-encoding`
 */
export async function openTable(
  bytes: AsyncIterable<Buffer>,
  { format, delimiter, ...options }: OpenTableOptions,
): Promise<Table> {
  const texts = decodeText(bytes, options);
  if (format === 'csv') return readCsv(texts, { file: options.file, delimiter });
  return format === 'jsonl' ? readJsonLines(texts, options.file) : readJsonList(texts, options.file);
}

/** Properties of a table found by reading it once. */
export interface TableSurvey {
  readonly columns: readonly string[];
  readonly rows: number;
  /** The number of unreadable rows. */
  readonly unreadable: number;
}

/**
 * Reads a table to its end, so that errors of the whole table are reported before anything is written.
 *
 * @throws the errors of tables
 */
export async function surveyTable({ columns, rows }: Table): Promise<TableSurvey> {
  const names = new Set(columns);
  let count = 0;
  let unreadable = 0;
  for await (const row of rows) {
    count += 1;
    if (row.problem !== null) unreadable += 1;
    else if (columns === null) for (const name of Object.keys(row.values)) names.add(name);
  }
  names.delete(REASON_COLUMN);
  return { columns: [...names], rows: count, unreadable };
}
