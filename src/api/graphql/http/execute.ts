import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, Kind, defaultFieldResolver, getOperationAST, isObjectType } from 'graphql';
import type {
  DocumentNode,
  ExecutionResult,
  FormattedExecutionResult,
  GraphQLField,
  GraphQLResolveInfo,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import type { Caller } from '../../../access/access.js';
import { createError } from '../../../errors/catalogue.js';
import { isGalleyError } from '../../../errors/galley-error.js';
import type { GalleyError } from '../../../errors/galley-error.js';
import { defined } from '../../../lib/assert.js';
import type { LazySignal } from '../../../lib/resources.js';
import { labelRequest } from '../../../lib/http.js';
import { propertyOf } from '../../../lib/records.js';
import type { QueryLimits } from '../../../query/read-context.js';
import { logRequestError } from '../../http/request-lifecycle.js';
import { createProjectContext } from '../graphql-context.js';
import type { GraphqlContext, GraphqlDependencies } from '../graphql-context.js';
import type { Delivery, OperationKind } from '../subscriptions/delivery.js';
import {
  isOutage,
  isSyntaxError,
  isTooManyTokens,
  isUnknownOperation,
  isVariableValue,
  printErrors,
  printGraphqlError,
} from './print-errors.js';
import type { OperationResponse, PrintedError } from './print-errors.js';
import type { OperationBudget } from './operation-limits.js';
import type { OperationRequest } from './parse-request.js';

const pathOf = ({ path }: GraphQLResolveInfo): readonly (string | number)[] => {
  const keys: (string | number)[] = [];
  for (
    let segment: GraphQLResolveInfo['path'] | undefined = path;
    segment !== undefined;
    segment = segment.prev
  )
    keys.unshift(segment.key);
  return keys;
};

const recordTrace = ({ trace }: GraphqlContext, info: GraphQLResolveInfo, startedAt: bigint): void => {
  if (trace === null) return;
  trace.resolvers.push({
    path: pathOf(info),
    parentType: info.parentType.name,
    fieldName: info.fieldName,
    returnType: String(info.returnType),
    startOffset: Number(startedAt - trace.startedAt),
    duration: Number(process.hrtime.bigint() - startedAt),
  });
};

const traceField = (field: GraphQLField<unknown, GraphqlContext>): void => {
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (source, args, context, info) => {
    const startedAt = process.hrtime.bigint();
    const value: unknown = resolve(source, args as Record<string, unknown>, context, info);
    if (!(value instanceof Promise)) {
      recordTrace(context, info, startedAt);
      return value;
    }
    return value.finally(() => recordTrace(context, info, startedAt));
  };
};

/** Wraps the resolvers of all fields of a schema, so that they record their durations in the context. */
export function traceSchema(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields()))
      traceField(field as GraphQLField<unknown, GraphqlContext>);
  }
}

/** Prints the `tracing` extension of a response. */
function printTrace(
  { startedAt, resolvers }: NonNullable<GraphqlContext['trace']>,
  startTime: Date,
): Readonly<Record<string, unknown>> {
  return {
    version: 1,
    startTime: startTime.toISOString(),
    endTime: new Date().toISOString(),
    duration: Number(process.hrtime.bigint() - startedAt),
    execution: { resolvers },
  };
}

const MAX_FIELDS = 3;
const MAX_NAME_LENGTH = 60;

/**
 * Returns the label of an operation in the log: its name, or its root fields.
 *
 * @example
 *   query Brands
 *   query { brands products }
 */
function operationLabelOf({ operation, name, selectionSet }: OperationDefinitionNode): string {
  if (name !== undefined) return `${operation} ${name.value.slice(0, MAX_NAME_LENGTH)}`;
  const names = selectionSet.selections.map((selection) => {
    if (selection.kind === Kind.FIELD) return selection.name.value;
    return selection.kind === Kind.FRAGMENT_SPREAD ? `...${selection.name.value}` : '...';
  });
  const shown = names.slice(0, MAX_FIELDS).map((each) => each.slice(0, MAX_NAME_LENGTH));
  return `${operation} { ${[...shown, ...(names.length > MAX_FIELDS ? ['…'] : [])].join(' ')} }`;
}

export interface Execution {
  readonly fastify: FastifyInstance;
  readonly dependencies: GraphqlDependencies;
  readonly caller: Caller;
  readonly ip: string;
  readonly log: FastifyBaseLogger;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply | null;
  /** Aborts when the client disconnects. */
  readonly signal: LazySignal;
  readonly budget: OperationBudget;
  /** True if only queries are allowed. */
  readonly isReadOnly: boolean;
  /** Null: subscriptions are rejected. */
  readonly delivery: Delivery | null;
  /** True if the response to a GraphQL document depends only on the content that its root fields read. */
  readonly isCacheable: (document: DocumentNode) => boolean;
}

/**
 * The outcome of an operation, completed while it runs. `limitError` is set if a list is too long. The whole
 * request is then rejected, unless it is a mutation, whose effects must be reported.
 */
interface Outcome {
  document: DocumentNode | null;
  operation: OperationKind | null;
  limitError: GalleyError | null;
}

const assertOperationKind = ({ isReadOnly, delivery }: Execution, operation: OperationKind): void => {
  if (isReadOnly && operation !== 'query') throw createError('request/method-not-allowed');
  if (operation === 'subscription' && delivery === null)
    throw createError('graphql/subscription-requires-websocket');
  if (delivery !== null) delivery.operation = operation;
};

const recordLimitError = (outcome: Outcome, charge: () => void): void => {
  try {
    charge();
  } catch (error) {
    if (isGalleyError(error)) outcome.limitError = error;
    throw error;
  }
};

/** Returns the limits of the reads of an operation. */
function limitsOf({
  dependencies: { options, maxNodes },
  budget,
}: Pick<Execution, 'dependencies' | 'budget'>): QueryLimits {
  return {
    defaultLimit: options.defaultLimit,
    maxLimit: options.maxLimit,
    populateDepth: options.depthLimit,
    maxNodes,
    // Known as soon as the operation is charged, before anything is planned.
    get maxRecords() {
      return budget.recordLimit();
    },
  };
}

const contextOf = (
  execution: Execution,
  { operationName }: OperationRequest,
  outcome: Outcome,
): GraphqlContext => {
  const { dependencies, caller, ip, request, reply, budget, delivery } = execution;
  const { options, access } = dependencies;
  return {
    dependencies,
    caller,
    ip,
    rights: access.readAccessOf(caller),
    limits: limitsOf(execution),
    // A mutation always reads the documents that it has written, in order to report them.
    signal: () => (outcome.operation === 'query' ? execution.signal : undefined),
    reads: [],
    chargeItems: (count) => recordLimitError(outcome, () => budget.chargeItems(count)),
    assertListSize: (count) => recordLimitError(outcome, () => budget.assertListSize(count)),
    argumentErrors: new Map(),
    delivery,
    beforeRun: (document, variables) => {
      if (delivery !== null) delivery.document = document;
      const operation = getOperationAST(document, operationName) ?? null;
      outcome.document = document;
      outcome.operation = operation?.operation ?? null;
      if (operation !== null) {
        if (delivery === null) labelRequest(request, operationLabelOf(operation));
        assertOperationKind(execution, operation.operation);
      }
      budget.charge({ document, operationName, variables });
    },
    trace: options.tracing ? { startedAt: process.hrtime.bigint(), resolvers: [] } : null,
    ...createProjectContext({ caller, request, reply }),
  };
};

const documentErrors = (error: unknown): readonly GraphQLError[] | null => {
  const errors = propertyOf(error, 'errors');
  if (!Array.isArray(errors)) return null;
  // A document that is nested too deeply for the stack causes an error of another class.
  return errors.map((each) =>
    each instanceof GraphQLError ? each : new GraphQLError('The document cannot be parsed.'),
  );
};

/**
 * Returns the text under which Mercurius caches a document. It compiles a document for one operation but
 * caches it by text alone, so the text contains the name of the operation.
 */
const documentTextOf = ({ query, operationName }: OperationRequest): string =>
  operationName === null ? query : `${query}\n#${operationName}`;

/** Replaces the parser's message about too many tokens with one that names the option. */
const withLimitMessage = (error: GraphQLError, limit: number): GraphQLError =>
  isTooManyTokens(error)
    ? new GraphQLError(createError('graphql/too-many-tokens', { limit }).message)
    : error;

/** The code of an error that graphql-js raises before it executes anything. */
const codeOf = (error: GraphQLError): string => {
  if (isSyntaxError(error)) return 'GRAPHQL_PARSE_FAILED';
  if (isUnknownOperation(error)) return 'OPERATION_RESOLUTION_FAILURE';
  return isVariableValue(error) ? 'BAD_USER_INPUT' : 'GRAPHQL_VALIDATION_FAILED';
};

/** Returns the function that prints errors, and logs those that are not the client's. */
function errorPrinterOf({
  dependencies: { toGalleyError },
  log,
}: Pick<Execution, 'dependencies' | 'log'>): (error: GraphQLError, code: string) => PrintedError {
  const onFailure = (error: GalleyError): void => logRequestError(log, error);
  return (error, code) => printGraphqlError(error, code, { toGalleyError, onFailure });
}

/** The code of the errors of single fields that graphql-js raises. */
const FIELD_ERROR = 'BAD_USER_INPUT';

/**
 * Runs one operation. The status is 400 if the document is rejected before execution.
 * Errors of single fields have status 200 and the path of their field.
 */
export async function execute(execution: Execution, operation: OperationRequest): Promise<OperationResponse> {
  const { fastify, dependencies } = execution;
  const outcome: Outcome = { document: null, operation: null, limitError: null };
  const context = contextOf(execution, operation, outcome);
  const startTime = new Date();
  const print = errorPrinterOf(execution);
  const documentErrorResponse = (errors: readonly GraphQLError[]): OperationResponse => {
    const worded = errors.map((error) => withLimitMessage(error, dependencies.options.tokenLimit));
    const printed = printErrors(worded, (error) => print(error, codeOf(error)));
    return { status: 400, body: { errors: printed }, reads: null };
  };
  let result: ExecutionResult;
  try {
    result = await fastify.graphql(
      documentTextOf(operation),
      { ...context },
      operation.variables,
      operation.operationName ?? undefined,
    );
  } catch (error) {
    const errors = documentErrors(error);
    if (errors === null) throw error;
    return documentErrorResponse(errors);
  }
  const { data, errors } = result;
  if (outcome.limitError !== null && outcome.operation !== 'mutation') throw outcome.limitError;
  if (data === undefined || (data === null && errors?.every(({ path }) => path === undefined) === true))
    return documentErrorResponse(defined(errors, 'the errors of a document without data'));
  const extensions =
    context.trace === null ? {} : { extensions: { tracing: printTrace(context.trace, startTime) } };
  const fieldErrors =
    errors === undefined ? {} : { errors: printErrors(errors, (error) => print(error, FIELD_ERROR)) };
  const isCacheable =
    errors === undefined && outcome.document !== null && execution.isCacheable(outcome.document);
  const body: FormattedExecutionResult = { ...fieldErrors, data, ...extensions };
  return {
    status: isOutage(body.errors ?? [], Object.values(data ?? {})) ? 503 : 200,
    body,
    reads: isCacheable ? context.reads : null,
  };
}
