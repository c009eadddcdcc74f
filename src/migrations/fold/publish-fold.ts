import { isDeepStrictEqual } from 'node:util';
import type { MigrationSession } from '../../dialects/migration-support.js';
import { runScript } from '../apply/apply-migrations.js';
import { readHistory, replaceMigrationRecord } from '../apply/migration-history.js';
import { NO_DECISIONS } from '../content/content-decisions.js';
import { runSurveys } from '../content/run-surveys.js';
import type { ContentSnapshot } from '../files/content-snapshot.js';
import type { Migration } from '../files/load-migrations.js';
import { draftMigration } from '../files/migration-draft.js';
import type { MigrationDraft } from '../files/migration-draft.js';
import { parseHeader } from '../files/migration-header.js';
import { replaceRecord } from '../history/run-recorded.js';
import { countLosses } from '../losses/count-losses.js';
import { losesData } from '../losses/destructive-change.js';
import type { MigrationDialect } from '../migration-dialect.js';
import { printMigration } from '../plan/plan-migration.js';
import type { MigrationPlan } from '../plan/plan-migration.js';
import { REPLACES_FILE, moveAside, moveBack, removeReplaced } from './folded-files.js';
import type { Fold } from './plan-fold.js';

interface FoldOptions {
  readonly folder: string;
  readonly nextSchema: string;
  readonly nextContent: ContentSnapshot;
  readonly dialect: MigrationDialect;
}

/** What the fold was planned from: the names of the folders and of the applied migrations. */
interface FoldBasis {
  readonly files: readonly string[];
  readonly history: readonly string[];
}

/** The migration that stands in place of the replaced one. Its name is null where both changes cancel out. */
export interface PublishedFold {
  readonly name: string | null;
}

/** Whether the change loses values of this database, or leaves some that do not fit. */
const affectsValues = async (session: MigrationSession, change: MigrationPlan): Promise<boolean> =>
  (await countLosses(session, change.destructiveChanges)).some(losesData) ||
  (await runSurveys(session, change.surveys)).some(({ kind }) => kind === 'dropped' || kind === 'misfit');

const draftFold = (
  { replaced, sql }: Fold,
  { folder, nextSchema, nextContent, dialect }: FoldOptions,
): Promise<MigrationDraft> | null =>
  sql === null
    ? null
    : draftMigration({
        folder,
        label: replaced.name.replace(/^\d+_/, ''),
        sql,
        snapshot: { parent: replaced.snapshot?.parent ?? null, text: nextSchema },
        content: nextContent,
        provider: dialect.schema.provider,
        files: { [REPLACES_FILE]: replaced.name },
      });

/** Runs the change that the last migration lacks, and records the fold in its place. */
const applyFold = async (
  session: MigrationSession,
  { replaced, previous }: Fold,
  change: MigrationPlan,
  migration: Migration | null,
): Promise<void> => {
  const startedAt = new Date();
  const sql = printMigration(change, {
    isDataLossAccepted: false,
    areMisfitsAccepted: false,
    decisions: NO_DECISIONS,
  });
  await runScript(session, { ...(migration ?? replaced), ...parseHeader(sql), sql }, false);
  await replaceMigrationRecord(
    session,
    replaced.name,
    migration === null
      ? null
      : { name: migration.name, checksum: migration.checksum, startedAt, isFinished: true },
  );
  await replaceRecord(session, replaced.name, migration, previous);
};

/**
 * Applies a change and writes one migration for it and the last one, in place of that. Returns null where
 * another process has migrated since, or where the change has come to affect stored values. A process that is
 * killed leaves the old migration or the new one: see `settleFolds`.
 */
export async function publishFold(
  session: MigrationSession,
  fold: Fold,
  change: MigrationPlan,
  basis: FoldBasis,
  options: FoldOptions,
): Promise<PublishedFold | null> {
  const { folder } = options;
  const draft = await draftFold(fold, options);
  let isAside = false;
  try {
    const published = await session.runExclusive(async () => {
      const history = (await readHistory(session)).map(({ name }) => name);
      const isStale =
        !isDeepStrictEqual(history, basis.history) ||
        (draft !== null && !isDeepStrictEqual(draft.names(), basis.files));
      if (isStale || (await affectsValues(session, change))) return null;
      // Its name comes after that of the replaced one, which is moved away next.
      const migration = draft?.publish() ?? null;
      moveAside(folder, fold.replaced.name);
      isAside = true;
      await applyFold(session, fold, change, migration);
      return { name: migration?.name ?? null };
    });
    if (published === null) await draft?.discard();
    else removeReplaced(folder, fold.replaced.name, published.name);
    return published;
  } catch (error) {
    await draft?.discard();
    if (isAside) moveBack(folder, fold.replaced.name);
    throw error;
  }
}
