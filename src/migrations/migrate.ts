import { isDeepStrictEqual } from 'node:util';
import { NO_DECISIONS } from './content/content-decisions.js';
import type { ContentDecisions } from './content/content-decisions.js';
import type { ContentChange } from './content/content-plan.js';
import { runSurveys } from './content/run-surveys.js';
import { CONTENT_ONLY_SQL, isContentChanged, transitionTo } from './files/content-transition.js';
import { asRecorded } from './files/content-snapshot.js';
import type { ContentSnapshot } from './files/content-snapshot.js';
import type { MigrationSession } from '../dialects/migration-support.js';
import { createError } from '../errors/catalogue.js';
import { applyPending, toMigrationError, runMigration } from './apply/apply-migrations.js';
import type { ApplyOptions } from './apply/apply-migrations.js';
import { assertNoLoss } from './losses/assert-no-loss.js';
import { assertContentAccepted } from './content/assert-content-accepted.js';
import { losesData } from './losses/destructive-change.js';
import type { Loss } from './losses/destructive-change.js';
import { readHistory } from './apply/migration-history.js';
import type { HistoryEntry } from './apply/migration-history.js';
import { countLosses } from './losses/count-losses.js';
import { draftMigration } from './files/migration-draft.js';
import type { MigrationDraft } from './files/migration-draft.js';
import {
  assertSameDatabase,
  lastMigrationWithSnapshot,
  loadMigrations,
  schemaAfterMigrations,
} from './files/load-migrations.js';
import type { Migration } from './files/load-migrations.js';
import { isAdditive, shapeAfter } from './plan/additive.js';
import { planMigration, printMigration } from './plan/plan-migration.js';
import type { MigrationPlan } from './plan/plan-migration.js';
import type { Rename } from './schema/rename-in-schema.js';
import { foldChange } from './fold/fold-change.js';
import type { FoldChangeOptions } from './fold/fold-change.js';
import { settleFolds } from './fold/folded-files.js';
import { historyError } from './history/history-problems.js';
import { DEFAULT_WAIT_MS, compareHistory, withSession } from './apply/migration-status.js';

export interface MigrateOptions extends ApplyOptions, Pick<FoldChangeOptions, 'findUnpublished'> {
  readonly nextSchema: string;
  /** The content-types after the migration. Without them, only tables and columns are compared. */
  readonly nextContent?: ContentSnapshot | null;
  /** What the user has decided about stored values. */
  readonly decisions?: ContentDecisions;
  readonly renames?: readonly Rename[];
  /** The user's name for the migration. */
  readonly label: string;
}

export interface MigrationPreview extends MigrationPlan {
  /** The destructive changes of the plan that affect rows of this database. */
  readonly losses: readonly Loss[];
  /** What the plan does to the stored values of this database. */
  readonly contentChanges: readonly ContentChange[];
  /** Whether it only adds, so that instances of the release before may serve on. */
  readonly isAdditive: boolean;
}

export interface MigrateResult extends MigrationPreview {
  /** The migration that was written. Null where the schema has not changed. */
  readonly name: string | null;
  /** The unpublished migration whose change it holds, too. Null where it follows the last one. */
  readonly replaced: string | null;
  /** All migrations that were applied, including those that were pending before. */
  readonly applied: readonly string[];
}

type PreviewOptions = Omit<MigrateOptions, 'label' | 'acceptsDataLoss' | 'acceptsMisfits' | 'onProgress'>;

/** The state that a plan was made from. */
interface PlanBasis {
  readonly migrations: readonly Migration[];
  readonly files: readonly string[];
  readonly history: readonly string[];
}

const createPreview = async (
  session: MigrationSession,
  migrations: readonly Migration[],
  { nextSchema, nextContent = null, decisions = NO_DECISIONS, renames = [], dialect }: PreviewOptions,
): Promise<MigrationPreview> => {
  const plan = await planMigration({
    previousSchema: schemaAfterMigrations(migrations),
    nextSchema,
    dialect,
    renames,
    transition: transitionTo(nextContent, migrations, decisions),
  });
  return {
    ...plan,
    losses: await countLosses(session, plan.destructiveChanges),
    sql: plan.sql === '' && isContentChanged(nextContent, migrations) ? CONTENT_ONLY_SQL : plan.sql,
    contentChanges: await runSurveys(session, plan.surveys),
    isAdditive: await isAdditive(shapeAfter(migrations), {
      schema: nextSchema,
      content: nextContent === null ? null : asRecorded(nextContent),
    }),
  };
};

/**
 * Returns what {@link migrate} would do: the SQL, and the rows of this database it would affect. Changes
 * nothing.
 *
 * @throws `migration/invalid-schema`, `migration/invalid-rename`, `migration/wrong-database`,
 *   `migration/unreadable`, `migration/unknown`, `migration/edited`
 */
export async function previewMigration(options: PreviewOptions): Promise<MigrationPreview> {
  await assertSameDatabase(options.folder, options.dialect.schema.provider);
  const migrations = await loadMigrations(options.folder);
  return withSession(options, false, async (session) => {
    const error = historyError(compareHistory(migrations, await readHistory(session)));
    if (error !== null) throw error;
    return createPreview(session, migrations, options);
  });
}

const namesIn = (history: readonly HistoryEntry[]): readonly string[] => history.map(({ name }) => name);

/**
 * Moves the draft into the migrations folder and applies it, while no other process migrates. Returns null
 * where another process has migrated since the plan was made.
 */
const publishExclusively = (
  session: MigrationSession,
  draft: MigrationDraft,
  basis: PlanBasis,
  options: MigrateOptions,
): Promise<string | null> =>
  session.runExclusive(async () => {
    const isStale =
      !isDeepStrictEqual(namesIn(await readHistory(session)), basis.history) ||
      !isDeepStrictEqual(draft.names(), basis.files);
    if (isStale) return null;
    const migration = draft.publish();
    await session.script(options.dialect.migrations.createHistoryTableSql);
    await runMigration(session, migration, basis.migrations, options);
    return migration.name;
  });

const publishMigration = async (
  session: MigrationSession,
  plan: MigrationPreview,
  basis: PlanBasis,
  options: MigrateOptions,
): Promise<string | null> => {
  const { folder, label, nextSchema, nextContent = null, dialect, decisions = NO_DECISIONS } = options;
  const hasLoss = plan.losses.some(losesData) || plan.contentChanges.some(({ kind }) => kind === 'dropped');
  const sql = printMigration(plan, {
    isDataLossAccepted: options.acceptsDataLoss === true && hasLoss,
    areMisfitsAccepted:
      options.acceptsMisfits === true && plan.contentChanges.some(({ kind }) => kind === 'misfit'),
    decisions,
  });
  const draft = await draftMigration({
    folder,
    label,
    sql,
    snapshot: { parent: lastMigrationWithSnapshot(basis.migrations), text: nextSchema },
    content: nextContent,
    provider: dialect.schema.provider,
  });
  try {
    const name = await publishExclusively(session, draft, basis, options);
    if (name === null) await draft.discard();
    return name;
  } catch (error) {
    await draft.discard();
    throw toMigrationError(error, label, options);
  }
};

const losesValues = ({ losses, contentChanges }: MigrationPreview): boolean =>
  losses.some(losesData) || contentChanges.some(({ kind }) => kind === 'dropped' || kind === 'misfit');

/** How often another process may migrate first before this one gives up. */
const MAX_ATTEMPTS = 5;

/**
 * Applies pending migrations, then writes a migration that leads to `nextSchema`, and applies it. Used in
 * development. Where that is refused or fails, neither the database nor the folder has changed. A command and
 * a development server that see the same change at the same time write one migration.
 *
 * The plan is made before the database is locked. While SQLite is locked, nothing may wait for a file, since
 * a writer in this process would block the process to wait for the lock.
 *
 * @throws `migration/data-loss`, `migration/constraint-violation`, `migration/invalid-schema`,
 *   `migration/invalid-rename`, and what `applyMigrations` throws
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  await assertSameDatabase(options.folder, options.dialect.schema.provider);
  return withSession(options, true, async (session) => {
    const applied: string[] = [];
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      await settleFolds(session, options.folder);
      const migrations = await loadMigrations(options.folder);
      applied.push(...(await applyPending(session, migrations, options)));
      const history = await readHistory(session);
      const basis: PlanBasis = {
        migrations,
        files: migrations.map(({ name }) => name),
        history: namesIn(history),
      };
      const plan = await createPreview(session, migrations, options);
      if (plan.sql === '') return { ...plan, name: null, replaced: null, applied };
      assertNoLoss(plan.losses, options.acceptsDataLoss === true);
      assertContentAccepted(plan.contentChanges, options);
      const folded = losesValues(plan)
        ? null
        : await foldChange(session, plan, { migrations, history }, options);
      if (folded === 'stale') continue;
      if (folded !== null)
        return { ...plan, ...folded, applied: folded.name === null ? applied : [...applied, folded.name] };
      const name = await publishMigration(session, plan, basis, options);
      if (name !== null) return { ...plan, name, replaced: null, applied: [...applied, name] };
    }
    throw createError('migration/locked', {
      seconds: Math.round((options.waitMs ?? DEFAULT_WAIT_MS) / 1000),
    });
  });
}
