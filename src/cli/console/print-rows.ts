import type { StatementRows } from '../../database/dialect/statement.js';
import { printCsv } from '../../lib/csv.js';
import { cellText } from '../content/print-value.js';
import type { Style } from '../terminal/style.js';
import { printTable } from '../terminal/table.js';

export const ROW_FORMATS = ['table', 'json', 'jsonl', 'csv'] as const;
type RowFormat = (typeof ROW_FORMATS)[number];

/** Prints the rows of a statement: a table or CSV under the names of columns, or objects. */
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
