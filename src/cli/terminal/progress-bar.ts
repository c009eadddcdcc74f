const WIDTH = 20;

/**
 * Prints how far work has come: a bar with what was done, or only that where it is not known how much there
 * is.
 *
 * @example
 *   printProgress(500, 2000, '3 rejected'); // '█████░░░░░░░░░░░░░░░ 25 % 500 of 2000, 3 rejected'
 */
export function printProgress(done: number, total: number | null, detail: string): string {
  if (total === null || total === 0) return `${done}, ${detail}`;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
  return `${bar} ${Math.floor(share * 100)} % ${done} of ${total}, ${detail}`;
}
