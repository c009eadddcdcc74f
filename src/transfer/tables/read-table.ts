import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { createError } from '../../errors/catalogue.js';
import { InexactNumberError, parseExactJson } from '../../lib/json.js';
import { isRecord } from '../../lib/records.js';
import { MAX_ROW_LENGTH, REASON_COLUMN, TEXT_COLUMN, decodeText } from './table.js';
import type { DecodeOptions, Table, TableFormat, TableRow } from './table.js';

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
    throw new TypeError('The CSV parser returned a row of an unexpected form.');
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
    // The reason of an earlier rejection is not a cell of the table.
    const extra = columns.includes(REASON_COLUMN) ? 1 : 0;
    const problem = `it has ${cells.length - extra} cells instead of ${columns.length - extra}`;
    return { ...row, values: {}, problem };
  }
  if (hasStrayQuotes(parsed))
    return { ...row, values: {}, problem: 'text follows a closing quote: write " as ""' };
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
    // Otherwise the cell would extend to the next quote.
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_LENGTH,
  });
  const input = Readable.from(texts);
  input.on('error', (error) => parser.destroy(error));
  return input.pipe(parser);
};

interface CsvOptions {
  /** The name of the table, for messages. */
  readonly file: string;
  readonly delimiter: string;
}

/**
 * Reads CSV, whose first line names the columns. Rows that cannot be read have a `problem`.
 *
 * @throws `table/invalid`, `table/open-quote`, `table/endless-row`, `table/empty`
 */
async function readCsv(texts: AsyncIterable<string>, { file, delimiter }: CsvOptions): Promise<Table> {
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

/** A piece of a table's text with the line on which it begins. */
interface Piece {
  readonly text: string;
  readonly line: number;
}

const parseRow = ({ text, line }: Piece): TableRow => {
  const row = { line, source: text, values: {} };
  try {
    const value = parseExactJson(text);
    if (!isRecord(value)) return { ...row, problem: 'it is not an object' };
    const corrected = value[TEXT_COLUMN];
    return typeof corrected === 'string'
      ? parseRow({ text: corrected, line })
      : { ...row, values: value, problem: null };
  } catch (error) {
    if (error instanceof InexactNumberError) return { ...row, problem: error.message };
    return { ...row, problem: `it is not JSON (${error instanceof Error ? error.message : String(error)})` };
  }
};

const endlessRow = (file: string, line: number): Error =>
  createError('table/endless-row', { location: `${file}:${line}`, limit: MAX_ROW_LENGTH });

async function* splitLines(texts: AsyncIterable<string>, file: string): AsyncIterable<Piece> {
  let rest = '';
  let line = 1;
  for await (const text of texts) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_ROW_LENGTH) throw endlessRow(file, line + lines.length);
    for (const whole of lines) {
      if (whole.trim() !== '') yield { text: whole, line };
      line += 1;
    }
  }
  if (rest.trim() !== '') yield { text: rest, line };
}

const toRows = async function* (pieces: AsyncIterable<Piece>): AsyncIterable<TableRow> {
  for await (const piece of pieces) yield parseRow(piece);
};

/**
 * Reads JSON lines, with one object each. Other lines have a `problem`.
 *
 * @throws `table/endless-row`
 */
export function readJsonLines(texts: AsyncIterable<string>, file: string): Table {
  return { columns: null, rows: toRows(splitLines(texts, file)) };
}

/** Splits a JSON list into the texts of its items without parsing them. */
class ListSplitter {
  #text = '';
  #at = 0;
  #start = -1;
  #depth = 0;
  #isString = false;
  #isEscaped = false;
  #line = 1;
  #startLine = 1;
  #isDone = false;

  constructor(readonly file: string) {}

  /** Adds a piece of text. Returns the items that end in it. */
  push(text: string): readonly Piece[] {
    this.#text = this.#start === -1 ? text : this.#text.slice(this.#start) + text;
    this.#at = this.#start === -1 ? 0 : this.#at - this.#start;
    this.#start = this.#start === -1 ? -1 : 0;
    if (this.#text.length - text.length > MAX_ROW_LENGTH) throw endlessRow(this.file, this.#startLine);
    const pieces: Piece[] = [];
    for (; this.#at < this.#text.length; this.#at++) {
      const piece = this.#read(this.#text.charAt(this.#at));
      if (piece !== null) pieces.push(piece);
    }
    return pieces;
  }

  /** @throws `table/invalid` if the list has not ended */
  end(): void {
    if (!this.#isDone) throw this.#invalid(this.#depth === 0 ? 'it is empty' : 'the list does not end');
  }

  #invalid(reason: string): Error {
    return createError('table/invalid', { location: `${this.file}:${this.#line}`, reason });
  }

  #read(char: string): Piece | null {
    if (char === '\n') this.#line += 1;
    if (this.#isString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (char === '\\') this.#isEscaped = true;
      else if (char === '"') this.#isString = false;
      return null;
    }
    return this.#readToken(char);
  }

  #readToken(char: string): Piece | null {
    if (/\s/.test(char)) return null;
    if (this.#isDone) throw this.#invalid('text follows the list');
    if (this.#depth === 0 && char !== '[') throw this.#invalid('it must be a list of objects');
    const isEnd = this.#depth === 1 && (char === ',' || char === ']');
    const piece = isEnd ? this.#take() : null;
    if (this.#depth === 1 && this.#start === -1 && !isEnd) {
      this.#start = this.#at;
      this.#startLine = this.#line;
    }
    if (char === '"') this.#isString = true;
    if (char === '[' || char === '{') this.#depth += 1;
    if (char === ']' || char === '}') this.#depth -= 1;
    if (this.#depth === 0) this.#isDone = true;
    return piece;
  }

  #take(): Piece | null {
    if (this.#start === -1) return null;
    const piece = { text: this.#text.slice(this.#start, this.#at).trim(), line: this.#startLine };
    this.#start = -1;
    return piece;
  }
}

const splitList = async function* (texts: AsyncIterable<string>, file: string): AsyncIterable<Piece> {
  const splitter = new ListSplitter(file);
  for await (const text of texts) yield* splitter.push(text);
  splitter.end();
};

/**
 * Reads a JSON list of objects, with only one object in memory.
 *
 * @throws `table/invalid`, `table/endless-row`
 */
function readJsonList(texts: AsyncIterable<string>, file: string): Table {
  return { columns: null, rows: toRows(splitList(texts, file)) };
}

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
export interface TableInspection {
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
export async function inspectTable({ columns, rows }: Table): Promise<TableInspection> {
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
