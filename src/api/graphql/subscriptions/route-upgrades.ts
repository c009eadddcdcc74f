import { ServerResponse } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';

/** The connection of a request that asks for another protocol. */
export interface Upgrade {
  readonly socket: Duplex;
  /** The first bytes after the request. */
  readonly head: Buffer;
}

/**
 * Routes upgrade requests like all other requests, so that hooks run and unknown paths receive a 404. If
 * project code also listens for upgrades, those of other paths are left to it.
 *
 * @returns the upgrades by their requests, for the handler of a route
 */
export function routeUpgrades(fastify: FastifyInstance, endpoint: string): WeakMap<IncomingMessage, Upgrade> {
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();
  fastify.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isOurs = request.url?.split('?')[0] === endpoint;
    if (!isOurs && fastify.server.listenerCount('upgrade') > 1) return;
    upgrades.set(request, { socket, head });
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.once('finish', () => socket.end());
    fastify.routing(request, response);
  });
  return upgrades;
}
