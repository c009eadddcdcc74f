import { ApiError, GraphqlError, NetworkError, UnauthorizedError } from './transport.js';
import type { GraphqlIssue, Transport } from './transport.js';

/** The members of the platform's WebSocket that subscriptions use. */
interface Socket {
  onopen: () => void;
  onmessage: (event: { readonly data: unknown }) => void;
  onclose: (event: { readonly code: number; readonly reason: string }) => void;
  onerror: () => void;
  send(text: string): void;
  close(): void;
}

interface Message {
  readonly type: string;
  readonly payload?: unknown;
}

interface Payload {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlIssue[];
}

/** A result of a subscription: an event, the end, or a final error. `isLost`: the connection broke. */
type Received = { readonly payload: Payload } | { readonly end: Error | null; readonly isLost?: boolean };

export interface SubscribeOptions {
  /** Ends the subscription. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds before a broken connection is opened again. The pause doubles before each further attempt,
   * up to 30 seconds. Default: 1000. False: a broken connection is an error.
   */
  readonly retryPause?: number | false;
  /** Called when a broken connection is open again. Events in between are not repeated. */
  readonly onReconnect?: () => void;
}

/** The code with which the server closes a connection whose credential is invalid. */
const FORBIDDEN = 4403;

export const MAX_PAUSE_MS = 30_000;

/** Close codes from here on mean that another attempt would fail as well. */
const FIRST_FATAL = 4400;

const closeError = (code: number, reason: string): Error =>
  code === FORBIDDEN
    ? new UnauthorizedError(401, { name: 'UnauthorizedError', message: reason })
    : new NetworkError(`The connection was closed (${code}${reason && `, ${reason}`})`);

/** Handles the graphql-transport-ws protocol over one socket. */
const listen = (
  socket: Socket,
  token: string | undefined,
  operation: object,
  receive: (received: Received) => void,
  onOpen: () => void,
): void => {
  const send = (message: object): void => socket.send(JSON.stringify(message));
  const handlers: Readonly<Record<string, (message: Message) => void>> = {
    connection_ack: () => {
      send({ id: '1', type: 'subscribe', payload: operation });
      onOpen();
    },
    ping: () => send({ type: 'pong' }),
    next: ({ payload }) => receive({ payload: payload as Payload }),
    error: ({ payload }) => receive({ end: new GraphqlError(payload as readonly GraphqlIssue[]) }),
    complete: () => receive({ end: null }),
  };
  socket.onopen = () =>
    send({ type: 'connection_init', payload: token && { Authorization: `Bearer ${token}` } });
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    handlers[message.type]?.(message);
  };
  // The close event that follows reports the failure.
  socket.onerror = () => undefined;
  socket.onclose = ({ code, reason }) =>
    receive({ end: closeError(code, reason), isLost: code < FIRST_FATAL });
};

/** Yields the events of one connection. Returns the error that broke it; null if the server completed it. */
async function* receiveAll(
  { options }: Transport,
  token: string | undefined,
  operation: object,
  signal: AbortSignal | undefined,
  onOpen: () => void,
): AsyncGenerator<unknown, Error | null> {
  const { url, graphqlPath, WebSocket = (globalThis as { WebSocket?: ClientSocket }).WebSocket } = options;
  if (WebSocket === undefined)
    throw new TypeError('This platform has no WebSocket: pass a constructor to createClient.');
  signal?.throwIfAborted();
  const queue: Received[] = [];
  let wake = (): void => undefined;
  const receive = (received: Received): void => {
    queue.push(received);
    wake();
  };
  const abort = (): void => receive({ end: signal?.reason as Error });
  signal?.addEventListener('abort', abort);
  const socket = new WebSocket(url.replace(/^http/, 'ws') + graphqlPath, 'graphql-transport-ws') as Socket;
  listen(socket, token, operation, receive, onOpen);
  try {
    for (;;) {
      const received = queue.shift();
      if (received === undefined) await new Promise<void>((resolve) => (wake = resolve));
      else if ('end' in received) {
        const { end, isLost } = received;
        if (end === null || isLost) return end;
        throw end;
      } else {
        const { data, errors } = received.payload;
        if (errors !== undefined) throw new GraphqlError(errors, data);
        yield data;
      }
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    socket.close();
  }
}

type ClientSocket = NonNullable<Transport['options']['WebSocket']>;

/** Resolves after `ms` milliseconds, or as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}

/** Yields the events of a subscription. Once the first connection was open, broken ones are opened again. */
export async function* subscribe(
  transport: Transport,
  operation: object,
  { signal, retryPause = 1000, onReconnect }: SubscribeOptions = {},
): AsyncGenerator<unknown, void> {
  let wasOpen = false;
  let failures = 0;
  const onOpen = (): void => {
    if (wasOpen) onReconnect?.();
    wasOpen = true;
    failures = 0;
  };
  for (;;) {
    const token = transport.token();
    try {
      const lost = yield* receiveAll(transport, token, operation, signal, onOpen);
      if (lost === null) return;
      if (!wasOpen || retryPause === false) throw lost;
      await pause(Math.min(retryPause * 2 ** failures++, MAX_PAUSE_MS), signal);
    } catch (error) {
      if (!(error instanceof ApiError) || !(await transport.renew(token))) throw error;
    }
  }
}
