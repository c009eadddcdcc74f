import { STATUS_CODES } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { createError } from '../errors/catalogue.js';
import type { GalleyError } from '../errors/galley-error.js';
import { DRAINING } from '../lib/draining.js';
import { printError, statusOf } from '../errors/error-envelope.js';
import { defined } from '../lib/defined.js';

/** Milliseconds in which upgraded connections may send their close messages. */
const UPGRADE_CLOSE_TIMEOUT = 3000;

/** An application and its upgraded connections, such as WebSockets. */
export interface UpgradeTarget {
  readonly app: FastifyInstance;
  readonly upgraded: Set<Duplex>;
}

/** Sends the error envelope over a raw socket that has no response object. */
export function sendSocketError(socket: Duplex, error: GalleyError): void {
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
export function printWithoutUpgrade({ method, url, rawHeaders }: IncomingMessage, head: Buffer): Buffer {
  const lines = [`${method ?? 'GET'} ${url ?? '/'} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!UPGRADE_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]);
}

/** Passes a connection to the application. Its plugins listen for upgrades on its own HTTP server. */
export function upgradeConnection(
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

/** Asks the application to end its upgraded connections. Destroys those still open after the timeout. */
export function closeUpgraded({ app, upgraded }: UpgradeTarget): void {
  app.server.emit(DRAINING);
  setTimeout(() => {
    for (const socket of upgraded) socket.destroy();
  }, UPGRADE_CLOSE_TIMEOUT).unref();
}
