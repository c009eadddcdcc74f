import { readMedia } from '../../src/cli/content/with-content.js';
import { openContentProject } from '../../src/cli/project/command-target.js';
import { checkContent, checkedTypes } from '../../src/project/check-content.js';
import type { Site } from './magazine-site.js';
import { printLine, printRow } from './print.js';

const MEGABYTE = 1024 * 1024;
const MICROSECONDS = 1_000_000;
/** The findings that are kept, as in `cms content check`. */
const MAX_FINDINGS = 1000;

/** Prints what it costs to check all content, and the memory in use after the pages. */
export async function printCheck({ folder, dialect, size }: Site): Promise<void> {
  const quiet = { warn: () => undefined, info: () => undefined };
  const project = await openContentProject(folder, {}, quiet);
  let peak = 0;
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const report = await readMedia(project, (stores) =>
    checkContent(project, stores, {
      types: checkedTypes(project),
      maxFindings: MAX_FINDINGS,
      onProgress: () => {
        peak = Math.max(peak, process.memoryUsage().heapUsed);
      },
    }),
  );
  const { user, system } = process.cpuUsage(cpu);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  printLine(`content check of ${report.documents.toLocaleString('en')} documents on ${dialect}`);
  printRow('', ['seconds', 'CPU s', 'heap MB', 'findings']);
  printRow(`${size} articles`, [
    seconds,
    ((user + system) / MICROSECONDS).toFixed(1),
    (peak / MEGABYTE).toFixed(0),
    String(report.errors + report.warnings),
  ]);
  printLine(JSON.stringify(report.counts));
}
