import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { MAX_ROW_LENGTH, REASON_COLUMN } from './table.js';
import type { Table, TableRow } from './table.js';

export interface CsvOptions {
  /** The name of the table, for messages. */
  readonly file: string;
  readonly delimiter: string;
}

/** Row as the parser returns it. */
interface ParsedRow {
  readonly cells: readonly string[];
  readonly raw: string;
  /** The line on which the row ends. */
  readonly line: number;
}

const isText = (value: unknown): value is string => typeof value === 'string';

const toParsedRow = (item: unknown): ParsedRow => {
  const { record, raw, info } = isRecord(item) ? item : {};
  if (!Array.isArray(record) || !isRecord(info))
    throw new TypeError('The CSV parser gives rows in another form.');
  return { cells: record.filter(isText), raw: String(raw), line: Number(info['lines']) };
};

const toTableError = (error: unknown, file: string): unknown => {
  if (!(error instanceof CsvError)) return error;
  const location = `${file}:${Number(error['lines'])}`;
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return createError('table/endless-row', { location, limit: MAX_ROW_LENGTH }, { cause: error });
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return createError('table/open-quote', { location }, { cause: error });
  return createError('table/invalid', { location, reason: error.message }, { cause: error });
};

const countBreaks = (cells: readonly string[]): number =>
  cells.reduce((count, cell) => count + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0);

/** True if a quote was closed before the end of its cell. */
const hasStrayQuotes = ({ cells, raw }: ParsedRow): boolean =>
  cells.some((cell) => cell.startsWith('"')) && !raw.includes('"""');

const toRow = (columns: readonly string[], parsed: ParsedRow): TableRow => {
  const { cells, line } = parsed;
  const row = { line: line - countBreaks(cells), source: cells };
  if (cells.length !== columns.length) {
    // The reason of an earlier rejection is no cell of the table.
    const extra = columns.includes(REASON_COLUMN) ? 1 : 0;
    const problem = `it has ${cells.length - extra} cells instead of ${columns.length - extra}`;
    return { ...row, values: {}, problem };
  }
  if (hasStrayQuotes(parsed))
    return { ...row, values: {}, problem: 'there is something behind a closing quote: write " as ""' };
  const values: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) values[column] = cells[index];
  return { ...row, values, problem: null };
};

const assertColumns = (columns: readonly string[], file: string): void => {
  const empty = columns.findIndex((column) => column === '');
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (empty === -1 && twice === undefined) return;
  throw createError('table/invalid', {
    location: `${file}:1`,
    reason: empty === -1 ? `there are two columns ${twice}` : `column ${empty + 1} has no name`,
  });
};

const createParser = (texts: AsyncIterable<string>, delimiter: string) => {
  const parser = parse({
    delimiter,
    info: true,
    raw: true,
    bom: true,
    relax_column_count: true,
    // Otherwise all up to the next quote would belong to the cell.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_LENGTH,
  });
  const input = Readable.from(texts);
  input.on('error', (error) => parser.destroy(error));
  return input.pipe(parser);
};

/**
 * Reads CSV, whose first line names the columns. Rows that cannot be read are told as such and passed over.
 *
 * @throws `table/invalid`, `table/open-quote`, `table/endless-row`, `table/empty`
 */
export async function readCsv(texts: AsyncIterable<string>, { file, delimiter }: CsvOptions): Promise<Table> {
  const parser = createParser(texts, delimiter);
  const items = parser[Symbol.asyncIterator]();
  const next = async (): Promise<ParsedRow | null> => {
    try {
      const { done, value } = await items.next();
      return done === true ? null : toParsedRow(value);
    } catch (error) {
      throw toTableError(error, file);
    }
  };
  const head = await next();
  if (head === null) throw createError('table/empty', { file });
  const columns = head.cells.map((cell) => cell.trim());
  assertColumns(columns, file);
  return {
    columns,
    rows: (async function* () {
      try {
        for (let row = await next(); row !== null; row = await next()) yield toRow(columns, row);
      } finally {
        parser.destroy();
      }
    })(),
  };
}
