import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { handleProtocols } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import type { Caller } from '../../../access/access.js';
import type { ChangeListener } from '../../../documents/changes/change-feed.js';
import { createError } from '../../../errors/catalogue.js';
import type { LazySignal } from '../../../lib/lazy-signal.js';
import { DRAINING } from '../../../lib/draining.js';
import type { ContentModel } from '../../../model/model.js';
import type { GraphqlDependencies } from '../graphql-context.js';
import type { OperationResponse } from '../http/operation-response.js';
import type { OperationRequest } from '../http/parse-request.js';
import { CLOSE_REASONS } from './close-reasons.js';
import { Connection } from './connection.js';
import { createProtocolServer } from './create-protocol-server.js';
import { changeKindsOf } from './delivery.js';
import type { Delivery } from './delivery.js';
import { routeUpgrades } from './route-upgrades.js';
import { createSharedChangeFeed } from './shared-change-feed.js';

/** One run of an operation for a client that is connected over WebSocket. */
export interface SocketOperation {
  readonly operation: OperationRequest;
  readonly caller: Caller;
  readonly delivery: Delivery;
  /** Whoever is at the other end of the connection. */
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

/** Takes over a request that asks for a WebSocket. Returns false if it does not ask for one. */
export type UpgradeHandler = (request: FastifyRequest, reply: FastifyReply) => boolean;

const MAX_MESSAGE_BYTES = 256 * 1024;

/** The clients that are connected now. */
type Connections = Set<Connection>;

/** Asks all clients to connect again: to the next application, or because they may have missed a change. */
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
 * Serves subscriptions over WebSocket at the endpoint. Connections end when another application takes the
 * place of this one, and when it closes.
 *
 * @returns a handler to be called from the endpoint's GET route; null: subscriptions are switched off
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
