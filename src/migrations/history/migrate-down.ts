import { isDeepStrictEqual } from 'node:util';
import type { MigrationSession } from '../../dialects/migration-support.js';
import { createError } from '../../errors/catalogue.js';
import { toMigrationError } from '../apply/apply-migrations.js';
import { readHistory, rollBackRecord } from '../apply/migration-history.js';
import { withSession } from '../apply/migration-status.js';
import type { MigrationTarget } from '../apply/migration-status.js';
import type { ContentChange } from '../content/content-plan.js';
import { runSurveys } from '../content/run-surveys.js';
import { assertSameDatabase, loadMigrations } from '../files/load-migrations.js';
import { countLosses } from '../losses/count-losses.js';
import type { Loss } from '../losses/destructive-change.js';
import { assertNoLoss } from '../losses/assert-no-loss.js';
import { assertContentAccepted } from '../content/assert-content-accepted.js';
import { dropCopies } from './drop-copies.js';
import { knownRecords } from './known-records.js';
import { RECORD_TABLE, deleteRecord } from './migration-record.js';
import { planDown } from './plan-down.js';
import type { DownStep } from './plan-down.js';
import { clearUnchanged, restoreRows } from './restore-rows.js';

export interface DownOptions extends MigrationTarget {
  /** How many migrations to take back: those applied last. */
  readonly steps?: number;
  /** The migration after which all are taken back. */
  readonly to?: string | undefined;
  readonly acceptsDataLoss?: boolean;
  readonly acceptsMisfits?: boolean;
  /** Whether everything is rolled back in the end, to see what would be lost. */
  readonly isDryRun?: boolean;
}

export interface DownResult {
  /** The migrations that were taken back, newest first. */
  readonly reverted: readonly string[];
  readonly sql: string;
  readonly losses: readonly Loss[];
  readonly contentChanges: readonly ContentChange[];
}

/** Thrown to roll a dry run back. */
class DryRun extends Error {
  override readonly name = 'DryRun';
}

type Found = Pick<DownResult, 'losses' | 'contentChanges'>;

/** Takes one migration back and returns what is lost by that. */
const revert = async (session: MigrationSession, { name, plan, rows }: DownStep): Promise<Found> => {
  await clearUnchanged(session, rows);
  const losses = (await countLosses(session, plan.destructiveChanges)).filter(
    ({ table }) => table !== RECORD_TABLE,
  );
  const contentChanges = await runSurveys(session, plan.surveys);
  // What no flag accepts is refused before the database would refuse it.
  assertNoLoss(losses, true);
  if (plan.sql !== '') await session.script(plan.sql);
  await restoreRows(session, rows);
  await rollBackRecord(session, name);
  await dropCopies(session, rows);
  await deleteRecord(session, name);
  return { losses, contentChanges };
};

const revertAll = async (session: MigrationSession, steps: readonly DownStep[]): Promise<Found> => {
  const losses: Loss[] = [];
  const contentChanges: ContentChange[] = [];
  for (const step of steps) {
    const found = await revert(session, step);
    losses.push(...found.losses);
    contentChanges.push(...found.contentChanges);
  }
  return { losses, contentChanges };
};

/** Plans the steps before the database is locked, under which nothing may wait for a file. */
const planSteps = async (
  session: MigrationSession,
  names: readonly string[],
  options: DownOptions,
): Promise<readonly DownStep[]> => {
  const records = await knownRecords(session, await loadMigrations(options.folder));
  const steps: DownStep[] = [];
  for (const name of names) {
    const record = records.get(name);
    if (record === undefined)
      throw createError('migration/irreversible', {
        name,
        file: `prisma/migrations/${name}/down.sql`,
        reason: 'its folder is missing, and an older release applied it, which kept no record',
      });
    steps.push(await planDown(record, options));
  }
  return steps;
};

const readNames = async (session: MigrationSession): Promise<readonly string[]> =>
  (await readHistory(session)).map(({ name }) => name);

const namesToRevert = (
  history: readonly string[],
  { steps = 1, to }: Pick<DownOptions, 'steps' | 'to'>,
): readonly string[] => {
  const index = to === undefined ? history.length - steps - 1 : history.indexOf(to);
  if (to !== undefined && index === -1) throw createError('migration/not-applied', { name: to });
  return history.slice(Math.max(index + 1, 0)).toReversed();
};

const runDown = async (session: MigrationSession, options: DownOptions): Promise<DownResult> => {
  const history = await readNames(session);
  const reverted = namesToRevert(history, options);
  const steps = await planSteps(session, reverted, options);
  const sql = steps.map(({ name, plan }) => `-- ${name}\n${plan.sql.trimEnd()}\n`).join('\n');
  let found: Found = { losses: [], contentChanges: [] };
  let isStale = false;
  try {
    await session.runExclusive(async () => {
      isStale = !isDeepStrictEqual(await readNames(session), history);
      if (isStale) return;
      found = await revertAll(session, steps);
      if (options.isDryRun === true) throw new DryRun();
      assertNoLoss(found.losses, options.acceptsDataLoss === true);
      assertContentAccepted(found.contentChanges, options);
    });
  } catch (error) {
    if (!(error instanceof DryRun)) throw toMigrationError(error, reverted[0] ?? '', options);
  }
  // Another process has migrated since the plan was made.
  return isStale ? runDown(session, options) : { reverted, sql, ...found };
};

/**
 * Takes migrations back, newest first, in one transaction: the tables become what they were, and values that
 * the migrations changed or dropped come back, for content that still exists. What was written since stays
 * where the older schema can hold it.
 *
 * @throws `migration/irreversible`, `migration/not-applied`, `migration/data-loss` where what was written
 *   since would be lost, `migration/constraint-violation`, `migration/failed`, `migration/locked`
 */
export async function migrateDown(options: DownOptions): Promise<DownResult> {
  await assertSameDatabase(options.folder, options.dialect.schema.provider);
  return withSession(options, options.isDryRun !== true, (session) => runDown(session, options));
}
