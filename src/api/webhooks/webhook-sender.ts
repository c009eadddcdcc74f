import type { Database } from '../../database/database.js';
import { createProcessLease, createServerState } from '../../database/server-state.js';
import { coalesceRuns } from '../../lib/resources.js';
import { DAY_MS, HOUR_MS } from '../../lib/units.js';
import type { Delivery, DeliveryStore, PendingDelivery } from './delivery-store.js';
import { postEvent } from './post-event.js';
import type { PostResult } from './post-event.js';
import type { WebhookRegistry } from './webhook-registry.js';
import type { Webhook } from './webhook.js';

/** Maximum number of concurrent requests to a receiver, each about a different document. */
const MAX_CONCURRENT = 4;
const PAUSE_FACTOR = 3;
const MAX_PAUSE_MS = 6 * HOUR_MS;

/**
 * Returns the milliseconds to wait after a failed attempt. The pause grows with each attempt, and a random
 * part spreads the retries.
 */
function pauseAfter({ retryPause }: Pick<Webhook, 'retryPause'>, attempts: number): number {
  const pause = Math.min(MAX_PAUSE_MS, retryPause * PAUSE_FACTOR ** (attempts - 1));
  return Math.round(pause * (1 + Math.random() / 10));
}

/** Sends the deliveries of one receiver. Each receiver has a queue, so that a slow one delays no other. */
interface ReceiverQueue {
  /** Sends all deliveries that are due. A call while another one runs makes that one check again. */
  readonly sendDue: (webhook: Webhook) => Promise<void>;
  /** Resolves once no request is in flight. */
  readonly settle: () => Promise<void>;
}

interface ReceiverQueueDependencies {
  readonly deliveries: Pick<DeliveryStore, 'due' | 'finish'>;
  /** True if this process may start another request. */
  readonly maySend: () => boolean;
  /** Aborted when the process ends. Deliveries in flight are sent again later. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** Called when a delivery is abandoned after its last attempt. */
  readonly onFailed: (webhook: Webhook, delivery: Delivery, error: string | null) => void;
}

const finishDelivery = async (
  { deliveries, onFailed }: ReceiverQueueDependencies,
  webhook: Webhook,
  delivery: PendingDelivery,
  { isDelivered, responseStatus, duration, error }: PostResult,
): Promise<void> => {
  const attempts = delivery.attempts + 1;
  const isAbandoned = !isDelivered && attempts > webhook.retries;
  await deliveries.finish(delivery.id, {
    status: isDelivered ? 'delivered' : isAbandoned ? 'failed' : 'pending',
    attempts,
    nextAttemptAt: Date.now() + (isDelivered ? 0 : pauseAfter(webhook, attempts)),
    responseStatus,
    duration,
    error,
  });
  if (isAbandoned) onFailed(webhook, delivery, error);
};

function createReceiverQueue(dependencies: ReceiverQueueDependencies): ReceiverQueue {
  const { deliveries, maySend, signal, onError } = dependencies;
  const inFlight = new Map<number, Promise<void>>();
  let receiver: Webhook | null = null;
  const report = (error: unknown): void => {
    if (!signal.aborted) onError(error);
  };
  const send = async (webhook: Webhook, delivery: PendingDelivery): Promise<void> => {
    const { key, event, payload: body } = delivery;
    try {
      const result = await postEvent(webhook, { key, event, body }, signal);
      await finishDelivery(dependencies, webhook, delivery, result);
    } catch (error) {
      report(error);
    } finally {
      inFlight.delete(delivery.id);
      void check();
    }
  };
  const check = coalesceRuns(async () => {
    if (receiver === null || !maySend() || inFlight.size >= MAX_CONCURRENT) return;
    // A delivery that finishes during the query may still be in its result.
    const known = new Set(inFlight.keys());
    const due = await deliveries.due(receiver.id, MAX_CONCURRENT + known.size);
    if (!maySend()) return;
    const waiting = due.filter(({ id }) => !known.has(id));
    for (const delivery of waiting.slice(0, MAX_CONCURRENT - inFlight.size))
      inFlight.set(delivery.id, send(receiver, delivery));
  }, report);
  return {
    sendDue: (webhook) => {
      receiver = webhook;
      return check();
    },
    settle: async () => {
      while (inFlight.size > 0) await Promise.all(inFlight.values());
    },
  };
}

/** Sends the deliveries of all webhooks. Only one process of a database sends at a time. */
export interface WebhookSender {
  /** Checks for due deliveries now. */
  readonly wake: () => void;
  /** Waits a moment for requests in flight. Those that take longer are sent again later. */
  readonly stop: () => Promise<void>;
}

export interface WebhookSenderDependencies {
  readonly database: Database;
  readonly registry: WebhookRegistry;
  readonly deliveries: DeliveryStore;
  readonly onError: (error: unknown) => void;
  readonly onFailed: (webhook: Webhook, delivery: Delivery, error: string | null) => void;
  readonly intervals?: Partial<SenderIntervals>;
}

interface SenderIntervals {
  /** Interval between checks for deliveries written by other processes, and for due retries. */
  readonly checkMs: number;
  /** Time after which another process replaces one that has ended. */
  readonly leaseMs: number;
  readonly stopMs: number;
}

const INTERVALS: SenderIntervals = { checkMs: 1000, leaseMs: 10_000, stopMs: 3000 };
const LEASE_KEY = 'webhooks/sender';
const RETENTION_MS = 30 * DAY_MS;
const CLEANUP_MS = HOUR_MS;

/** Starts to send the deliveries of a database. */
export function startWebhookSender({
  database,
  registry,
  deliveries,
  onError,
  onFailed,
  intervals = {},
}: WebhookSenderDependencies): WebhookSender {
  const { checkMs, leaseMs, stopMs } = { ...INTERVALS, ...intervals };
  const lease = createProcessLease(createServerState(database), LEASE_KEY, leaseMs);
  const ending = new AbortController();
  const queues = new Map<string, ReceiverQueue>();
  let cleanedAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  let hasLease = false;
  const maySend = (): boolean => hasLease && !isStopped;
  const queueOf = (id: string): ReceiverQueue => {
    const signal = ending.signal;
    const queue = queues.get(id) ?? createReceiverQueue({ deliveries, maySend, signal, onError, onFailed });
    queues.set(id, queue);
    return queue;
  };
  const check = coalesceRuns(async () => {
    const webhooks = (await registry.current()).filter(({ isEnabled }) => isEnabled);
    if (isStopped || webhooks.length === 0) return;
    hasLease = await lease.hold();
    if (!hasLease) return;
    if (performance.now() - cleanedAt >= CLEANUP_MS) {
      cleanedAt = performance.now();
      await deliveries.deleteBefore(Date.now() - RETENTION_MS);
    }
    await Promise.all(webhooks.map((webhook) => queueOf(webhook.id).sendDue(webhook)));
  }, onError);
  const wake = (): void => {
    if (!isStopped) void check();
  };
  const timer = setInterval(wake, checkMs).unref();
  wake();
  return {
    wake,
    stop: async () => {
      if (isStopped) return;
      isStopped = true;
      clearInterval(timer);
      await check();
      const abort = setTimeout(() => ending.abort(), stopMs);
      await Promise.all([...queues.values()].map((queue) => queue.settle()));
      clearTimeout(abort);
      ending.abort();
      await lease.release().catch(onError);
    },
  };
}
