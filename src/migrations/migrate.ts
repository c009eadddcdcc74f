import type { MigrationSession } from '../dialects/migration-support.js';
import { fail } from '../errors/catalogue.js';
import { applyPending, asFailure, runMigration } from './apply.js';
import type { ApplyOptions } from './apply.js';
import { assertNoLoss } from './assert-no-loss.js';
import type { Loss } from './at-stake.js';
import { readHistory } from './history.js';
import type { HistoryEntry } from './history.js';
import { measureLosses } from './measure-losses.js';
import { draftMigration } from './migration-draft.js';
import type { MigrationDraft } from './migration-draft.js';
import { assertSameDatabase, lastKnown, loadMigrations, schemaAfter } from './migration-files.js';
import type { Migration } from './migration-files.js';
import { planMigration, printMigration } from './plan.js';
import type { MigrationPlan } from './plan.js';
import type { Rename } from './rename-in-schema.js';
import { DEFAULT_WAIT_MS, withSession } from './status.js';

export interface MigrateOptions extends ApplyOptions {
  readonly nextSchema: string;
  readonly renames?: readonly Rename[];
  /** What the migration is called, in the user's words. */
  readonly label: string;
}

export interface Preview extends MigrationPlan {
  /** What of the plan's stakes concerns rows that this database holds. */
  readonly losses: readonly Loss[];
}

export interface MigrateResult extends Preview {
  /** The migration that was written; null: the schema asked for none. */
  readonly name: string | null;
  /** Everything that was applied, what was pending before included. */
  readonly applied: readonly string[];
}

type PreviewOptions = Omit<MigrateOptions, 'label' | 'acceptsDataLoss' | 'onProgress'>;

/** What a plan was made from. */
interface Seen {
  readonly migrations: readonly Migration[];
  readonly files: readonly string[];
  readonly history: readonly string[];
}

const preview = async (session: MigrationSession, migrations: readonly Migration[], { nextSchema, renames = [], dialect }: PreviewOptions): Promise<Preview> => {
  const plan = await planMigration({ previousSchema: schemaAfter(migrations), nextSchema, dialect, renames });
  return { ...plan, losses: await measureLosses(session, plan.stakes) };
};

/**
 * What {@link migrate} would do: the SQL, and what of it this database's rows would not survive. Changes nothing.
 *
 * @throws `migration/invalid-schema`, `migration/invalid-rename`, `migration/wrong-database`, `migration/unreadable`
 */
export async function previewMigration(options: PreviewOptions): Promise<Preview> {
  await assertSameDatabase(options.folder, options.dialect.prismaProvider);
  const migrations = await loadMigrations(options.folder);
  return withSession(options, false, (session) => preview(session, migrations, options));
}

const sameNames = (left: readonly string[], right: readonly string[]): boolean => left.length === right.length && left.every((name, index) => name === right[index]);

const namesIn = (history: readonly HistoryEntry[]): readonly string[] => history.map(({ name }) => name);

/**
 * Puts the draft among the migrations and applies it, in one turn: nobody sees the folder before it is decided that it stays. Null:
 * somebody else has migrated since the plan was made.
 */
const publishInTurn = (session: MigrationSession, draft: MigrationDraft, seen: Seen, options: MigrateOptions): Promise<string | null> =>
  session.exclusively(async () => {
    const isOutrun = !sameNames(namesIn(await readHistory(session)), seen.history) || !sameNames(draft.names(), seen.files);
    if (isOutrun) return null;
    const migration = draft.publish();
    await session.script(options.dialect.migrations.createHistory);
    await runMigration(session, migration, options);
    return migration.name;
  });

const publish = async (session: MigrationSession, plan: Preview, seen: Seen, options: MigrateOptions): Promise<string | null> => {
  const { folder, label, nextSchema, dialect, acceptsDataLoss = false } = options;
  const sql = printMigration(plan, acceptsDataLoss && plan.losses.length > 0);
  const draft = await draftMigration({ folder, label, sql, snapshot: { parent: lastKnown(seen.migrations), text: nextSchema }, provider: dialect.prismaProvider });
  try {
    const name = await publishInTurn(session, draft, seen, options);
    if (name === null) await draft.discard();
    return name;
  } catch (error) {
    await draft.discard();
    throw asFailure(error, label, options);
  }
};

/** How often somebody else may come first before giving up; each time there is less left to do. */
const ATTEMPTS = 5;

/**
 * Development: applies what is pending, then writes a migration from what the migrations know of the schema to `nextSchema`, and
 * applies it. Where that is refused or fails, neither the database nor the folder has changed. A command and a development server that
 * see the same change at the same time make one migration of it.
 *
 * The plan is made before the turn, not in it: while SQLite is locked, nothing may wait for a file, since a writer in this process would
 * stop the process to wait for the lock.
 *
 * @throws `migration/data-loss`, `migration/rows-in-the-way`, `migration/invalid-schema`, `migration/invalid-rename`, and what
 *   `applyMigrations` throws
 */
export async function migrate(options: MigrateOptions): Promise<MigrateResult> {
  await assertSameDatabase(options.folder, options.dialect.prismaProvider);
  return withSession(options, true, async (session) => {
    const applied: string[] = [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const migrations = await loadMigrations(options.folder);
      applied.push(...(await applyPending(session, migrations, options)));
      const seen: Seen = { migrations, files: migrations.map(({ name }) => name), history: namesIn(await readHistory(session)) };
      const plan = await preview(session, migrations, options);
      if (plan.sql === '') return { ...plan, name: null, applied };
      assertNoLoss(plan.losses, options.acceptsDataLoss === true);
      const name = await publish(session, plan, seen, options);
      if (name !== null) return { ...plan, name, applied: [...applied, name] };
    }
    throw fail('migration/locked', { seconds: Math.round((options.waitMs ?? DEFAULT_WAIT_MS) / 1000) });
  });
}
