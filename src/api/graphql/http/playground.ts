import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { basename } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { send } from '@fastify/send';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { getNamedType, isLeafType, isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { createError } from '../../../errors/catalogue.js';
import type { ContentModel, ContentType } from '../../../model/model.js';
import { fieldNameOf, queryNamesOf } from '../field-names.js';

const DIRECTIVES = {
  'default-src': "'none'",
  'base-uri': "'self'",
  'connect-src': "'self'",
  'font-src': "'self'",
  'form-action': "'none'",
  'frame-ancestors': "'self'",
  'img-src': "'self' data:",
  // Pre-request and post-request scripts are evaluated in a worker.
  'script-src': "'self' 'unsafe-eval'",
  // The page sets its styles by script.
  'style-src': "'self' 'unsafe-inline'",
  'worker-src': "'self'",
};

/**
 * The Content-Security-Policy of the page and its workers. They load nothing from other origins and send
 * nothing to them.
 */
const CONTENT_SECURITY_POLICY = Object.entries(DIRECTIVES)
  .map(([name, sources]) => `${name} ${sources}`)
  .join('; ');

const RESPONSE_TYPES = ['application/json', 'application/graphql-response+json'];

/** Parameters of an operation in a GET request. `extensions` may name a persisted document. */
const OPERATION_PARAMETERS = ['query', 'operationName', 'variables', 'extensions'];

/** Returns the quality of a media type in an Accept header, from 0 to 1. Wildcards do not count. */
const qualityOf = (accept: string, type: string): number => {
  const range = accept.split(',').find((each) => each.split(';', 1)[0]?.trim().toLowerCase() === type);
  if (range === undefined) return 0;
  const quality = /;\s*q=([\d.]+)/i.exec(range)?.[1];
  return quality === undefined ? 1 : Number(quality);
};

/** True if a browser opens the endpoint as a page; false if a client sends an operation. */
function isPageRequest({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): boolean {
  const { accept = '' } = headers;
  const html = qualityOf(accept, 'text/html');
  if (html === 0 || RESPONSE_TYPES.some((type) => qualityOf(accept, type) >= html)) return false;
  const parameters = new URLSearchParams(raw.url?.split('?')[1] ?? '');
  return !OPERATION_PARAMETERS.some((name) => parameters.has(name));
}

/** Altair, the package that contains the playground. */
interface Altair {
  readonly version: string;
  /** Folder of the files that the page loads. */
  readonly directory: string;
  /**
   * Prints the page as HTML.
   *
   * @param assets path of its files, relative to the page; ends with a slash
   * @param options path of the script that starts it, relative to its files
   */
  readonly printPage: (assets: string, options: string) => string;
}

/** The copy of the package that the build makes. */
const COPY = new URL('./altair/package.json', import.meta.url);

/** Loads the package, when the playground is first opened. */
async function loadAltair(): Promise<Altair> {
  const copy = fileURLToPath(COPY);
  const manifest = existsSync(copy)
    ? copy
    : createRequire(import.meta.url).resolve('altair-static/package.json');
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { readonly version: string };
  const directory = join(dirname(manifest), 'build/dist');
  const html = await readFile(join(directory, 'index.html'), 'utf8');
  return {
    version,
    directory,
    printPage: (assets, options) =>
      html
        .replace(/<base.*>/, `<base href="${assets}">`)
        .replace('</body>', `<script type="module" src="${options}"></script></body>`),
  };
}

/** Enough fields to recognise a document. */
const MAX_FIELDS = 4;

/** Types whose values are too long to show in a list, or are never shown. */
const EXCLUDED_TYPES: ReadonlySet<string> = new Set(['richtext', 'blocks', 'json', 'password']);

const HELP = `# Ctrl-Enter runs the query.
#
# Content that is not public needs a token. Create one in the project's folder:
#   cms token create --name playground --type full-access
# Then open the headers (first button on the left) and set Authorization to Bearer <token>.
`;

/** Prints a query for the list of a type; null: the schema has no such query. */
const listQueryOf = (schema: GraphQLSchema, type: ContentType): string | null => {
  const { many } = queryNamesOf(type);
  const object = schema.getType(type.typeName);
  const query = schema.getQueryType()?.getFields()[many];
  if (!isObjectType(object) || query === undefined || getNamedType(query.type) !== object) return null;
  const fields = object.getFields();
  const isLeafField = (name: string | null): name is string =>
    name !== null && isLeafType(getNamedType(fields[name]?.type));
  const attributes = Object.values(type.attributes).filter(
    (attribute) => !EXCLUDED_TYPES.has(attribute.type),
  );
  const selected = ['documentId', ...attributes.map(({ name }) => fieldNameOf(name))]
    .filter(isLeafField)
    .slice(0, MAX_FIELDS);
  if (selected.length === 0) return null;
  const lines = [`  ${many}(pagination: { limit: 10 }) {`, ...selected.map((name) => `    ${name}`), '  }'];
  return `query {\n${lines.join('\n')}\n}\n`;
};

/**
 * Prints the query that the editor contains when it is first opened: the list of the project's first
 * collection type.
 */
function initialQuery(schema: GraphQLSchema, model: ContentModel): string {
  const collections = model.types.filter(
    ({ kind, origin }) => kind === 'collectionType' && origin === 'project',
  );
  const query =
    collections.map((type) => listQueryOf(schema, type)).find((text) => text !== null) ??
    'query {\n  __typename\n}\n';
  return `${HELP}\n${query}`;
}

interface PlaygroundOptions {
  readonly model: ContentModel;
  /** Returns the current schema. */
  readonly schema: () => GraphQLSchema;
  /** True if introspection is allowed. */
  readonly introspection: boolean;
}

const settingsOf = ({ introspection }: PlaygroundOptions): Readonly<Record<string, unknown>> => ({
  // The schema may have changed since the page was last opened.
  'schema.reloadOnStart': introspection,
  'alert.disableUpdateNotification': true,
  disablePushNotification: true,
  'banners.disable': true,
  'plugin.list': [],
});

/**
 * Prints the script that starts the page. The script derives the endpoint's URL from the page's URL, because
 * a proxy may serve the endpoint at another path. Queries and tokens are stored per path, so that several
 * servers behind one origin do not share them.
 */
function printOptions(options: PlaygroundOptions): string {
  const { schema, model } = options;
  const initOptions = {
    initialQuery: initialQuery(schema(), model),
    initialSubscriptionRequestHandlerId: 'graphql-ws',
    initialSettings: { theme: 'system' },
    persistedSettings: settingsOf(options),
    disableAccount: true,
  };
  return `const path = location.pathname.replace(/\\/+$/, '');
const endpoint = location.origin + path;
AltairGraphQL.init({
  ...${JSON.stringify(initOptions)},
  endpointURL: endpoint,
  subscriptionsEndpoint: endpoint.replace(/^http/, 'ws'),
  instanceStorageNamespace: 'galley_' + path + '_',
});
`;
}

const OPTIONS_FILE = 'options.js';

/** URLs contain the version, so the file at a URL never changes. */
const CACHE_OPTIONS = {
  maxAge: '1y',
  immutable: true,
  etag: false,
  lastModified: false,
  acceptRanges: false,
};

type PageHook = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/** Returns the path of the page's files, relative to the page, since a proxy may serve it at another path. */
const assetsPath = ({ raw }: FastifyRequest, endpoint: string, { version }: Altair): string => {
  const isFolder = raw.url?.split('?', 1)[0]?.endsWith('/') === true;
  return `./${isFolder ? '' : `${basename(endpoint)}/`}playground/${version}/`;
};

/**
 * A page of Altair that evaluates scripts of any page that embeds it. It is not needed, because the
 * playground evaluates scripts in a worker.
 */
const EXCLUDED_FILES = /^iframe-sandbox(?:\/|$)/;

/** Hides the requests for dozens of files from the log. */
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
