import { getVariableValues, locatedError } from 'graphql';
import type { GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Caller, Grants } from '../../access/access.js';
import { getOrCreate, memoizeWeakly } from '../../lib/memoize.js';
import type { PlanningContext } from '../graphql-context.js';
import { planOperation } from './operation-plan.js';
import type { OperationPlan, RootPlan, RootRead, Variables } from './operation-plan.js';
import type { PlainOperation } from './plain-operation.js';
import { printData, printRoot } from './print-root.js';
import type { FoundRecords } from './print-root.js';

/** The most errors about variables that graphql-js reports. */
const MAX_VARIABLE_ERRORS = 50;

/** Plans per operation and grants: one for each set of variables that a plan depends on. */
const MAX_PLANS = 50;

/** Longer sets of variables are rarely repeated. */
const MAX_KEY_LENGTH = 1000;

export interface AnswerContext {
  readonly planning: PlanningContext;
  readonly caller: Caller;
  /** Adds records of root lists. Throws if they are too many. */
  readonly chargeItems: (count: number) => void;
}

/** The parts of a response, as text. */
export interface PrintedAnswer {
  readonly data: string;
  readonly errors: readonly GraphQLError[];
}

/** Returns the values of an operation's variables, or null if they do not fit their types. */
export function coerceVariables(
  { schema, operation }: PlainOperation,
  input: Readonly<Record<string, unknown>>,
): Variables | null {
  const definitions = operation.variableDefinitions ?? [];
  if (definitions.length === 0) return {};
  const { coerced } = getVariableValues(schema, definitions, input, { maxErrors: MAX_VARIABLE_ERRORS });
  return coerced ?? null;
}

interface CachedPlan {
  /** Null: the operation cannot be printed. */
  readonly plan: OperationPlan | null;
}

const plansOf = memoizeWeakly((_operation: PlainOperation) =>
  memoizeWeakly((_grants: Grants) => new LRUCache<string, CachedPlan>({ max: MAX_PLANS })),
);

/** Returns the plan for a caller, cached unless it depends on the caller's own values. */
const planOf = (
  { planning, caller }: AnswerContext,
  operation: PlainOperation,
  variables: Variables,
): OperationPlan | null => {
  const { rights, limits, dependencies } = planning;
  const create = (): OperationPlan | null => planOperation(planning, operation, variables);
  if (rights.scopeOf !== undefined) return create();
  const values = operation.planVariables.map((name) => [name, variables[name]] as const);
  const key = JSON.stringify([
    dependencies.access.locales.defaultCode(),
    limits.maxRecords,
    Object.fromEntries(values),
  ]);
  if (key.length > MAX_KEY_LENGTH) return create();
  return getOrCreate(plansOf(operation)(caller.grants), key, () => ({ plan: create() })).plan;
};

/** A root field that is ready to be read. */
interface ReadyRoot {
  readonly plan: RootPlan;
  readonly read: RootRead;
}

/** Returns what to read. Throws where the caller may not, or where arguments are at fault. */
const prepareRoot = (
  { planning, caller }: AnswerContext,
  plan: RootPlan,
  variables: Variables,
): ReadyRoot => {
  planning.dependencies.access.authorise(caller, plan.permission.uid, plan.permission.action);
  return { plan, read: plan.readOf(planning, variables) };
};

const readRoot = async (
  { planning }: AnswerContext,
  { plan, read: { query, page, documentId } }: ReadyRoot,
): Promise<FoundRecords> => {
  const { documents } = planning.dependencies;
  if (plan.read.form !== 'one') return { ...(await documents.findMany(query)), page };
  const record = documentId === undefined ? null : await documents.findOne(query, documentId);
  return { records: record === null ? [] : [record], page, total: null };
};

type Found = PromiseSettledResult<FoundRecords>;

const chargeAll = (
  { chargeItems }: AnswerContext,
  roots: readonly ReadyRoot[],
  found: readonly Found[],
): void => {
  roots.forEach(({ plan }, index) => {
    const result = found[index];
    if (plan.read.form !== 'one' && result?.status === 'fulfilled') chargeItems(result.value.records.length);
  });
};

/** Prints the members of the answer. Null: some value cannot be printed as GraphQL does. */
const printAll = (
  roots: readonly ReadyRoot[],
  found: readonly Found[],
): ReadonlyMap<string, string> | null => {
  const printed = new Map<string, string>();
  for (const [index, { plan }] of roots.entries()) {
    const result = found[index];
    const json = result?.status === 'fulfilled' ? printRoot(plan, result.value) : 'null';
    if (json === null) return null;
    printed.set(plan.key, json);
  }
  return printed;
};

const errorsOf = (roots: readonly ReadyRoot[], found: readonly Found[]): readonly GraphQLError[] =>
  roots.flatMap(({ plan }, index) => {
    const result = found[index];
    return result?.status === 'rejected' ? [locatedError(result.reason, plan.nodes, [plan.key])] : [];
  });

/** What an operation reads for callers with the same grants, until one of the others changes. */
interface PreparedReads {
  readonly defaultLocale: string;
  readonly maxRecords: number | undefined;
  readonly plan: OperationPlan;
  readonly roots: readonly ReadyRoot[];
}

/** An operation with the values of its variables. Whoever keeps it need not plan it again. */
export class PreparedOperation {
  readonly operation: PlainOperation;
  readonly variables: Variables;
  readonly reads = new WeakMap<Grants, PreparedReads>();

  constructor(operation: PlainOperation, variables: Variables) {
    this.operation = operation;
    this.variables = variables;
  }
}

const isReadPlan = (plan: OperationPlan[number]): plan is RootPlan => 'readOf' in plan;

const prepareReads = (
  context: AnswerContext,
  { operation, variables }: PreparedOperation,
): PreparedReads | null => {
  const { dependencies, limits } = context.planning;
  const plan = planOf(context, operation, variables);
  if (plan === null) return null;
  const roots = plan.filter(isReadPlan).map((root) => prepareRoot(context, root, variables));
  if (roots.some(({ read }) => dependencies.hasMiddleware?.(read.query.type) === true)) return null;
  const { maxRecords } = limits;
  return { defaultLocale: dependencies.access.locales.defaultCode(), maxRecords, plan, roots };
};

/** Returns what to read, the same as before unless it depends on the caller's own values. */
const preparedReads = (context: AnswerContext, prepared: PreparedOperation): PreparedReads | null => {
  const { planning, caller } = context;
  const kept = planning.rights.scopeOf === undefined ? prepared.reads.get(caller.grants) : undefined;
  if (
    kept?.defaultLocale === planning.dependencies.access.locales.defaultCode() &&
    kept.maxRecords === planning.limits.maxRecords
  )
    return kept;
  try {
    const reads = prepareReads(context, prepared);
    if (reads !== null && planning.rights.scopeOf === undefined) prepared.reads.set(caller.grants, reads);
    return reads;
  } catch {
    // Resolvers find the same fault, and report it.
    return null;
  }
};

/**
 * Answers an operation by the text that its statements print. Null: some value is not simply what a statement
 * reads, or something is at fault before anything is read. Resolvers then answer.
 *
 * @throws `graphql/too-many-items`
 */
export async function answerPlainly(
  context: AnswerContext,
  prepared: PreparedOperation,
): Promise<PrintedAnswer | null> {
  const reads = preparedReads(context, prepared);
  if (reads === null) return null;
  const { plan, roots } = reads;
  const found = await Promise.allSettled(roots.map((root) => readRoot(context, root)));
  const printed = printAll(roots, found);
  if (printed === null) return null;
  chargeAll(context, roots, found);
  const hasNoData = roots.some(
    ({ plan: { isRequired } }, index) => isRequired && found[index]?.status === 'rejected',
  );
  const members = plan.map(
    (root) =>
      [root.key, isReadPlan(root) ? (printed.get(root.key) ?? 'null') : JSON.stringify(root.text)] as const,
  );
  return { data: hasNoData ? 'null' : printData(members), errors: errorsOf(roots, found) };
}
