import { errorCode } from '../../lib/caught-errors.js';
import { sign } from './webhook.js';
import type { Webhook } from './webhook.js';

/** The message for a receiver. */
export interface EventMessage {
  /** The same in all attempts. */
  readonly key: string;
  readonly event: string;
  readonly body: string;
}

/** Result of one request. */
export interface PostResult {
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

/** Sends an event to a receiver, once. Throws only if `signal` is aborted. */
export async function postEvent(
  webhook: Webhook,
  message: EventMessage,
  signal?: AbortSignal,
): Promise<PostResult> {
  const startedAt = performance.now();
  const elapsed = (): number => Math.round(performance.now() - startedAt);
  const timeout = AbortSignal.timeout(webhook.timeout);
  let responseStatus: number | null = null;
  try {
    const response = await fetch(webhook.url, {
      method: 'POST',
      headers: headersOf(webhook, message),
      body: message.body,
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
}
