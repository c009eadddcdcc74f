/** The requests that empty caches by tags. */
import { PURGE_EVENT } from '../../config/webhook-settings.js';
import type { PurgeService } from '../../config/webhook-settings.js';
import { SITE_TAG, tagsOfName, typeNameOfTag } from '../../documents/tags/tag-names.js';
import { chunksOf } from '../../lib/collections.js';

/** One request to a cache, without the headers of the webhook. */
export interface PurgeRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Null: none. */
  readonly body: string | null;
}

/** More tags become those of their types. */
const MAX_TAGS = 2000;

/** Returns few tags that stand for all of a list. */
export function combineTags(tags: readonly string[]): readonly string[] {
  const distinct = [...new Set(tags)];
  if (distinct.includes(SITE_TAG)) return [SITE_TAG];
  if (distinct.length <= MAX_TAGS) return distinct;
  return [...new Set(distinct.map(typeNameOfTag))].flatMap(tagsOfName);
}

/** Returns the JSON body of the event. */
export function printTagEvent(tags: readonly string[]): string {
  return JSON.stringify({ event: PURGE_EVENT, createdAt: new Date().toISOString(), tags });
}

const FASTLY_TAGS = 256;
const CLOUDFLARE_TAGS = 30;
/** Varnish limits a header to 8 KiB. */
const VARNISH_TAGS = 80;

const JSON_HEADERS = { 'content-type': 'application/json' };

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** The header in which Varnish gets the pattern of tags. */
const PATTERN_HEADER = 'x-cache-tags';

type RequestOf = (tags: readonly string[], token: string) => PurgeRequest;

const SERVICES: Readonly<Record<PurgeService, { readonly size: number; readonly requestOf: RequestOf }>> = {
  fastly: {
    size: FASTLY_TAGS,
    requestOf: (tags, token) => ({
      method: 'POST',
      headers: { ...JSON_HEADERS, accept: 'application/json', 'fastly-key': token },
      body: JSON.stringify({ surrogate_keys: tags }),
    }),
  },
  cloudflare: {
    size: CLOUDFLARE_TAGS,
    requestOf: (tags, token) => ({
      method: 'POST',
      headers: { ...JSON_HEADERS, authorization: `Bearer ${token}` },
      body: JSON.stringify({ tags }),
    }),
  },
  varnish: {
    size: VARNISH_TAGS,
    requestOf: (tags) => ({
      method: 'PURGE',
      headers: { [PATTERN_HEADER]: `(^|,)(${tags.map(escapePattern).join('|')})(,|$)` },
      body: null,
    }),
  },
};

/** Returns the requests of a service for tags: as few as its limits allow. */
export function purgeRequests(
  service: PurgeService,
  tags: readonly string[],
  token: string | null,
): readonly PurgeRequest[] {
  const { size, requestOf } = SERVICES[service];
  return chunksOf(tags, size).map((chunk) => requestOf(chunk, token ?? ''));
}
