import type { Database } from '../../database/database.js';
import { createProcessLease } from '../../database/process-lease.js';
import { createServerState } from '../../database/server-state.js';
import { runAgain } from '../../lib/run-again.js';
import type { Delivery, DeliveryStore } from './delivery-store.js';
import { createLane } from './lane.js';
import type { Lane } from './lane.js';
import type { WebhookRegistry } from './webhook-registry.js';
import type { Webhook } from './webhook.js';

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
