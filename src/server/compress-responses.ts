import { buffer } from 'node:stream/consumers';
import { negotiate } from '@fastify/accept-negotiator';
import compress from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import { encodedEtag, findEtag } from '../lib/http.js';
import { MIN_COMPRESSED, cacheEntryOf, varyByEncoding } from '../api/http/response-cache.js';

const ENCODINGS: ('br' | 'gzip' | 'deflate')[] = ['br', 'gzip', 'deflate'];

/** Media types of text. The plugin also compresses the types that mime-db lists as compressible. */
const TEXT = /^text\/(?!event-stream)|[/+](?:json|xml|javascript)(?:;|$)/i;

const responseHeader = (reply: FastifyReply, name: string): string => String(reply.getHeader(name) ?? '');

/** The length in bytes or characters. Streams of files have theirs in the header. */
const payloadLength = (reply: FastifyReply, payload: unknown): number =>
  typeof payload === 'string' || Buffer.isBuffer(payload)
    ? payload.length
    : Number(reply.getHeader('content-length') ?? Number.POSITIVE_INFINITY);

/** True if a response is long enough and may be transformed. The plugin ignores the length of streams. */
const mayCompress = (reply: FastifyReply, payload: unknown): boolean =>
  payloadLength(reply, payload) >= MIN_COMPRESSED &&
  !/\bno-transform\b/i.test(responseHeader(reply, 'cache-control'));

const isText = (reply: FastifyReply, payload: unknown): boolean =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) &&
  reply.statusCode !== 206 &&
  TEXT.test(responseHeader(reply, 'content-type'));

/** Sets the ETag of a compressed response. */
const setEncodedEtag = (reply: FastifyReply): void => {
  const etag = responseHeader(reply, 'etag');
  if (etag !== '') reply.header('etag', encodedEtag(etag, responseHeader(reply, 'content-encoding')));
};

/** Sets the ETag under which the client has cached the response, if the response is 304. */
const setKnownEtag = ({ headers }: FastifyRequest, reply: FastifyReply): void => {
  if (reply.statusCode !== 304 || !/accept-encoding/i.test(responseHeader(reply, 'vary'))) return;
  const known = findEtag(headers['if-none-match'], responseHeader(reply, 'etag'));
  if (known !== undefined) reply.header('etag', known);
};

/** Returns the encoding that the plugin chooses: gzip if the client accepts any. */
const encodingFor = ({ headers }: FastifyRequest): string | null => {
  const accepted = String(headers['accept-encoding'] ?? '').toLowerCase();
  return negotiate(accepted.replaceAll(/\*|x-gzip/g, 'gzip'), ENCODINGS);
};

/** One encoding of a cached response. */
interface CompressedForm {
  readonly encoding: string;
  readonly bytes: Buffer | undefined;
  readonly store: (bytes: Buffer) => void;
}

/**
 * Returns the encoding of the cached response that the client accepts. Null if there is none, or a hook has
 * changed the response.
 */
const cachedFormFor = (
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): CompressedForm | null => {
  const response = cacheEntryOf(request)?.response ?? null;
  if (response === null || response.body !== payload || !isText(reply, payload)) return null;
  const encoding = request.headers['x-no-compression'] === undefined ? encodingFor(request) : null;
  if (encoding === null) return null;
  const { get, store } = response.compressed;
  return { encoding, bytes: get(encoding), store: (bytes) => store(encoding, bytes) };
};

type SendPayload = (error: Error | null, payload?: unknown) => void;

/** Collects compressed bytes, stores them, and sends them. */
const storeAndSend = async (
  { store }: CompressedForm,
  compressed: Buffer | AsyncIterable<Buffer>,
  send: SendPayload,
): Promise<void> => {
  let bytes: Buffer;
  try {
    bytes = Buffer.isBuffer(compressed) ? compressed : await buffer(compressed);
  } catch (error) {
    send(error as Error);
    return;
  }
  store(bytes);
  send(null, bytes);
};

/** Wraps the plugin's hook: skips short responses, reuses stored encodings, and sets `vary` and `etag`. */
const wrapCompressHook = (compressPayload: onSendHookHandler<unknown>): onSendHookHandler<unknown> =>
  function compressLong(request, reply, payload, next) {
    setKnownEtag(request, reply);
    if (!mayCompress(reply, payload)) {
      next(null, payload);
      return;
    }
    const form = cachedFormFor(request, reply, payload);
    if (form?.bytes !== undefined) {
      varyByEncoding(reply);
      reply.header('content-encoding', form.encoding);
      setEncodedEtag(reply);
      next(null, form.bytes);
      return;
    }
    compressPayload.call(this, request, reply, payload, (error?: Error | null, compressed?: unknown) => {
      const isCompressed = reply.hasHeader('content-encoding');
      if (isCompressed) setEncodedEtag(reply);
      // Caches also need the header on responses that are not compressed.
      else if (isText(reply, payload)) varyByEncoding(reply);
      if (error) next(error);
      else if (form === null || !isCompressed) next(null, compressed);
      else void storeAndSend(form, compressed as Buffer | AsyncIterable<Buffer>, next);
    });
  };

/** Compresses responses for clients that accept it, after all hooks that see the text. */
export async function compressResponses(fastify: FastifyInstance): Promise<void> {
  await fastify.register(compress, {
    encodings: ENCODINGS,
    threshold: MIN_COMPRESSED,
    customTypes: TEXT,
    globalDecompression: false,
  });
  // If a stream fails before its first bytes, the error response is sent uncompressed.
  fastify.addHook('onError', (_request, reply, _error, next) => {
    reply.removeHeader('content-encoding');
    next();
  });
  fastify.addHook('onRoute', (route) => {
    const hooks = [route.onSend ?? []].flat();
    // The plugin adds its hook last; for HEAD, after the hook that removes the body.
    const [compressPayload] = hooks.splice(-1);
    const end = route.method === 'HEAD' ? -1 : hooks.length;
    hooks.splice(end, 0, wrapCompressHook(compressPayload as onSendHookHandler<unknown>));
    route.onSend = hooks;
  });
}
