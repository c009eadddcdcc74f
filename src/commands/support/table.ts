import { stripVTControlCharacters } from 'node:util';
import type { Style } from './style.js';

export interface TableColumn<Row> {
  readonly header: string;
  readonly value: (row: Row) => string | number;
  /** Numbers read better flush right. */
  readonly align?: 'left' | 'right';
}

const GAP = '  ';
/** East Asian wide and fullwidth characters and emoji, which take two cells. */
const WIDE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u;
const INVISIBLE = /\p{Mn}|\p{Me}|\p{Cf}/u;

/** Cells a text takes on a terminal; escape sequences take none. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const char of stripVTControlCharacters(text)) {
    if (!INVISIBLE.test(char)) width += WIDE.test(char) ? 2 : 1;
  }
  return width;
}

const pad = (text: string, width: number, align: 'left' | 'right'): string => {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'right' ? space + text : text + space;
};

/** A cell is one line: what would break the grid is shown as a space. */
const cellText = (value: string | number): string => String(value).replace(/\s*[\r\n]+\s*/g, ' ');

/** Rows under bold headers, each column as wide as its widest cell. No rows: empty text. */
export function printTable<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[], style: Style): string {
  if (rows.length === 0) return '';
  const cells = rows.map((row) => columns.map((column) => cellText(column.value(row))));
  const widths = columns.map((column, index) =>
    Math.max(displayWidth(column.header), ...cells.map((line) => displayWidth(line[index] ?? ''))));
  const print = (line: readonly string[]): string =>
    columns.map((column, index) => pad(line[index] ?? '', widths[index] ?? 0, column.align ?? 'left')).join(GAP).trimEnd();
  const header = print(columns.map((column) => style.bold(column.header)));
  return [header, ...cells.map(print)].join('\n');
}

/** Facts about one thing, keys in one column; null and undefined are shown as a dash. */
export function printKeyValues(pairs: readonly (readonly [key: string, value: string | number | boolean | null | undefined])[], style: Style): string {
  const width = Math.max(0, ...pairs.map(([key]) => displayWidth(key)));
  return pairs.map(([key, value]) => `${style.bold(pad(key, width, 'left'))}${GAP}${cellText(String(value ?? '–'))}`).join('\n');
}
