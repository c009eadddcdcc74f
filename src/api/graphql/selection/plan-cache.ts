import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Grants } from '../../../access/access.js';
import { getOrCreate, memoizeWeakly } from '../../../lib/memoize.js';
import type { ReadQuery } from '../../../query/query.js';
import type { GraphqlContext } from '../graphql-context.js';
import type { FieldFaults } from './field-faults.js';

/** Plans per field of a document and grants: one for each set of variables. */
const MAX_VARIANTS = 50;

/** Longer sets of variables are rarely repeated. */
const MAX_KEY_LENGTH = 1000;

/** The read of a root field, without the nested fields that are at fault. */
export interface Plan {
  readonly query: ReadQuery;
  readonly faults: FieldFaults;
}

type Plans = LRUCache<string, Plan>;

/** Parsed documents are cached by their text, so that equal documents have the same field nodes. */
const plansOf = memoizeWeakly((_field: FieldNode) =>
  memoizeWeakly((_grants: Grants): Plans => new LRUCache({ max: MAX_VARIANTS })),
);

/**
 * Returns the plan of a root field, created once per document, variables and grants. Not cached: plans of
 * callers whose permissions carry conditions, and those with large variables.
 */
export function getOrCreatePlan(
  { dependencies, caller, rights, limits, project }: GraphqlContext,
  info: GraphQLResolveInfo,
  createPlan: () => Plan,
): Plan {
  const [field] = info.fieldNodes;
  // Several selections of one field may be merged differently with the same first node.
  if (field === undefined || info.fieldNodes.length > 1 || rights.scopeOf !== undefined) return createPlan();
  const key = JSON.stringify([
    dependencies.access.locales.defaultCode(),
    limits.maxRecords,
    info.variableValues,
    project.calls.get(info.path)?.args,
  ]);
  if (key.length > MAX_KEY_LENGTH) return createPlan();
  return getOrCreate(plansOf(field)(caller.grants), key, createPlan);
}
