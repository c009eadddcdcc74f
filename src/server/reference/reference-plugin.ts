import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { sendJson } from '../../api/rest/envelope.js';
import { escapeHtml } from '../../lib/text.js';
import { isKnownEtag } from '../../lib/http.js';
import { sha256Hex } from '../../lib/ids.js';

const STYLE =
  'body { margin: 0; font-family: system-ui, sans-serif; } noscript { display: block; padding: 2rem; }';

const FONT = 'system-ui, sans-serif';
const CODE_FONT = "ui-monospace, 'Cascadia Code', Menlo, Consolas, monospace";

/** Replaces the fonts of the default theme, which would have to be loaded. */
const THEME = {
  typography: {
    fontFamily: FONT,
    headings: { fontFamily: FONT },
    code: { fontFamily: CODE_FONT },
  },
};

/** Redoc sets styles by script, and searches in a worker that it creates from text. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "img-src 'self' data:",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'worker-src blob:',
].join('; ');

interface ReferencePage {
  readonly title: string;
  /** The addresses of the document and of Redoc, relative to the page. */
  readonly document: string;
  readonly script: string;
}

/** Prints the page that shows an OpenAPI document. */
function printReferencePage({ title, document, script }: ReferencePage): string {
  const address = escapeHtml(document);
  const theme = escapeHtml(JSON.stringify(THEME));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}: API reference</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<noscript>This page needs JavaScript. The <a href="${address}">OpenAPI document</a> does not.</noscript>
<redoc spec-url="${address}" native-scrollbars="true" theme="${theme}"></redoc>
<script src="${escapeHtml(script)}"></script>
</body>
</html>
`;
}

/** Redoc, the script that renders the reference. */
interface Redoc {
  readonly script: Buffer;
  /** Equal for equal scripts. */
  readonly digest: string;
}

/** The copy of the script that the build makes. */
const COPY = new URL('./redoc/redoc.standalone.js', import.meta.url);

const readScript = async (): Promise<string> => {
  try {
    return await readFile(COPY, 'utf8');
  } catch {
    return readFile(createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js'), 'utf8');
  }
};

/**
 * Removes the requests of the script: for a logo on another server, and for a source map that this package
 * lacks.
 */
const withoutRequests = (script: string): string =>
  script
    .replaceAll('https://cdn.redoc.ly/redoc/logo-mini.svg', 'data:,')
    .replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');

/** Loads Redoc when the page is first opened, since it is large. */
async function loadRedoc(): Promise<Redoc> {
  const script = Buffer.from(withoutRequests(await readScript()));
  return { script, digest: sha256Hex(script).slice(0, 16) };
}

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

/** The path of the page. */
export const REFERENCE_PATH = '/docs';

/** The address contains the script's digest, so that its content never changes. */
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
 * Creates the plugin that serves the OpenAPI document and a page that shows it. The document is created at
 * the first request.
 */
export function createReferencePlugin(dependencies: ReferenceDependencies): FastifyPluginAsync {
  let printed: PrintedDocument | undefined;
  let loading: Promise<Redoc> | undefined;
  const load = (): Promise<Redoc> => (loading ??= loadRedoc());
  const url = `${dependencies.prefix}/openapi.json`;
  return async (fastify) => {
    const isFree = (path: string): boolean => !fastify.hasRoute({ method: 'GET', url: path });
    // The project's routes come first.
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
