import type { FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import type { Access, Caller } from '../../access/access.js';
import type { DocumentChange } from '../../documents/changes/document-change.js';
import { watchKey } from '../../documents/changes/watch.js';
import { fail } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { createTurns } from '../../lib/turns.js';
import type { Answer } from '../http/answer.js';
import { printGalleyError } from '../http/print-errors.js';
import type { OperationRequest } from '../http/read-request.js';
import { createDelivery } from './delivery.js';
import type { ChangeKind, Delivery, Topic } from './delivery.js';
import type { Following } from './following.js';
import { authorizationIn, CLOSE, parseMessage, PRINT, subscriberExists } from './protocol.js';
import type { ClientMessage, Closing } from './protocol.js';

/** One operation of a connection, from its `subscribe` to its end. */
interface Subscription {
  readonly id: string;
  operation: OperationRequest | null;
  /** Null until it is known to be allowed. */
  topic: Topic | null;
  /** Of removals: the key they tell, and how to give it up. */
  watch: { readonly key: string; readonly end: () => void } | null;
  isFollowing: boolean;
}

export interface ConnectionParts {
  readonly socket: WebSocket;
  readonly request: FastifyRequest;
  readonly access: Pick<Access, 'authenticate'>;
  readonly following: Following;
  readonly maxSubscriptions: number;
  readonly describe: (error: unknown) => GalleyError;
  /** Reads what a client asks for; throws errors of the catalogue. */
  readonly read: (payload: unknown) => Promise<OperationRequest>;
  readonly run: (operation: OperationRequest, caller: Caller, delivery: Delivery) => Promise<Answer>;
}

const INIT_MS = 10_000;
/** How long a client may take to part. */
const GOODBYE_MS = 2000;
/** Changes that wait for a client which takes none. */
const MOST_WAITING = 1000;

const errorsOf = ({ body }: Answer): unknown => (JSON.parse(body) as { readonly errors?: unknown }).errors;

/** One client: speaks the protocol, and tells its subscriptions of changes one after the other. */
export class Connection {
  readonly #parts: ConnectionParts;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #turns = createTurns();
  readonly #initTimer: NodeJS.Timeout;
  #authorization: string | undefined;
  #state: 'new' | 'asked' | 'ready' = 'new';
  #waiting = 0;
  #isAlive = true;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#authorization = parts.request.headers.authorization;
    const { socket } = parts;
    this.#initTimer = setTimeout(() => this.close(CLOSE.initTimeout), INIT_MS).unref();
    socket.on('message', (data, isBinary) => {
      const message = isBinary ? null : parseMessage((data as Buffer).toString());
      if (message === null) this.close(CLOSE.badRequest);
      else this.#take(message).catch((error: unknown) => this.#giveUp(error));
    });
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    // What breaks a connection closes it.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#end());
  }

  /** Ends the connection, politely at first. */
  close({ code, reason }: Closing): void {
    const { socket } = this.#parts;
    this.#end();
    socket.close(code, reason);
    setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
  }

  /** Now and then: whether somebody is still there, and may still be. */
  async check(): Promise<void> {
    const { socket } = this.#parts;
    if (!this.#isAlive) return socket.terminate();
    this.#isAlive = false;
    socket.ping();
    if (this.#state === 'ready') await this.#authenticate();
  }

  /** Tells of a change whoever waits for one like it. */
  offer(change: DocumentChange, kinds: readonly ChangeKind[]): void {
    for (const subscription of this.#subscriptions.values()) {
      const { topic } = subscription;
      if (topic === null || topic.type !== change.type || !kinds.includes(topic.kind)) continue;
      if (topic.documentId !== null && topic.documentId !== change.documentId) continue;
      this.#waiting += 1;
      if (this.#waiting > MOST_WAITING) return this.close(CLOSE.tooSlow);
      this.#turns.run(() => this.#deliver(subscription, change)).catch((error: unknown) => this.#giveUp(error)).finally(() => {
        this.#waiting -= 1;
      });
    }
  }

  #end(): void {
    clearTimeout(this.#initTimer);
    for (const subscription of this.#subscriptions.values()) this.#stop(subscription);
  }

  #giveUp(error: unknown): void {
    const { request, describe } = this.#parts;
    const fault = describe(error);
    if (fault.kind === 'unauthorized') return this.close(CLOSE.forbidden);
    request.log.error({ err: fault.cause ?? fault, code: fault.code }, fault.message);
    this.close(CLOSE.internal);
  }

  /** Resolves when the client's side has room for more. */
  #send(text: string): Promise<void> {
    const { socket } = this.#parts;
    if (socket.readyState !== socket.OPEN) return Promise.resolve();
    return new Promise((resolve) => {
      socket.send(text, () => resolve());
    });
  }

  #take(message: ClientMessage): Promise<void> {
    switch (message.type) {
      case 'connection_init': return this.#initialise(message.payload);
      case 'ping': return this.#send(PRINT.pong(message.payload));
      case 'pong': return Promise.resolve();
      case 'subscribe': return this.#subscribe(message.id, message.payload);
      case 'complete': {
        const subscription = this.#subscriptions.get(message.id);
        if (subscription !== undefined) this.#stop(subscription);
        return Promise.resolve();
      }
    }
  }

  async #initialise(payload: unknown): Promise<void> {
    if (this.#state !== 'new') return this.close(CLOSE.tooManyInits);
    this.#state = 'asked';
    this.#authorization = authorizationIn(payload) ?? this.#authorization;
    if ((await this.#authenticate()) === null) return;
    clearTimeout(this.#initTimer);
    this.#state = 'ready';
    await this.#send(PRINT.ack);
  }

  /** Anew each time, since a token may be withdrawn and a user blocked at any moment. Null: the connection is at its end. */
  async #authenticate(): Promise<Caller | null> {
    try {
      return await this.#parts.access.authenticate(this.#authorization);
    } catch (error) {
      this.#giveUp(error);
      return null;
    }
  }

  async #subscribe(id: string, payload: unknown): Promise<void> {
    if (this.#state !== 'ready') return this.close(CLOSE.unauthorized);
    if (this.#subscriptions.has(id)) return this.close(subscriberExists(id));
    const subscription: Subscription = { id, operation: null, topic: null, watch: null, isFollowing: false };
    this.#subscriptions.set(id, subscription);
    try {
      if (this.#subscriptions.size > this.#parts.maxSubscriptions) throw fail('graphql/too-many-subscriptions', { limit: this.#parts.maxSubscriptions });
      subscription.operation = await this.#parts.read(payload);
      await this.#start(subscription, subscription.operation);
    } catch (error) {
      if (!isGalleyError(error) || error.kind === 'internal') throw error;
      await this.#refuse(subscription, [printGalleyError(error)]);
    }
  }

  #isOpen({ id }: Subscription): boolean {
    return this.#subscriptions.has(id);
  }

  async #start(subscription: Subscription, operation: OperationRequest): Promise<void> {
    const caller = await this.#authenticate();
    if (caller === null) return;
    const delivery = createDelivery(null);
    const answer = await this.#parts.run(operation, caller, delivery);
    if (!this.#isOpen(subscription)) return;
    if (delivery.topic !== null && answer.status === 200) return this.#follow(subscription, delivery.topic);
    if (answer.status !== 200 || delivery.operation === 'subscription') return this.#refuse(subscription, errorsOf(answer));
    await this.#send(PRINT.next(subscription.id, answer.body));
    await this.#complete(subscription);
  }

  async #follow(subscription: Subscription, topic: Topic): Promise<void> {
    const { following } = this.#parts;
    subscription.isFollowing = true;
    await following.begin();
    if (topic.watch !== null) await this.#watch(subscription, topic.watch);
    if (this.#isOpen(subscription)) subscription.topic = topic;
  }

  /** What may be seen of removals changes with the subscriber's rights. */
  async #watch(subscription: Subscription, watch: NonNullable<Topic['watch']>): Promise<void> {
    if (subscription.watch?.key === watchKey(watch)) return;
    const watched = await this.#parts.following.watch(watch);
    subscription.watch?.end();
    subscription.watch = watched;
    if (!this.#isOpen(subscription)) watched.end();
  }

  async #deliver(subscription: Subscription, change: DocumentChange): Promise<void> {
    const { operation } = subscription;
    if (operation === null || !this.#isOpen(subscription)) return;
    const caller = await this.#authenticate();
    if (caller === null) return;
    const delivery = createDelivery(change);
    const answer = await this.#parts.run(operation, caller, delivery);
    if (!this.#isOpen(subscription)) return;
    if (delivery.topic === null || answer.status !== 200) return this.#refuse(subscription, errorsOf(answer));
    if (delivery.isTold) await this.#send(PRINT.next(subscription.id, answer.body));
    if (delivery.topic.watch !== null) await this.#watch(subscription, delivery.topic.watch);
  }

  #refuse(subscription: Subscription, errors: unknown): Promise<void> {
    if (!this.#isOpen(subscription)) return Promise.resolve();
    this.#stop(subscription);
    return this.#send(PRINT.error(subscription.id, errors));
  }

  #complete(subscription: Subscription): Promise<void> {
    this.#stop(subscription);
    return this.#send(PRINT.complete(subscription.id));
  }

  #stop(subscription: Subscription): void {
    if (!this.#subscriptions.delete(subscription.id)) return;
    subscription.topic = null;
    subscription.watch?.end();
    if (subscription.isFollowing) this.#parts.following.end();
    subscription.isFollowing = false;
  }
}
