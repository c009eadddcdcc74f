import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Answers a request. `isPolled`: it was read while the event loop polled; see `lib/once-per-turn.ts`. */
export type Routing = (request: IncomingMessage, response: ServerResponse, isPolled: boolean) => void;

const routings = new WeakMap<FastifyInstance, Routing>();

/** Puts something in front of an application. */
export function setRouting(app: FastifyInstance, routing: Routing): void {
  routings.set(app, routing);
}

/** Returns what answers the requests of an application. */
export function routingOf(app: FastifyInstance): Routing {
  return routings.get(app) ?? app.routing;
}

/** libuv takes at most 1024 events at once, and polls twice in a row only where there were as many. */
const MAX_CONNECTIONS = 500;

/**
 * Watches the connections of a server. Returns whether a request was certainly read while the event loop
 * polled, and not from what Node.js has kept while a connection was paused.
 */
export function watchPolling(server: Server): (request: IncomingMessage) => boolean {
  const buffered = new WeakSet<Socket>();
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    if (socket.readableLength > 0) buffered.add(socket);
    socket.once('pause', () => buffered.add(socket));
    socket.once('close', () => {
      connections -= 1;
    });
  });
  return ({ socket }) => connections < MAX_CONNECTIONS && !buffered.has(socket);
}
