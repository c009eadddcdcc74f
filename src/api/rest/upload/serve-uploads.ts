import { extname } from 'node:path';
import { send } from '@fastify/send';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../config/config.js';
import { createError } from '../../../errors/catalogue.js';
import { isGalleyError } from '../../../errors/galley-error.js';
import { addVary } from '../../../lib/vary.js';
import { servingHeaders } from '../../../media/content/serving-headers.js';
import type { MediaLibrary } from '../../../media/media.js';
import { isCropped } from '../../../media/transforms/transform.js';
import { queryTextOf } from '../request-params.js';
import type { Handler } from '../rest-dependencies.js';
import { readTransform } from './read-transform.js';

/** A crop becomes another one under the same address where the focal point changes. */
const CROP_CACHE_CONTROL = 'public, max-age=60, stale-while-revalidate=86400';

/** The content under a former address becomes another one when the file is replaced again. */
const FORMER_CACHE_CONTROL = 'public, no-cache';

/** A file to be sent: an encoded path in a folder. Null: as stored files are. */
interface SentFile {
  readonly root: string;
  readonly path: string;
  readonly cacheControl: string | null;
}

/** Sets the headers of a file that was found. */
const setFileHeaders = (reply: FastifyReply, name: string, ownCacheControl: string | null): void => {
  const { type, disposition, cacheControl, contentSecurityPolicy: policy } = servingHeaders(name);
  reply
    .header('content-type', type)
    .header('content-disposition', disposition)
    .header('cache-control', ownCacheControl ?? cacheControl)
    .header('x-content-type-options', 'nosniff');
  if (policy !== null) reply.header('content-security-policy', policy);
};

/** Not modified, precondition failed, range not satisfiable: responses without a file that are not errors. */
const BODYLESS_STATUSES = new Set([304, 412, 416]);

/** Paths outside the folder and hidden files are not found. */
const sendFile = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { root, path, cacheControl }: SentFile,
): Promise<FastifyReply> => {
  const result = await send(request.raw, path, {
    root,
    index: false,
    dotfiles: 'ignore',
    cacheControl: false,
    contentType: false,
  });
  const { statusCode, headers, stream } = result;
  if (result.type === 'file') {
    setFileHeaders(reply, result.metadata.path, cacheControl);
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

const decodePath = (path: string): string | null => {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
};

export interface ServedUploads {
  /** The folder of the local store. */
  readonly directory: string;
  readonly transforms: Config['upload']['transforms'];
  readonly media: Pick<MediaLibrary, 'transform' | 'findFormer'>;
}

/**
 * GET /uploads/…: files of the local store, also by range, and copies of images as the query string asks for
 * them. `prefix` is the path at which it is mounted.
 */
export function createServeUploadsHandler(
  { directory, transforms, media }: ServedUploads,
  prefix: string,
): Handler {
  const serve = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { path, cacheControl: ownCacheControl }: Pick<SentFile, 'path' | 'cacheControl'>,
  ): Promise<FastifyReply> => {
    const stored = { root: directory, path, cacheControl: ownCacheControl };
    const asked = readTransform(queryTextOf(request), request.headers.accept ?? '', transforms);
    const decoded = asked === null ? null : decodePath(path.slice(1));
    if (asked === null || decoded === null) return sendFile(request, reply, stored);
    const copy = await media.transform(decoded, asked.transform);
    if (asked.varies) reply.header('vary', addVary(reply.getHeader('vary'), 'Accept'));
    if (copy === null) return sendFile(request, reply, stored);
    const cacheControl = ownCacheControl ?? (isCropped(asked.transform) ? CROP_CACHE_CONTROL : null);
    return sendFile(request, reply, { root: copy.folder, path: `/${copy.name}`, cacheControl });
  };
  return async (request, reply) => {
    const [address = '', query] = request.url.split(/\?(.*)/s);
    const path = address.slice(prefix.length);
    try {
      return await serve(request, reply, { path, cacheControl: null });
    } catch (error) {
      if (!isGalleyError(error) || error.code !== 'request/not-found') throw error;
      const name = decodePath(path.slice(1));
      const former = name === null ? null : await media.findFormer(name);
      if (name === null || former === null) throw error;
      const { key, url } = former;
      // What follows in texts, such as the kind of an element, fits content of the same type only.
      if (key !== null && extname(key) === extname(name))
        return serve(request, reply, {
          path: `/${encodeURIComponent(key)}`,
          cacheControl: FORMER_CACHE_CONTROL,
        });
      reply.header('cache-control', FORMER_CACHE_CONTROL);
      return reply.redirect(query === undefined ? url : `${url}?${query}`, 302);
    }
  };
}
