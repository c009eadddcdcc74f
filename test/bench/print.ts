export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

const [NAME_WIDTH, CELL_WIDTH] = [26, 14];

/** A row of a table, its cells in columns. */
export function printRow(name: string, cells: readonly string[]): void {
  printLine(name.padEnd(NAME_WIDTH) + cells.map((cell) => cell.padStart(CELL_WIDTH)).join(''));
}

/** With as many decimals as can be told apart. */
export function milliseconds(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}
