import type { Examination, Finding } from '../../api/administration/server-checks.js';
import type { Outcome } from '../outcome.js';
import type { Style } from '../terminal/terminal.js';

const STATUS_SYMBOLS: Readonly<
  Record<Finding['status'], readonly [mark: string, color: 'green' | 'yellow' | 'red']>
> = {
  ok: ['✔', 'green'],
  warning: ['!', 'yellow'],
  error: ['✖', 'red'],
};

/**
 * Prints a line per finding with its remedy below, then the checks to do by hand. The exit code is 1 if there
 * is an error.
 */
export function describeFindings({ findings, checklist }: Examination, style: Style): Outcome {
  const lines = findings.flatMap(({ status, message, remedy }) => {
    const [symbol, color] = STATUS_SYMBOLS[status];
    return [`${style[color](symbol)} ${message}`, ...(remedy === undefined ? [] : [`  ${remedy}`])];
  });
  const isHealthy = findings.every(({ status }) => status !== 'error');
  const byHand = checklist.length === 0 ? [] : ['', 'By hand:', ...checklist.map((item) => `☐ ${item}`)];
  return {
    json: { sound: isHealthy, findings, ...(checklist.length === 0 ? {} : { checklist }) },
    text: [...lines, ...byHand].join('\n'),
    exitCode: isHealthy ? 0 : 1,
  };
}
