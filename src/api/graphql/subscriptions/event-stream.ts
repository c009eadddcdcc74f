import { EventEmitter, on } from 'node:events';
import { GraphQLError } from 'graphql';
import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql';
import { watchKey } from '../../../documents/changes/leases.js';
import type { ChangeFeed, ChangeListener } from '../../../documents/changes/change-feed.js';
import type { DocumentChange } from '../../../documents/changes/change-log.js';
import { createError } from '../../../errors/catalogue.js';
import { isGalleyError } from '../../../errors/galley-error.js';
import { printGalleyError } from '../http/print-errors.js';
import type { OperationResponse } from '../http/print-errors.js';
import type { ChangeKind, Delivery, Topic } from './delivery.js';

/** The change feed, which is open while any subscription uses it. */
export interface SharedChangeFeed {
  /** Once it resolves, no later change is missed. */
  readonly acquire: () => Promise<void>;
  /** Call once for each `acquire`. */
  readonly release: () => void;
  readonly watch: ChangeFeed['watch'];
}

/** Opens the feed for the first user and closes it after the last. */
export function createSharedChangeFeed(
  feed: ChangeFeed,
  listener: ChangeListener,
  onError: (error: unknown) => void,
): SharedChangeFeed {
  let referenceCount = 0;
  let activeFeed: Promise<() => Promise<void>> | null = null;
  return {
    acquire: async () => {
      referenceCount += 1;
      activeFeed ??= feed.subscribe(listener);
      const acquiredFeed = activeFeed;
      try {
        await acquiredFeed;
      } catch (error) {
        if (activeFeed === acquiredFeed) activeFeed = null;
        throw error;
      }
    },
    release: () => {
      referenceCount -= 1;
      if (referenceCount > 0 || activeFeed === null) return;
      const releasedFeed = activeFeed;
      activeFeed = null;
      releasedFeed.then((stop) => stop()).catch(onError);
    },
    watch: feed.watch,
  };
}

/** Ends one operation of a connection with an `error` message. The connection stays open. */
export class OperationError extends Error {
  /** The errors of the message. */
  readonly errors: readonly GraphQLFormattedError[];

  constructor(errors: readonly GraphQLFormattedError[]) {
    super('The operation failed.');
    this.errors = errors;
  }
}

/** Creates the error of an operation that was rejected, or that is not a subscription to documents. */
export function createOperationError({ body }: OperationResponse): OperationError {
  const reason = 'A subscription must select changes of documents.';
  return new OperationError(
    body.errors ?? [printGalleyError(createError('graphql/invalid-request', { reason }))],
  );
}

/**
 * Converts an error of one operation to an `OperationError`. Returns an invalid authorization and internal
 * errors unchanged, because they end the whole connection.
 */
export function toOperationError(error: unknown): unknown {
  if (!isGalleyError(error) || error.kind === 'internal' || error.kind === 'unauthorized') return error;
  return new OperationError([printGalleyError(error)]);
}

/** Wraps an error in the form that graphql-ws passes to its `onError` hook. */
export function wrapOperationError(error: OperationError): readonly GraphQLError[] {
  return [new GraphQLError(error.message, { originalError: error })];
}

/** The reverse of {@link wrapOperationError}, also for errors that graphql-ws has wrapped by itself. */
export function unwrapOperationErrors(errors: readonly GraphQLError[]): readonly GraphQLFormattedError[] {
  return errors.flatMap((error) =>
    error.originalError instanceof OperationError ? error.originalError.errors : [error.toJSON()],
  );
}

/** The outcome of running a subscription's document for one change. */
interface DeliveredChange {
  readonly delivery: Delivery;
  readonly response: OperationResponse;
}

export interface EventStreamOptions {
  readonly topic: Topic;
  readonly changeFeed: SharedChangeFeed;
  /** Runs the document for one change, with the rights that the subscriber has now. */
  readonly run: (change: DocumentChange) => Promise<DeliveredChange>;
  /**
   * Runs `work` when it is the stream's turn among the streams of its connection.
   *
   * @returns null when `work` failed in a way that ended the connection
   * @throws {@link OperationError} when `work` failed in a way that ends only this stream
   */
  readonly takeTurn: <T>(work: () => Promise<T>) => Promise<T | null>;
  readonly onClose: () => void;
}

const CHANGE = 'change';

/**
 * The events of one subscription, which graphql-ws reads one at a time and sends.
 *
 * This is an explicit iterator, not an async generator: `return()` of a generator waits until the generator
 * yields, but a subscription must end immediately when the client completes it.
 */
export class EventStream implements AsyncIterableIterator<FormattedExecutionResult, undefined> {
  readonly #options: EventStreamOptions;
  readonly #emitter = new EventEmitter();
  /** Queues changes until they are read. */
  readonly #changes = on(this.#emitter, CHANGE);
  #watch: { readonly key: string; readonly end: () => void } | null = null;
  #hasAcquiredFeed = false;
  #isClosed = false;
  #pendingCount = 0;

  constructor(options: EventStreamOptions) {
    this.#options = options;
  }

  /** The number of changes that are queued or being delivered. */
  get pendingCount(): number {
    return this.#pendingCount;
  }

  /** Once it resolves, no later change is missed. */
  async open(): Promise<void> {
    const { changeFeed, topic } = this.#options;
    this.#hasAcquiredFeed = true;
    await changeFeed.acquire();
    await this.#updateWatch(topic.watch);
  }

  /** Queues a change if it matches the topic of the subscription. */
  push(change: DocumentChange, kinds: readonly ChangeKind[]): void {
    const { topic } = this.#options;
    if (topic.type !== change.type || !kinds.includes(topic.kind)) return;
    if (topic.documentId !== null && topic.documentId !== change.documentId) return;
    this.#pendingCount += 1;
    this.#emitter.emit(CHANGE, change);
  }

  async next(): Promise<IteratorResult<FormattedExecutionResult, undefined>> {
    while (!this.#isClosed) {
      const { done, value } = (await this.#changes.next()) as IteratorResult<[DocumentChange], undefined>;
      if (done === true) break;
      const result = await this.#deliver(value[0]);
      this.#pendingCount -= 1;
      if (result !== null && !this.#isClosed) return { done: false, value: result };
    }
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.close();
    return { done: true, value: undefined };
  }

  /** Ends the stream. Changes still queued are dropped. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    void this.#changes.return?.();
    this.#watch?.end();
    if (this.#hasAcquiredFeed) this.#options.changeFeed.release();
    this.#options.onClose();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #deliver(change: DocumentChange): Promise<FormattedExecutionResult | null> {
    const { run, takeTurn } = this.#options;
    try {
      return await takeTurn(async () => {
        if (this.#isClosed) return null;
        const { delivery, response } = await run(change);
        if (delivery.topic === null || response.status !== 200) throw createOperationError(response);
        await this.#updateWatch(delivery.topic.watch);
        return delivery.shouldSend ? response.body : null;
      });
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Replaces the watch if the subscriber's rights have changed, and with them the reported removals. */
  async #updateWatch(watch: Topic['watch']): Promise<void> {
    if (watch === null || this.#isClosed || this.#watch?.key === watchKey(watch)) return;
    const newWatch = await this.#options.changeFeed.watch(watch);
    this.#watch?.end();
    this.#watch = newWatch;
    if (this.#isClosed) newWatch.end();
  }
}
