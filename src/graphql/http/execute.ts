import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { GraphQLError } from 'graphql';
import type { ExecutionResult } from 'graphql';
import type { Caller } from '../../access/access.js';
import { fail } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import type { GraphqlContext, GraphqlParts } from '../graphql-parts.js';
import { printGraphqlError } from './print-errors.js';
import type { PrintedError } from './print-errors.js';
import type { OperationRequest } from './read-request.js';
import { printTrace } from './trace-schema.js';

/** A finished answer: status and JSON text. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

export interface Execution {
  readonly fastify: FastifyInstance;
  readonly parts: GraphqlParts;
  readonly caller: Caller;
  readonly ip: string;
  readonly log: FastifyBaseLogger;
}

const itemCounter = (limit: number): ((count: number) => void) => {
  let spent = 0;
  return (count) => {
    spent += count;
    if (spent > limit) throw fail('graphql/too-many-items', { limit });
  };
};

const contextOf = ({ parts, caller, ip }: Execution): GraphqlContext => {
  const { options, maxNodes, access } = parts;
  return {
    parts,
    caller,
    ip,
    rights: access.accessOf(caller),
    limits: { defaultLimit: options.defaultLimit, maxLimit: options.maxLimit, populateDepth: options.depthLimit, maxNodes },
    windows: new Map(),
    spendItems: itemCounter(options.amountLimit),
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

/**
 * Runs one operation. Documents that are refused before anything runs are answered with 400; whatever goes wrong in a field is answered with 200 and
 * the field's path.
 */
export async function execute(execution: Execution, operation: OperationRequest): Promise<Answer> {
  const { fastify, parts, log } = execution;
  const context = contextOf(execution);
  const startTime = new Date();
  const onFault = (error: GalleyError): void => log.error({ err: error.cause ?? error, code: error.code }, error.message);
  const print = (error: GraphQLError, code: string): PrintedError => printGraphqlError(error, code, { describe: parts.describe, onFault });
  const refuse = (errors: readonly GraphQLError[]): Answer => {
    const printed = errors.map((error) => print(error, SYNTAX.test(error.message) ? 'GRAPHQL_PARSE_FAILED' : 'GRAPHQL_VALIDATION_FAILED'));
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
  if (data === undefined || (data === null && errors?.every(({ path }) => path === undefined) === true)) return refuse(errors ?? []);
  const extensions = context.trace === null ? {} : { extensions: { tracing: printTrace(context.trace, startTime) } };
  const failed = errors === undefined ? {} : { errors: errors.map((error) => print(error, 'BAD_USER_INPUT')) };
  return { status: 200, body: JSON.stringify({ ...failed, data, ...extensions }) };
}
