import type { ExecutionArgs, ExecutionResult, FormattedExecutionResult, GraphQLSchema } from 'graphql';
import { makeServer } from 'graphql-ws';
import type { ConnectionInitMessage, Server } from 'graphql-ws';
import type { Connection, StartedOperation } from './connection.js';
import { OperationError, unwrapOperationErrors, wrapOperationError } from './operation-error.js';
import { unwrapRequest } from './protocol-messages.js';

const INIT_TIMEOUT_MS = 10_000;

/** Results are printed already; `onNext` keeps graphql-ws from printing them once more. */
const resultOf = ({ contextValue }: ExecutionArgs): ExecutionResult | AsyncIterable<ExecutionResult> =>
  contextValue as ExecutionResult | AsyncIterable<ExecutionResult>;

/**
 * The protocol `graphql-transport-ws` for all connections of an endpoint.
 *
 * graphql-ws handles only the protocol: it neither reads documents nor runs them. Operations run as those of
 * HTTP requests do, so that limits, rights, plans and errors are the same. The adapters of graphql-ws for
 * `ws` and Fastify are not used, because they write to the console and offer no place to check the
 * authorization again. Nor are the subscriptions of Mercurius: it has no limit per connection, keeps one
 * context for all operations of a connection, and reports errors in messages of its own.
 *
 * @see https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
export function createProtocolServer(getSchema: () => GraphQLSchema): Server<Connection> {
  return makeServer<ConnectionInitMessage['payload'], Connection>({
    connectionInitWaitTimeout: INIT_TIMEOUT_MS,
    onConnect: ({ connectionParams, extra: connection }) => connection.initialise(connectionParams),
    onSubscribe: async ({ extra: connection, subscriptions }, _id, payload) => {
      let started: StartedOperation;
      try {
        started = await connection.start(unwrapRequest(payload), Object.keys(subscriptions).length);
      } catch (error) {
        if (error instanceof OperationError) return wrapOperationError(error);
        throw error;
      }
      const { document, operationName, result } = started;
      return { schema: getSchema(), document, operationName, contextValue: result };
    },
    execute: resultOf,
    subscribe: resultOf,
    onNext: (_context, _id, _payload, _args, result) => result as FormattedExecutionResult,
    onError: (_context, _id, _payload, errors) => unwrapOperationErrors(errors),
  });
}
