import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BREAK, OperationTypeNode, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { Caller } from '../../../access/access.js';
import type { LazySignal } from '../../../lib/lazy-signal.js';
import { memoizeWeakly } from '../../../lib/memoize.js';
import type { GraphqlDependencies } from '../graphql-context.js';
import { isCacheable } from '../schema/field-marks.js';
import type { SocketOperation } from '../subscriptions/register-subscriptions.js';
import { execute } from './execute.js';
import { assertVariables, createVariableBudget } from './assert-variables.js';
import type { VariableBudget } from './assert-variables.js';
import type { Execution } from './execute.js';
import { createBudget } from './operation-budget.js';
import { withErrorResponse } from './operation-response.js';
import type { OperationResponse } from './operation-response.js';
import { parseAddress, parseOperation } from './parse-request.js';
import type { OperationRequest } from './parse-request.js';
import type { PersistedDocuments } from './persisted-documents.js';
import { runBatch } from './run-batch.js';

/** A request with its caller. */
export interface EndpointRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
  readonly signal: LazySignal;
  /** True if only queries are allowed. */
  readonly isReadOnly: boolean;
}

/** The response to one operation, or those to a batch. */
export type EndpointResponse = OperationResponse | readonly OperationResponse[];

/**
 * One handler for each way in which operations reach the endpoint. Each throws errors of the catalogue for
 * requests that are refused before anything runs.
 */
export interface RequestHandlers {
  readonly post: (endpointRequest: EndpointRequest) => Promise<EndpointResponse>;
  readonly get: (endpointRequest: EndpointRequest) => Promise<EndpointResponse>;
  /** Parses the payload of a WebSocket client's `subscribe` message. */
  readonly parseSocketPayload: (payload: unknown) => Promise<OperationRequest>;
  readonly socket: (endpointRequest: SocketOperation) => Promise<OperationResponse>;
}

export interface RequestHandlerDependencies {
  readonly fastify: FastifyInstance;
  readonly dependencies: GraphqlDependencies;
  readonly persisted: PersistedDocuments;
  readonly schema: GraphQLSchema;
  /** Called before each operation: documents are validated again where the schema has changed. */
  readonly refreshSchema: () => void;
}

type RequestExecution = Omit<Execution, 'fastify' | 'dependencies' | 'ip' | 'log' | 'isCacheable'>;

const TYPENAME = '__typename';

/**
 * Creates the function that returns true if responses to a valid document follow from the documents that its
 * root fields read: all fields are generated ones, at which no project code runs.
 */
function createIsCacheable(schema: GraphQLSchema): (document: DocumentNode) => boolean {
  return memoizeWeakly((document: DocumentNode): boolean => {
    const types = new TypeInfo(schema);
    let isFound = false;
    visit(
      document,
      visitWithTypeInfo(types, {
        OperationDefinition: ({ operation }) => {
          if (operation === OperationTypeNode.QUERY) return undefined;
          isFound = true;
          return BREAK;
        },
        Field: ({ name }) => {
          if (name.value === TYPENAME) return undefined;
          const field = types.getFieldDef();
          const isRoot = types.getParentType() === schema.getQueryType();
          if (field !== null && field !== undefined && isCacheable(field, isRoot)) return undefined;
          isFound = true;
          return BREAK;
        },
      }),
    );
    return !isFound;
  });
}

export function createRequestHandlers({
  fastify,
  dependencies,
  persisted,
  schema,
  refreshSchema,
}: RequestHandlerDependencies): RequestHandlers {
  const { options } = dependencies;
  const isCacheableDocument = createIsCacheable(schema);
  const resolve = (payload: unknown, budget: VariableBudget): OperationRequest => {
    const operation = persisted.resolve(parseOperation(payload));
    assertVariables(operation, { schema, tokenLimit: options.tokenLimit, budget });
    return operation;
  };
  const run = async (
    execution: RequestExecution,
    operation: OperationRequest,
  ): Promise<OperationResponse> => {
    refreshSchema();
    const { ip, log } = execution.request;
    const response = await execute(
      { fastify, dependencies, ip, log, isCacheable: isCacheableDocument, ...execution },
      operation,
    );
    if (response.status === 200) persisted.store(operation);
    return response;
  };
  const runOne = async (endpointRequest: EndpointRequest, payload: unknown): Promise<OperationResponse> =>
    run(
      { ...endpointRequest, budget: createBudget(options), delivery: null },
      resolve(payload, createVariableBudget()),
    );
  return {
    post: async (endpointRequest) => {
      const { body } = endpointRequest.request;
      if (!Array.isArray(body)) return runOne(endpointRequest, body);
      const variableBudget = createVariableBudget();
      return runBatch(body, {
        options,
        parseOperation: (payload) => resolve(payload, variableBudget),
        run: (operation, budget) => run({ ...endpointRequest, budget, delivery: null }, operation),
      });
    },
    get: async (endpointRequest) => runOne(endpointRequest, parseAddress(endpointRequest.request.url)),
    parseSocketPayload: async (payload) => resolve(payload, createVariableBudget()),
    socket: ({ operation, ...endpointRequest }) =>
      withErrorResponse(() =>
        run({ ...endpointRequest, reply: null, budget: createBudget(options), isReadOnly: false }, operation),
      ),
  };
}
