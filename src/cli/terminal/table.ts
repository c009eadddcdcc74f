import { stripVTControlCharacters } from 'node:util';
import { defined } from '../../lib/defined.js';
import type { Style } from './style.js';

export interface TableColumn<Row> {
  readonly header: string;
  readonly value: (row: Row) => string | number;
  /** Right for numbers. */
  readonly align?: 'left' | 'right';
}

const GAP = '  ';
/** East Asian wide and fullwidth characters and emoji take two cells. */
const WIDE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/u;
const EMOJI = /\p{Emoji_Presentation}/u;
const INVISIBLE = /\p{Mn}|\p{Me}|\p{Cf}/u;

/** Returns the number of cells that a text takes on a terminal. Escape sequences take none. */
function displayWidth(text: string): number {
  let width = 0;
  for (const char of stripVTControlCharacters(text)) {
    if (!INVISIBLE.test(char)) width += WIDE.test(char) || EMOJI.test(char) ? 2 : 1;
  }
  return width;
}

const pad = (text: string, width: number, align: 'left' | 'right'): string => {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'right' ? space + text : text + space;
};

/** A cell is one line: line breaks become spaces. */
const cellText = (value: string | number): string => String(value).replace(/\s*[\r\n]+\s*/g, ' ');

/**
 * Prints rows under bold headers, with columns as wide as their widest cell. Returns empty text where there
 * are no rows.
 */
export function printTable<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  style: Style,
): string {
  if (rows.length === 0) return '';
  const cells = rows.map((row) => columns.map((column) => cellText(column.value(row))));
  const widths = columns.map((column, index) =>
    Math.max(
      displayWidth(column.header),
      ...cells.map((line) => displayWidth(defined(line[index], 'the cell'))),
    ),
  );
  const print = (line: readonly string[]): string =>
    columns
      .map((column, index) =>
        pad(
          defined(line[index], 'the cell'),
          defined(widths[index], "the column's width"),
          column.align ?? 'left',
        ),
      )
      .join(GAP)
      .trimEnd();
  const header = print(columns.map((column) => style.bold(column.header)));
  return [header, ...cells.map(print)].join('\n');
}

/** Prints keys in one column and values in the next. Null and undefined are printed as a dash. */
export function printKeyValues(
  pairs: readonly (readonly [key: string, value: string | number | boolean | null | undefined])[],
  style: Style,
): string {
  const width = Math.max(0, ...pairs.map(([key]) => displayWidth(key)));
  return pairs
    .map(([key, value]) => `${style.bold(pad(key, width, 'left'))}${GAP}${cellText(String(value ?? '–'))}`)
    .join('\n');
}
