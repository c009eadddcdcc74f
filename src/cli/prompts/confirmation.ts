import { createError } from '../../errors/catalogue.js';
import type { Uid } from '../../lib/uid.js';
import type { DataImpact } from '../../migrations/impact/data-impact.js';
import type { Style } from '../terminal/style.js';
import { prompt } from './prompt.js';
import { writeText } from '../terminal/terminal.js';
import type { Terminal } from '../terminal/terminal.js';
import { countNoun } from '../../lib/count-noun.js';

/** Data that would be lost, reported before anything runs. */
export interface DataLoss {
  /** `user ann`, `api::article.article in fr` */
  readonly what: string;
  /** The content-type that loses values, and the attribute; null where documents are lost as a whole. */
  readonly type: Uid;
  readonly path: string | null;
  /** The number of rows that hold a value. */
  readonly rows: number;
  /** `the column is dropped`, `values longer than 20 are cut` */
  readonly reason: string;
}

export interface ConfirmationOptions {
  readonly canPrompt: boolean;
  readonly style: Style;
}

const printDataLoss = ({ what, rows, reason }: DataLoss): string => {
  const count = countNoun(rows, 'row holds', 'rows hold');
  return `${what}: ${reason} (${count} a value)`;
};

/** As the changes of a migration that is refused. */
const toChange = ({ type, path, rows, reason }: DataLoss): DataImpact => ({
  kind: 'dropped',
  type,
  path,
  values: rows,
  samples: [],
  reason,
  remedy: null,
});

/**
 * Prints the losses and throws unless losing the data is authorised: by `--accept-data-loss`, or by answering
 * yes on a terminal. `--yes` is not enough.
 *
 * @throws `cli/data-loss` (exit code 3)
 */
export async function assertDataLossConfirmed(
  terminal: Terminal,
  losses: readonly DataLoss[],
  isAccepted: boolean,
  options: ConfirmationOptions,
): Promise<void> {
  if (losses.length === 0) return;
  const lines = losses.map(printDataLoss);
  writeText(
    terminal.stderr,
    [options.style.yellow('This loses data:'), ...lines.map((line) => `  ${line}`)].join('\n'),
  );
  if (isAccepted) return;
  const question = { message: 'Lose this data?', default: false };
  if (options.canPrompt && (await prompt(terminal, (prompts, screen) => prompts.confirm(question, screen))))
    return;
  const details = { details: { changes: losses.map(toChange) } };
  const places = losses.map(({ what }) => what).join(', ');
  throw createError('cli/data-loss', { losses: places, remedies: '' }, details);
}

/**
 * Asks for confirmation of a routine step. Does not ask if `--yes` is given.
 *
 * @throws `cli/declined` if the user says no, `cli/not-confirmed` if the terminal cannot prompt
 */
export async function assertConfirmed(
  terminal: Terminal,
  question: string,
  isConfirmed: boolean,
  canPrompt: boolean,
): Promise<void> {
  if (isConfirmed) return;
  if (!canPrompt) throw createError('cli/not-confirmed', { question });
  if (
    !(await prompt(terminal, (prompts, screen) =>
      prompts.confirm({ message: question, default: true }, screen),
    ))
  )
    throw createError('cli/declined');
}
