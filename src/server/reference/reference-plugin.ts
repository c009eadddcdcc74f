import { createHash } from 'node:crypto';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { isKnownEtag } from '../../lib/etag.js';
import { sendJson } from '../../api/rest/envelope.js';
import { loadRedoc } from './load-redoc.js';
import type { Redoc } from './load-redoc.js';
import { CONTENT_SECURITY_POLICY, printReferencePage } from './print-reference-page.js';

export interface ReferenceDependencies {
  /** `/api` */
  readonly prefix: string;
  /** The name of the project. */
  readonly title: string;
  /** Describes the API. */
  readonly createDocument: () => object;
}

interface PrintedDocument {
  readonly text: string;
  readonly etag: string;
}

/** Path of the page. */
export const REFERENCE_PATH = '/docs';

/** The address has the script's digest, so that what is at an address never changes. */
const FOREVER = 'public, max-age=31536000, immutable';

const print = (document: object): PrintedDocument => {
  const text = JSON.stringify(document);
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` };
};

/** The root of the server as the page sees it, because a proxy may serve the page below a path. */
const rootOf = ({ raw }: FastifyRequest): string =>
  raw.url?.split('?', 1)[0]?.endsWith('/') === true ? '..' : '.';

const sendPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  { prefix, title, digest }: Pick<ReferenceDependencies, 'prefix' | 'title'> & Pick<Redoc, 'digest'>,
): FastifyReply => {
  const root = rootOf(request);
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': CONTENT_SECURITY_POLICY,
    })
    .send(
      printReferencePage({
        title,
        document: `${root}${prefix}/openapi.json`,
        script: `${root}${REFERENCE_PATH}/redoc/${digest}.js`,
      }),
    );
};

/**
 * Creates the plugin that serves the OpenAPI document, and a page that shows it. The API is described when
 * the document is first asked for.
 */
export function createReferencePlugin(dependencies: ReferenceDependencies): FastifyPluginAsync {
  let printed: PrintedDocument | undefined;
  let loading: Promise<Redoc> | undefined;
  const load = (): Promise<Redoc> => (loading ??= loadRedoc());
  const url = `${dependencies.prefix}/openapi.json`;
  return async (fastify) => {
    const isFree = (path: string): boolean => !fastify.hasRoute({ method: 'GET', url: path });
    // The project's own routes come first.
    if (isFree(url))
      fastify.get(url, async (request, reply) => {
        const { text, etag } = (printed ??= print(dependencies.createDocument()));
        reply.headers({ etag, 'cache-control': 'no-cache' });
        return isKnownEtag(request.headers['if-none-match'], etag)
          ? reply.code(304).send()
          : sendJson(reply, 200, text);
      });
    if (!isFree(REFERENCE_PATH)) return;
    fastify.get(REFERENCE_PATH, async (request, reply) => {
      const { digest } = await load();
      return sendPage(request, reply, { ...dependencies, digest });
    });
    fastify.get<{ Params: { file: string } }>(`${REFERENCE_PATH}/redoc/:file`, async (request, reply) => {
      const { script, digest } = await load();
      if (request.params.file !== `${digest}.js`) return reply.callNotFound();
      reply.headers({ 'content-type': 'text/javascript; charset=utf-8', 'cache-control': FOREVER });
      return reply.send(script);
    });
  };
}
