import type { OutgoingHttpHeader } from 'node:http';
import { Readable, pipeline } from 'node:stream';
import type { Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import { isCompressible, isLong, variesByEncoding, varyByEncoding, weaken } from '../http/compressor.js';
import type { Compressor, Encoding } from '../http/compressor.js';

const textOf = (header: OutgoingHttpHeader | undefined): string =>
  header === undefined ? '' : String(header);

/** Whether the answer is text in a form that may be changed. */
const isChangeable = (reply: FastifyReply): boolean =>
  isCompressible(textOf(reply.getHeader('content-type'))) &&
  !reply.hasHeader('content-encoding') &&
  // Parts are counted in the bytes of the file.
  reply.statusCode !== 206 &&
  !/\bno-transform\b/i.test(textOf(reply.getHeader('cache-control')));

const isLongStream = (reply: FastifyReply): boolean => {
  const length = reply.getHeader('content-length');
  return length === undefined || isLong(Number(length));
};

const setHeaders = (reply: FastifyReply, encoding: Encoding | null): void => {
  reply.header('vary', varyByEncoding(reply.getHeader('vary')));
  if (encoding === null) return;
  const etag = reply.getHeader('etag');
  if (etag !== undefined) reply.header('etag', weaken(String(etag)));
  reply.header('content-encoding', encoding).removeHeader('content-length');
};

/** A client that knows the compressed form goes on to know it by that form's digest. */
const keepForm = (request: FastifyRequest, reply: FastifyReply): void => {
  const etag = textOf(reply.getHeader('etag'));
  if (etag === '' || !variesByEncoding(reply.getHeader('vary'))) return;
  const weak = weaken(etag);
  if (request.headers['if-none-match']?.includes(weak) === true) reply.header('etag', weak);
};

/** Ends both streams where one of them ends early. */
const compressStream = (reply: FastifyReply, stream: Readable, compressing: Transform): Transform => {
  // Where nothing was sent yet, an error is, as it is.
  compressing.once('error', () => {
    reply.removeHeader('content-encoding');
  });
  pipeline(stream, compressing, () => undefined);
  return compressing;
};

const isStream = (payload: unknown): payload is Readable => payload instanceof Readable;
const isText = (payload: unknown): payload is Buffer | string =>
  typeof payload === 'string' || Buffer.isBuffer(payload);

type Send = (error: Error | null, payload?: unknown) => void;

const sendOnceReady = (compressed: Buffer | Promise<Buffer>, send: Send): void => {
  const sendBody = (body: Buffer): void => send(null, body);
  if (compressed instanceof Promise) compressed.then(sendBody).catch(send);
  else sendBody(compressed);
};

const createCompressHook =
  (compressor: Compressor): onSendHookHandler<unknown> =>
  (request, reply, payload, next) => {
    if (reply.statusCode === 304) keepForm(request, reply);
    const isWorth = isStream(payload) ? isLongStream(reply) : isText(payload) && isLong(payload.length);
    if (!isWorth || !isChangeable(reply)) {
      next(null, payload);
      return;
    }
    const encoding = compressor.encodingFor(request.headers['accept-encoding']);
    setHeaders(reply, encoding);
    const isBodyless = isStream(payload) && request.method === 'HEAD';
    if (encoding === null || isBodyless) next(null, payload);
    else if (isStream(payload)) next(null, compressStream(reply, payload, compressor.createStream(encoding)));
    else if (isText(payload)) sendOnceReady(compressor.compress(payload, encoding), next);
  };

/** Compresses what clients accept in a compressed form, after all that project code does to it. */
export function compressAnswers(fastify: FastifyInstance, compressor: Compressor): void {
  const compress = createCompressHook(compressor);
  // As a hook of each route it comes after those of the application and of its plugins.
  fastify.addHook('onRoute', (route) => {
    const hooks = [route.onSend ?? []].flat();
    // The last one of HEAD measures the body and takes it away.
    const end = route.method === 'HEAD' ? -1 : hooks.length;
    route.onSend = [...hooks.slice(0, end), compress, ...hooks.slice(end)];
  });
}
