import { randomUUID } from 'node:crypto';
import { PURGE_EVENT } from '../../config/webhook-settings.js';
import type { Database } from '../../database/database.js';
import { createProcessLease, createServerState } from '../../database/server-state.js';
import { coalesceRuns } from '../../lib/resources.js';
import { DAY_MS, HOUR_MS } from '../../lib/units.js';
import { errorCode } from '../../lib/caught-errors.js';
import type { Delivery, DeliveryStore, PendingDelivery } from './delivery-store.js';
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
/** Milliseconds before a purge is repeated, at most doubled: soon, and later for slow responses. */
const REPEATS_MS = [250, 2500];
/** The number of a request that only repeats tags. */
const NO_DELIVERY = 0;
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
  /** True if this process may start another request. */
  readonly maySend: () => boolean;
  /** Aborted when the process ends. Deliveries in flight are sent again later. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** Called when a delivery is abandoned after its last attempt. */
  readonly onFailed: (webhook: Webhook, delivery: Delivery, error: string | null) => void;
}

/** Stores the result of a request for its deliveries: one, or all whose tags it contained. */
const finishDeliveries = async (
  { deliveries, onFailed }: ReceiverQueueDependencies,
  webhook: Webhook,
  sent: readonly PendingDelivery[],
  { isDelivered, responseStatus, duration, error }: PostResult,
): Promise<void> => {
  if (sent.length === 0) return;
  const attempts = Math.max(...sent.map((delivery) => delivery.attempts)) + 1;
  const isAbandoned = !isDelivered && attempts > webhook.retries;
  const ids = sent.map(({ id }) => id);
  await deliveries.finish(ids, {
    status: isDelivered ? 'delivered' : isAbandoned ? 'failed' : 'pending',
    attempts,
    nextAttemptAt: Date.now() + (isDelivered ? 0 : pauseAfter(webhook, attempts)),
    responseStatus,
    duration,
    error,
  });
  if (isAbandoned) for (const delivery of sent) onFailed(webhook, delivery, error);
};

/** Returns a function that passes on tags after one or two pauses, those of several calls together. */
function delayTags(
  pause: number,
  send: (tags: readonly string[]) => void,
): (tags: readonly string[]) => void {
  const waiting: string[] = [];
  let isPausing = false;
  const start = (): void => {
    const tags = waiting.splice(0);
    isPausing = tags.length > 0;
    if (!isPausing) return;
    setTimeout(() => {
      start();
      send(tags);
    }, pause).unref();
  };
  return (tags) => {
    waiting.push(...tags);
    if (!isPausing) start();
  };
}

/** Returns the tags of a stored delivery. */
const tagsIn = ({ payload }: PendingDelivery): readonly string[] =>
  (JSON.parse(payload) as { readonly tags: readonly string[] }).tags;

function createReceiverQueue(dependencies: ReceiverQueueDependencies): ReceiverQueue {
  const { deliveries, maySend, signal, onError } = dependencies;
  const inFlight = new Map<number, Promise<void>>();
  const repeated: string[] = [];
  const repeats = REPEATS_MS.map((pause) =>
    delayTags(pause, (tags) => {
      repeated.push(...tags);
      void check();
    }),
  );
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
  /**
   * Sends all tags that are due, one request at a time. Those recorded meanwhile wait for the next. All are
   * sent again later, since a cache may store a response after the purge that it requested before the
   * change.
   */
  const checkTags = async (webhook: Webhook): Promise<void> => {
    if (inFlight.size > 0) return;
    const sent = await deliveries.dueTags(webhook.id, MAX_COMBINED);
    if (!maySend() || sent.length + repeated.length === 0) return;
    const due = sent.flatMap(tagsIn);
    const tags = combineTags([...due, ...repeated.splice(0)]);
    const { id, key } = sent[0] ?? { id: NO_DELIVERY, key: randomUUID() };
    const post = async (): Promise<PostResult> => {
      const result = await postTags(webhook, { key, tags }, signal);
      if (result.isDelivered) for (const repeat of repeats) repeat(due);
      return result;
    };
    inFlight.set(id, send(webhook, id, sent, post));
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
  announceSiteChanges,
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
