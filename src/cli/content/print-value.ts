import type { StatementRows } from '../../database/dialect/database-driver.js';
import { printCsv } from '../../lib/text.js';
import { isRecord } from '../../lib/records.js';
import type { ContentType } from '../../model/model.js';
import type { Style } from '../terminal/terminal.js';
import { printTable } from '../terminal/text-layout.js';

/** Types whose values are too long for a line. */
const LONG_TYPES: ReadonlySet<string> = new Set(['richtext', 'blocks', 'json', 'text']);

/** Returns the attribute whose value names a document for people. Null if only the documentId does. */
export function titleAttribute({ attributes }: Pick<ContentType, 'attributes'>): string | null {
  const ofType = (type: string): string | undefined =>
    Object.values(attributes).find((attribute) => attribute.type === type && !attribute.private)?.name;
  return ofType('string') ?? ofType('uid') ?? ofType('email') ?? null;
}

/** Returns the attributes that a table shows by default: those whose values fit on a line. */
export function shortAttributes({ attributes }: Pick<ContentType, 'attributes'>): readonly string[] {
  return Object.values(attributes)
    .filter((attribute) => attribute.family === 'scalar' && !attribute.private)
    .filter(({ type }) => type !== 'password' && !LONG_TYPES.has(type))
    .map(({ name }) => name);
}

/** Returns a value as text: objects as JSON, empty for null. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns a name of a linked document or component, in one line. */
const describeRecord = (record: Readonly<Record<string, unknown>>): string => {
  const named = Object.entries(record).find(
    ([key, value]) => typeof value === 'string' && key !== 'documentId' && key !== '__component',
  );
  return cellText(named?.[1] ?? record['__component'] ?? record['documentId'] ?? record);
};

/** Prints a value in one line, for a table. */
export function printValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(printValue).join(', ');
  return isRecord(value) ? describeRecord(value) : cellText(value);
}

export const ROW_FORMATS = ['table', 'json', 'jsonl', 'csv'] as const;
type RowFormat = (typeof ROW_FORMATS)[number];

/** Prints the rows of a statement: as a table or CSV with column names, or as objects. */
export function printRows({ columns, rows }: StatementRows, format: RowFormat, style: Style): string {
  const toObject = (row: readonly unknown[]): object =>
    Object.fromEntries(columns.map((name, index) => [name, row[index]]));
  switch (format) {
    case 'table':
      return printTable(
        rows,
        columns.map((header, index) => ({
          header,
          value: (row) => cellText(row[index]),
          align: rows.every((row) => typeof row[index] === 'number') ? 'right' : 'left',
        })),
        style,
      );
    case 'json':
      return JSON.stringify(rows.map(toObject), null, 2);
    case 'jsonl':
      return rows.map((row) => JSON.stringify(toObject(row))).join('\n');
    case 'csv':
      return printCsv([columns, ...rows.map((row) => row.map(cellText))]);
  }
}
