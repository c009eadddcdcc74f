import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { Caller } from '../../access/access.js';
import type { Requester } from '../../lib/requester.js';
import type { GraphqlDependencies } from '../graphql-context.js';
import type { SocketOperation } from '../subscriptions/register-subscriptions.js';
import { execute } from './execute.js';
import { answerKnown, createPlainOperations, executePlainly } from './execute-plainly.js';
import type { AnswerSources } from './execute-plainly.js';
import { assertVariables, createVariableBudget } from './assert-variables.js';
import type { VariableBudget } from './assert-variables.js';
import type { Execution } from './execute.js';
import { createBudget } from './operation-budget.js';
import { createOperationMemory } from './operation-memory.js';
import { withErrorResponse } from './operation-response.js';
import type { OperationResponse, PrintedResponse, RememberedResponse } from './operation-response.js';
import { parseAddress, parseOperation } from './parse-request.js';
import type { OperationRequest } from './parse-request.js';
import type { PersistedDocuments } from './persisted-documents.js';
import { createRepeatedRequests } from './repeated-requests.js';
import type { RepeatedRequests } from './repeated-requests.js';
import { runBatch } from './run-batch.js';

/** A request with its caller. */
export interface EndpointRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  readonly requester: Requester;
  /** Whether only queries are allowed. */
  readonly isReadOnly: boolean;
}

export type EndpointResponse = OperationResponse | PrintedResponse | RememberedResponse;

/**
 * One handler for each way in which operations reach the endpoint. Each throws errors of the catalogue for
 * requests that are refused before anything runs.
 */
export interface RequestHandlers {
  readonly post: (endpointRequest: EndpointRequest) => EndpointResponse | Promise<EndpointResponse>;
  readonly get: (endpointRequest: EndpointRequest) => EndpointResponse | Promise<EndpointResponse>;
  /** Parses the payload of a WebSocket client's `subscribe` message. */
  readonly parseSocketPayload: (payload: unknown) => Promise<OperationRequest>;
  readonly socket: (endpointRequest: SocketOperation) => Promise<OperationResponse>;
}

export interface RequestHandlerDependencies {
  readonly fastify: FastifyInstance;
  readonly dependencies: GraphqlDependencies;
  readonly persisted: PersistedDocuments;
  readonly bodies: RepeatedRequests;
  readonly schema: GraphQLSchema;
  /** Called before each operation. Returns whether documents have to be validated again. */
  readonly refreshSchema: () => boolean;
}

type RequestExecution = Omit<Execution, 'fastify' | 'dependencies' | 'ip' | 'log'>;

/** Runs operations and keeps what may serve again. */
interface Runner {
  /** The payload of an address. */
  readonly addresses: RepeatedRequests;
  readonly complete: (execution: RequestExecution) => Execution;
  /** Parses an operation, and charges its variables. */
  readonly resolve: (payload: unknown, budget: VariableBudget) => OperationRequest;
  /** Keeps the document of a response without faults, under the hash it was sent with. */
  readonly remember: <Response extends EndpointResponse>(
    operation: OperationRequest,
    response: Response,
  ) => Response;
  /** Runs one of several operations. */
  readonly runPart: (execution: RequestExecution, operation: OperationRequest) => Promise<EndpointResponse>;
  /** Answers the one operation of a request: at once, where the answer is remembered. */
  readonly answer: (
    endpointRequest: EndpointRequest,
    payload: unknown,
    kept: RepeatedRequests,
  ) => EndpointResponse | Promise<EndpointResponse>;
}

interface AnswerParts extends Pick<Runner, 'complete' | 'remember'> {
  readonly dependencies: GraphqlDependencies;
  readonly sources: AnswerSources;
  readonly refresh: () => void;
  /** Runs an operation that nothing is known of. */
  readonly run: (
    execution: RequestExecution,
    payload: unknown,
    kept: RepeatedRequests,
  ) => Promise<EndpointResponse>;
}

const createAnswer =
  ({ dependencies, sources, refresh, complete, remember, run }: AnswerParts): Runner['answer'] =>
  ({ caller, request, reply, requester, isReadOnly }, payload, kept) => {
    const budget = createBudget(dependencies.options);
    const execution = { caller, request, reply, requester, isReadOnly, budget, delivery: null };
    const operation = kept.operationOf(payload);
    if (operation === undefined) return run(execution, payload, kept);
    refresh();
    const { log } = request;
    const found = answerKnown({ ...execution, dependencies, log }, operation, sources);
    if (found === undefined) return run(execution, payload, kept);
    if (!(found instanceof Promise)) return remember(operation, found);
    return found.then((response) => {
      if (response === null) return execute(complete(execution), operation);
      if (response === undefined) return run(execution, payload, kept);
      const prepared = sources.memory === null ? sources.operations.prepared(operation) : undefined;
      const isRepeatable = 'text' in response && prepared !== undefined && operation.cacheKey === null;
      return remember(operation, isRepeatable ? { ...response, prepared } : response);
    });
  };

const createRunner = ({
  fastify,
  dependencies,
  schema,
  persisted,
  refreshSchema,
}: RequestHandlerDependencies): Runner => {
  const { answers, access } = dependencies;
  const operations = createPlainOperations(schema);
  const sources = {
    operations,
    memory: answers === undefined ? null : createOperationMemory(answers, access),
  };
  const refresh = (): void => {
    if (refreshSchema()) operations.clear();
  };
  const complete: Runner['complete'] = (execution) => {
    refresh();
    const { request } = execution;
    return { fastify, dependencies, ip: request.ip, log: request.log, ...execution };
  };
  const remember: Runner['remember'] = (operation, response) => {
    if (response.status === 200) persisted.remember(operation);
    // Each time such an operation is sent, its document is kept longer.
    return operation.cacheKey !== null && 'place' in response ? { ...response, place: null } : response;
  };
  const { tokenLimit } = dependencies.options;
  const resolve: Runner['resolve'] = (payload, budget) => {
    const operation = persisted.resolve(parseOperation(payload));
    assertVariables(operation, { schema, tokenLimit, budget });
    return operation;
  };
  const run: AnswerParts['run'] = async (execution, payload, kept) => {
    const operation = kept.operationOf(payload) ?? resolve(payload, createVariableBudget());
    const response = await executePlainly(complete(execution), operation, sources);
    if (!('body' in response)) kept.keep(payload, operation);
    return remember(operation, response);
  };
  return {
    addresses: createRepeatedRequests(parseAddress),
    complete,
    resolve,
    remember,
    runPart: async (execution, operation) =>
      remember(operation, await executePlainly(complete(execution), operation, { operations, memory: null })),
    answer: createAnswer({ dependencies, sources, refresh, complete, remember, run }),
  };
};

export function createRequestHandlers(handlerDependencies: RequestHandlerDependencies): RequestHandlers {
  const { bodies, dependencies } = handlerDependencies;
  const { options } = dependencies;
  const { addresses, complete, resolve, remember, runPart, answer } = createRunner(handlerDependencies);
  return {
    post: (endpointRequest) => {
      const { body } = endpointRequest.request;
      if (!Array.isArray(body)) return answer(endpointRequest, body, bodies);
      const execution = { ...endpointRequest, delivery: null };
      const variableBudget = createVariableBudget();
      return runBatch(body, {
        options,
        parseOperation: (payload) => resolve(payload, variableBudget),
        run: (operation, budget) => runPart({ ...execution, budget }, operation),
      });
    },
    get: (endpointRequest) =>
      answer(endpointRequest, addresses.parse(endpointRequest.request.url), addresses),
    parseSocketPayload: async (payload) => resolve(payload, createVariableBudget()),
    socket: ({ operation, ...endpointRequest }) =>
      withErrorResponse(() =>
        execute(
          complete({ ...endpointRequest, reply: null, budget: createBudget(options), isReadOnly: false }),
          operation,
        ).then((response) => remember(operation, response)),
      ),
  };
}
