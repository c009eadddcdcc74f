const quote = (cell: string): string =>
  /["\r\n,]/.test(cell) || cell !== cell.trim() ? `"${cell.replaceAll('"', '""')}"` : cell;

/** Prints rows as CSV (RFC 4180) with a line feed after each row. */
export function printCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(quote).join(',')}\n`).join('');
}
