import { createError } from '../../errors/catalogue.js';
import { countNoun } from '../../lib/text.js';
import type { Uid } from '../../lib/ids.js';
import {
  assertAccepted,
  droppedIn,
  invalidIn,
  locationOf,
  rejectedIn,
} from '../../migrations/impact/data-impact.js';
import type { AcceptedImpact, DataImpact } from '../../migrations/impact/data-impact.js';
import { printImpact } from '../migrations/print-impact.js';
import { writeText } from '../terminal/terminal.js';
import type { Style, Terminal } from '../terminal/terminal.js';
import { spellCommands } from '../terminal/text-layout.js';
import { prompt } from './prompt.js';

/** Data that a command would lose, reported before it runs. */
export interface DataLoss {
  /** `user ann`, `api::article.article in fr` */
  readonly what: string;
  /** The content-type and the attribute that lose values. Null if whole documents are lost. */
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

/** Converts a loss to the form of a rejected change of a migration. */
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
 * Prints the losses, and throws unless `--accept-data-loss` or an answer on the terminal accepts them.
 * `--yes` is not enough.
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
 * @throws `cli/declined` if the user answers no, `cli/not-confirmed` if the terminal cannot prompt
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

type Impact = readonly DataImpact[];

export const LOSS_QUESTION = 'Lose this data?';
export const INVALID_QUESTION = 'Keep the values that do not fit as they are?';

/** Prints only the places. The impact above the error has the details. */
const printPlaces = (impact: Impact): string => [...new Set(impact.map(locationOf))].join(', ');

/** Creates the error for rejected changes, with the changes for `--json`. */
const rejectionError = (impact: Impact, refused: Impact): Error => {
  const [dropped, invalid] = [droppedIn(refused), invalidIn(refused)];
  const remedies = refused.flatMap(({ remedy }) => remedy ?? []);
  const params = {
    losses: printPlaces(dropped),
    invalid: printPlaces(invalid),
    remedies: [...new Set(remedies)].map((remedy) => `${remedy}. `).join(''),
  };
  const details = { details: { changes: impact } };
  if (dropped.length === 0) return createError('cli/invalid-values', params, details);
  return createError(
    invalid.length === 0 ? 'cli/data-loss' : 'cli/data-loss-and-invalid-values',
    params,
    details,
  );
};

/**
 * Prints the impact, and asks for acceptance of losses and of invalid values unless flags accept them.
 * `--yes` accepts neither.
 *
 * @throws `cli/data-loss`, `cli/invalid-values`, `cli/data-loss-and-invalid-values` (exit code 3)
 * @throws `migration/constraint-violation` if the database would reject rows
 */
export async function confirmImpact(
  terminal: Terminal,
  impact: Impact,
  accepted: AcceptedImpact,
  { canPrompt, style }: { readonly canPrompt: boolean; readonly style: Style },
): Promise<AcceptedImpact> {
  if (impact.length > 0) writeText(terminal.stderr, spellCommands(printImpact(impact, style), terminal));
  assertAccepted(rejectedIn(impact), {});
  const [dropped, invalid] = [droppedIn(impact), invalidIn(impact)];
  const isDroppedOpen = dropped.length > 0 && accepted.acceptsDataLoss !== true;
  const isInvalidOpen = invalid.length > 0 && accepted.acceptsInvalid !== true;
  if ((isDroppedOpen || isInvalidOpen) && !canPrompt)
    throw rejectionError(impact, [...(isDroppedOpen ? dropped : []), ...(isInvalidOpen ? invalid : [])]);
  const ask = (message: string): Promise<boolean> =>
    prompt(terminal, (prompts, screen) => prompts.confirm({ message, default: false }, screen));
  if (isDroppedOpen && !(await ask(LOSS_QUESTION))) throw rejectionError(impact, dropped);
  if (isInvalidOpen && !(await ask(INVALID_QUESTION))) throw rejectionError(impact, invalid);
  return { acceptsDataLoss: dropped.length > 0, acceptsInvalid: invalid.length > 0 };
}
