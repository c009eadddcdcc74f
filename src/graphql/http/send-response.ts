import type { FastifyReply } from 'fastify';
import { sendUnchanged } from '../../http/send-unchanged.js';
import { isKnownEtag } from '../../lib/etag.js';
import { toBody } from '../../lib/text-chunks.js';
import { addVary } from '../../lib/vary.js';
import type { EndpointResponse } from './create-request-handlers.js';
import { printBody } from './operation-response.js';
import type { PrintedResponse, RememberedResponse } from './operation-response.js';
import { CONTENT_TYPES, responseTypeOf } from './response-type.js';
import type { ResponseType } from './response-type.js';

/** What decides about the answer to a GET request, besides its address. */
const VARY = 'Accept, Authorization';

/** When what is busy or away may be tried again. */
const RETRY_SECONDS = 1;

interface TextOptions {
  readonly status: number;
  readonly type: ResponseType;
  /** Called when all headers are set. */
  readonly onHeaders?: (() => void) | undefined;
}

export interface SendOptions {
  /** Whether project code expects text. */
  readonly sendsText: () => boolean;
  /** Called with what statements have answered, or is remembered, when all headers are set. */
  readonly onAnswered: (reply: FastifyReply, response: RememberedResponse | PrintedResponse) => void;
}

/** Sends JSON text. */
export function sendText(
  reply: FastifyReply,
  text: string,
  { status, type, onHeaders }: TextOptions,
): FastifyReply {
  reply.code(status).header('content-type', CONTENT_TYPES[type]).header('cache-control', 'no-store');
  if (status === 503) reply.header('retry-after', RETRY_SECONDS);
  onHeaders?.();
  return reply.send(toBody(text));
}

/**
 * Sends what is remembered. Only answers to GET have an address under which a client may keep them, for
 * itself, and ask whether they still hold.
 */
const sendRemembered = (
  reply: FastifyReply,
  response: RememberedResponse,
  { sendsText, onAnswered }: SendOptions,
): FastifyReply => {
  const { body, etag } = response.answer;
  const { request } = reply;
  const type = responseTypeOf(request.headers.accept);
  if (request.method === 'POST') reply.header('cache-control', 'no-store');
  else {
    reply.header('etag', etag).header('cache-control', 'private, no-cache');
    reply.header('vary', addVary(reply.getHeader('vary'), VARY));
    if (isKnownEtag(request.headers['if-none-match'], etag)) return sendUnchanged(reply, body);
  }
  reply.header('content-type', CONTENT_TYPES[type]);
  onAnswered(reply, response);
  return reply.send(sendsText() ? body.toString() : body);
};

/** Sends the response to one operation or a batch. */
export function send(reply: FastifyReply, response: EndpointResponse, options: SendOptions): FastifyReply {
  if ('answer' in response) return sendRemembered(reply, response, options);
  const type = responseTypeOf(reply.request.headers.accept);
  const onHeaders = 'prepared' in response ? () => options.onAnswered(reply, response) : undefined;
  return sendText(reply, printBody(response), { status: response.status, type, onHeaders });
}
