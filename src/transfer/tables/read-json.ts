import { createError } from '../../errors/catalogue.js';
import { InexactNumberError, parseExactJson } from '../../lib/exact-json.js';
import { isRecord } from '../../lib/is-record.js';
import { MAX_ROW_LENGTH, TEXT_COLUMN } from './table.js';
import type { Table, TableRow } from './table.js';

/** A piece of a table's text with the line on which it begins. */
interface Piece {
  readonly text: string;
  readonly line: number;
}

const parseRow = ({ text, line }: Piece): TableRow => {
  const row = { line, source: text, values: {} };
  try {
    const value = parseExactJson(text);
    if (!isRecord(value)) return { ...row, problem: 'it is no object' };
    const mended = value[TEXT_COLUMN];
    return typeof mended === 'string'
      ? parseRow({ text: mended, line })
      : { ...row, values: value, problem: null };
  } catch (error) {
    if (error instanceof InexactNumberError) return { ...row, problem: error.message };
    return { ...row, problem: `it is no JSON (${error instanceof Error ? error.message : String(error)})` };
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
 * Reads JSON lines: an object on each. Lines that are something else are told as such and passed over.
 *
 * @throws `table/endless-row`
 */
export function readJsonLines(texts: AsyncIterable<string>, file: string): Table {
  return { columns: null, rows: toRows(splitLines(texts, file)) };
}

/** Cuts a list of JSON into its items without reading them. */
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

  /** Returns the items that end in a text. */
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
    return this.#readSign(char);
  }

  #readSign(char: string): Piece | null {
    if (/\s/.test(char)) return null;
    if (this.#isDone) throw this.#invalid('there is something after the list');
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
 * Reads a list of objects, without holding more than one of them.
 *
 * @throws `table/invalid`, `table/endless-row`
 */
export function readJsonList(texts: AsyncIterable<string>, file: string): Table {
  return { columns: null, rows: toRows(splitList(texts, file)) };
}
