import { ServerResponse } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WebSocketServer } from 'ws';
import type { Caller } from '../../access/access.js';
import { fail } from '../../errors/catalogue.js';
import { RETIRING } from '../../lib/retiring.js';
import type { GraphqlParts } from '../graphql-parts.js';
import type { Answer } from '../http/answer.js';
import type { OperationRequest } from '../http/read-request.js';
import { Connection } from './connection.js';
import { kindsOf } from './delivery.js';
import type { Delivery } from './delivery.js';
import { createFollowing } from './following.js';
import { CLOSE, SUBPROTOCOL } from './protocol.js';

/** One operation of one connection. */
export interface SocketOperation {
  readonly operation: OperationRequest;
  readonly caller: Caller;
  readonly delivery: Delivery;
  readonly request: FastifyRequest;
}

export interface SubscriptionParts {
  readonly parts: GraphqlParts;
  readonly read: (payload: unknown) => Promise<OperationRequest>;
  readonly run: (operation: SocketOperation) => Promise<Answer>;
}

/** Takes over a request that asks for a WebSocket; false: it asks for none. */
export type UpgradeHandler = (request: FastifyRequest, reply: FastifyReply) => boolean;

const MAX_MESSAGE_BYTES = 256 * 1024;

interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Requests that ask for another protocol take the way of all requests, hooks included, to whichever route they are for. */
const routeUpgrades = (fastify: FastifyInstance): WeakMap<IncomingMessage, Upgrade> => {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  fastify.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgrades.set(request, { socket, head });
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.once('finish', () => socket.end());
    fastify.routing(request, response);
  });
  return upgrades;
};

/**
 * Answers subscriptions over WebSocket at the endpoint. Call what it answers from the endpoint's GET route.
 * Connections end when the application retires.
 */
export function registerSubscriptions(fastify: FastifyInstance, { parts, read, run }: SubscriptionParts): UpgradeHandler | null {
  const { access, changes, model, options: { subscriptions }, describe } = parts;
  if (subscriptions === null || changes === undefined) return null;
  const connections = new Set<Connection>();
  const closeAll = (): void => {
    for (const connection of connections) connection.close(CLOSE.restart);
  };
  const onError = (error: unknown): void => fastify.log.error({ err: error }, 'subscriptions');
  const following = createFollowing(changes, {
    onChange: (change) => {
      const type = model.typesByUid[change.type];
      if (type !== undefined) for (const connection of connections) connection.offer(change, kindsOf(change, type));
    },
    onGap: closeAll,
  }, onError);
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false) });
  const upgrades = routeUpgrades(fastify);
  const timer = setInterval(() => {
    for (const connection of connections) connection.check().catch(onError);
  }, subscriptions.keepAlive * 1000).unref();
  fastify.server.once(RETIRING, closeAll);
  fastify.addHook('onClose', async () => {
    clearInterval(timer);
    closeAll();
  });

  return (request, reply) => {
    const upgrade = upgrades.get(request.raw);
    if (upgrade === undefined) return false;
    if (connections.size >= subscriptions.maxConnections) throw fail('graphql/too-many-connections', { limit: subscriptions.maxConnections });
    reply.hijack();
    server.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (socket) => {
      if (socket.protocol !== SUBPROTOCOL) return socket.close(CLOSE.subprotocol.code, CLOSE.subprotocol.reason);
      const connection = new Connection({
        socket, request, access, following, describe, read,
        maxSubscriptions: subscriptions.maxPerConnection,
        run: (operation, caller, delivery) => run({ operation, caller, delivery, request }),
      });
      connections.add(connection);
      socket.once('close', () => connections.delete(connection));
    });
    return true;
  };
}
