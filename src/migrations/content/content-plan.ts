import type { ContentModel } from '../../model/model.js';
import type { Inspection } from '../impact/data-impact.js';
import type { TableChange } from '../impact/table-changes.js';
import type { MigrationDialect } from '../migration-dialect.js';
import type { Rename } from '../schema/rename-in-schema.js';
import type { ContentDecisions, PlannedDecisions } from './content-decisions.js';
import type { ModelMatch } from './match-models.js';

/**
 * The contribution of one kind of storage to the plan. Statements use the names after the migration's
 * renames; inspections use the names before them.
 */
export interface ContentPlanPart {
  /** Run after tables and columns are renamed, and before they change. */
  readonly statementsBefore?: readonly string[];
  /** Run once the tables have changed, and before versions of documents are added or deleted. */
  readonly statementsAfter?: readonly string[];
  /** Run at last, once versions of documents have been added or deleted. */
  readonly statementsLast?: readonly string[];
  /** True if the inspections count what a change of the tables drops. */
  readonly isCovered?: (change: TableChange) => boolean;
  readonly inspections?: readonly Inspection[];
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
