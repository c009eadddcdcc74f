import { relative } from 'node:path';
import { basename } from 'node:path/posix';
import { send } from '@fastify/send';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '../../errors/catalogue.js';
import { loadAltair } from './altair.js';
import type { Altair } from './altair.js';
import { PAGE_POLICY } from './page-policy.js';
import { printOptions } from './print-options.js';
import type { PlaygroundOptions } from './print-options.js';
import { wantsPage } from './wants-page.js';

const OPTIONS = 'options.js';

/** The version is part of an address, so that what it names never changes. */
const CACHING = { maxAge: '1y', immutable: true, etag: false, lastModified: false, acceptRanges: false };

type PageHook = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/** Where the page's files are, seen from the page, which a proxy may have moved below a path of its own. */
const assetsSeenFrom = ({ raw }: FastifyRequest, endpoint: string, { version }: Altair): string => {
  const isFolder = raw.url?.split('?', 1)[0]?.endsWith('/') === true;
  return `./${isFolder ? '' : `${basename(endpoint)}/`}playground/${version}/`;
};

/** Evaluates what any page that opens it sends; the playground itself does without, since it may evaluate in a worker. */
const UNSERVED = /^iframe-sandbox(?:\/|$)/;

const sendAsset = async (request: FastifyRequest, reply: FastifyReply, { directory }: Altair, path: string): Promise<FastifyReply> => {
  const result = await send(request.raw, encodeURI(path), { root: directory, index: false, dotfiles: 'ignore', ...CACHING });
  if (result.type === 'file' && !UNSERVED.test(relative(directory, result.metadata.path))) {
    return reply.code(result.statusCode).headers({ ...result.headers, 'content-security-policy': PAGE_POLICY }).send(result.stream);
  }
  result.stream.destroy();
  throw fail('request/not-found');
};

/**
 * Serves the playground's files below an endpoint. The hook it returns answers browsers that open the endpoint with the page, and lets every other
 * request go on.
 */
export function registerPlayground(fastify: FastifyInstance, endpoint: string, options: PlaygroundOptions): PageHook {
  let loading: Promise<Altair> | undefined;
  const load = (): Promise<Altair> => (loading ??= loadAltair());
  const folder = `${endpoint.replace(/\/+$/, '')}/playground`;
  fastify.get(`${folder}/${OPTIONS}`, async (_request, reply) => reply.headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' }).send(printOptions(options)));
  fastify.get<{ Params: { version: string; '*': string } }>(`${folder}/:version/*`, async (request, reply) => {
    const altair = await load();
    if (request.params.version !== altair.version) throw fail('request/not-found');
    return sendAsset(request, reply, altair, request.params['*']);
  });
  return async (request, reply) => {
    if (!wantsPage(request)) return undefined;
    const altair = await load();
    const page = altair.printPage(assetsSeenFrom(request, endpoint, altair), `../${OPTIONS}`);
    return reply.headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', 'content-security-policy': PAGE_POLICY }).send(page);
  };
}
