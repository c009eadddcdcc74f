import type { Database } from '../../database/database.js';
import { createProcessLease, createServerState } from '../../database/server-state.js';
import { runAgain } from '../../lib/resources.js';
import type { Delivery, DeliveryStore, PendingDelivery } from './delivery-store.js';
import { postEvent } from './post-event.js';
import type { PostResult } from './post-event.js';
import type { WebhookRegistry } from './webhook-registry.js';
import type { Webhook } from './webhook.js';

/** Maximum number of concurrent requests to a receiver, each about a different document. */
const MAX_CONCURRENT = 4;
const PAUSE_FACTOR = 3;
const MAX_PAUSE_MS = 6 * 3_600_000;

/** Returns how long to wait after a failed attempt: longer each time, and not to the same moment for all. */
function pauseAfter({ retryPause }: Pick<Webhook, 'retryPause'>, attempts: number): number {
  const pause = Math.min(MAX_PAUSE_MS, retryPause * PAUSE_FACTOR ** (attempts - 1));
  return Math.round(pause * (1 + Math.random() / 10));
}

/** Sends what one receiver is told, so that no other waits for it. */
interface Lane {
  /** Sends all that is due. Calls while it looks for that have it look once more. */
  readonly pump: (webhook: Webhook) => Promise<void>;
  /** Resolves once no request is under way. */
  readonly settle: () => Promise<void>;
}

interface LaneDependencies {
  readonly deliveries: Pick<DeliveryStore, 'due' | 'finish'>;
  /** True if this process may still begin to send something. */
  readonly mayBegin: () => boolean;
  /** Aborted when the process ends: what is under way is sent again later. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** Told of what is given up. */
  readonly onFailed: (webhook: Webhook, delivery: Delivery, error: string | null) => void;
}

const finishDelivery = async (
  { deliveries, onFailed }: LaneDependencies,
  webhook: Webhook,
  delivery: PendingDelivery,
  { isDelivered, responseStatus, duration, error }: PostResult,
): Promise<void> => {
  const attempts = delivery.attempts + 1;
  const isGivenUp = !isDelivered && attempts > webhook.retries;
  await deliveries.finish(delivery.id, {
    status: isDelivered ? 'delivered' : isGivenUp ? 'failed' : 'pending',
    attempts,
    nextAttemptAt: Date.now() + (isDelivered ? 0 : pauseAfter(webhook, attempts)),
    responseStatus,
    duration,
    error,
  });
  if (isGivenUp) onFailed(webhook, delivery, error);
};

function createLane(dependencies: LaneDependencies): Lane {
  const { deliveries, mayBegin, signal, onError } = dependencies;
  const underWay = new Map<number, Promise<void>>();
  let receiver: Webhook | null = null;
  const tell = (error: unknown): void => {
    if (!signal.aborted) onError(error);
  };
  const send = async (webhook: Webhook, delivery: PendingDelivery): Promise<void> => {
    const { key, event, payload: body } = delivery;
    try {
      const result = await postEvent(webhook, { key, event, body }, signal);
      await finishDelivery(dependencies, webhook, delivery, result);
    } catch (error) {
      tell(error);
    } finally {
      underWay.delete(delivery.id);
      void look();
    }
  };
  const look = runAgain(async () => {
    if (receiver === null || !mayBegin() || underWay.size >= MAX_CONCURRENT) return;
    // What ends while the database is asked may be among what it returns.
    const known = new Set(underWay.keys());
    const found = await deliveries.due(receiver.id, MAX_CONCURRENT + known.size);
    if (!mayBegin()) return;
    const waiting = found.filter(({ id }) => !known.has(id));
    for (const delivery of waiting.slice(0, MAX_CONCURRENT - underWay.size))
      underWay.set(delivery.id, send(receiver, delivery));
  }, tell);
  return {
    pump: (webhook) => {
      receiver = webhook;
      return look();
    },
    settle: async () => {
      while (underWay.size > 0) await Promise.all(underWay.values());
    },
  };
}

/** Sends what webhooks are told, where no other process does. */
export interface WebhookSender {
  /** Looks for something to send now. */
  readonly wake: () => void;
  /** Waits a moment for requests that are under way. Those that take longer are sent again later. */
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
  readonly lookMs: number;
  /** After this time another process takes over from one that has ended. */
  readonly leaseMs: number;
  readonly stopMs: number;
}

const INTERVALS: SenderIntervals = { lookMs: 1000, leaseMs: 10_000, stopMs: 3000 };
const LEASE_KEY = 'webhooks/sender';
const KEPT_MS = 30 * 24 * 3_600_000;
const CLEANUP_MS = 3_600_000;

/** Starts to send. */
export function startWebhookSender({
  database,
  registry,
  deliveries,
  onError,
  onFailed,
  intervals = {},
}: WebhookSenderDependencies): WebhookSender {
  const { lookMs, leaseMs, stopMs } = { ...INTERVALS, ...intervals };
  const lease = createProcessLease(createServerState(database), LEASE_KEY, leaseMs);
  const ending = new AbortController();
  const lanes = new Map<string, Lane>();
  let cleanedAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  let isHolder = false;
  const mayBegin = (): boolean => isHolder && !isStopped;
  const laneOf = (id: string): Lane => {
    const signal = ending.signal;
    const lane = lanes.get(id) ?? createLane({ deliveries, mayBegin, signal, onError, onFailed });
    lanes.set(id, lane);
    return lane;
  };
  const look = runAgain(async () => {
    const webhooks = (await registry.current()).filter(({ isEnabled }) => isEnabled);
    if (isStopped || webhooks.length === 0) return;
    isHolder = await lease.hold();
    if (!isHolder) return;
    if (performance.now() - cleanedAt >= CLEANUP_MS) {
      cleanedAt = performance.now();
      await deliveries.deleteBefore(Date.now() - KEPT_MS);
    }
    await Promise.all(webhooks.map((webhook) => laneOf(webhook.id).pump(webhook)));
  }, onError);
  const wake = (): void => {
    if (!isStopped) void look();
  };
  const timer = setInterval(wake, lookMs).unref();
  wake();
  return {
    wake,
    stop: async () => {
      if (isStopped) return;
      isStopped = true;
      clearInterval(timer);
      await look();
      const abort = setTimeout(() => ending.abort(), stopMs);
      await Promise.all([...lanes.values()].map((lane) => lane.settle()));
      clearTimeout(abort);
      ending.abort();
      await lease.release().catch(onError);
    },
  };
}
