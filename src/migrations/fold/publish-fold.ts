import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { runScript, toMigrationError } from '../apply/apply-migrations.js';
import { replaceMigrationRecord } from '../apply/migration-history.js';
import type { Migration } from '../files/load-migrations.js';
import { draftMigration } from '../files/migration-draft.js';
import type { MigrationDraft } from '../files/migration-draft.js';
import { replaceRecord } from '../undo/run-recorded.js';
import { inspect } from '../impact/data-impact.js';
import { isCurrent } from '../plan/plan.js';
import type { ApplyPlanOptions, Plan } from '../plan/plan.js';
import { printMigration } from '../plan/plan-migration.js';
import { REPLACES_FILE, moveAside, moveBack, removeReplaced } from './folded-files.js';
import { UNDECIDED } from './plan-fold.js';
import type { Fold } from './plan-fold.js';

/** The migration that was replaced, and that in its place: null where both changes cancel out. */
interface FoldedChange {
  readonly replaced: string;
  readonly name: string | null;
}

const draftFold = (
  { replaced, sql, nextContent }: Fold,
  { state }: Plan,
  { folder, dialect }: ApplyPlanOptions,
): Promise<MigrationDraft> | null =>
  sql === null
    ? null
    : draftMigration({
        folder,
        label: replaced.name.replace(/^\d+_/, ''),
        sql,
        snapshot: { parent: replaced.snapshot?.parent ?? null, text: state.nextSchema },
        content: nextContent,
        provider: dialect.schema.provider,
        files: { [REPLACES_FILE]: replaced.name },
      });

/** Runs the change that the last migration lacks, and records the fold in its place. */
const applyFold = async (
  session: MigrationSession,
  { replaced, previous }: Fold,
  plan: Plan,
  migration: Migration | null,
): Promise<void> => {
  const startedAt = new Date();
  const sql = printMigration(plan, UNDECIDED);
  await runScript(session, { ...(migration ?? replaced), renames: plan.renames, sql }, plan, {});
  await replaceMigrationRecord(
    session,
    replaced.name,
    migration === null
      ? null
      : { name: migration.name, checksum: migration.checksum, startedAt, isFinished: true },
  );
  await replaceRecord(session, replaced.name, migration, previous);
};

/** True if another process has migrated since, or if the change has come to affect stored values. */
const isStale = async (
  session: MigrationSession,
  { basis, inspections }: Plan,
  draft: MigrationDraft | null,
): Promise<boolean> =>
  !(await isCurrent(session, basis, draft)) ||
  (await inspect(session, inspections)).some(({ kind }) => kind === 'dropped' || kind === 'invalid');

/**
 * Applies a change and writes one migration for it and the last one, in place of that. Returns null where the
 * plan is stale. A process that is killed leaves the old migration or the new one: see `settleFolds`.
 */
export async function publishFold(
  session: MigrationSession,
  fold: Fold,
  plan: Plan,
  options: ApplyPlanOptions,
): Promise<FoldedChange | null> {
  const { folder } = options;
  const { name: replaced } = fold.replaced;
  const draft = await draftFold(fold, plan, options);
  let isAside = false;
  try {
    const published = await session.runExclusive(async () => {
      if (await isStale(session, plan, draft)) return null;
      // Its name comes after that of the replaced one, which is moved away next.
      const migration = draft?.publish() ?? null;
      moveAside(folder, replaced);
      isAside = true;
      await applyFold(session, fold, plan, migration);
      return { replaced, name: migration?.name ?? null };
    });
    if (published === null) await draft?.discard();
    else removeReplaced(folder, replaced, published.name);
    return published;
  } catch (error) {
    await draft?.discard();
    if (isAside) moveBack(folder, replaced);
    throw toMigrationError(error, replaced, options);
  }
}
