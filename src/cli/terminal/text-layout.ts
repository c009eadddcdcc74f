import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { defined } from '../../lib/assert.js';
import type { OutputStream, Style, Terminal } from './terminal.js';

/** Returns the width in cells. The first text beyond ASCII costs the compilation of large patterns. */
const widthOf = (text: string): number => (/^[ -~]*$/.test(text) ? text.length : stringWidth(text));

/** Wraps a text at its spaces. Breaks only words that are wider than a line. */
export function wrapText(text: string, width: number): readonly string[] {
  return wrapAnsi(text, width, { hard: true }).split('\n');
}

/** Wraps each line of a text. Continuation lines are indented two columns more than the first one. */
export function wrapParagraphs(text: string, width = Number.POSITIVE_INFINITY): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const indent = /^ */.exec(line)?.[0] ?? '';
      if (widthOf(line) <= width) return [line];
      const lines = wrapText(line.trimStart(), width - indent.length - 2);
      return lines.map((each, index) => `${indent}${index === 0 ? '' : '  '}${each}`);
    })
    .join('\n');
}

/** Below this width, text is not wrapped. */
const MIN_COLUMNS = 20;

/** Wraps each line of a message between words if the stream is a terminal. */
export function wrapMessage({ isTTY, columns = 0 }: OutputStream, text: string): string {
  return isTTY === true && columns >= MIN_COLUMNS ? wrapParagraphs(text, columns) : text;
}

/** Control characters, and those that change the text direction. Stored text must not control a terminal. */
const STEERING = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu;

/** Returns a text as one printable line. Control characters become spaces. */
export function toOneLine(text: string): string {
  return text.replaceAll(STEERING, ' ').trim();
}

const graphemes = new Intl.Segmenter();

/** Cuts a text to a number of cells. Cut text ends with an ellipsis. */
export function cutText(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let [kept, used] = ['', 0];
  for (const { segment } of graphemes.segment(text)) {
    used += widthOf(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return width < 1 ? '' : `${kept}…`;
}

/** Cuts or fills a text to exactly a number of cells. */
export function fitText(text: string, width: number): string {
  const cut = cutText(text, width);
  return cut + ' '.repeat(Math.max(0, width - widthOf(cut)));
}

/** Prints a time to the minute, in UTC: `2026-01-31 09:30`, or `never` for null. */
export function printTime(iso: string | null): string {
  return iso === null ? 'never' : iso.slice(0, 16).replace('T', ' ');
}

type ProgramLookup = Pick<Terminal, 'env' | 'cwd'>;

const PROGRAMS = process.platform === 'win32' ? ['cms.cmd', 'cms.exe'] : ['cms'];
const LOCAL_BIN = join('node_modules', '.bin');

const holdsProgram = (folder: string): boolean => PROGRAMS.some((name) => existsSync(join(folder, name)));

/**
 * True if a shell finds `cms`. npm and npx add node_modules/.bin to the PATH of their programs, but not to
 * that of the calling shell.
 */
const isOnPath = ({ env }: ProgramLookup): boolean =>
  (env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && !folder.includes(LOCAL_BIN) && holdsProgram(folder));

const isInstalledAbove = (folder: string): boolean =>
  holdsProgram(join(folder, LOCAL_BIN)) || (dirname(folder) !== folder && isInstalledAbove(dirname(folder)));

/** Returns the command that starts the program in a project that installed it: `cms` or `npx cms`. */
export function programInProject(lookup: ProgramLookup): 'cms' | 'npx cms' {
  return isOnPath(lookup) ? 'cms' : 'npx cms';
}

const COMMAND_PATTERN = /(?<![\w./-]|npx )cms(?= [a-z])/g;

/** Spells commands in a message as the user can type them: `npx cms dev` if a shell does not find `cms`. */
export function spellCommands(text: string, lookup: ProgramLookup): string {
  if (text.search(COMMAND_PATTERN) === -1 || isOnPath(lookup) || !isInstalledAbove(lookup.cwd)) return text;
  return text.replaceAll(COMMAND_PATTERN, 'npx cms');
}

export interface TableColumn<Row> {
  readonly header: string;
  readonly value: (row: Row) => string | number;
  /** Use `right` for numbers. */
  readonly align?: 'left' | 'right';
  /** True if a narrow terminal may omit the column. The last such column is omitted first. */
  readonly optional?: boolean;
}

type Align = 'left' | 'right';

/** A column with its cells as text. */
interface FilledColumn {
  readonly header: string;
  readonly align: Align;
  readonly optional: boolean;
  readonly cells: readonly string[];
}

const GAP = '  ';
/** Below this width, values of records break words. */
const MIN_VALUE_WIDTH = 12;

const pad = (text: string, width: number, align: Align): string => {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'right' ? space + text : text + space;
};

/** Returns the text of a cell as one line. Line breaks become spaces. */
const cellText = (value: string | number): string => String(value).replace(/\s*[\r\n]+\s*/g, ' ');

const fillColumn =
  <Row>(rows: readonly Row[]) =>
  ({ header, value, align = 'left', optional = false }: TableColumn<Row>): FilledColumn => ({
    header,
    align,
    optional,
    cells: rows.map((row) => cellText(value(row))),
  });

/** Returns the width of the longest word, the minimum width for wrapping without breaking words. */
const longestWord = (text: string): number => Math.max(...text.split(' ').map((word) => widthOf(word)));

const widest = ({ header, cells }: FilledColumn, measure: (text: string) => number): number =>
  Math.max(measure(header), ...cells.map(measure));

const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width, 0);

/**
 * Returns the widths of columns: that of their widest cell. If the sum is too large, narrows the widest
 * columns down to their longest word. Null if it is still too large.
 */
const fitColumns = (columns: readonly FilledColumn[], available: number): readonly number[] | null => {
  const widths = columns.map((column) => widest(column, widthOf));
  const least = columns.map((column) => widest(column, longestWord));
  const room = available - GAP.length * (columns.length - 1);
  if (sum(least) > room) return null;
  for (let excess = sum(widths) - room; excess > 0; excess--) {
    const slack = widths.map((width, index) => (width > (least[index] ?? 0) ? width : 0));
    const index = slack.indexOf(Math.max(...slack));
    widths[index] = (widths[index] ?? 0) - 1;
  }
  return widths;
};

const printLine = (
  cells: readonly (readonly string[])[],
  columns: readonly FilledColumn[],
  widths: readonly number[],
): string => {
  const height = Math.max(...cells.map((lines) => lines.length));
  const line = (at: number): string =>
    columns
      .map(({ align }, index) =>
        pad(cells[index]?.[at] ?? '', defined(widths[index], "the column's width"), align),
      )
      .join(GAP)
      .trimEnd();
  return Array.from({ length: height }, (_each, at) => line(at)).join('\n');
};

const printGrid = (
  columns: readonly FilledColumn[],
  widths: readonly number[],
  rowCount: number,
  style: Style,
): string => {
  const wrap = (text: string, index: number): readonly string[] =>
    wrapText(text, defined(widths[index], "the column's width"));
  const header = columns.map((column, index) => wrap(column.header, index).map(style.bold));
  const rows = Array.from({ length: rowCount }, (_each, row) =>
    columns.map(({ cells }, index) => wrap(defined(cells[row], 'the cell'), index)),
  );
  return [header, ...rows].map((cells) => printLine(cells, columns, widths)).join('\n');
};

/** Prints each row as a list of keys and values. */
const printRecords = (columns: readonly FilledColumn[], rowCount: number, style: Style): string =>
  Array.from({ length: rowCount }, (_each, row) =>
    printKeyValues(
      columns.map(({ header, cells }) => [header, defined(cells[row], 'the cell')]),
      style,
    ),
  ).join('\n\n');

const printColumns = (columns: readonly FilledColumn[], rowCount: number, style: Style): string | null => {
  const widths = fitColumns(columns, style.width ?? Number.POSITIVE_INFINITY);
  return widths === null ? null : printGrid(columns, widths, rowCount, style);
};

/**
 * Prints rows under bold headers, with columns as wide as their widest cell. On a narrow terminal it wraps
 * cells between words, then omits optional columns, and finally prints each row as a record. Returns empty
 * text if there are no rows.
 */
export function printTable<Row>(
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
  style: Style,
): string {
  if (rows.length === 0) return '';
  const filled = columns.map(fillColumn(rows));
  let shown: readonly FilledColumn[] = filled;
  for (;;) {
    const text = printColumns(shown, rows.length, style);
    const leftOut = filled.filter((column) => !shown.includes(column)).map(({ header }) => header);
    if (text !== null && leftOut.length === 0) return text;
    if (text !== null) {
      const note = `Too narrow for ${leftOut.join(', ')}. --json has all.`;
      return [text, ...wrapText(note, style.width ?? note.length).map(style.dim)].join('\n');
    }
    const dropped = shown.findLast(({ optional }) => optional);
    if (dropped === undefined) return printRecords(filled, rows.length, style);
    shown = shown.filter((column) => column !== dropped);
  }
}

/** Prints keys in one column and values in the next. Null and undefined are printed as a dash. */
export function printKeyValues(
  pairs: readonly (readonly [key: string, value: string | number | boolean | null | undefined])[],
  style: Style,
): string {
  const width = Math.max(0, ...pairs.map(([key]) => widthOf(key)));
  const valueWidth = Math.max(
    MIN_VALUE_WIDTH,
    (style.width ?? Number.POSITIVE_INFINITY) - width - GAP.length,
  );
  return pairs
    .flatMap(([key, value]) =>
      wrapText(cellText(String(value ?? '–')), valueWidth).map((line, index) =>
        `${style.bold(pad(index === 0 ? key : '', width, 'left'))}${GAP}${line}`.trimEnd(),
      ),
    )
    .join('\n');
}
