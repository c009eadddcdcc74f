import type { MigrationSession } from '../../dialects/migration-support.js';
import { toMigrationError } from '../apply/apply-migrations.js';
import type { HistoryEntry } from '../apply/migration-history.js';
import type { MigrationTarget } from '../apply/migration-status.js';
import { isUndecided } from '../content/content-decisions.js';
import type { ContentDecisions } from '../content/content-decisions.js';
import type { ContentSnapshot } from '../files/content-snapshot.js';
import type { Migration } from '../files/load-migrations.js';
import type { MigrationPlan } from '../plan/plan-migration.js';
import { planFold } from './plan-fold.js';
import { publishFold } from './publish-fold.js';

export interface FoldChangeOptions extends MigrationTarget {
  readonly nextSchema: string;
  readonly nextContent?: ContentSnapshot | null;
  readonly decisions?: ContentDecisions;
  /** Returns the migrations that nobody else can have. Where given, changes are folded into the last one. */
  readonly findUnpublished?: () => Promise<ReadonlySet<string>>;
}

interface FoldState {
  readonly migrations: readonly Migration[];
  readonly history: readonly HistoryEntry[];
}

/** The migration that was replaced, and that in its place: null where both changes cancel out. */
export interface FoldedChange {
  readonly replaced: string;
  readonly name: string | null;
}

/**
 * Applies a change as part of the last migration, where that can still be replaced. Returns null where it
 * cannot, and `stale` where another process has migrated since the change was planned.
 */
export async function foldChange(
  session: MigrationSession,
  change: MigrationPlan,
  { migrations, history }: FoldState,
  options: FoldChangeOptions,
): Promise<FoldedChange | 'stale' | null> {
  const { findUnpublished, nextContent = null, decisions, ...rest } = options;
  if (findUnpublished === undefined || nextContent === null) return null;
  if (decisions !== undefined && !isUndecided(decisions)) return null;
  const target = { ...rest, nextContent };
  const fold = await planFold({ ...target, migrations, history, findUnpublished });
  if (fold === null) return null;
  const { name: replaced } = fold.replaced;
  const basis = { files: migrations.map(({ name }) => name), history: history.map(({ name }) => name) };
  try {
    const published = await publishFold(session, fold, change, basis, target);
    return published === null ? 'stale' : { replaced, name: published.name };
  } catch (error) {
    throw toMigrationError(error, replaced, options);
  }
}
