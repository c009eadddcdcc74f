import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { milliseconds, printRow } from './print.js';

const BINARY = fileURLToPath(new URL('../../bin/run.js', import.meta.url));

const RUNS = 7;

/** Milliseconds of CPU that a process takes, user and system together; the least of several runs. */
const cpuTime = (argv: string): number => {
  const script = `
    TIMEFORMAT='%U %S'
    for _ in $(seq ${RUNS}); do
      { time "${process.execPath}" ${argv} > /dev/null 2> /dev/null; } 2>&1
    done
  `;
  const output = execFileSync('bash', ['-c', script], {
    env: { ...process.env, LC_ALL: 'C' },
    encoding: 'utf8',
  });
  const sums = output
    .trim()
    .split('\n')
    .map((line) => line.split(' ').reduce((sum, seconds) => sum + Number(seconds) * 1000, 0));
  return Math.min(...sums);
};

/** Prints what commands that need nothing take to start, beside a process that does nothing. */
export function printStart(): void {
  const idle = cpuTime('-e 0');
  printRow('', ['CPU ms', 'node -e 0']);
  printRow('node -e 0', [milliseconds(idle), '1']);
  for (const argv of ['--version', '--help']) {
    const spent = cpuTime(`"${BINARY}" ${argv}`);
    printRow(`cms ${argv}`, [milliseconds(spent), (spent / idle).toFixed(1)]);
  }
}
