import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Answers a request. `isPolled`: it was read while the event loop polled; see `lib/once-per-turn.ts`. */
export type Routing = (request: IncomingMessage, response: ServerResponse, isPolled: boolean) => void;

const routings = new WeakMap<FastifyInstance, Routing>();

/** Servers of applications whose requests project code listens to. */
const watched = new WeakSet<Server>();

/**
 * Creates the server of an application. It never listens: the hot-swap server passes on what it receives.
 * Project code may put listeners in front of the application, as those of other protocols over HTTP are.
 */
export function createInnerServer(app: () => FastifyInstance): Server {
  const server = createHttpServer((request, response) => answeringOf(app())(request, response, false));
  server.on('newListener', (event) => {
    if (event === 'request') watched.add(server);
  });
  return server;
}

/** Puts something in front of an application. */
export function setRouting(app: FastifyInstance, routing: Routing): void {
  routings.set(app, routing);
}

const answeringOf = (app: FastifyInstance): Routing => routings.get(app) ?? app.routing;

/** Returns what takes the requests of an application: itself, or listeners of project code in front of it. */
export function routingOf(app: FastifyInstance): Routing {
  const answer = answeringOf(app);
  return (request, response, isPolled) => {
    if (watched.has(app.server)) app.server.emit('request', request, response);
    else answer(request, response, isPolled);
  };
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
