import type { ContentChange } from '../../migrations/content/content-plan.js';
import type { MigrationPreview } from '../../migrations/migrate.js';
import type { ContentModel } from '../../model/model.js';
import type { Style } from '../terminal/style.js';
import { describeLosses } from './describe-loss.js';
import { countNoun } from '../../lib/count-noun.js';

/** What a migration does to stored values, as prompts, `--dry-run`, `--json` and errors tell it. */
export type Account = readonly ContentChange[];

type Kind = ContentChange['kind'];

const HEADINGS: Readonly<Record<Kind, string>> = {
  moved: 'Moved:',
  converted: 'Converted:',
  misfit: 'This does not fit the new schema:',
  dropped: 'This loses data:',
};

/** From what is safe to what is lost, so that the last lines above a question matter most. */
const KINDS: readonly Kind[] = ['moved', 'converted', 'misfit', 'dropped'];

const COMMENTS: Readonly<Record<Kind, string>> = {
  moved: 'moves',
  converted: 'converts',
  misfit: 'would not fit',
  dropped: 'would lose',
};

/**
 * Returns the account of a migration: the findings about its content, and the losses of tables and columns
 * that these do not cover, named by type and attribute.
 *
 * @param before the model before the migration
 */
export function accountOf(
  before: Pick<ContentModel, 'types'>,
  { losses, contentChanges }: Pick<MigrationPreview, 'losses' | 'contentChanges'>,
): Account {
  return [...contentChanges, ...describeLosses(before, losses)];
}

export const droppedIn = (account: Account): Account => account.filter(({ kind }) => kind === 'dropped');

export const misfitsIn = (account: Account): Account => account.filter(({ kind }) => kind === 'misfit');

const printCount = ({ path, values }: ContentChange): string => {
  return countNoun(values, path === null ? 'document' : 'value');
};

export const locationOf = ({ type, path }: ContentChange): string =>
  path === null ? type : `${type} ${path}`;

/** Prints `api::article.article price: not a number (3 values, such as "a", "b")`, without the remedy. */
export function printChange(change: ContentChange): string {
  const samples = change.samples.length === 0 ? '' : `, such as ${change.samples.join(', ')}`;
  const isKept = change.kind === 'moved' || change.kind === 'converted';
  return isKept
    ? `${locationOf(change)}: ${printCount(change)} ${change.kind}${samples} (${change.reason})`
    : `${locationOf(change)}: ${change.reason} (${printCount(change)}${samples})`;
}

const printGroup = (account: Account, kind: Kind, style: Style): readonly string[] => {
  const changes = account.filter((change) => change.kind === kind);
  if (changes.length === 0) return [];
  const isSafe = kind === 'moved' || kind === 'converted';
  return [
    isSafe ? style.bold(HEADINGS[kind]) : style.yellow(HEADINGS[kind]),
    ...changes.flatMap((change) => [
      `  ${printChange(change)}`,
      ...(change.remedy === null ? [] : [`    ${style.dim(change.remedy)}`]),
    ]),
  ];
};

/** Prints an account by kind: what moves, what converts, what does not fit, what is lost. */
export function printAccount(account: Account, style: Style): string {
  return KINDS.flatMap((kind) => printGroup(account, kind, style)).join('\n');
}

/** Prints an account as comments below the SQL that it is about, for `--dry-run`. */
export function printAccountComments(account: Account): string {
  return KINDS.flatMap((kind) => account.filter((change) => change.kind === kind))
    .map((change) => {
      const remedy = change.remedy === null ? '' : `; ${change.remedy}`;
      return `-- ${COMMENTS[change.kind]}: ${printChange(change)}${remedy}\n`;
    })
    .join('');
}

/** The flags that accept what an account says. */
export function acceptingFlags(account: Account): readonly string[] {
  return [
    ...(droppedIn(account).length > 0 ? ['--accept-data-loss'] : []),
    ...(misfitsIn(account).length > 0 ? ['--accept-misfits'] : []),
  ];
}
