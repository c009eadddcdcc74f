import { describeLoss, losesData } from '../../migrations/losses/destructive-change.js';
import type { PendingSurvey } from '../../migrations/apply/survey-pending.js';
import type { Style } from '../terminal/style.js';
import { acceptingFlags, accountOf, printAccount, printAccountComments } from './account.js';
import type { Account } from './account.js';

/** What stands in the way of the pending migrations, as texts and `--json` tell it. */
export interface PendingAccount {
  /** The pending migration whose changes were counted. Null where none was found to touch stored values. */
  readonly counted: string | null;
  readonly changes: Account;
  /** Rows that a new constraint refuses, whatever is accepted. */
  readonly violations: readonly string[];
  /** The flags that `cms migrate deploy` needs, unless the migration accepts its changes itself. */
  readonly needs: readonly string[];
  /** The migrations whose changes are counted when it is their turn. */
  readonly uncounted: readonly string[];
}

const NO_TYPES = { types: [] };

export function pendingAccountOf({ findings, uncounted }: PendingSurvey): PendingAccount {
  if (findings === null) return { counted: null, changes: [], violations: [], needs: [], uncounted };
  const { migration, before, losses } = findings;
  const changes = accountOf(before ?? NO_TYPES, findings);
  const isAccepted: Readonly<Record<string, boolean>> = {
    '--accept-data-loss': migration.isDataLossAccepted,
    '--accept-misfits': migration.areMisfitsAccepted,
  };
  return {
    counted: migration.name,
    changes,
    violations: losses.filter((loss) => !losesData(loss)).map(describeLoss),
    needs: acceptingFlags(changes).filter((flag) => isAccepted[flag] !== true),
    uncounted,
  };
}

/** Says which flags let the migration through, or that it needs none. */
const printVerdict = ({ changes, violations, needs }: PendingAccount): readonly string[] => {
  if (violations.length > 0)
    return ['No flag accepts this: change those rows first, or relax the constraint.'];
  if (needs.length > 0) return [`This needs: cms migrate deploy ${needs.join(' ')}`];
  return acceptingFlags(changes).length > 0 ? ['The migration itself accepts this: no flag is needed.'] : [];
};

const printUncounted = ({ uncounted }: PendingAccount): readonly string[] =>
  uncounted.length === 0 ? [] : [`Counted when it is their turn: ${uncounted.join(', ')}`];

const VIOLATIONS_HEADING = 'The existing rows do not fit the new schema:';

/** Prints the account below the states of the migrations. */
export function printPendingAccount(account: PendingAccount, style: Style): readonly string[] {
  const { counted, changes, violations } = account;
  return [
    ...(counted === null ? [] : [style.bold(`${counted} on this database`)]),
    ...(changes.length === 0 ? [] : [printAccount(changes, style)]),
    ...(violations.length === 0
      ? []
      : [style.red(VIOLATIONS_HEADING), ...violations.map((violation) => `  ${violation}`)]),
    ...printVerdict(account),
    ...printUncounted(account),
  ];
}

/** Prints the account as comments below the SQL of the pending migrations. */
export function printPendingAccountComments(account: PendingAccount): string {
  const { counted, changes, violations } = account;
  const comments = (lines: readonly string[]): string => lines.map((line) => `-- ${line}\n`).join('');
  return [
    comments(counted === null ? [] : [`${counted} on this database:`]),
    printAccountComments(changes),
    comments(violations.map((violation) => `violates: ${violation}`)),
    comments([...printVerdict(account), ...printUncounted(account)]),
  ].join('');
}
