import { isDeepStrictEqual } from 'node:util';
import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { createError } from '../../errors/catalogue.js';
import { toMigrationError } from '../apply/apply-migrations.js';
import { readHistory, rollBackRecord } from '../apply/migration-history.js';
import { withSession } from '../apply/migration-status.js';
import type { MigrationTarget } from '../apply/migration-status.js';
import { assertSameDatabase, loadMigrations } from '../files/load-migrations.js';
import { assertAccepted, inspect } from '../impact/data-impact.js';
import type { AcceptedImpact, DataImpact } from '../impact/data-impact.js';
import { dropCopies } from './drop-copies.js';
import { knownRecords } from './known-records.js';
import { RECORD_TABLE, deleteRecord } from './migration-record.js';
import { planDown } from './plan-down.js';
import type { DownStep } from './plan-down.js';
import { clearUnchanged, restoreRows } from './restore-rows.js';

export interface DownOptions extends MigrationTarget, AcceptedImpact {
  /** The number of migrations to revert, starting with the last one applied. */
  readonly steps?: number;
  /** Name of a migration; all later ones are reverted. */
  readonly to?: string | undefined;
  /** True if everything is rolled back in the end, to see what would be lost. */
  readonly isDryRun?: boolean;
}

export interface DownResult {
  /** The migrations that were taken back, newest first. */
  readonly reverted: readonly string[];
  readonly sql: string;
  readonly impact: readonly DataImpact[];
}

/** Thrown to roll a dry run back. */
class DryRun extends Error {
  override readonly name = 'DryRun';
}

/** Takes one migration back and returns the impact of that. */
const revert = async (
  session: MigrationSession,
  { name, plan, rows }: DownStep,
): Promise<readonly DataImpact[]> => {
  await clearUnchanged(session, rows);
  const impact = (await inspect(session, plan.inspections)).filter(
    ({ type }) => type !== `table ${RECORD_TABLE}`,
  );
  // Changes that no flag accepts are rejected before the database would reject them.
  assertAccepted(impact, { acceptsDataLoss: true, acceptsInvalid: true });
  if (plan.sql !== '') await session.script(plan.sql);
  await restoreRows(session, rows);
  await rollBackRecord(session, name);
  await dropCopies(session, rows);
  await deleteRecord(session, name);
  return impact;
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
  const impact: DataImpact[] = [];
  let isStale = false;
  try {
    await session.runExclusive(async () => {
      isStale = !isDeepStrictEqual(await readNames(session), history);
      if (isStale) return;
      for (const step of steps) impact.push(...(await revert(session, step)));
      if (options.isDryRun === true) throw new DryRun();
      assertAccepted(impact, options);
    });
  } catch (error) {
    if (!(error instanceof DryRun)) throw toMigrationError(error, reverted[0] ?? '', options);
  }
  // Another process has migrated since the plan was made.
  return isStale ? runDown(session, options) : { reverted, sql, impact };
};

/**
 * Reverts migrations, newest first, in one transaction: the tables get their previous form, and values that
 * the migrations changed or dropped are restored, for content that still exists. Newer values stay if the
 * older schema can hold them.
 *
 * @throws `migration/irreversible`, `migration/not-applied`, `migration/data-loss` if values written since
 *   would be lost, `migration/constraint-violation`, `migration/failed`, `migration/locked`
 */
export async function migrateDown(options: DownOptions): Promise<DownResult> {
  await assertSameDatabase(options.folder, options.dialect.schema.provider);
  return withSession(options, options.isDryRun !== true, (session) => runDown(session, options));
}
