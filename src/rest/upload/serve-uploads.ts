import { send } from '@fastify/send';
import type { FastifyReply } from 'fastify';
import { fail } from '../../errors/catalogue.js';
import { servedAs } from '../../media/content/served-as.js';
import type { Handler } from '../rest-parts.js';

/** What a hit tells besides the file's own headers. */
const describe = (reply: FastifyReply, name: string): void => {
  const { type, disposition, cacheControl, policy } = servedAs(name);
  reply.header('content-type', type).header('content-disposition', disposition).header('cache-control', cacheControl).header('x-content-type-options', 'nosniff');
  if (policy !== null) reply.header('content-security-policy', policy);
};

/** Not modified, not as wanted, no such range: answers without a file that are no faults. */
const BARE = new Set([304, 412, 416]);

/**
 * GET /uploads/…: files of the local store, also by range. What is not in the folder, hidden in it or a way out of it is not found.
 * `prefix` is the path it is mounted at.
 */
export function createServeUploadsHandler(directory: string, prefix: string): Handler {
  return async (request, reply) => {
    const path = (request.raw.url ?? '').split('?', 1)[0]?.slice(prefix.length) ?? '';
    const result = await send(request.raw, path, { root: directory, index: false, dotfiles: 'ignore', cacheControl: false, contentType: false });
    const { statusCode, headers, stream } = result;
    if (result.type === 'file') {
      describe(reply, result.metadata.path);
      return reply.code(statusCode).headers(headers).send(stream);
    }
    stream.destroy();
    if (!BARE.has(statusCode)) throw fail('request/not-found');
    const range = headers['Content-Range'];
    return reply.code(statusCode).headers(range === undefined ? {} : { 'content-range': range }).send();
  };
}
