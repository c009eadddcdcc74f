import type { FastifyReply } from 'fastify';
import { cacheEntryOf } from '../../http/response-cache.js';
import type { CachedResponse } from '../../http/response-cache.js';
import { sendUnchanged } from '../../http/send-unchanged.js';
import { isKnownEtag } from '../../../lib/etag.js';
import { requestLabelOf } from '../../../lib/request-labels.js';
import { areLongTexts, toBody } from '../../../lib/text-chunks.js';
import { addVary } from '../../../lib/vary.js';
import type { EndpointResponse } from './create-request-handlers.js';
import { CONTENT_TYPES, responseTypeOf } from './response-type.js';
import type { ResponseType } from './response-type.js';

/** Request headers that determine the response to a GET request. */
const VARY = 'Accept, Authorization';

/** When what is busy or away may be tried again. */
const RETRY_SECONDS = 1;

interface TextOptions {
  readonly status: number;
  readonly type: ResponseType;
}

/** Sends JSON text. */
export function sendText(reply: FastifyReply, text: string, { status, type }: TextOptions): FastifyReply {
  reply.code(status).header('content-type', CONTENT_TYPES[type]).header('cache-control', 'no-store');
  if (status === 503) reply.header('retry-after', RETRY_SECONDS);
  return reply.send(toBody(text));
}

/**
 * Sends a cached response. Only responses to GET have an address under which a client may keep them, for
 * itself, and ask whether they are still valid.
 */
export function sendCached(reply: FastifyReply, { body, etag }: CachedResponse): FastifyReply {
  const { request } = reply;
  const type = responseTypeOf(request.headers.accept);
  if (request.method === 'POST') return sendText(reply, body, { status: 200, type });
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  reply.header('vary', addVary(reply.getHeader('vary'), VARY));
  if (isKnownEtag(request.headers['if-none-match'], etag)) return sendUnchanged(reply, body);
  return reply.header('content-type', CONTENT_TYPES[type]).send(body);
}

/** Sends the response to one operation or a batch, and stores it in the cache where it may be stored. */
export function send(reply: FastifyReply, response: EndpointResponse): FastifyReply {
  const type = responseTypeOf(reply.request.headers.accept);
  if (!('status' in response)) {
    const text = JSON.stringify(response.map(({ body }) => body));
    return sendText(reply, text, { status: 200, type });
  }
  const { status, body, reads } = response;
  const text = JSON.stringify(body);
  // Long text is sent in parts, since encoding it would hold up other requests.
  const isCacheable = reads !== null && !areLongTexts([text]);
  const label = requestLabelOf(reply.request);
  const cached = isCacheable ? cacheEntryOf(reply.request)?.store(reads, { body: text, label }) : null;
  return cached ? sendCached(reply, cached) : sendText(reply, text, { status, type });
}
