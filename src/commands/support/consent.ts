import { fail } from '../../errors/catalogue.js';
import type { Style } from './style.js';
import { ask } from './prompts.js';
import { writeText } from './terminal.js';
import type { Terminal } from './terminal.js';

/** Something that would be lost, said before anything runs. */
export interface Loss {
  /** `article.title`, `table articles`, `token ci` */
  readonly what: string;
  /** Rows that hold a value; undefined where rows are not the measure. */
  readonly rows?: number;
  /** `the column is dropped`, `values longer than 20 are cut` */
  readonly reason: string;
}

export interface ConsentOptions {
  readonly canPrompt: boolean;
  readonly style: Style;
}

const describeLoss = ({ what, rows, reason }: Loss): string =>
  `${what}: ${reason}${rows === undefined ? '' : ` (${rows} ${rows === 1 ? 'row holds' : 'rows hold'} a value)`}`;

/**
 * Stops unless losing this data was authorised: by `--accept-data-loss`, or by a yes typed on a terminal after reading what is lost.
 * `--yes` is not enough, and neither is silence. Throws `cli/data-loss` (exit code 3).
 */
export async function assertLossAccepted(terminal: Terminal, losses: readonly Loss[], accepted: boolean, options: ConsentOptions): Promise<void> {
  if (losses.length === 0) return;
  const lines = losses.map(describeLoss);
  writeText(terminal.stderr, [options.style.yellow('This loses data:'), ...lines.map((line) => `  ${line}`)].join('\n'));
  if (accepted) return;
  const question = { message: 'Lose this data?', default: false };
  if (options.canPrompt && (await ask(terminal, (prompts, screen) => prompts.confirm(question, screen)))) return;
  throw fail('cli/data-loss', { losses: lines.join('; ') });
}

/** Asks before a routine step. `--yes` answers yes; a no throws `cli/declined`; nobody to ask throws `cli/unconfirmed`. */
export async function assertConfirmed(terminal: Terminal, question: string, yes: boolean, canPrompt: boolean): Promise<void> {
  if (yes) return;
  if (!canPrompt) throw fail('cli/unconfirmed', { question });
  if (!(await ask(terminal, (prompts, screen) => prompts.confirm({ message: question, default: true }, screen)))) throw fail('cli/declined');
}
