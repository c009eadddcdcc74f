import type { CheckReport } from '../../src/transfer/checks/run-checks.js';
import type { Site } from './magazine-site.js';
import { printLine, printRow } from './print.js';
import { measureCms } from './processes.js';

/** Prints the time and the memory that `cms content check` needs to check all content. */
export function printCheck({ folder, dialect, size }: Site): void {
  const { output, seconds, cpuSeconds, peakMegabytes } = measureCms(folder, 'content', 'check', '--json');
  const { documents, errors, warnings } = JSON.parse(output) as CheckReport;
  printLine(`content check of ${documents.toLocaleString('en')} documents on ${dialect}`);
  printRow('', ['seconds', 'CPU s', 'peak MB', 'findings']);
  printRow(`${size} articles`, [
    seconds.toFixed(1),
    cpuSeconds.toFixed(1),
    peakMegabytes.toFixed(0),
    String(errors + warnings),
  ]);
}
