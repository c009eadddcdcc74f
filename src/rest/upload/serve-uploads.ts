import { send } from '@fastify/send';
import type { FastifyReply } from 'fastify';
import { createError } from '../../errors/catalogue.js';
import { servingHeaders } from '../../media/content/serving-headers.js';
import type { Handler } from '../rest-dependencies.js';

/** Sets the headers of a file that was found. */
const setFileHeaders = (reply: FastifyReply, name: string): void => {
  const { type, disposition, cacheControl, contentSecurityPolicy: policy } = servingHeaders(name);
  reply
    .header('content-type', type)
    .header('content-disposition', disposition)
    .header('cache-control', cacheControl)
    .header('x-content-type-options', 'nosniff');
  if (policy !== null) reply.header('content-security-policy', policy);
};

/** Not modified, precondition failed, range not satisfiable: responses without a file that are not errors. */
const BODYLESS_STATUSES = new Set([304, 412, 416]);

/**
 * GET /uploads/…: files of the local store, also by range. Paths outside the folder and hidden files are not
 * found. `prefix` is the path at which it is mounted.
 */
export function createServeUploadsHandler(directory: string, prefix: string): Handler {
  return async (request, reply) => {
    const path = request.url.replace(/\?.*$/s, '').slice(prefix.length);
    const result = await send(request.raw, path, {
      root: directory,
      index: false,
      dotfiles: 'ignore',
      cacheControl: false,
      contentType: false,
    });
    const { statusCode, headers, stream } = result;
    if (result.type === 'file') {
      setFileHeaders(reply, result.metadata.path);
      return reply.code(statusCode).headers(headers).send(stream);
    }
    stream.destroy();
    if (!BODYLESS_STATUSES.has(statusCode)) throw createError('request/not-found');
    const range = headers['Content-Range'];
    return reply
      .code(statusCode)
      .headers(range === undefined ? {} : { 'content-range': range })
      .send();
  };
}
