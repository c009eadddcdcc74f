import { EventEmitter, on } from 'node:events';
import type { FormattedExecutionResult } from 'graphql';
import type { DocumentChange } from '../../../documents/changes/document-change.js';
import { watchKey } from '../../../documents/changes/watch.js';
import type { OperationResponse } from '../http/operation-response.js';
import type { ChangeKind, Delivery, Topic } from './delivery.js';
import { createOperationError } from './operation-error.js';
import type { SharedChangeFeed } from './shared-change-feed.js';

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
 * It is an iterator written out, not an async generator: `return()` of a generator waits until the generator
 * yields, but a subscription that the client completes has to end at once.
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

  /** Queues a change if the subscription is about changes like it. */
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
