import { STATUS_CODES, createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { createError } from '../errors/catalogue.js';
import { printError, statusOf } from '../errors/error-envelope.js';
import type { GalleyError } from '../errors/galley-error.js';
import { defined } from '../lib/assert.js';
import { DRAINING, STREAMING } from '../lib/http.js';

/** Milliseconds in which upgraded connections may send their close messages. */
const UPGRADE_CLOSE_TIMEOUT = 3000;

/**
 * Milliseconds. Longer than load balancers keep idle connections, so that the load balancer closes them
 * first.
 */
const KEEP_ALIVE = 72_000;
/**
 * Milliseconds. Long enough to upload a large file over a slow connection. Routes with large bodies set
 * separate timeouts for clients that stop sending.
 */
const REQUEST_TIMEOUT = 30 * 60_000;
const DRAIN_TIMEOUT = 10_000;
const PAUSE_TIMEOUT = 2000;
/** Maximum time that connections of a replaced server wait for a request. */
const LINGER_TIMEOUT = 3000;

/** A listening server whose application can be replaced without closing the socket. */
export interface HotSwapServer {
  /**
   * Binds the socket. Returns its address.
   *
   * @throws `server/port-in-use`, `server/listen-failed`
   */
  readonly listen: (options: { readonly host: string; readonly port: number }) => Promise<AddressInfo>;
  /**
   * Sends new requests to `app`. `drained` resolves when the previous app has finished its last request and
   * is closed.
   */
  readonly swap: (app: FastifyInstance) => Promise<{ readonly drained: Promise<void> }>;
  /**
   * Holds new requests until `swap` or `resume`, so that the database can change. Resolves when the requests
   * in flight are finished, or after two seconds.
   */
  readonly pause: () => Promise<void>;
  readonly resume: () => void;
  /** Accepts no more requests, waits up to ten seconds for those in flight, and closes the app. */
  readonly close: () => Promise<void>;
  /**
   * Closes after another process has started to serve. A kept connection gets a response to its next request
   * with `connection: close`. Connections without a request close after a few seconds, since closing them
   * sooner may cross with a request in transit.
   */
  readonly retire: () => Promise<void>;
}

export interface HotSwapServerOptions {
  /**
   * Called when the server no longer listens. Resolves when no more connections can arrive. By default, none
   * can.
   */
  readonly onStoppedListening?: () => Promise<void>;
}

/** One application with the number of its requests in flight. */
interface Slot extends UpgradeTarget {
  inFlight: number;
  onIdle: (() => void) | null;
}

/** Runs work immediately, or queues it while the gate is closed. */
const createGate = () => {
  let waiting: (() => void)[] | null = null;
  return {
    pass: (work: () => void): void => {
      if (waiting === null) work();
      else waiting.push(work);
    },
    close: (): void => {
      waiting ??= [];
    },
    open: (): void => {
      const released = waiting ?? [];
      waiting = null;
      for (const work of released) work();
    },
  };
};

const sendError = (response: ServerResponse, error: GalleyError): void => {
  response
    .writeHead(statusOf(error), { 'content-type': 'application/json; charset=utf-8' })
    .end(printError(error));
};

/** Responds to requests that Node's HTTP parser rejects. */
const handleClientError = (error: Error, socket: Socket): void => {
  if (!socket.writable) return void socket.destroy();
  const isTooLong = Reflect.get(error, 'code') === 'HPE_HEADER_OVERFLOW';
  sendSocketError(socket, createError(isTooLong ? 'request/headers-too-large' : 'request/malformed'));
};

/** Asks the application to end its upgraded connections. Destroys those still open after the timeout. */
function closeUpgraded({ app, upgraded }: UpgradeTarget): void {
  app.server.emit(DRAINING);
  setTimeout(() => {
    for (const socket of upgraded) socket.destroy();
  }, UPGRADE_CLOSE_TIMEOUT).unref();
}

const waitUntilIdle = (slot: Slot): Promise<void> =>
  slot.inFlight === 0
    ? Promise.resolve()
    : new Promise((resolve) => {
        slot.onIdle = resolve;
      });

const drainAndClose = async (slot: Slot): Promise<void> => {
  closeUpgraded(slot);
  await waitUntilIdle(slot);
  await slot.app.close();
};

const dispatch = (
  slot: Slot,
  request: IncomingMessage,
  response: ServerResponse,
  onDone: () => void,
): void => {
  slot.inFlight++;
  let isInFlight = true;
  const release = (): void => {
    if (!isInFlight) return;
    isInFlight = false;
    slot.inFlight--;
    if (slot.inFlight === 0) slot.onIdle?.();
  };
  response.once(STREAMING, () => {
    const { socket } = request;
    slot.upgraded.add(socket);
    response.once('close', () => slot.upgraded.delete(socket));
    release();
  });
  response.once('close', () => {
    release();
    onDone();
  });
  // Emitted on the application's server, since project code may listen there.
  slot.app.server.emit('request', request, response);
};

const listen = (
  server: NetServer,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    const onError = (cause: Error): void => {
      const isPortInUse = Reflect.get(cause, 'code') === 'EADDRINUSE';
      reject(
        createError(
          isPortInUse ? 'server/port-in-use' : 'server/listen-failed',
          { host, port, reason: cause.message },
          { cause },
        ),
      );
    };
    server.once('error', onError);
    server.listen({ host, port }, () => {
      server.off('error', onError);
      resolve(server.address() as AddressInfo);
    });
  });

/**
 * Checks that an address is free, before the server opens anything else.
 *
 * @throws `server/port-in-use`, `server/listen-failed`
 */
export async function assertPortFree(address: {
  readonly host: string;
  readonly port: number;
}): Promise<void> {
  const probe = new NetServer();
  await listen(probe, address);
  await new Promise<void>((resolve) => {
    probe.close(() => resolve());
  });
}

/** Stops listening. The `close` of an HTTP server ends idle connections, too. */
const stopListening = (server: Server, isReplaced: boolean, onClosed: () => void): void => {
  if (isReplaced) NetServer.prototype.close.call(server, onClosed);
  else server.close(onClosed);
};

/**
 * Waits until all connections are closed, or for a few seconds. Requests that arrived meanwhile are then
 * read, since on a busy machine the time may end before they are seen.
 */
const linger = async (closed: Promise<void>): Promise<void> => {
  await Promise.race([closed, sleep(LINGER_TIMEOUT, undefined, { ref: false })]);
  await nextTurn();
  await nextTurn();
};

const closeServer = async (
  server: Server,
  slot: Slot | null,
  { isReplaced, onStoppedListening }: { readonly isReplaced: boolean } & HotSwapServerOptions,
): Promise<void> => {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => {
    stopListening(server, isReplaced, resolve);
  });
  await onStoppedListening?.();
  if (isReplaced) await linger(closed);
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_TIMEOUT).unref();
  if (slot !== null) {
    closeUpgraded(slot);
    await waitUntilIdle(slot);
  }
  server.closeIdleConnections();
  await closed;
  clearTimeout(deadline);
};

/** An application and its upgraded connections, such as WebSockets, and those of streams. */
interface UpgradeTarget {
  readonly app: FastifyInstance;
  readonly upgraded: Set<Duplex>;
}

/** Sends the error envelope over a raw socket that has no response object. */
function sendSocketError(socket: Duplex, error: GalleyError): void {
  const body = printError(error);
  const status = statusOf(error);
  const head = [
    `HTTP/1.1 ${status} ${defined(STATUS_CODES[status], `The text of the status ${status}`)}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const UPGRADE_HEADERS = new Set(['connection', 'upgrade', 'http2-settings']);

/** Prints the request without its upgrade headers, so that it can be parsed again. */
function printWithoutUpgrade({ method, url, rawHeaders }: IncomingMessage, head: Buffer): Buffer {
  const lines = [`${method ?? 'GET'} ${url ?? '/'} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!UPGRADE_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]);
}

/** Passes a connection to the application, whose plugins listen for upgrades on its HTTP server. */
function upgradeConnection(
  { app, upgraded }: UpgradeTarget,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  // An error event without a listener would end the process.
  socket.on('error', () => socket.destroy());
  if (app.server.listenerCount('upgrade') === 0)
    return sendSocketError(socket, createError('request/not-found'));
  upgraded.add(socket);
  socket.once('close', () => upgraded.delete(socket));
  app.server.emit('upgrade', request, socket, head);
}

type HandleUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Some clients offer HTTP/2 with every request. The server responds over HTTP/1.1. */
const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

const onUpgrade = (server: Server, handleUpgrade: HandleUpgrade): void => {
  server.on('upgrade', (request, socket, head) => {
    if (isWebSocket(request)) {
      handleUpgrade(request, socket, head);
      return;
    }
    // Only Node.js before 24.9, which ignores `shouldUpgradeCallback`, announces other upgrades.
    socket.unshift(printWithoutUpgrade(request, head));
    server.emit('connection', socket);
  });
};

const SERVER_OPTIONS = {
  keepAliveTimeout: KEEP_ALIVE,
  requestTimeout: REQUEST_TIMEOUT,
  shouldUpgradeCallback: isWebSocket,
};

/**
 * Creates a server whose application can be replaced: `cms dev` swaps in a new one without rejecting or
 * dropping a request.
 *
 * @example
 *   const server = createHotSwapServer();
 *   await server.swap(app);
 *   await server.listen({ host: '127.0.0.1', port: 1337 });
 */
export function createHotSwapServer(socketOptions: HotSwapServerOptions = {}): HotSwapServer {
  let current: Slot | null = null;
  let isClosing = false;
  let isLingering = false;
  const gate = createGate();
  const onDone = (): void => {
    if (isClosing && !isLingering) setImmediate(() => server.closeIdleConnections());
  };
  const handleRequest = (request: IncomingMessage, response: ServerResponse): void => {
    if (isClosing) response.setHeader('connection', 'close');
    if (current === null) return sendError(response, createError('server/not-ready'));
    dispatch(current, request, response, onDone);
  };
  const handleUpgrade: HandleUpgrade = (request, socket, head) => {
    if (current === null || isClosing)
      sendSocketError(socket, createError(isClosing ? 'server/shutting-down' : 'server/not-ready'));
    else upgradeConnection(current, request, socket, head);
  };
  const server = createHttpServer(SERVER_OPTIONS, (request, response) =>
    gate.pass(() => handleRequest(request, response)),
  );
  server.on('clientError', handleClientError);
  onUpgrade(server, (...upgrade) => gate.pass(() => handleUpgrade(...upgrade)));

  const end = async (isReplaced: boolean): Promise<void> => {
    isClosing = true;
    isLingering = isReplaced;
    gate.open();
    await closeServer(server, current, { ...socketOptions, isReplaced });
    await current?.app.close();
  };

  return Object.freeze({
    listen: async (options: { readonly host: string; readonly port: number }) => {
      const address = await listen(server, options);
      current?.app.server.emit('listening');
      return address;
    },
    swap: async (app: FastifyInstance) => {
      await app.ready();
      const previous = current;
      current = { app, upgraded: new Set(), inFlight: 0, onIdle: null };
      gate.open();
      // The application's server never listens, but project code may wait for the event.
      if (server.listening) app.server.emit('listening');
      return { drained: previous === null ? Promise.resolve() : drainAndClose(previous) };
    },
    pause: async () => {
      gate.close();
      if (current !== null)
        await Promise.race([waitUntilIdle(current), sleep(PAUSE_TIMEOUT, undefined, { ref: false })]);
    },
    resume: gate.open,
    close: () => end(false),
    retire: () => end(true),
  });
}
