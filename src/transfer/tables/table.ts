import { createError } from '../../errors/catalogue.js';

/** The file formats of tables. */
export const TABLE_FORMATS = ['csv', 'jsonl', 'json'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** One row of a table. */
export interface TableRow {
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** The values by column. Empty if the row cannot be read. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The reason that the row cannot be read. Null: it can be read. */
  readonly problem: string | null;
  /** Source of the row: cells of CSV, or the text of JSON. */
  readonly source: readonly string[] | string;
}

/** A table that is being read. */
export interface Table {
  /** The columns of the first line. Null: each row names its columns. */
  readonly columns: readonly string[] | null;
  readonly rows: AsyncIterable<TableRow>;
}

/** The column of rejected rows with the reason. Imports skip it. */
export const REASON_COLUMN = '_reason';

/** The member of a rejected JSON row that holds its text if the text is not JSON. */
export const TEXT_COLUMN = '_text';

/** The most characters of one row. A longer row probably has an unclosed quote. */
export const MAX_ROW_LENGTH = 8 * 1024 * 1024;

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'latin1'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export interface DecodeOptions {
  /** The name of the table, for messages. */
  readonly file: string;
  /** Undefined: the encoding of the byte order mark, otherwise UTF-8. */
  readonly encoding: Encoding | undefined;
  /** Called with the encoding of the table. */
  readonly onEncoding?: (encoding: Encoding) => void;
}

const MARKS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

const markedEncoding = (bytes: Buffer): Encoding | undefined =>
  MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte))?.[0];

const countLines = (text: string): number => {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
};

const REPLACEMENT = '\uFFFD';

/** Returns a function that decodes bytes piece by piece. Null ends the text. Errors name the line. */
const createDecoder = (encoding: Encoding, file: string) => {
  // Files called Latin-1 are mostly in the encoding of Windows.
  const label = encoding === 'latin1' ? 'windows-1252' : encoding;
  const decoder = new TextDecoder(label, { fatal: true });
  let line = 1;
  return (bytes: Buffer | null): string => {
    try {
      const text = bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true });
      line += countLines(text);
      return text;
    } catch (cause) {
      const [before = ''] = new TextDecoder(label).decode(bytes ?? new Uint8Array()).split(REPLACEMENT);
      throw createError(
        'table/wrong-encoding',
        { location: `${file}:${line + countLines(before)}`, encoding },
        { cause },
      );
    }
  };
};

/** Joins the first chunks until they can hold a byte order mark. Passes the others on. */
async function* withWholeMark(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let first: Buffer | null = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (first === null) {
      yield chunk;
      continue;
    }
    first = Buffer.concat([first, chunk]);
    if (first.length < 4) continue;
    yield first;
    first = null;
  }
  if (first !== null) yield first;
}

/**
 * Decodes a table by the given encoding, otherwise by the byte order mark.
 *
 * @throws `table/wrong-encoding` with the line
 */
export async function* decodeText(
  chunks: AsyncIterable<Buffer>,
  { file, encoding: named, onEncoding }: DecodeOptions,
): AsyncIterable<string> {
  let decode: ReturnType<typeof createDecoder> | null = null;
  for await (const chunk of withWholeMark(chunks)) {
    if (decode === null) {
      const encoding = named ?? markedEncoding(chunk) ?? 'utf-8';
      // Text in UTF-8 has no zero bytes; text in UTF-16 has.
      if (encoding === 'utf-8' && chunk.includes(0))
        throw createError('table/wrong-encoding', { location: `${file}:1`, encoding });
      onEncoding?.(encoding);
      decode = createDecoder(encoding, file);
    }
    const text = decode(chunk);
    if (text !== '') yield text;
  }
  const rest = decode?.(null) ?? '';
  if (rest !== '') yield rest;
}
