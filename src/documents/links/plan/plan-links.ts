import type { IssueList } from '../../../validation/issues.js';
import type { FieldValues } from '../../rows/table-statements.js';
import type { WriteContext } from '../../write-context.js';
import type { LinkChanges } from '../apply/link-changes.js';
import type { RelationMapping } from '../relation-mapping.js';
import type { LoadedRelationWrite } from '../relation-write.js';
import type { TargetLookup } from '../targets/target-lookup.js';
import { planInverse } from './plan-inverse.js';
import { planOwnerColumn } from './plan-owner-column.js';
import { planOwnerList } from './plan-owner-list.js';
import type { WrittenVersionIds } from './plan-owner-list.js';

/** What the links of one document are planned from. */
export interface LinkPlan {
  readonly context: WriteContext;
  readonly writes: readonly LoadedRelationWrite[];
  readonly requiredLinks: ReadonlySet<string>;
  readonly lookup: TargetLookup;
  readonly changes: LinkChanges;
  readonly issues: IssueList;
}

const checkRequired = (
  { issues, requiredLinks }: LinkPlan,
  { attribute }: RelationMapping,
  isEmpty: boolean,
): void => {
  if (isEmpty && requiredLinks.has(attribute.name) && !attribute.many)
    issues.add([attribute.name], 'must be set');
};

/** Plans the links that are columns. Returns the values to write with the version rows. */
export function planColumns(plan: LinkPlan): FieldValues {
  const values: FieldValues = {};
  for (const write of plan.writes) {
    const { link, attribute } = write.mapping;
    if (link.kind !== 'column' || attribute.side === 'inverse') continue;
    const outcome = planOwnerColumn(plan.context, write, link, plan.lookup, plan.changes);
    checkRequired(plan, write.mapping, outcome.documentId === null);
    Object.assign(values, outcome.data);
  }
  return values;
}

/** Plans all other links, once the version rows are written. */
export function planLists(plan: LinkPlan, versionIds: WrittenVersionIds): void {
  for (const write of plan.writes) {
    const { link, attribute } = write.mapping;
    if (attribute.side === 'inverse')
      checkRequired(plan, write.mapping, planInverse({ write, versionIds, ...plan }).isEmpty);
    else if (link.kind !== 'column')
      checkRequired(plan, write.mapping, planOwnerList({ write, ...plan }, versionIds).isEmpty);
  }
}
