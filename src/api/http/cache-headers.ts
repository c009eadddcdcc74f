import type { FastifyReply } from 'fastify';
import { ALL_TYPES } from '../../config/cache-settings.js';
import type { CacheControlInput } from '../../config/cache-settings.js';
import type { Config } from '../../config/config.js';
import { createResponseTagger } from '../../documents/tags/response-tags.js';
import type { TaggedRead } from '../../documents/tags/response-tags.js';
import type { ContentModel, Uid } from '../../model/model.js';
import { typesRead } from '../../query/describe-read.js';

/** The headers of a response that tell shared caches how long to keep it, and when to drop it. */
export interface PublicHeaders {
  /** Null: no tags say when the response is stale. */
  readonly tags: readonly string[] | null;
  /** Null: the configuration sets none for the types of the response. */
  readonly cacheControl: string | null;
}

/** Computes and sends the headers of responses that everybody may read. */
export interface CacheHeaders {
  /** Returns the headers of a response that depends only on these reads. */
  readonly headersOf: (reads: readonly TaggedRead[]) => PublicHeaders;
  /** Adds the tags to a response to a caller without a credential. */
  readonly sendTags: (reply: FastifyReply, headers: PublicHeaders) => void;
}

interface CacheHeadersOptions {
  readonly model: ContentModel;
  readonly settings: Config['cache'];
  /** Returns the codes of all locales. */
  readonly locales: () => readonly string[];
  /** True if project code wraps reads of the type, so that its responses may contain other values. */
  readonly wrapsReads: (type: Uid) => boolean;
}

/** The length of all tag headers. Varnish accepts lines of 8 KiB, and many clients 16 KiB of headers. */
const MAX_LENGTH = 7500;
/** Next.js and Vercel ignore further tags of a response. */
const MAX_TAGS = 128;

const SEPARATORS = { 'Cache-Tag': ',', 'Surrogate-Key': ' ' } as const;

const least = (times: readonly (number | undefined)[]): number | undefined =>
  times.some((time) => time === undefined) ? undefined : Math.min(...times.map((time) => time ?? 0));

/**
 * Prints the shortest of the times. Shared caches get a time of their own only if tags say when the response
 * is stale.
 */
const printControl = (settings: readonly CacheControlInput[], isTagged: boolean): string => {
  const maxAge = Math.min(...settings.map((each) => each.maxAge ?? 0));
  const shared = isTagged ? least(settings.map(({ sMaxAge }) => sMaxAge)) : undefined;
  const stale = isTagged ? least(settings.map((each) => each.staleWhileRevalidate)) : undefined;
  return [
    'public',
    `max-age=${maxAge}`,
    ...(shared === undefined ? [] : [`s-maxage=${shared}`]),
    ...(stale === undefined ? [] : [`stale-while-revalidate=${stale}`]),
  ].join(', ');
};

/** Creates the headers of a configuration. Undefined: it sets none. */
export function createCacheHeaders({
  model,
  settings: { tags: names, control },
  locales,
  wrapsReads,
}: CacheHeadersOptions): CacheHeaders | undefined {
  if (names.length === 0 && Object.keys(control).length === 0) return undefined;
  const maxLength = MAX_LENGTH / Math.max(1, names.length);
  const tagsOf = createResponseTagger({ model, locales, maxLength, maxTags: MAX_TAGS });
  const isWrapped = ({ query }: TaggedRead): boolean => typesRead(model, query).some(wrapsReads);
  return {
    headersOf: (reads) => {
      const isTaggable = names.length > 0 && reads.length > 0 && !reads.some(isWrapped);
      const tags = isTaggable ? tagsOf(reads) : null;
      const settings = reads.map(({ query: { type } }) => control[type] ?? control[ALL_TYPES]);
      const known = settings.filter((each) => each !== undefined);
      const isSet = known.length > 0 && known.length === settings.length;
      return { tags, cacheControl: isSet ? printControl(known, tags !== null) : null };
    },
    sendTags: (reply, { tags }) => {
      if (tags !== null) for (const name of names) reply.header(name, tags.join(SEPARATORS[name]));
    },
  };
}
