import { createHmac, randomBytes } from 'node:crypto';
import { PURGE_EVENT } from '../../config/webhook-settings.js';
import type { PurgeService, WebhookInput } from '../../config/webhook-settings.js';
import { lastSegment } from '../../lib/ids.js';
import type { Uid } from '../../model/model.js';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Creates a secret in the format of Standard Webhooks. */
export function createSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

const signingKeyOf = (secret: string): Buffer =>
  secret.startsWith(PREFIX)
    ? Buffer.from(secret.slice(PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8');

/** The content that a signature covers. */
interface SignedMessage {
  readonly key: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** Returns the signature of a message by Standard Webhooks: HMAC-SHA256 of key, time and body. */
export function sign(secret: string, { key, timestamp, body }: SignedMessage): string {
  const digest = createHmac('sha256', signingKeyOf(secret))
    .update(`${key}.${timestamp}.${body}`)
    .digest('base64');
  return `v1,${digest}`;
}

/** The key of the stored webhooks, a JSON list of {@link StoredWebhook}. */
export const WEBHOOKS_KEY = 'strapi/webhooks';

/** A webhook as the database stores it. Missing values have defaults. */
export interface StoredWebhook {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  readonly isEnabled: boolean;
  readonly types?: readonly string[];
  readonly locales?: readonly string[];
  readonly secret?: string;
  readonly purge?: PurgeService;
  readonly timeout?: number;
  readonly retries?: number;
  readonly retryPause?: number;
}

/** A receiver of events. */
export interface Webhook extends Required<Omit<StoredWebhook, 'secret' | 'purge'>> {
  /** Null: requests are not signed. */
  readonly secret: string | null;
  /** The service whose requests it sends. Null: it sends JSON. */
  readonly purge: PurgeService | null;
  /** True if cms.config.* declares the webhook, so that it can be changed only there. */
  readonly isDeclared: boolean;
}

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_RETRIES = 8;
const DEFAULT_RETRY_PAUSE_MS = 10_000;

const complete = (stored: StoredWebhook, isDeclared: boolean): Webhook => ({
  ...stored,
  types: stored.types ?? [],
  locales: stored.locales ?? [],
  secret: stored.secret ?? null,
  purge: stored.purge ?? null,
  timeout: stored.timeout ?? DEFAULT_TIMEOUT_MS,
  retries: stored.retries ?? DEFAULT_RETRIES,
  retryPause: stored.retryPause ?? DEFAULT_RETRY_PAUSE_MS,
  isDeclared,
});

/** Returns a webhook of the database with defaults applied. */
export function fromStored(stored: StoredWebhook): Webhook {
  return complete(stored, false);
}

/** Returns a webhook of the configuration with defaults applied. Its id follows from its name. */
export function fromConfig({ enabled = true, headers = {}, ...declared }: WebhookInput): Webhook {
  return complete({ ...declared, id: `config:${declared.name}`, headers, isEnabled: enabled }, true);
}

/** An event of a document or file. */
export interface WebhookEvent {
  readonly event: string;
  readonly type: Uid;
  readonly documentId: string;
  /** Null: it has no locale. */
  readonly locale: string | null;
}

/** True if a webhook is enabled and its filters match the event. */
export function subscribesTo(
  { isEnabled, events, types, locales }: Webhook,
  { event, type, locale }: WebhookEvent,
): boolean {
  return (
    isEnabled &&
    events.includes(event) &&
    (types.length === 0 || types.includes(type) || types.includes(lastSegment(type))) &&
    (locales.length === 0 || locale === null || locales.includes(locale))
  );
}

/** True if the webhook receives the cache tags that writes make stale. */
export function receivesTags({ isEnabled, events }: Pick<Webhook, 'isEnabled' | 'events'>): boolean {
  return isEnabled && events.includes(PURGE_EVENT);
}
