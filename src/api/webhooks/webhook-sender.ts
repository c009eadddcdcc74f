import { randomUUID } from 'node:crypto';
import { PURGE_EVENT } from '../../config/webhook-settings.js';
import type { Database } from '../../database/database.js';
import { createProcessLease, createServerState } from '../../database/server-state.js';
import { coalesceRuns } from '../../lib/resources.js';
import { DAY_MS, HOUR_MS } from '../../lib/units.js';
import { errorCode } from '../../lib/caught-errors.js';
import type { Attempt, Delivery, DeliveryStore, PendingDelivery } from './delivery-store.js';
import type { WebhookRegistry } from './webhook-registry.js';
import { combineTags, printTagEvent, purgeRequests } from './purge-requests.js';
import type { PurgeRequest } from './purge-requests.js';
import { receivesTags, sign } from './webhook.js';
import type { Webhook } from './webhook.js';

/** The message for a receiver. */
interface EventMessage {
  /** The same in all attempts. */
  readonly key: string;
  readonly event: string;
  readonly body: string;
}

/** Result of one request. */
interface PostResult {
  readonly isDelivered: boolean;
  /** Null: there was no response. */
  readonly responseStatus: number | null;
  /** Milliseconds. */
  readonly duration: number;
  readonly error: string | null;
}

/** Maximum number of bytes stored of a response that rejects an event. */
const MAX_ERROR_BYTES = 500;

const readBeginning = async ({ body }: Response): Promise<string> => {
  if (body === null) return '';
  const parts: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the rest, however long it is.
  for await (const part of body) {
    parts.push(part as Uint8Array);
    length += (part as Uint8Array).byteLength;
    if (length >= MAX_ERROR_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, MAX_ERROR_BYTES).toString('utf8').trim();
};

const rejectionOf = async (response: Response): Promise<string> => {
  if (response.status >= 300 && response.status < 400)
    return `HTTP ${response.status}: redirects are not followed`;
  const text = await readBeginning(response);
  return `HTTP ${response.status}${text === '' ? '' : `: ${text}`}`;
};

const reasonOf = (error: unknown, { timeout }: Webhook): string => {
  if (error instanceof Error && error.name === 'TimeoutError') return `No response within ${timeout} ms`;
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  const message = cause instanceof Error ? cause.message : '';
  return message || errorCode(cause) || 'The connection failed';
};

const headersOf = (webhook: Webhook, { key, event, body }: EventMessage): Headers => {
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = new Headers(webhook.headers);
  headers.set('content-type', 'application/json');
  headers.set('x-strapi-event', event);
  headers.set('webhook-id', key);
  headers.set('webhook-timestamp', String(timestamp));
  if (webhook.secret !== null)
    headers.set('webhook-signature', sign(webhook.secret, { key, timestamp, body }));
  return headers;
};

/** Sends a request to a receiver, once. Throws only if `signal` is aborted. */
const sendRequest = async (
  webhook: Webhook,
  { method, headers, body }: Omit<PurgeRequest, 'headers'> & { readonly headers: Headers },
  signal?: AbortSignal,
): Promise<PostResult> => {
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  const timeout = AbortSignal.timeout(webhook.timeout);
  let responseStatus: number | null = null;
  try {
    const response = await fetch(webhook.url, {
      method,
      headers,
      body,
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
    });
    responseStatus = response.status;
    const error = response.ok ? null : await rejectionOf(response);
    if (response.ok) await response.body?.cancel();
    return { isDelivered: response.ok, responseStatus, duration: elapsed(), error };
  } catch (error) {
    signal?.throwIfAborted();
    return { isDelivered: false, responseStatus, duration: elapsed(), error: reasonOf(error, webhook) };
  }
};

/** Sends an event to a receiver, once. Throws only if `signal` is aborted. */
export async function postEvent(
  webhook: Webhook,
  message: EventMessage,
  signal?: AbortSignal,
): Promise<PostResult> {
  return sendRequest(
    webhook,
    { method: 'POST', headers: headersOf(webhook, message), body: message.body },
    signal,
  );
}

/**
 * Sends tags to a cache: as one event, or by the requests of its service, one after another until one fails.
 * Throws only if `signal` is aborted.
 */
export async function postTags(
  webhook: Webhook,
  { key, tags }: { readonly key: string; readonly tags: readonly string[] },
  signal?: AbortSignal,
): Promise<PostResult> {
  const { purge, secret } = webhook;
  if (purge === null)
    return postEvent(webhook, { key, event: PURGE_EVENT, body: printTagEvent(tags) }, signal);
  let last: PostResult = { isDelivered: true, responseStatus: null, duration: 0, error: null };
  for (const request of purgeRequests(purge, tags, secret)) {
    if (!last.isDelivered) break;
    const headers = new Headers({ ...webhook.headers, ...request.headers });
    const { duration, ...result } = await sendRequest(webhook, { ...request, headers }, signal);
    last = { ...result, duration: last.duration + duration };
  }
  return last;
}

/** Maximum number of concurrent requests to a receiver, each about a different document. */
const MAX_CONCURRENT = 4;
/** Maximum number of deliveries of tags that are sent together. */
const MAX_COMBINED = 1000;
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
  readonly deliveries: Pick<DeliveryStore, 'due' | 'dueTags' | 'finish'>;
  readonly repeatsMs: SenderIntervals['repeatsMs'];
  /** True if this process may start another request. */
  readonly maySend: () => boolean;
  /** Aborted when the process ends. Deliveries in flight are sent again later. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** Called when a delivery is abandoned after its last attempt. */
  readonly onFailed: (webhook: Webhook, delivery: Delivery, error: string | null) => void;
}

/** Returns the number of times that the tags of a pending delivery have arrived since the last error. */
const arrivalsOf = ({ attemptedAt, attempts, error }: PendingDelivery): number =>
  attemptedAt !== null && error === null ? attempts : 0;

/** Returns the next multiple of the interval after one has passed, so that repeats are sent together. */
const timeOfRepeat = (interval: number): number => Math.ceil(Date.now() / interval + 1) * interval;

/**
 * Stores the result of a request for its deliveries: one, or all whose tags it contained. Tags are sent
 * again, since a cache may store a response after the purge that it requested before the change. Their
 * delivery stays pending until then, so that neither an error nor a restart loses a repeat.
 */
const finishDeliveries = async (
  { deliveries, repeatsMs, onFailed }: ReceiverQueueDependencies,
  webhook: Webhook,
  sent: readonly PendingDelivery[],
  { isDelivered, ...result }: PostResult,
): Promise<void> => {
  const finish = async (
    finished: readonly PendingDelivery[],
    attempt: Pick<Attempt, 'status' | 'attempts' | 'nextAttemptAt'>,
  ): Promise<void> => {
    const ids = finished.map(({ id }) => id);
    if (ids.length > 0) await deliveries.finish(ids, { ...attempt, ...result });
  };
  const repeats = isDelivered && receivesTags(webhook) ? repeatsMs : [];
  for (const [arrivals, interval] of repeats.entries())
    await finish(
      sent.filter((delivery) => arrivalsOf(delivery) === arrivals),
      { status: 'pending', attempts: arrivals + 1, nextAttemptAt: timeOfRepeat(interval) },
    );
  const ended = sent.filter((delivery) => arrivalsOf(delivery) >= repeats.length);
  const arrived = (delivery: PendingDelivery): number => (isDelivered ? 0 : arrivalsOf(delivery));
  const attempts = Math.max(0, ...ended.map((delivery) => delivery.attempts - arrived(delivery))) + 1;
  const isAbandoned = !isDelivered && attempts > webhook.retries;
  await finish(ended, {
    status: isDelivered ? 'delivered' : isAbandoned ? 'failed' : 'pending',
    attempts,
    nextAttemptAt: Date.now() + (isDelivered ? 0 : pauseAfter(webhook, attempts)),
  });
  if (isAbandoned) for (const delivery of sent) onFailed(webhook, delivery, result.error);
};

/** Returns the tags of a stored delivery. */
const tagsIn = ({ payload }: PendingDelivery): readonly string[] =>
  (JSON.parse(payload) as { readonly tags: readonly string[] }).tags;

function createReceiverQueue(dependencies: ReceiverQueueDependencies): ReceiverQueue {
  const { deliveries, maySend, repeatsMs, signal, onError } = dependencies;
  const inFlight = new Map<number, Promise<void>>();
  let receiver: Webhook | null = null;
  const report = (error: unknown): void => {
    if (!signal.aborted) onError(error);
  };
  const send = async (
    webhook: Webhook,
    id: number,
    sent: readonly PendingDelivery[],
    post: () => Promise<PostResult>,
  ): Promise<void> => {
    try {
      await finishDeliveries(dependencies, webhook, sent, await post());
    } catch (error) {
      report(error);
    } finally {
      inFlight.delete(id);
      void check();
    }
  };
  const sendEvent = (webhook: Webhook, delivery: PendingDelivery): Promise<void> => {
    const { key, event, payload: body } = delivery;
    return send(webhook, delivery.id, [delivery], () => postEvent(webhook, { key, event, body }, signal));
  };
  /** Sends all tags that are due, one request at a time. Those recorded meanwhile wait for the next. */
  const checkTags = async (webhook: Webhook): Promise<void> => {
    if (inFlight.size > 0) return;
    const sent = await deliveries.dueTags(webhook.id, MAX_COMBINED);
    const [first] = sent;
    if (!maySend() || first === undefined) return;
    // A receiver ignores an event that it has received, so that a repeat has another key.
    const key = sent.find((delivery) => arrivalsOf(delivery) === 0)?.key ?? randomUUID();
    const tags = combineTags(sent.flatMap(tagsIn));
    const post = (): Promise<PostResult> => postTags(webhook, { key, tags }, signal);
    const sendAndRepeat = async (): Promise<void> => {
      await send(webhook, first.id, sent, post);
      for (const interval of repeatsMs) setTimeout(() => void check(), 2 * interval).unref();
    };
    inFlight.set(first.id, sendAndRepeat());
  };
  const check = coalesceRuns(async () => {
    if (receiver === null || !maySend() || inFlight.size >= MAX_CONCURRENT) return;
    if (receivesTags(receiver)) return checkTags(receiver);
    // A delivery that finishes during the query may still be in its result.
    const known = new Set(inFlight.keys());
    const due = await deliveries.due(receiver.id, MAX_CONCURRENT + known.size);
    if (!maySend()) return;
    const waiting = due.filter(({ id }) => !known.has(id));
    for (const delivery of waiting.slice(0, MAX_CONCURRENT - inFlight.size))
      inFlight.set(delivery.id, sendEvent(receiver, delivery));
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

interface WebhookSenderDependencies {
  readonly database: Database;
  readonly registry: WebhookRegistry;
  readonly deliveries: DeliveryStore;
  readonly onError: (error: unknown) => void;
  readonly onFailed: (webhook: Webhook, delivery: Delivery, error: string | null) => void;
  /** Called before each check if a webhook receives tags. Announces changes that no write announces. */
  readonly announceSiteChanges?: () => Promise<void>;
  readonly intervals?: Partial<SenderIntervals>;
}

interface SenderIntervals {
  /** Interval between checks for deliveries written by other processes, and for due retries. */
  readonly checkMs: number;
  /** Time after which another process replaces one that has ended. */
  readonly leaseMs: number;
  readonly stopMs: number;
  /**
   * Intervals after which tags are sent again, at most doubled: soon, and later for responses that a cache
   * received slowly.
   */
  readonly repeatsMs: readonly number[];
}

const INTERVALS: SenderIntervals = {
  checkMs: 1000,
  leaseMs: 10_000,
  stopMs: 3000,
  repeatsMs: [250, 2500],
};
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
  announceSiteChanges,
  intervals = {},
}: WebhookSenderDependencies): WebhookSender {
  const { checkMs, leaseMs, stopMs, repeatsMs } = { ...INTERVALS, ...intervals };
  const lease = createProcessLease(createServerState(database), LEASE_KEY, leaseMs);
  const ending = new AbortController();
  const queues = new Map<string, ReceiverQueue>();
  let cleanedAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  let hasLease = false;
  const maySend = (): boolean => hasLease && !isStopped;
  const queueOf = (id: string): ReceiverQueue => {
    const signal = ending.signal;
    const queue =
      queues.get(id) ?? createReceiverQueue({ deliveries, maySend, repeatsMs, signal, onError, onFailed });
    queues.set(id, queue);
    return queue;
  };
  const check = coalesceRuns(async () => {
    const webhooks = (await registry.current()).filter(({ isEnabled }) => isEnabled);
    if (isStopped || webhooks.length === 0) return;
    hasLease = await lease.hold();
    if (!hasLease) return;
    if (webhooks.some(receivesTags)) await announceSiteChanges?.();
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
