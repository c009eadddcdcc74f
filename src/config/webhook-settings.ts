import * as v from 'valibot';
import { createCheck, plainObject } from './checks.js';
import type { Check } from './checks.js';

/** The events that webhooks send. */
export const WEBHOOK_EVENTS = [
  'entry.create',
  'entry.update',
  'entry.delete',
  'entry.publish',
  'entry.unpublish',
  'entry.draft-discard',
  'media.create',
  'media.update',
  'media.delete',
] as const;

/** The event with the cache tags that a write makes stale. Webhooks with it send no other events. */
export const PURGE_EVENT = 'cache.purge';

/** The services whose caches a webhook can empty by their own requests. */
export const PURGE_SERVICES = ['fastly', 'cloudflare', 'varnish'] as const;

export type PurgeService = (typeof PURGE_SERVICES)[number];

/** A webhook declared in `webhooks` of cms.config.*. */
export interface WebhookInput {
  readonly name: string;
  readonly url: string;
  /** The events to send: `entry.publish`, `media.delete` … */
  readonly events: readonly string[];
  /** Send only events of these content-types: `api::article.article`, or `article`. Default: all. */
  readonly types?: readonly string[];
  /** Send only events of these locales. Events without a locale pass this filter. Default: all. */
  readonly locales?: readonly string[];
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The secret that requests are signed with. Default: they are not signed. */
  readonly secret?: string;
  /**
   * Sends the requests of a service to `url`, with `secret` as its API token, instead of JSON. Requires the
   * event `cache.purge`.
   */
  readonly purge?: PurgeService;
  readonly enabled?: boolean;
  /** Milliseconds after which an attempt fails. Default: 10000. */
  readonly timeout?: number;
  /** The number of further attempts after a failure. Default: 8. */
  readonly retries?: number;
  /** Milliseconds before the first further attempt. Each pause is three times as long as the previous one. */
  readonly retryPause?: number;
}

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** Excludes line breaks, which would start another header, and characters that cannot be sent. */
const HEADER_VALUE = /^[\t -~\u0080-\u00ff]*$/;

/** True if the text is an HTTP URL without credentials. */
export function isWebhookUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

const list = v.array(v.pipe(v.string(), v.nonEmpty()));

const webhook = v.pipe(
  plainObject,
  v.strictObject({
    name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(100)),
    url: v.pipe(v.string(), v.check(isWebhookUrl)),
    events: v.pipe(v.array(v.picklist([...WEBHOOK_EVENTS, PURGE_EVENT])), v.minLength(1)),
    types: v.exactOptional(list),
    locales: v.exactOptional(list),
    headers: v.exactOptional(
      v.record(v.pipe(v.string(), v.regex(HEADER_NAME)), v.pipe(v.string(), v.regex(HEADER_VALUE))),
    ),
    secret: v.exactOptional(v.pipe(v.string(), v.minLength(8))),
    purge: v.exactOptional(v.picklist(PURGE_SERVICES)),
    enabled: v.exactOptional(v.boolean()),
    timeout: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(300_000))),
    retries: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(50))),
    retryPause: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  }),
);

/** True if a webhook with `cache.purge` has neither other events nor filters, which would have no effect. */
const isConsistent = ({ events, types, locales, purge, secret }: WebhookInput): boolean => {
  if (!events.includes(PURGE_EVENT)) return purge === undefined;
  const needsToken = purge === 'fastly' || purge === 'cloudflare';
  return (
    events.length === 1 &&
    types === undefined &&
    locales === undefined &&
    (!needsToken || secret !== undefined)
  );
};

const haveDifferentNames = (declared: readonly WebhookInput[]): boolean =>
  new Set(declared.map(({ name }) => name)).size === declared.length;

/** The setting `webhooks`. */
export const webhooks: Check<readonly WebhookInput[]> = createCheck(
  'a list of { name, url, events } with different names, http URLs without credentials, and optionally ' +
    'types, locales, headers, secret (8 characters or more), enabled, timeout, retries, retryPause. ' +
    'With the event cache.purge: no other event, no types and locales, and optionally purge ' +
    '(fastly and cloudflare require secret, their API token)',
  v.pipe(
    v.unknown(),
    v.array(webhook),
    v.check((declared) => haveDifferentNames(declared) && declared.every(isConsistent)),
  ),
);
