import { isDeepStrictEqual } from 'node:util';
import type { MigrationSession } from '../../database/dialect/migration-support.js';
import type { ContentModel } from '../../model/model.js';
import type { ApplyOptions } from '../apply/apply-migrations.js';
import { readHistory } from '../apply/migration-history.js';
import type { HistoryEntry } from '../apply/migration-history.js';
import type { ContentDecisions } from '../content/content-decisions.js';
import type { ContentSnapshot } from '../files/content-snapshot.js';
import type { Migration } from '../files/load-migrations.js';
import type { MigrationDraft } from '../files/migration-draft.js';
import type { DataImpact } from '../impact/data-impact.js';
import type { Rename } from '../schema/rename-in-schema.js';
import type { MigrationPlan } from './plan-migration.js';

/** The state that a migration leads to, and what the user has decided on the way. */
export interface PlannedState {
  readonly nextSchema: string;
  /** The content-types after the migration. Without them, only tables and columns are compared. */
  readonly nextContent?: ContentSnapshot | null;
  /** The user's decisions about stored values. */
  readonly decisions?: ContentDecisions;
  /** Renames of tables and columns. By default those that the decisions lead to. */
  readonly renames?: readonly Rename[];
}

/** The state that a plan was made from, by which it is checked before it is applied. */
export interface PlanBasis {
  /** The folders, by name and checksum. */
  readonly migrations: readonly Migration[];
  /** The records of the database. */
  readonly history: readonly HistoryEntry[];
}

/** A migration as it is shown, confirmed and applied. */
export interface Plan extends MigrationPlan {
  readonly state: PlannedState;
  readonly basis: PlanBasis;
  /** The content model before the migration. Null where it is not known. */
  readonly before: ContentModel | null;
  /** The effects of the plan on the stored values of this database. */
  readonly impact: readonly DataImpact[];
  /** True if it only adds, so that instances of the release before may serve on. */
  readonly isAdditive: boolean;
}

export interface ApplyPlanOptions extends ApplyOptions {
  /** The user's name for the migration. */
  readonly label: string;
  /** Returns the migrations that nobody else can have. If given, changes are folded into the last one. */
  readonly findUnpublished?: () => Promise<ReadonlySet<string>>;
}

/** True if both name the same folders and records, each with the same digest of its SQL. */
export function haveSameDigest(left: PlanBasis, right: PlanBasis): boolean {
  const digestOf = ({ migrations, history }: PlanBasis) => ({
    migrations: migrations.map(({ name, checksum }) => ({ name, checksum })),
    history,
  });
  return isDeepStrictEqual(digestOf(left), digestOf(right));
}

/** True if the records and the folders are still those of the basis. Reads no file but the folder's names. */
export async function isCurrent(
  session: MigrationSession,
  { migrations, history }: PlanBasis,
  draft: Pick<MigrationDraft, 'names'> | null,
): Promise<boolean> {
  if (!isDeepStrictEqual(await readHistory(session), history)) return false;
  return (
    draft === null ||
    isDeepStrictEqual(
      draft.names(),
      migrations.map(({ name }) => name),
    )
  );
}
