import { ServerResponse } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ExecutionArgs, ExecutionResult, FormattedExecutionResult, GraphQLSchema } from 'graphql';
import { handleProtocols, makeServer } from 'graphql-ws';
import type { ConnectionInitMessage, Server } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import type { Caller } from '../../../access/access.js';
import type { ChangeListener } from '../../../documents/changes/change-feed.js';
import { createError } from '../../../errors/catalogue.js';
import { DRAINING } from '../../../lib/http.js';
import type { LazySignal } from '../../../lib/resources.js';
import type { ContentModel } from '../../../model/model.js';
import type { GraphqlDependencies } from '../graphql-context.js';
import type { OperationRequest } from '../http/parse-request.js';
import type { OperationResponse } from '../http/print-errors.js';
import { CLOSE_REASONS, Connection, unwrapRequest } from './connection.js';
import type { StartedOperation } from './connection.js';
import { changeKindsOf } from './delivery.js';
import type { Delivery } from './delivery.js';
import {
  OperationError,
  createSharedChangeFeed,
  unwrapOperationErrors,
  wrapOperationError,
} from './event-stream.js';

/** The connection of a request to upgrade to another protocol. */
interface Upgrade {
  readonly socket: Duplex;
  /** The first bytes after the request. */
  readonly head: Buffer;
}

/**
 * Routes upgrade requests like all other requests, so that hooks run and unknown paths receive a 404. If
 * project code also listens for upgrades, it handles those of other paths.
 *
 * @returns the upgrades by their requests, for the handler of a route
 */
function routeUpgrades(fastify: FastifyInstance, endpoint: string): WeakMap<IncomingMessage, Upgrade> {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  fastify.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isEndpoint = request.url?.split('?')[0] === endpoint;
    if (!isEndpoint && fastify.server.listenerCount('upgrade') > 1) return;
    upgrades.set(request, { socket, head });
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.once('finish', () => socket.end());
    fastify.routing(request, response);
  });
  return upgrades;
}

const INIT_TIMEOUT_MS = 10_000;

/** Returns the result, which is printed already. `onNext` prevents graphql-ws from printing it again. */
const resultOf = ({ contextValue }: ExecutionArgs): ExecutionResult | AsyncIterable<ExecutionResult> =>
  contextValue as ExecutionResult | AsyncIterable<ExecutionResult>;

/**
 * Creates the server of the protocol `graphql-transport-ws` for all connections of an endpoint.
 *
 * graphql-ws handles only the protocol: it neither parses nor runs documents. Operations run like those of
 * HTTP requests, so that limits, rights, plans and errors are the same. The adapters of graphql-ws for `ws`
 * and Fastify are not used, because they write to the console and cannot check the authorization again. The
 * subscriptions of Mercurius are not used either: they have no limit per connection, share one context
 * between all operations of a connection, and report errors in a different format.
 *
 * @see https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
function createProtocolServer(getSchema: () => GraphQLSchema): Server<Connection> {
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

/** One run of an operation for a client that is connected over WebSocket. */
export interface SocketOperation {
  readonly operation: OperationRequest;
  readonly caller: Caller;
  readonly delivery: Delivery;
  /** Aborts when the client closes its connection. */
  readonly signal: LazySignal;
  /** The request that opened the connection. */
  readonly request: FastifyRequest;
}

export interface SubscriptionDependencies {
  readonly dependencies: GraphqlDependencies;
  readonly parseOperation: (payload: unknown) => Promise<OperationRequest>;
  readonly run: (operation: SocketOperation) => Promise<OperationResponse>;
}

/** Upgrades a request to a WebSocket. Returns false if it is not an upgrade request. */
export type UpgradeHandler = (request: FastifyRequest, reply: FastifyReply) => boolean;

const MAX_MESSAGE_BYTES = 256 * 1024;

/** The connected clients. */
type Connections = Set<Connection>;

/** Makes all clients reconnect: the application is replaced, or they may have missed a change. */
const closeAll = (connections: Connections): void => {
  for (const connection of connections) connection.close(CLOSE_REASONS.restart);
};

const createListener = (connections: Connections, model: ContentModel): ChangeListener => ({
  onChange: (change) => {
    const type = model.typesByUid[change.type];
    // Another process may write types that this one does not know yet.
    if (type === undefined) return;
    const kinds = changeKindsOf(change, type);
    for (const connection of connections) connection.dispatch(change, kinds);
  },
  onGap: () => closeAll(connections),
});

const checkAtIntervals = (
  connections: Connections,
  seconds: number,
  onError: (error: unknown) => void,
): NodeJS.Timeout =>
  setInterval(() => {
    for (const connection of connections) connection.checkAlive().catch(onError);
  }, seconds * 1000).unref();

/**
 * Serves subscriptions over WebSocket at the endpoint. Connections end when the application closes or another
 * one replaces it.
 *
 * @returns the handler to call from the endpoint's GET route; null: subscriptions are disabled
 */
export function registerSubscriptions(
  fastify: FastifyInstance,
  { dependencies, parseOperation, run }: SubscriptionDependencies,
): UpgradeHandler | null {
  const { access, changes, model, options, toGalleyError } = dependencies;
  const { subscriptions } = options;
  if (subscriptions === null || changes === undefined) return null;
  const onError = (error: unknown): void => fastify.log.error({ err: error }, 'subscriptions');
  const connections: Connections = new Set();
  const changeFeed = createSharedChangeFeed(changes, createListener(connections, model), onError);
  const protocolServer = createProtocolServer(() => fastify.graphql.schema);
  const timer = checkAtIntervals(connections, subscriptions.keepAlive, onError);
  fastify.server.once(DRAINING, () => closeAll(connections));
  fastify.addHook('onClose', async () => {
    clearInterval(timer);
    closeAll(connections);
  });
  const connect = (socket: WebSocket, request: FastifyRequest): void => {
    const closing = new AbortController();
    socket.once('close', () => closing.abort());
    const connection = new Connection({
      socket,
      request,
      access,
      changeFeed,
      toGalleyError,
      parseOperation,
      maxSubscriptions: subscriptions.maxPerConnection,
      run: (operation, caller, delivery) =>
        run({ operation, caller, delivery, request, signal: () => closing.signal }),
    });
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
    connection.open(protocolServer);
  };
  const webSocketServer = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols,
  });
  const upgrades = routeUpgrades(fastify, options.endpoint);
  return (request, reply) => {
    const upgrade = upgrades.get(request.raw);
    if (upgrade === undefined) return false;
    const limit = subscriptions.maxConnections;
    if (connections.size >= limit) throw createError('graphql/too-many-connections', { limit });
    reply.hijack();
    webSocketServer.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (socket) =>
      connect(socket, request),
    );
    return true;
  };
}
