import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import type { Grants } from '../../access/access.js';
import type { ReadQuery } from '../../query/query.js';
import type { GraphqlContext, ListWindow } from '../graphql-parts.js';

/** The read of one root field, and how its lists are narrowed when they are shown. */
export interface Plan {
  readonly query: ReadQuery;
  readonly windows: ReadonlyMap<number, ListWindow>;
}

/** Documents are kept by their text, so that the same variables come with the same field again and again. */
const VARIANTS = 50;

/** Longer ones hardly ever come twice. */
const KEY_LENGTH = 1000;

const plans = new WeakMap<FieldNode, WeakMap<Grants, Map<string, Plan>>>();

const variantsOf = (field: FieldNode, grants: Grants): Map<string, Plan> => {
  const byGrants = plans.get(field) ?? new WeakMap<Grants, Map<string, Plan>>();
  plans.set(field, byGrants);
  const variants = byGrants.get(grants) ?? new Map<string, Plan>();
  byGrants.set(grants, variants);
  return variants;
};

/**
 * The plan of a root field, made once for the same document, variables and grants. Limits that depend on who asks are planned for each request,
 * and so is what is asked for with much data.
 */
export function rememberPlan({ parts, caller, rights, project }: GraphqlContext, info: GraphQLResolveInfo, make: () => Plan): Plan {
  const [field] = info.fieldNodes;
  // A field that several selections name is one of many that share their first.
  if (field === undefined || info.fieldNodes.length > 1 || rights.limitsOf !== undefined) return make();
  const key = JSON.stringify([parts.access.locales.defaultCode(), info.variableValues, project.calls.get(info.path)?.args]);
  if (key.length > KEY_LENGTH) return make();
  const variants = variantsOf(field, caller.grants);
  const known = variants.get(key);
  if (known !== undefined) return known;
  const plan = make();
  if (variants.size >= VARIANTS) variants.clear();
  variants.set(key, plan);
  return plan;
}
