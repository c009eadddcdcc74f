import { relative } from 'node:path';
import { basename } from 'node:path/posix';
import { send } from '@fastify/send';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createError } from '../../../errors/catalogue.js';
import { loadAltair } from './altair.js';
import type { Altair } from './altair.js';
import { CONTENT_SECURITY_POLICY } from './content-security-policy.js';
import { printOptions } from './print-options.js';
import type { PlaygroundOptions } from './print-options.js';
import { isPageRequest } from './is-page-request.js';

const OPTIONS_FILE = 'options.js';

/** The addresses contain the version, so that files at an address never change. */
const CACHE_OPTIONS = {
  maxAge: '1y',
  immutable: true,
  etag: false,
  lastModified: false,
  acceptRanges: false,
};

type PageHook = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/** The path of the page's files, relative to the page, because a proxy may serve the page at another path. */
const assetsPath = ({ raw }: FastifyRequest, endpoint: string, { version }: Altair): string => {
  const isFolder = raw.url?.split('?', 1)[0]?.endsWith('/') === true;
  return `./${isFolder ? '' : `${basename(endpoint)}/`}playground/${version}/`;
};

/**
 * A page of Altair that evaluates scripts sent by any page that embeds it. Not needed: the playground may
 * evaluate scripts in a worker.
 */
const EXCLUDED_FILES = /^iframe-sandbox(?:\/|$)/;

/** The page loads dozens of files, whose requests would hide the others in the log. */
const QUIET = { logLevel: 'warn' } as const;

const sendAsset = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { directory }: Altair,
  path: string,
): Promise<FastifyReply> => {
  const result = await send(request.raw, encodeURI(path), {
    root: directory,
    index: false,
    dotfiles: 'ignore',
    ...CACHE_OPTIONS,
  });
  if (result.type === 'file' && !EXCLUDED_FILES.test(relative(directory, result.metadata.path))) {
    return reply
      .code(result.statusCode)
      .headers({ ...result.headers, 'content-security-policy': CONTENT_SECURITY_POLICY })
      .send(result.stream);
  }
  result.stream.destroy();
  throw createError('request/not-found');
};

/**
 * Serves the playground's files at paths below the endpoint.
 *
 * @returns a hook that responds with the page to browsers that open the endpoint, and passes on all other
 *   requests
 */
export function registerPlayground(
  fastify: FastifyInstance,
  endpoint: string,
  options: PlaygroundOptions,
): PageHook {
  let loading: Promise<Altair> | undefined;
  const load = (): Promise<Altair> => (loading ??= loadAltair());
  const folder = `${endpoint.replace(/\/+$/, '')}/playground`;
  fastify.get(`${folder}/${OPTIONS_FILE}`, QUIET, async (_request, reply) =>
    reply
      .headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' })
      .send(printOptions(options)),
  );
  fastify.get<{ Params: { version: string; '*': string } }>(
    `${folder}/:version/*`,
    QUIET,
    async (request, reply) => {
      const altair = await load();
      if (request.params.version !== altair.version) throw createError('request/not-found');
      return sendAsset(request, reply, altair, request.params['*']);
    },
  );
  return async (request, reply) => {
    if (!isPageRequest(request)) return undefined;
    const altair = await load();
    const page = altair.printPage(assetsPath(request, endpoint, altair), `../${OPTIONS_FILE}`);
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': CONTENT_SECURITY_POLICY,
      })
      .send(page);
  };
}
