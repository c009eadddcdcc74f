import { createServer as createHttpServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { fail } from '../errors/catalogue.js';
import type { GalleyError } from '../errors/galley-error.js';
import { RETIRING } from '../lib/retiring.js';
import { printError, statusOf } from '../rest/error-envelope.js';

/** Longer than load balancers keep idle connections, so that it is never this side that closes one just being used. */
const KEEP_ALIVE = 72_000;
/** Long enough for a large file over a slow line; routes with large bodies give up by themselves where nothing more comes. */
const REQUEST_TIMEOUT = 30 * 60_000;
const DRAIN_TIMEOUT = 10_000;
/** Upgraded connections say goodbye rather than finish anything. */
const GOODBYE_TIMEOUT = 3000;
const PAUSE_TIMEOUT = 2000;

/** A listening socket whose application can be replaced while it serves. */
export interface Switch {
  /** Binds the socket and tells its address. Throws `server/port-in-use`, `server/cannot-listen`. */
  readonly listen: (options: { readonly host: string; readonly port: number }) => Promise<AddressInfo>;
  /** New requests go to `app` from now on. `retired` resolves when the last request of the app before it is answered and that app is closed. */
  readonly swap: (app: FastifyInstance) => Promise<{ readonly retired: Promise<void> }>;
  /**
   * Keeps new requests waiting and resolves when those in flight are answered (or after two seconds), so that the database can change under
   * the app. `swap` and `resume` let them go on.
   */
  readonly pause: () => Promise<void>;
  readonly resume: () => void;
  /** Takes no more requests, lets those in flight finish (ten seconds at most) and closes the app. */
  readonly close: () => Promise<void>;
}

/** One application with the number of its requests in flight. */
interface Tenant {
  readonly app: FastifyInstance;
  /** Connections that speak another protocol by now. */
  readonly upgraded: Set<Duplex>;
  inFlight: number;
  onIdle: (() => void) | null;
}

const answerRefusal = (response: ServerResponse, error: GalleyError): void => {
  response.writeHead(statusOf(error), { 'content-type': 'application/json; charset=utf-8' }).end(printError(error));
};

/** The answer to what never becomes a request, with the same envelope. */
const refuseSocket = (socket: Duplex, error: GalleyError): void => {
  const body = printError(error);
  const status = statusOf(error);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`);
};

/** What Node's own parser refuses. */
const refuseMalformed = (error: Error, socket: Socket): void => {
  if (!socket.writable) return void socket.destroy();
  const isTooLong = Reflect.get(error, 'code') === 'HPE_HEADER_OVERFLOW';
  refuseSocket(socket, fail(isTooLong ? 'request/headers-too-large' : 'request/malformed'));
};

const UPGRADING = new Set(['connection', 'upgrade', 'http2-settings']);

/** The request as it would have come without wishing for another protocol, to be read again. */
const withoutUpgrade = ({ method, url, rawHeaders }: IncomingMessage, head: Buffer): Buffer => {
  const lines = [`${method ?? 'GET'} ${url ?? '/'} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!UPGRADING.has(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]);
};

/** Hands a connection that wants another protocol to the application, on whose own server its plugins listen for that. */
const upgrade = ({ app, upgraded }: Tenant, request: IncomingMessage, socket: Duplex, head: Buffer): void => {
  // Whoever breaks off while nobody listens to the socket would end the process.
  socket.on('error', () => socket.destroy());
  if (app.server.listenerCount('upgrade') === 0) return refuseSocket(socket, fail('request/not-found'));
  upgraded.add(socket);
  socket.once('close', () => upgraded.delete(socket));
  app.server.emit('upgrade', request, socket, head);
};

/** Has the application end its upgraded connections, and ends those that do not part. */
const endUpgraded = ({ app, upgraded }: Tenant): void => {
  app.server.emit(RETIRING);
  setTimeout(() => {
    for (const socket of upgraded) socket.destroy();
  }, GOODBYE_TIMEOUT).unref();
};

const drained = (tenant: Tenant): Promise<void> =>
  tenant.inFlight === 0
    ? Promise.resolve()
    : new Promise((resolve) => {
        tenant.onIdle = resolve;
      });

const retire = async (tenant: Tenant): Promise<void> => {
  endUpgraded(tenant);
  await drained(tenant);
  await tenant.app.close();
};

const serve = (tenant: Tenant, request: IncomingMessage, response: ServerResponse, onDone: () => void): void => {
  tenant.inFlight++;
  response.once('close', () => {
    tenant.inFlight--;
    if (tenant.inFlight === 0) tenant.onIdle?.();
    onDone();
  });
  tenant.app.routing(request, response);
};

const listen = (server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    const refuse = (cause: Error): void => {
      const isTaken = Reflect.get(cause, 'code') === 'EADDRINUSE';
      reject(fail(isTaken ? 'server/port-in-use' : 'server/cannot-listen', { host, port, reason: cause.message }, { cause }));
    };
    server.once('error', refuse);
    server.listen({ host, port }, () => {
      server.off('error', refuse);
      resolve(server.address() as AddressInfo);
    });
  });

const closeServer = async (server: Server, tenant: Tenant | null): Promise<void> => {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT).unref();
  if (tenant !== null) {
    endUpgraded(tenant);
    await drained(tenant);
  }
  server.closeIdleConnections();
  await closed;
  clearTimeout(deadline);
};

/**
 * Makes the socket that outlives applications: `cms dev` swaps a new one in without refusing or dropping a request.
 *
 * @example
 * const socket = createSwitch();
 * await socket.swap(app);
 * await socket.listen({ host: '127.0.0.1', port: 1337 });
 */
export function createSwitch(): Switch {
  let current: Tenant | null = null;
  let isClosing = false;
  let waiting: (() => void)[] | null = null;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (isClosing) response.setHeader('connection', 'close');
    if (current === null) return answerRefusal(response, fail('server/not-ready'));
    serve(current, request, response, () => {
      if (isClosing) setImmediate(() => server.closeIdleConnections());
    });
  };
  const server = createHttpServer({ keepAliveTimeout: KEEP_ALIVE, requestTimeout: REQUEST_TIMEOUT }, (request, response) => {
    if (waiting === null) answer(request, response);
    else waiting.push(() => answer(request, response));
  });
  server.on('clientError', refuseMalformed);
  server.on('upgrade', (request, socket, head) => {
    // Some clients offer HTTP/2 with every request, and are served as they are.
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
      socket.unshift(withoutUpgrade(request, head));
      server.emit('connection', socket);
      return;
    }
    const take = (): void => {
      if (current === null || isClosing) refuseSocket(socket, fail(isClosing ? 'server/closing' : 'server/not-ready'));
      else upgrade(current, request, socket, head);
    };
    if (waiting === null) take();
    else waiting.push(take);
  });
  const resume = (): void => {
    const released = waiting ?? [];
    waiting = null;
    for (const release of released) release();
  };

  return Object.freeze({
    listen: (options: { readonly host: string; readonly port: number }) => listen(server, options),
    swap: async (app: FastifyInstance) => {
      await app.ready();
      const previous = current;
      current = { app, upgraded: new Set(), inFlight: 0, onIdle: null };
      resume();
      return { retired: previous === null ? Promise.resolve() : retire(previous) };
    },
    pause: async () => {
      waiting ??= [];
      if (current !== null) await Promise.race([drained(current), sleep(PAUSE_TIMEOUT, undefined, { ref: false })]);
    },
    resume,
    close: async () => {
      isClosing = true;
      resume();
      await closeServer(server, current);
      await current?.app.close();
    },
  });
}
