import { createError } from '../../errors/catalogue.js';
import { prompt } from '../prompts/prompt.js';
import { spellCommands } from '../terminal/spell-commands.js';
import type { Style } from '../terminal/style.js';
import { writeText } from '../terminal/terminal.js';
import type { Terminal } from '../terminal/terminal.js';
import { droppedIn, locationOf, misfitsIn, printAccount } from './account.js';
import type { Account } from './account.js';

export const LOSS_QUESTION = 'Lose this data?';
export const MISFIT_QUESTION = 'Keep the values that do not fit as they are?';

export interface AccountConfirmation {
  readonly acceptsDataLoss: boolean;
  readonly acceptsMisfits: boolean;
}

/** Names the places alone: the account above the error says the rest. */
const printPlaces = (account: Account): string => [...new Set(account.map(locationOf))].join(', ');

/** The error for what was not accepted, with the changes for `--json`. */
const refusal = (account: Account, refused: Account): Error => {
  const [dropped, misfits] = [droppedIn(refused), misfitsIn(refused)];
  const remedies = refused.flatMap(({ remedy }) => remedy ?? []);
  const params = {
    losses: printPlaces(dropped),
    misfits: printPlaces(misfits),
    remedies: [...new Set(remedies)].map((remedy) => `${remedy}. `).join(''),
  };
  const details = { details: { changes: account } };
  if (dropped.length === 0) return createError('cli/misfits', params, details);
  return createError(misfits.length === 0 ? 'cli/data-loss' : 'cli/data-loss-and-misfits', params, details);
};

/**
 * Prints the account and asks for a word on what is lost and on what does not fit, unless flags give it.
 * `--yes` gives neither.
 *
 * @throws `cli/data-loss`, `cli/misfits`, `cli/data-loss-and-misfits` (exit code 3)
 */
export async function confirmAccount(
  terminal: Terminal,
  account: Account,
  accepted: AccountConfirmation,
  { canPrompt, style }: { readonly canPrompt: boolean; readonly style: Style },
): Promise<AccountConfirmation> {
  if (account.length > 0) writeText(terminal.stderr, spellCommands(printAccount(account, style), terminal));
  const [dropped, misfits] = [droppedIn(account), misfitsIn(account)];
  const missing = [...(accepted.acceptsDataLoss ? [] : dropped), ...(accepted.acceptsMisfits ? [] : misfits)];
  if (missing.length > 0 && !canPrompt) throw refusal(account, missing);
  const ask = (changes: Account, message: string): Promise<boolean> =>
    changes.every((change) => !missing.includes(change))
      ? Promise.resolve(true)
      : prompt(terminal, (prompts, screen) => prompts.confirm({ message, default: false }, screen));
  if (!(await ask(dropped, LOSS_QUESTION))) throw refusal(account, dropped);
  if (!(await ask(misfits, MISFIT_QUESTION))) throw refusal(account, misfits);
  return { acceptsDataLoss: dropped.length > 0, acceptsMisfits: misfits.length > 0 };
}
