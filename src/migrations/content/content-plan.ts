import type { MigrationSession } from '../../dialects/migration-support.js';
import type { ContentModel, Uid } from '../../model/model.js';
import type { DestructiveChange } from '../losses/destructive-change.js';
import type { MigrationDialect } from '../migration-dialect.js';
import type { Rename } from '../schema/rename-in-schema.js';
import type { ContentDecisions, PlannedDecisions } from './content-decisions.js';
import type { ModelMatch } from './match-models.js';

/**
 * - `moved`: the values stand under another name, unchanged.
 * - `converted`: the values have another type, without loss.
 * - `misfit`: the values stay, but the new schema does not accept them.
 * - `dropped`: the values are deleted.
 */
type ContentChangeKind = 'moved' | 'converted' | 'misfit' | 'dropped';

/** What a migration does to stored values at one place of the content, as counted in one database. */
export interface ContentChange {
  readonly kind: ContentChangeKind;
  /** The content-type whose documents hold the values, before the migration. */
  readonly type: Uid;
  /**
   * The attribute before the migration, with the components above it: `price`, `seo.title`,
   * `sections[blocks.quote].author`. Null where it concerns the documents as a whole.
   */
  readonly path: string | null;
  /** The number of values, or of documents: over all drafts, locales and nested items. Never 0. */
  readonly values: number;
  /** Up to three of the values, as JSON. */
  readonly samples: readonly string[];
  /** Why: `the attribute is removed`, `not a whole number`. */
  readonly reason: string;
  /** What would keep the values or make them fit; null where nothing can. */
  readonly remedy: string | null;
}

/** Counts changes in the database as it is before the migration. Writes temporary tables at most. */
export type Survey = (session: MigrationSession) => Promise<readonly ContentChange[]>;

/**
 * What one kind of storage contributes to the plan. Statements use the names after the migration's renames;
 * surveys use the names before them.
 */
export interface ContentPlanPart {
  /** Run after tables and columns are renamed, and before they change. */
  readonly statementsBefore: readonly string[];
  /** Run once the tables have changed, and before versions of documents are added or deleted. */
  readonly statementsAfter: readonly string[];
  /** Run at last, once versions of documents have been added or deleted. */
  readonly statementsLast?: readonly string[];
  /** Tables (column null) and columns that are dropped, while the part accounts for what they hold. */
  readonly accountedDrops: readonly { readonly table: string; readonly column: string | null }[];
  /** Whether the surveys account for a destructive change that the comparison of the tables found. */
  readonly isCovered: (change: DestructiveChange) => boolean;
  readonly surveys: readonly Survey[];
}

export interface ContentPlanRequest {
  readonly before: ContentModel;
  readonly after: ContentModel;
  readonly match: ModelMatch;
  readonly renames: readonly Rename[];
  readonly decisions: PlannedDecisions;
  readonly dialect: MigrationDialect;
}

/** The two models of a migration, and what the user has decided about the content. */
export interface ContentTransition {
  readonly before: ContentModel;
  readonly after: ContentModel;
  readonly decisions: ContentDecisions;
}
