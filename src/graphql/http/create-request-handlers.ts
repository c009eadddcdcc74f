import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { Caller } from '../../access/access.js';
import type { GraphqlDependencies } from '../graphql-context.js';
import type { SocketOperation } from '../subscriptions/register-subscriptions.js';
import { execute } from './execute.js';
import { createPlainOperations, executePlainly } from './execute-plainly.js';
import type { Execution } from './execute.js';
import { createBudget } from './operation-budget.js';
import { withErrorResponse } from './operation-response.js';
import type { PrintedResponse, OperationResponse } from './operation-response.js';
import { parseOperation, parseQueryParameters } from './parse-request.js';
import type { OperationRequest } from './parse-request.js';
import type { PersistedDocuments } from './persisted-documents.js';
import type { RepeatedBodies } from './repeated-bodies.js';
import { runBatch } from './run-batch.js';

/** A request with its caller. */
export interface EndpointRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
}

/**
 * One handler for each way in which operations reach the endpoint. Each throws errors of the catalogue for
 * requests that are refused before anything runs.
 */
export interface RequestHandlers {
  readonly post: (endpointRequest: EndpointRequest) => Promise<OperationResponse | PrintedResponse>;
  readonly get: (endpointRequest: EndpointRequest) => Promise<OperationResponse | PrintedResponse>;
  /** Parses the payload of a WebSocket client's `subscribe` message. */
  readonly parseSocketPayload: (payload: unknown) => Promise<OperationRequest>;
  readonly socket: (endpointRequest: SocketOperation) => Promise<OperationResponse>;
}

export interface RequestHandlerDependencies {
  readonly fastify: FastifyInstance;
  readonly dependencies: GraphqlDependencies;
  readonly persisted: PersistedDocuments;
  readonly bodies: RepeatedBodies;
  readonly schema: GraphQLSchema;
  /** Called before each operation. Returns whether documents have to be validated again. */
  readonly refreshSchema: () => boolean;
}

type RequestExecution = Omit<Execution, 'fastify' | 'dependencies' | 'ip' | 'log'>;

export function createRequestHandlers({
  fastify,
  dependencies,
  bodies,
  schema,
  persisted,
  refreshSchema,
}: RequestHandlerDependencies): RequestHandlers {
  const { options } = dependencies;
  const plainOperations = createPlainOperations(schema);
  const complete = (execution: RequestExecution): Execution => {
    if (refreshSchema()) plainOperations.clear();
    const { request } = execution;
    return { ...execution, fastify, dependencies, ip: request.ip, log: request.log };
  };
  const remember = <Response extends OperationResponse | PrintedResponse>(
    operation: OperationRequest,
    response: Response,
  ): Response => {
    if (response.status === 200) persisted.remember(operation);
    return response;
  };
  const run = async (
    execution: RequestExecution,
    operation: OperationRequest,
  ): Promise<OperationResponse | PrintedResponse> =>
    remember(operation, await executePlainly(complete(execution), operation, plainOperations));

  return {
    post: async (endpointRequest) => {
      const { body } = endpointRequest.request;
      const execution = { ...endpointRequest, isReadOnly: false, delivery: null };
      if (!Array.isArray(body)) {
        const operation = bodies.operationOf(body, () => persisted.resolve(parseOperation(body)));
        const response = await run({ ...execution, budget: createBudget(options) }, operation);
        if ('text' in response) bodies.keep(body, operation);
        return response;
      }
      return runBatch(body, {
        options,
        parseOperation: (payload) => persisted.resolve(parseOperation(payload)),
        run: (operation, budget) => run({ ...execution, budget }, operation),
      });
    },
    get: async (endpointRequest) =>
      run(
        { ...endpointRequest, budget: createBudget(options), isReadOnly: true, delivery: null },
        persisted.resolve(parseQueryParameters(endpointRequest.request)),
      ),
    parseSocketPayload: async (payload) => persisted.resolve(parseOperation(payload)),
    socket: ({ operation, ...endpointRequest }) =>
      withErrorResponse(() =>
        execute(
          complete({ ...endpointRequest, reply: null, budget: createBudget(options), isReadOnly: false }),
          operation,
        ).then((response) => remember(operation, response)),
      ),
  };
}
