import type { MigrationSession } from '../database/dialect/migration-support.js';
import { createError } from '../errors/catalogue.js';
import { applyPending, runMigration, toMigrationError } from './apply/apply-migrations.js';
import { DEFAULT_WAIT_MS, compareHistory, readHistory, withSession } from './apply/migration-history.js';
import type { MigrationTarget } from './apply/migration-history.js';
import { NO_DECISIONS } from './content/content-decisions.js';
import { asRecorded } from './files/snapshots.js';
import { CONTENT_ONLY_SQL, isContentChanged, transitionTo } from './content/content-transition.js';
import {
  assertSameDatabase,
  lastMigrationWithSnapshot,
  loadMigrations,
  schemaAfterMigrations,
} from './files/load-migrations.js';
import { draftMigration } from './files/migration-draft.js';
import type { MigrationDraft } from './files/migration-draft.js';
import { isUnsettled, planFold, publishFold, settleFolds } from './apply/fold-migrations.js';
import { historyError } from './apply/check-history.js';
import { assertAccepted, droppedIn, inspect, invalidIn } from './impact/data-impact.js';
import { isAdditive, shapeAfter } from './plan/additive.js';
import { haveSameDigest, isCurrent, planMigration, printMigration } from './plan/plan-migration.js';
import type { ApplyPlanOptions, Plan, PlanBasis, PlannedState } from './plan/plan-migration.js';

/*
 * Migrations in development. `createPlan` compares the project with its migrations and plans the next one.
 * `applyPlan` writes it to prisma/migrations and applies it. See plan/ for the SQL, content/ for the
 * conversion of stored values, impact/ for the count of affected rows, apply/ for production, and undo/ for
 * `cms migrate down`.
 */

export interface MigrateResult extends Plan {
  /** The migration that was written; null if the schema has not changed. */
  readonly name: string | null;
  /** The unpublished migration that was folded into it; null if there is none. */
  readonly replaced: string | null;
  /** All migrations that were applied, including those that were pending before. */
  readonly applied: readonly string[];
}

const makePlan = async (
  session: MigrationSession,
  basis: PlanBasis,
  state: PlannedState,
  { dialect }: Pick<MigrationTarget, 'dialect'>,
): Promise<Plan> => {
  const { nextSchema, nextContent = null, decisions = NO_DECISIONS, renames } = state;
  const { migrations } = basis;
  const transition = transitionTo(nextContent, migrations, decisions);
  const previousSchema = schemaAfterMigrations(migrations);
  const plan = await planMigration({
    previousSchema,
    nextSchema,
    dialect,
    transition,
    ...(renames === undefined ? {} : { renames }),
  });
  return {
    ...plan,
    state,
    basis,
    before: transition?.before ?? null,
    sql: plan.sql === '' && isContentChanged(nextContent, migrations) ? CONTENT_ONLY_SQL : plan.sql,
    impact: await inspect(session, plan.inspections),
    isAdditive: await isAdditive(shapeAfter(migrations), {
      schema: nextSchema,
      content: nextContent === null ? null : asRecorded(nextContent),
    }),
  };
};

/**
 * Plans the migration that leads to a state: the SQL, and its impact on this database. Changes nothing,
 * except that it settles the replacement of a migration that a killed process began.
 *
 * @throws `migration/invalid-schema`, `migration/invalid-rename`, `migration/wrong-database`,
 *   `migration/unreadable`, `migration/unknown`, `migration/edited`
 */
export async function createPlan(state: PlannedState, target: MigrationTarget): Promise<Plan> {
  const { folder, dialect } = target;
  await assertSameDatabase(folder, dialect.schema.provider);
  if (isUnsettled(folder)) await withSession(target, true, (session) => settleFolds(session, folder));
  return withSession(target, false, async (session) => {
    // Before the folder: what another process writes and applies meanwhile is pending, and not missing.
    const history = await readHistory(session);
    const migrations = await loadMigrations(folder);
    const error = historyError(compareHistory(migrations, history));
    if (error !== null) throw error;
    return makePlan(session, { migrations, history }, state, target);
  });
}

/**
 * Moves the draft into the migrations folder and applies it, while no other process migrates. Returns null if
 * another process has migrated since the plan was made.
 */
const publishExclusively = (
  session: MigrationSession,
  draft: MigrationDraft,
  plan: Plan,
  options: ApplyPlanOptions,
): Promise<string | null> =>
  session.runExclusive(async () => {
    if (!(await isCurrent(session, plan.basis, draft))) return null;
    const migration = draft.publish();
    await session.script(options.dialect.migrations.createHistoryTableSql);
    await runMigration(session, migration, plan.basis.migrations, options, plan);
    return migration.name;
  });

const publishMigration = async (
  session: MigrationSession,
  plan: Plan,
  options: ApplyPlanOptions,
): Promise<string | null> => {
  const { folder, label, dialect } = options;
  const { nextSchema, nextContent = null, decisions = NO_DECISIONS } = plan.state;
  const draft = await draftMigration({
    folder,
    label,
    sql: printMigration(plan, {
      isDataLossAccepted: droppedIn(plan.impact).length > 0,
      isInvalidAccepted: invalidIn(plan.impact).length > 0,
      decisions,
    }),
    snapshot: { parent: lastMigrationWithSnapshot(plan.basis.migrations), text: nextSchema },
    content: nextContent,
    provider: dialect.schema.provider,
  });
  try {
    const name = await publishExclusively(session, draft, plan, options);
    if (name === null) await draft.discard();
    return name;
  } catch (error) {
    await draft.discard();
    throw toMigrationError(error, label, options);
  }
};

/** The outcome of a plan; null if another process has migrated since it was made. */
type Outcome = Pick<MigrateResult, 'name' | 'replaced'> | null;

const publish = async (
  session: MigrationSession,
  plan: Plan,
  options: ApplyPlanOptions,
): Promise<Outcome> => {
  assertAccepted(plan.impact, options);
  const isHarmless = plan.impact.every(({ kind }) => kind === 'moved' || kind === 'converted');
  const fold = isHarmless ? await planFold(plan, options) : null;
  if (fold !== null) return publishFold(session, fold, plan, options);
  const name = await publishMigration(session, plan, options);
  return name === null ? null : { name, replaced: null };
};

/** Number of times that another process may migrate first before this one gives up. */
const MAX_ATTEMPTS = 5;

/**
 * Applies pending migrations, then writes the migration of the plan and applies it. Used in development.
 * If the new migration is rejected or fails, the database and the folder stay unchanged. If migrations were
 * pending, or another process has migrated since the plan was made, plans again from the new state. A command
 * and a development server that see the same change at the same time write one migration.
 *
 * Plans are made before the database is locked. While SQLite is locked, nothing may wait for a file, since a
 * writer in this process would block the process to wait for the lock. The impact is counted again under the
 * lock, as other processes write rows meanwhile.
 *
 * @throws `migration/data-loss`, `migration/constraint-violation`, `migration/invalid-schema`,
 *   `migration/invalid-rename`, and the errors of `applyMigrations`
 */
export async function applyPlan(plan: Plan, options: ApplyPlanOptions): Promise<MigrateResult> {
  await assertSameDatabase(options.folder, options.dialect.schema.provider);
  return withSession(options, true, async (session) => {
    const applied: string[] = [];
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      await settleFolds(session, options.folder);
      const migrations = await loadMigrations(options.folder);
      applied.push(...(await applyPending(session, migrations, options)));
      const basis: PlanBasis = { migrations, history: await readHistory(session) };
      const current = haveSameDigest(basis, plan.basis)
        ? plan
        : await makePlan(session, basis, plan.state, options);
      if (current.sql === '') return { ...current, name: null, replaced: null, applied };
      // After the basis is read: what other processes migrate later makes the plan stale.
      await options.assertLoaded?.();
      const outcome = await publish(session, current, options);
      if (outcome === null) continue;
      const { name } = outcome;
      return { ...current, ...outcome, applied: name === null ? applied : [...applied, name] };
    }
    throw createError('migration/locked', {
      seconds: Math.round((options.waitMs ?? DEFAULT_WAIT_MS) / 1000),
    });
  });
}
