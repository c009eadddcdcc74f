import { getVariableValues, locatedError } from 'graphql';
import type { GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Caller, Grants } from '../../access/access.js';
import type { DocumentService } from '../../documents/documents.js';
import { getOrCreate, memoizeWeakly } from '../../lib/memoize.js';
import type { Requester } from '../../lib/requester.js';
import type { ReadQuery } from '../../query/query.js';
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
  /** Who waits for the answer. */
  readonly requester: Requester;
  /** Adds records of root lists. Throws if they are too many. */
  readonly chargeItems: (count: number) => void;
}

/** The parts of a response, as text. */
export interface PrintedAnswer {
  readonly data: string;
  readonly errors: readonly GraphQLError[];
  /** What was read for it. */
  readonly queries: readonly ReadQuery[];
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

/** Reads for one who waits. */
interface Reading {
  readonly documents: DocumentService;
  readonly requester: Requester;
}

const readRoot = ({ plan, read }: ReadyRoot, { documents, requester }: Reading): Promise<FoundRecords> => {
  const { query, page, documentId } = read;
  if (plan.read.form !== 'one')
    return documents
      .findMany(query, requester)
      .then(({ records, total, ends }) => ({ records, page, total, ends }));
  if (documentId === undefined) return Promise.resolve({ records: [], page, total: null });
  return documents
    .findOne(query, documentId, requester)
    .then((record) => ({ records: record === null ? [] : [record], page, total: null }));
};

type Found = PromiseSettledResult<FoundRecords>;

/** Most operations have one root field, which needs no list of promises. */
const readAll = (roots: readonly ReadyRoot[], reading: Reading): Promise<readonly Found[]> => {
  const [only] = roots;
  if (only === undefined || roots.length > 1)
    return Promise.allSettled(roots.map((root) => readRoot(root, reading)));
  return readRoot(only, reading).then(
    (value) => [{ status: 'fulfilled', value }],
    (reason: unknown) => [{ status: 'rejected', reason }],
  );
};

const chargeAll = (
  chargeItems: AnswerContext['chargeItems'],
  roots: readonly ReadyRoot[],
  found: readonly Found[],
): void => {
  roots.forEach(({ plan }, index) => {
    const result = found[index];
    if (plan.read.form !== 'one' && result?.status === 'fulfilled') chargeItems(result.value.records.length);
  });
};

/** Prints the values of the root fields. Null: some value cannot be printed as GraphQL does. */
const printAll = (roots: readonly ReadyRoot[], found: readonly Found[]): readonly string[] | null => {
  const printed: string[] = [];
  for (const [index, { plan }] of roots.entries()) {
    const result = found[index];
    const json = result?.status === 'fulfilled' ? printRoot(plan, result.value) : 'null';
    if (json === null) return null;
    printed.push(json);
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

const NO_ERRORS: readonly GraphQLError[] = [];

/** Prints what was read. Null: some value cannot be printed as GraphQL does. */
const printFound = (
  { plan, roots }: PreparedReads,
  found: readonly Found[],
  chargeItems: AnswerContext['chargeItems'],
): PrintedAnswer | null => {
  const printed = printAll(roots, found);
  if (printed === null) return null;
  chargeAll(chargeItems, roots, found);
  const isWhole = found.every(({ status }) => status === 'fulfilled');
  const hasNoData =
    !isWhole &&
    roots.some(({ plan: { isRequired } }, index) => isRequired && found[index]?.status === 'rejected');
  let next = 0;
  const members = plan.map(
    (root) => [root.key, isReadPlan(root) ? (printed[next++] ?? 'null') : JSON.stringify(root.text)] as const,
  );
  return {
    data: hasNoData ? 'null' : printData(members),
    errors: isWhole ? NO_ERRORS : errorsOf(roots, found),
    queries: roots.map(({ read }) => read.query),
  };
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
  const { requester, chargeItems } = context;
  const { documents } = context.planning.dependencies;
  return printFound(reads, await readAll(reads.roots, { documents, requester }), chargeItems);
}

/**
 * Answers an operation as before for callers with the same grants. Undefined: it has to be prepared for them.
 * What it costs before anything is read was found to be allowed when it was.
 *
 * @throws `graphql/too-many-items`
 */
export function answerAgain(
  {
    dependencies,
    caller,
    requester,
    chargeItems,
  }: Omit<AnswerContext, 'planning'> & {
    readonly dependencies: AnswerContext['planning']['dependencies'];
  },
  { operation, reads }: PreparedOperation,
): Promise<PrintedAnswer | null> | undefined {
  const { access, documents, hasMiddleware } = dependencies;
  const kept = reads.get(caller.grants);
  if (kept?.defaultLocale !== access.locales.defaultCode()) return undefined;
  if (hasMiddleware !== undefined && operation.types.some(hasMiddleware)) return undefined;
  return readAll(kept.roots, { documents, requester }).then((found) => printFound(kept, found, chargeItems));
}
