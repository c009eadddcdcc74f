import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getOperationAST, GraphQLError } from 'graphql';
import type { ExecutionResult } from 'graphql';
import type { Caller } from '../../access/access.js';
import { fail } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { GalleyError } from '../../errors/galley-error.js';
import type { GraphqlContext, GraphqlParts } from '../graphql-parts.js';
import { createProjectContext } from '../project-context.js';
import type { Delivery, OperationKind } from '../subscriptions/delivery.js';
import type { Answer } from './answer.js';
import type { OperationBudget } from './operation-budget.js';
import { printGraphqlError } from './print-errors.js';
import type { PrintedError } from './print-errors.js';
import type { OperationRequest } from './read-request.js';
import { printTrace } from './trace-schema.js';

export interface Execution {
  readonly fastify: FastifyInstance;
  readonly parts: GraphqlParts;
  readonly caller: Caller;
  readonly ip: string;
  readonly log: FastifyBaseLogger;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply | null;
  readonly budget: OperationBudget;
  /** Whether only queries are run. */
  readonly isReading: boolean;
  /** Null: subscriptions are refused. */
  readonly delivery: Delivery | null;
}

/** A list that is too long is a fault of the whole request, whichever field found it; what a mutation has done is told all the same. */
interface Outcome {
  operation: OperationKind | null;
  excess: GalleyError | null;
}

const checkKind = ({ isReading, delivery }: Execution, operation: OperationKind): void => {
  if (isReading && operation !== 'query') throw fail('request/method-not-allowed');
  if (operation === 'subscription' && delivery === null) throw fail('graphql/websocket-only');
  if (delivery !== null) delivery.operation = operation;
};

const noting = (outcome: Outcome, count: () => void): void => {
  try {
    count();
  } catch (error) {
    if (isGalleyError(error)) outcome.excess = error;
    throw error;
  }
};

const contextOf = (execution: Execution, { operationName }: OperationRequest, outcome: Outcome): GraphqlContext => {
  const { fastify, parts, caller, ip, request, reply, budget, delivery } = execution;
  const { options, maxNodes, access } = parts;
  return {
    ...createProjectContext({ caller, request, reply }),
    parts,
    caller,
    ip,
    rights: access.accessOf(caller),
    limits: { defaultLimit: options.defaultLimit, maxLimit: options.maxLimit, populateDepth: options.depthLimit, maxNodes },
    windows: new Map(),
    spendItems: (count) => noting(outcome, () => budget.spendItems(count)),
    allowList: (count) => noting(outcome, () => budget.allowList(count)),
    delivery,
    beforeRun: (document, variables) => {
      outcome.operation = getOperationAST(document, operationName)?.operation ?? null;
      if (outcome.operation !== null) checkKind(execution, outcome.operation);
      budget.spend({ schema: fastify.graphql.schema, document, operationName, variables });
    },
    trace: options.tracing ? { startedAt: process.hrtime.bigint(), resolvers: [] } : null,
  };
};

const refusedErrors = (error: unknown): readonly GraphQLError[] | null => {
  const errors: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'errors') : undefined;
  if (!Array.isArray(errors)) return null;
  // A document so deep that reading it exhausts the stack says so in words of the engine.
  return errors.map((each) => (each instanceof GraphQLError ? each : new GraphQLError('The document cannot be read.')));
};

/** Compiled documents are kept by their text alone, so the operation's name becomes part of it. */
const sourceOf = ({ query, operationName }: OperationRequest): string => (operationName === null ? query : `${query}\n#${operationName}`);

const SYNTAX = /^Syntax Error/;

const TOO_LONG = /^Syntax Error: Document contains more tha[nt] \d+ tokens/;

/** What the parser says where it gives up names no option that could be changed. */
const worded = (error: GraphQLError, limit: number): GraphQLError => (TOO_LONG.test(error.message) ? new GraphQLError(fail('graphql/too-long', { limit }).message) : error);

/**
 * Runs one operation. Documents that are refused before anything runs are answered with 400; whatever goes wrong in a field is answered with 200 and
 * the field's path.
 */
export async function execute(execution: Execution, operation: OperationRequest): Promise<Answer> {
  const { fastify, parts, log } = execution;
  const outcome: Outcome = { operation: null, excess: null };
  const context = contextOf(execution, operation, outcome);
  const startTime = new Date();
  const onFault = (error: GalleyError): void => log.error({ err: error.cause ?? error, code: error.code }, error.message);
  const print = (error: GraphQLError, code: string): PrintedError => printGraphqlError(error, code, { describe: parts.describe, onFault });
  const refuse = (errors: readonly GraphQLError[]): Answer => {
    const printed = errors.map((error) => worded(error, parts.options.tokenLimit)).map((error) => print(error, SYNTAX.test(error.message) ? 'GRAPHQL_PARSE_FAILED' : 'GRAPHQL_VALIDATION_FAILED'));
    return { status: 400, body: JSON.stringify({ errors: printed }) };
  };
  let result: ExecutionResult;
  try {
    result = await fastify.graphql(sourceOf(operation), { ...context }, operation.variables, operation.operationName ?? undefined);
  } catch (error) {
    const errors = refusedErrors(error);
    if (errors === null) throw error;
    return refuse(errors);
  }
  const { data, errors } = result;
  if (outcome.excess !== null && outcome.operation !== 'mutation') throw outcome.excess;
  if (data === undefined || (data === null && errors?.every(({ path }) => path === undefined) === true)) return refuse(errors ?? []);
  const extensions = context.trace === null ? {} : { extensions: { tracing: printTrace(context.trace, startTime) } };
  const failed = errors === undefined ? {} : { errors: errors.map((error) => print(error, 'BAD_USER_INPUT')) };
  return { status: 200, body: JSON.stringify({ ...failed, data, ...extensions }) };
}
