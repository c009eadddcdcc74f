import { extname } from 'node:path';
import { send } from '@fastify/send';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../../config/config.js';
import { createError } from '../../../errors/catalogue.js';
import { isGalleyError } from '../../../errors/galley-error.js';
import { addVary } from '../../../lib/http.js';
import { isCropped } from '../../../media/media.js';
import type { MediaLibrary, Transform, TransformFormat } from '../../../media/media.js';
import { servingHeaders } from '../../../media/mime-types.js';
import { queryTextOf } from '../handler.js';
import type { Handler } from '../handler.js';

type Settings = Config['upload']['transforms'];

const FITS = ['cover', 'inside'] as const;
const AUTO = 'auto';
/** Candidates of `format=auto`, the smallest first. */
const SMALL_FORMATS = ['avif', 'webp'] as const;

/** Returns one of the allowed values. Null: the parameter is missing. */
const readOne = <Value extends string | number>(
  params: URLSearchParams,
  parameter: string,
  allowed: readonly Value[],
): Value | null => {
  const values = params.getAll(parameter);
  const [first] = values;
  if (first === undefined) return null;
  const known = allowed.find((value) => String(value) === first);
  if (known === undefined || values.length > 1)
    throw createError('upload/invalid-transform', {
      parameter,
      value: values.join(', ').slice(0, 100),
      allowed: allowed.join(', '),
    });
  return known;
};

const accepts = (accept: string, type: string): boolean =>
  accept.split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    return name === type && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });

const chooseFormat = (accept: string, { formats }: Settings): TransformFormat | null =>
  SMALL_FORMATS.find((format) => formats.includes(format) && accepts(accept, `image/${format}`)) ?? null;

/**
 * The image transformation of a request. `varies` is true if the response depends on the
 * Accept header.
 */
interface RequestedTransform {
  readonly transform: Transform;
  readonly varies: boolean;
}

/**
 * Parses the image transformation in a query string. Null: it has none. Other parameters are ignored, since
 * they often serve only to make URLs distinct.
 *
 * @throws `upload/invalid-transform` for values that are not allowed
 */
function readTransform(query: string, accept: string, settings: Settings): RequestedTransform | null {
  if (query === '' || settings.sizes.length === 0) return null;
  const params = new URLSearchParams(query);
  const width = readOne(params, 'width', settings.sizes);
  const height = readOne(params, 'height', settings.sizes);
  const fit = readOne(params, 'fit', FITS);
  const format = readOne(params, 'format', [...settings.formats, AUTO]);
  const quality = readOne(params, 'quality', settings.qualities);
  if ([width, height, format, quality].every((value) => value === null)) return null;
  const varies = format === AUTO;
  return {
    transform: {
      width,
      height,
      fit: fit ?? 'cover',
      format: format === AUTO ? chooseFormat(accept, settings) : format,
      quality,
    },
    varies,
  };
}

/** Crops are cached briefly, since a new focal point changes the image at the same URL. */
const CROP_CACHE_CONTROL = 'public, max-age=60, stale-while-revalidate=86400';

/** Content at a former URL is revalidated, since it changes when the file is replaced again. */
const FORMER_CACHE_CONTROL = 'public, no-cache';

/** A file to send: an encoded path in a folder. `cacheControl` null: the default of stored files. */
interface SentFile {
  readonly root: string;
  readonly path: string;
  readonly cacheControl: string | null;
}

/** Sets the headers of the response with a file. */
const setFileHeaders = (reply: FastifyReply, name: string, overriddenCacheControl: string | null): void => {
  const { type, disposition, cacheControl, contentSecurityPolicy: policy } = servingHeaders(name);
  reply
    .header('content-type', type)
    .header('content-disposition', disposition)
    .header('cache-control', overriddenCacheControl ?? cacheControl)
    .header('x-content-type-options', 'nosniff');
  if (policy !== null) reply.header('content-security-policy', policy);
};

/** Responses without a file that are not errors: not modified, precondition failed, range not satisfiable. */
const BODYLESS_STATUSES = new Set([304, 412, 416]);

/** Sends a file, or 404 for missing and hidden files and paths outside the folder. */
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
 * GET /uploads/…: files of the local store, also by range, and transformed copies of images.
 *
 * @param prefix the path at which the handler is mounted
 */
export function createServeUploadsHandler(
  { directory, transforms, media }: ServedUploads,
  prefix: string,
): Handler {
  const serve = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { path, cacheControl: overriddenCacheControl }: Pick<SentFile, 'path' | 'cacheControl'>,
  ): Promise<FastifyReply> => {
    const stored = { root: directory, path, cacheControl: overriddenCacheControl };
    const requested = readTransform(queryTextOf(request), request.headers.accept ?? '', transforms);
    const decoded = requested === null ? null : decodePath(path.slice(1));
    if (requested === null || decoded === null) return sendFile(request, reply, stored);
    const copy = await media.transform(decoded, requested.transform);
    if (requested.varies) reply.header('vary', addVary(reply.getHeader('vary'), 'Accept'));
    if (copy === null) return sendFile(request, reply, stored);
    const cacheControl =
      overriddenCacheControl ?? (isCropped(requested.transform) ? CROP_CACHE_CONTROL : null);
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
      // Texts embed files by their type, so only content of the same type may be sent at a former URL.
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
