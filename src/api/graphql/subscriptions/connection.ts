import { Mutex } from 'async-mutex';
import type { FastifyRequest } from 'fastify';
import type { DocumentNode, FormattedExecutionResult } from 'graphql';
import type { Server as ProtocolServer, WebSocket as ProtocolSocket, SubscribePayload } from 'graphql-ws';
import type { RawData, WebSocket } from 'ws';
import type { Access, Caller } from '../../../access/access.js';
import type { DocumentChange } from '../../../documents/changes/change-log.js';
import { createError } from '../../../errors/catalogue.js';
import type { GalleyError } from '../../../errors/galley-error.js';
import { isRecord } from '../../../lib/records.js';
import { logRequestError } from '../../http/request-lifecycle.js';
import type { OperationRequest } from '../http/parse-request.js';
import type { OperationResponse } from '../http/print-errors.js';
import { createDelivery } from './delivery.js';
import type { ChangeKind, Delivery, Topic } from './delivery.js';
import { EventStream, OperationError, createOperationError, toOperationError } from './event-stream.js';
import type { SharedChangeFeed } from './event-stream.js';

/** The reason for closing a connection: a close code of the protocol or of WebSocket, and a text. */
interface CloseReason {
  readonly code: number;
  readonly reason: string;
}

/**
 * Reasons that graphql-ws does not send by itself. Clients reconnect after `restart`, `tooSlow` and
 * `unavailable`; codes from 4400 leave that to them.
 */
export const CLOSE_REASONS = {
  restart: { code: 1012, reason: 'Service Restart' },
  tooSlow: { code: 1013, reason: 'Too slow: events arrive faster than the client reads them' },
  unavailable: { code: 1013, reason: 'Try again later: the server cannot read at present' },
  badRequest: { code: 4400, reason: 'Invalid message received' },
  forbidden: { code: 4403, reason: 'Forbidden' },
  internal: { code: 4500, reason: 'Internal server error' },
} as const satisfies Readonly<Record<string, CloseReason>>;

/** The maximum bytes of text in a close frame, after its code. */
const MAX_REASON_BYTES = 123;

/** Shortens a reason that quotes the client, such as the id of a subscription. */
function fitCloseFrame(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.length <= MAX_REASON_BYTES) return reason;
  // With `stream`, a last character that was cut off is left out.
  return new TextDecoder().decode(bytes.subarray(0, MAX_REASON_BYTES), { stream: true });
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/**
 * Moves the payload of a `subscribe` message into the extensions of an empty payload. graphql-ws would close
 * the connection if a payload has no `query`, but requests for a persisted document have none, and other
 * invalid payloads should end only their operation. Returns other messages unchanged.
 */
function wrapRequest(message: string): string {
  const value = parseJson(message);
  if (!isRecord(value) || value['type'] !== 'subscribe') return message;
  const payload: SubscribePayload = { query: '', extensions: { request: value['payload'] } };
  return JSON.stringify({ ...value, payload });
}

/** Returns the original payload of a message that {@link wrapRequest} has changed. */
export function unwrapRequest({ extensions }: SubscribePayload): unknown {
  return extensions?.['request'];
}

const authorizationIn = (headers: unknown): string | undefined => {
  if (!isRecord(headers)) return undefined;
  const [, value] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  return typeof value === 'string' ? value : undefined;
};

/**
 * Returns the Authorization header in the payload of `connection_init`, where clients send it because
 * browsers cannot set headers of a WebSocket. It is a key of the payload or of its `headers`.
 */
function authorizationOf(payload: unknown): string | undefined {
  return authorizationIn(payload) ?? (isRecord(payload) ? authorizationIn(payload['headers']) : undefined);
}

export interface ConnectionDependencies {
  readonly socket: WebSocket;
  readonly request: FastifyRequest;
  readonly access: Pick<Access, 'authenticate'>;
  readonly changeFeed: SharedChangeFeed;
  readonly maxSubscriptions: number;
  readonly toGalleyError: (error: unknown) => GalleyError;
  /** Parses the payload of a `subscribe` message. Throws errors of the catalogue. */
  readonly parseOperation: (payload: unknown) => Promise<OperationRequest>;
  readonly run: (
    operation: OperationRequest,
    caller: Caller,
    delivery: Delivery,
  ) => Promise<OperationResponse>;
}

/** A started operation: its document, and its result or the stream of its events. */
export interface StartedOperation {
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly result: FormattedExecutionResult | EventStream;
}

/** Maximum time for a client to close its side. */
const CLOSE_TIMEOUT_MS = 2000;
/** Changes that may wait for a client that reads slower than they arrive. */
const MAX_PENDING_DELIVERIES = 1000;

/**
 * One client. graphql-ws handles the protocol; this class connects graphql-ws to the socket, authenticates
 * the client and passes changes to its subscriptions.
 */
export class Connection {
  readonly #dependencies: ConnectionDependencies;
  readonly #streams = new Set<EventStream>();
  /**
   * Serializes the reads of a client's subscriptions, so that many subscriptions need no more capacity than
   * one.
   */
  readonly #mutex = new Mutex();
  #authorization: string | undefined;
  #isInitialised = false;
  #isAlive = true;
  #isClosed = false;

  constructor(dependencies: ConnectionDependencies) {
    this.#dependencies = dependencies;
    this.#authorization = dependencies.request.headers.authorization;
  }

  /** Connects the socket to graphql-ws, which handles its messages from now on. */
  open(server: ProtocolServer<Connection>): void {
    const { socket } = this.#dependencies;
    const onClosed = server.opened(this.#protocolSocket(), this);
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    // An error of a socket is always followed by its `close` event.
    socket.on('error', () => undefined);
    socket.on('close', (code, reason) => {
      this.#closeStreams();
      onClosed(code, reason.toString()).catch((error: unknown) => this.#logError(error));
    });
  }

  /** Sends a close frame, and terminates clients that do not reply to it. */
  close({ code, reason }: CloseReason): void {
    const { socket } = this.#dependencies;
    this.#closeStreams();
    socket.close(code, fitCloseFrame(reason));
    setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
  }

  /** Called at intervals. Closes clients that do not respond or whose authorization has ended. */
  async checkAlive(): Promise<void> {
    const { socket } = this.#dependencies;
    if (!this.#isAlive) return socket.terminate();
    this.#isAlive = false;
    socket.ping();
    try {
      if (this.#isInitialised) await this.#authenticate();
    } catch (error) {
      this.#handleFailure(error);
    }
  }

  /** Passes a change to the subscriptions whose topic it matches. */
  dispatch(change: DocumentChange, kinds: readonly ChangeKind[]): void {
    let pendingCount = 0;
    for (const stream of this.#streams) {
      stream.push(change, kinds);
      pendingCount += stream.pendingCount;
    }
    if (pendingCount > MAX_PENDING_DELIVERIES) this.close(CLOSE_REASONS.tooSlow);
  }

  /**
   * Authenticates the client.
   *
   * @param payload of the `connection_init` message
   */
  async initialise(payload: unknown): Promise<void> {
    this.#authorization = authorizationOf(payload) ?? this.#authorization;
    await this.#authenticate();
    this.#isInitialised = true;
  }

  /**
   * Runs an operation. A subscription is run once without a change, to check which types the client may
   * subscribe to.
   *
   * @param payload of the `subscribe` message
   * @param openCount the number of open operations of the client, including this one
   * @throws {@link OperationError}
   */
  async start(payload: unknown, openCount: number): Promise<StartedOperation> {
    const { parseOperation, run } = this.#dependencies;
    try {
      this.#assertCapacity(openCount);
      const operation = await parseOperation(payload);
      const delivery = createDelivery(null);
      const response = await run(operation, await this.#authenticate(), delivery);
      const { document, topic } = delivery;
      if (document === null || response.status !== 200) throw createOperationError(response);
      if (topic === null && delivery.operation === 'subscription') throw createOperationError(response);
      const result = topic === null ? response.body : await this.#openStream(operation, topic);
      return { document, operationName: operation.operationName, result };
    } catch (error) {
      throw toOperationError(error);
    }
  }

  async #openStream(operation: OperationRequest, topic: Topic): Promise<EventStream> {
    const { changeFeed, run } = this.#dependencies;
    // Otherwise clients that complete operations before they start could open any number of streams.
    this.#assertCapacity(this.#streams.size + 1);
    const stream = new EventStream({
      topic,
      changeFeed,
      run: async (change) => {
        const delivery = createDelivery(change);
        return { delivery, response: await run(operation, await this.#authenticate(), delivery) };
      },
      takeTurn: (work) => this.#takeTurn(work),
      onClose: () => this.#streams.delete(stream),
    });
    this.#streams.add(stream);
    try {
      await stream.open();
    } catch (error) {
      stream.close();
      throw error;
    }
    if (this.#isClosed) stream.close();
    return stream;
  }

  async #takeTurn<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await this.#mutex.runExclusive(work);
    } catch (error) {
      const operationError = toOperationError(error);
      if (operationError instanceof OperationError) throw operationError;
      this.#handleFailure(error);
      return null;
    }
  }

  /** Authenticates before every run, since a token may be revoked or a user blocked at any time. */
  #authenticate(): Promise<Caller> {
    return this.#dependencies.access.authenticate(this.#authorization);
  }

  #assertCapacity(count: number): void {
    const limit = this.#dependencies.maxSubscriptions;
    if (count > limit) throw createError('graphql/too-many-subscriptions', { limit });
  }

  #closeStreams(): void {
    this.#isClosed = true;
    for (const stream of this.#streams) stream.close();
  }

  /** Closes the connection because of an error that is not about a single operation. */
  #handleFailure(error: unknown): void {
    const { toGalleyError } = this.#dependencies;
    const { kind } = toGalleyError(error);
    if (kind === 'unauthorized') return this.close(CLOSE_REASONS.forbidden);
    this.#logError(error);
    this.close(kind === 'unavailable' ? CLOSE_REASONS.unavailable : CLOSE_REASONS.internal);
  }

  #logError(error: unknown): void {
    const { request, toGalleyError } = this.#dependencies;
    logRequestError(request.log, toGalleyError(error));
  }

  #protocolSocket(): ProtocolSocket {
    const { socket } = this.#dependencies;
    return {
      protocol: socket.protocol,
      // Resolves when the text is written, so that a slow client delays further messages.
      send: (text) =>
        socket.readyState === socket.OPEN
          ? new Promise((resolve) => socket.send(text, () => resolve()))
          : Promise.resolve(),
      close: (code = CLOSE_REASONS.internal.code, reason = '') => this.close({ code, reason }),
      onMessage: (handle) =>
        socket.on('message', (data: RawData, isBinary: boolean) => {
          if (isBinary) return this.close(CLOSE_REASONS.badRequest);
          handle(wrapRequest((data as Buffer).toString())).catch((error: unknown) =>
            this.#handleFailure(error),
          );
        }),
    };
  }
}
