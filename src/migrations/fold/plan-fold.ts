import { NO_DECISIONS, isUndecided } from '../content/content-decisions.js';
import type { HistoryEntry } from '../apply/migration-history.js';
import { asRecorded } from '../files/content-snapshot.js';
import type { ContentSnapshot } from '../files/content-snapshot.js';
import { CONTENT_ONLY_SQL, isContentChanged, transitionTo } from '../files/content-transition.js';
import { matchesChecksum, schemaAfterMigrations } from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import type { ApplyPlanOptions, Plan } from '../plan/plan.js';
import type { MigrationDialect } from '../migration-dialect.js';
import { isAdditive, shapeAfter } from '../plan/additive.js';
import { planMigration, printMigration } from '../plan/plan-migration.js';

/** One migration in place of the last one and the one that would follow it. */
export interface Fold {
  /** The migration that it replaces. */
  readonly replaced: Migration;
  /** The migrations before that. */
  readonly previous: readonly Migration[];
  /** The text of its migration.sql. Null where the two changes cancel out, so that none is left. */
  readonly sql: string | null;
  readonly nextContent: ContentSnapshot;
}

/** The user's decisions about a migration that only adds: none. */
export const UNDECIDED = { isDataLossAccepted: false, isInvalidAccepted: false, decisions: NO_DECISIONS };

/** Returns the text that migration.sql has where a change is planned alone. Null where nothing changes. */
const printAlone = async (
  previous: readonly Migration[],
  next: { readonly schema: string; readonly content: ContentSnapshot },
  dialect: MigrationDialect,
): Promise<string | null> => {
  const plan = await planMigration({
    previousSchema: schemaAfterMigrations(previous),
    nextSchema: next.schema,
    dialect,
    transition: transitionTo(next.content, previous, NO_DECISIONS),
  });
  if (plan.sql === '') return isContentChanged(next.content, previous) ? CONTENT_ONLY_SQL : null;
  return printMigration(plan, UNDECIDED);
};

const isLastApplied = (migration: Migration, history: readonly HistoryEntry[]): boolean => {
  const last = history.at(-1);
  return (
    last?.name === migration.name && last.state === 'applied' && matchesChecksum(migration, last.checksum)
  );
};

/**
 * Plans to fold a change into the last migration. Returns null unless that was generated, was applied to this
 * database last, is not published, and both only add. The SQL of a generated
 * migration differs from that of one written or edited by hand.
 */
export async function planFold(
  { state, basis: { migrations, history } }: Plan,
  { dialect, findUnpublished }: Pick<ApplyPlanOptions, 'dialect' | 'findUnpublished'>,
): Promise<Fold | null> {
  const { nextSchema, nextContent = null, decisions = NO_DECISIONS } = state;
  if (findUnpublished === undefined || nextContent === null || !isUndecided(decisions)) return null;
  const replaced = migrations.at(-1);
  const previous = migrations.slice(0, -1);
  if (replaced === undefined || replaced.snapshot === null || replaced.content === null) return null;
  if (replaced.codeFile !== null || !isLastApplied(replaced, history)) return null;
  const start = shapeAfter(previous);
  const current = { schema: replaced.snapshot.text, content: replaced.content };
  const next = { schema: nextSchema, content: asRecorded(nextContent) };
  if (!(await isAdditive(start, current)) || !(await isAdditive(start, next))) return null;
  if (!(await findUnpublished()).has(replaced.name)) return null;
  if ((await printAlone(previous, current, dialect)) !== replaced.sql.replaceAll('\r\n', '\n')) return null;
  return { replaced, previous, sql: await printAlone(previous, next, dialect), nextContent };
}
