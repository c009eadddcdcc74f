import { createError } from '../../errors/catalogue.js';
import { prompt } from '../prompts/prompt.js';
import { spellCommands } from '../terminal/spell-commands.js';
import type { Style } from '../terminal/style.js';
import { writeText } from '../terminal/terminal.js';
import type { Terminal } from '../terminal/terminal.js';
import {
  droppedIn,
  invalidIn,
  locationOf,
  rejectedIn,
  assertAccepted,
} from '../../migrations/impact/data-impact.js';
import type { AcceptedImpact, DataImpact } from '../../migrations/impact/data-impact.js';
import { printImpact } from './print-impact.js';

type Impact = readonly DataImpact[];

export const LOSS_QUESTION = 'Lose this data?';
export const INVALID_QUESTION = 'Keep the values that do not fit as they are?';

/** Names the places alone: the impact printed above the error says the rest. */
const printPlaces = (impact: Impact): string => [...new Set(impact.map(locationOf))].join(', ');

/** The error for what was not accepted, with the changes for `--json`. */
const refusal = (impact: Impact, refused: Impact): Error => {
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
 * Prints the impact and asks for a word on what is lost and on what does not fit, unless flags give it.
 * `--yes` gives neither.
 *
 * @throws `cli/data-loss`, `cli/invalid-values`, `cli/data-loss-and-invalid-values` (exit code 3)
 * @throws `migration/constraint-violation` where the database rejects rows, whatever is accepted
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
    throw refusal(impact, [...(isDroppedOpen ? dropped : []), ...(isInvalidOpen ? invalid : [])]);
  const ask = (message: string): Promise<boolean> =>
    prompt(terminal, (prompts, screen) => prompts.confirm({ message, default: false }, screen));
  if (isDroppedOpen && !(await ask(LOSS_QUESTION))) throw refusal(impact, dropped);
  if (isInvalidOpen && !(await ask(INVALID_QUESTION))) throw refusal(impact, invalid);
  return { acceptsDataLoss: dropped.length > 0, acceptsInvalid: invalid.length > 0 };
}
