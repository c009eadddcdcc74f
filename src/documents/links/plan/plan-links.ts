import { throwIssues } from '../../validation/issues.js';
import type { Issue } from '../../validation/issues.js';
import type { FieldValues } from '../../rows/table-statements.js';
import type { WriteContext } from '../../write/write-context.js';
import type { LinkChange } from '../apply/link-changes.js';
import type { RelationMapping } from '../relation-mapping.js';
import type { LoadedRelationWrite } from '../relation-write.js';
import type { TargetLookup } from '../targets/target-lookup.js';
import { planInverse } from './plan-inverse.js';
import { planOwnerColumn } from './plan-owner-column.js';
import { planOwnerList } from './plan-owner-list.js';
import type { WrittenVersionIds } from './plan-owner-list.js';

/** The stored rows and the operations that the links of one document are planned from. */
export interface LinkPlan {
  readonly context: WriteContext;
  readonly writes: readonly LoadedRelationWrite[];
  readonly requiredLinks: ReadonlySet<string>;
  readonly lookup: TargetLookup;
}

/** The changes of links that are columns. */
export interface ColumnPlan {
  /** Written with the version rows. */
  readonly values: FieldValues;
  /** Changes of other documents' links. */
  readonly changes: readonly LinkChange[];
  readonly issues: readonly Issue[];
}

const requiredIssues = (
  { requiredLinks }: LinkPlan,
  { attribute }: RelationMapping,
  isEmpty: boolean,
): readonly Issue[] =>
  isEmpty && requiredLinks.has(attribute.name) && !attribute.many
    ? [{ path: [attribute.name], message: 'must be set' }]
    : [];

/** Plans the links that are columns. */
export function planColumns(plan: LinkPlan): ColumnPlan {
  const outcomes = plan.writes.flatMap((write) => {
    const { link, attribute } = write.mapping;
    if (link.kind !== 'column' || attribute.side === 'inverse') return [];
    return [{ ...planOwnerColumn(plan, write, link), mapping: write.mapping }];
  });
  return {
    values: Object.assign({}, ...outcomes.map(({ values }) => values)) as FieldValues,
    changes: outcomes.flatMap(({ changes }) => changes),
    issues: outcomes.flatMap(({ mapping, documentId }) => requiredIssues(plan, mapping, documentId === null)),
  };
}

/**
 * Plans all other links, once the version rows are written. Returns them with the changes that columns imply.
 *
 * @throws `request/invalid-relation`, and `request/invalid-values` for required links that are left empty
 */
export function planLists(
  plan: LinkPlan,
  columns: ColumnPlan,
  versionIds: WrittenVersionIds,
): readonly LinkChange[] {
  const outcomes = plan.writes.flatMap((write) => {
    const { link, attribute } = write.mapping;
    if (attribute.side === 'inverse')
      return [{ ...planInverse({ ...plan, write, versionIds }), mapping: write.mapping }];
    return link.kind === 'column'
      ? []
      : [{ ...planOwnerList({ ...plan, write }, versionIds), mapping: write.mapping }];
  });
  throwIssues([
    ...columns.issues,
    ...outcomes.flatMap(({ mapping, isEmpty }) => requiredIssues(plan, mapping, isEmpty)),
  ]);
  return [...columns.changes, ...outcomes.flatMap(({ changes }) => changes)];
}
