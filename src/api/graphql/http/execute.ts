import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getOperationAST, GraphQLError } from 'graphql';
import type { DocumentNode, ExecutionResult, FormattedExecutionResult } from 'graphql';
import type { Caller } from '../../../access/access.js';
import { createError } from '../../../errors/catalogue.js';
import { isGalleyError } from '../../../errors/galley-error.js';
import type { GalleyError } from '../../../errors/galley-error.js';
import { logRequestError } from '../../http/log-request-error.js';
import type { LazySignal } from '../../../lib/lazy-signal.js';
import { defined } from '../../../lib/defined.js';
import type { QueryLimits } from '../../../query/read-params.js';
import { labelRequest } from '../../../lib/request-labels.js';
import type { GraphqlContext, GraphqlDependencies } from '../graphql-context.js';
import { createProjectContext } from '../project-context.js';
import type { Delivery, OperationKind } from '../subscriptions/delivery.js';
import { isSyntaxError, isTooManyTokens, isUnknownOperation, isVariableValue } from './graphql-messages.js';
import { operationLabelOf } from './operation-label.js';
import type { OperationResponse } from './operation-response.js';
import type { OperationBudget } from './operation-budget.js';
import { isOutage, printErrors, printGraphqlError } from './print-errors.js';
import type { PrintedError } from './print-errors.js';
import type { OperationRequest } from './parse-request.js';
import { printTrace } from './trace-schema.js';

export interface Execution {
  readonly fastify: FastifyInstance;
  readonly dependencies: GraphqlDependencies;
  readonly caller: Caller;
  readonly ip: string;
  readonly log: FastifyBaseLogger;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply | null;
  /** Aborts when the client leaves. */
  readonly signal: LazySignal;
  readonly budget: OperationBudget;
  /** True if only queries are allowed. */
  readonly isReadOnly: boolean;
  /** Null: subscriptions are refused. */
  readonly delivery: Delivery | null;
  /** True if responses to a valid document follow from what its root fields read. */
  readonly isCacheable: (document: DocumentNode) => boolean;
}

/**
 * Outcome of an operation, completed while it runs. `limitError` is set when a list is too long. The whole
 * request is then rejected, unless it is a mutation, whose effects have to be reported.
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

/** The limits of what an operation reads. */
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
    // A mutation always reads the documents that it has written, to report them.
    signal: () => (outcome.operation === 'query' ? execution.signal : undefined),
    reads: [],
    chargeItems: (count) => recordLimitError(outcome, () => budget.chargeItems(count)),
    assertListSize: (count) => recordLimitError(outcome, () => budget.assertListSize(count)),
    faults: new Map(),
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
  const errors: unknown =
    typeof error === 'object' && error !== null ? Reflect.get(error, 'errors') : undefined;
  if (!Array.isArray(errors)) return null;
  // A document nested too deeply for the stack causes an error that is no `GraphQLError`.
  return errors.map((each) =>
    each instanceof GraphQLError ? each : new GraphQLError('The document cannot be parsed.'),
  );
};

/**
 * Returns the key under which Mercurius caches a document. It caches compiled documents by their text alone,
 * although they are compiled for one operation; therefore the text contains the operation's name.
 */
const documentTextOf = ({ query, operationName }: OperationRequest): string =>
  operationName === null ? query : `${query}\n#${operationName}`;

/** Replaces the parser's message about too many tokens by one that names the option with the limit. */
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
 * Runs one operation. The status is 400 if the document is refused before anything runs.
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
