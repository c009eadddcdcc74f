/** Builds a request from the flags of `cms api`, and sends it to the project or a remote server. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Impersonation } from '../access/impersonation.js';
import { graphqlOptionsOf } from '../api/graphql/graphql-options.js';
import { createError } from '../errors/catalogue.js';
import { isRecord } from '../lib/records.js';
import { exchange, parseJson } from '../transfer/remote/send.js';
import { parseFormBody } from '../api/rest/parse-query-string.js';
import type { GalleyError } from '../errors/galley-error.js';
import type { ContentProject } from './project/command-target.js';
import { withApp } from './project/with-app.js';
import type { Warn } from './project/with-app.js';
import { readStdin } from './prompts/secret.js';
import type { Terminal } from './terminal/terminal.js';

export const API_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

type ApiMethod = (typeof API_METHODS)[number];

/** A request to the API of a project or of a remote server. */
export interface ApiRequest {
  readonly method: ApiMethod;
  /** The endpoint of GraphQL, or REST with the path below the prefix of the API: `/articles`. */
  readonly endpoint: 'rest' | 'graphql';
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The flags of `cms api` that describe the request. */
interface ApiFlags {
  readonly method: ApiMethod | undefined;
  /** `name=value`, as text. */
  readonly 'raw-field': readonly string[] | undefined;
  /** `name=value` with a typed value. */
  readonly field: readonly string[] | undefined;
  readonly header: readonly string[] | undefined;
  readonly input: string | undefined;
  readonly graphql: string | undefined;
}

type Field = readonly [name: string, value: unknown];

const usageError = (reason: string, remedy: string): GalleyError =>
  createError('cli/invalid-usage', { reason, remedy });

const readText = async (terminal: Terminal, source: string): Promise<string> => {
  if (source === '-') return readStdin(terminal);
  return readFile(resolve(terminal.cwd, source), 'utf8').catch((cause: unknown) => {
    throw createError(
      'cli/invalid-usage',
      { reason: `${source} cannot be read.`, remedy: 'Pass the path of a file, or "-" for standard input.' },
      { cause },
    );
  });
};

const splitField = (text: string): readonly [string, string] => {
  const equals = text.indexOf('=');
  if (equals < 1) throw usageError(`${text} is not a field.`, 'Write fields as name=value.');
  return [text.slice(0, equals), text.slice(equals + 1)];
};

const LITERALS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

/** Parses the value of `--field`: true, false, null, an integer, or the text of `@file`. */
const parseValue = async (terminal: Terminal, text: string): Promise<unknown> => {
  if (Object.hasOwn(LITERALS, text)) return LITERALS[text];
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  return text.startsWith('@') ? readText(terminal, text.slice(1)) : text;
};

const readFields = async (terminal: Terminal, flags: ApiFlags): Promise<readonly Field[]> => {
  const fields: Field[] = (flags['raw-field'] ?? []).map(splitField);
  for (const text of flags.field ?? []) {
    const [name, value] = splitField(text);
    fields.push([name, await parseValue(terminal, value)]);
  }
  return fields;
};

const replaceIndexes = (value: unknown, fields: readonly Field[]): unknown => {
  if (typeof value === 'string') return fields[Number(value)]?.[1];
  if (Array.isArray(value)) return value.map((item) => replaceIndexes(item, fields));
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceIndexes(item, fields)]))
    : value;
};

/** Nests fields with names in brackets, `data[title]`, as the API nests query parameters. */
const nestFields = (fields: readonly Field[]): unknown => {
  const text = fields.map(([name], index) => `${encodeURIComponent(name)}=${index}`).join('&');
  return replaceIndexes(parseFormBody(text), fields);
};

const readHeaders = (headers: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    headers.map((text) => {
      const colon = text.indexOf(':');
      if (colon < 1) throw usageError(`${text} is not a header.`, "Write headers as 'Name: value'.");
      const name = text.slice(0, colon).trim().toLowerCase();
      if (name === 'authorization')
        throw usageError(
          'Every user of this machine can see a token in the arguments.',
          'Select the caller with --as, or store the token of a server with: cms remote add',
        );
      return [name, text.slice(colon + 1).trim()];
    }),
  );

/** Returns the path below the prefix of the API, which may be present, and its query parameters. */
const splitPath = (path: string, prefix: string): Pick<ApiRequest, 'path' | 'query'> => {
  if (/^[a-z][a-z\d+.-]*:/i.test(path))
    throw usageError(`${path} is not a path.`, 'Pass a path of the API, such as /articles, and --remote.');
  const [pathname = '', ...rest] = path.split('?');
  const absolute = pathname.startsWith('/') ? pathname : `/${pathname}`;
  const isPrefixed = absolute === prefix || absolute.startsWith(`${prefix}/`);
  return {
    path: isPrefixed ? absolute.slice(prefix.length) : absolute,
    query: new URLSearchParams(rest.join('?')),
  };
};

const WITH_BODY: ReadonlySet<ApiMethod> = new Set(['POST', 'PUT', 'PATCH']);
const JSON_TYPE = { 'content-type': 'application/json' };

const buildGraphqlRequest = async (
  terminal: Terminal,
  source: string,
  flags: ApiFlags,
): Promise<ApiRequest> => {
  if (flags.method !== undefined && flags.method !== 'POST')
    throw usageError('--graphql sends POST requests.', 'Omit --method.');
  const isFile = source === '-' || source.startsWith('@');
  const query = isFile ? await readText(terminal, source.replace(/^@/, '')) : source;
  const variables = nestFields(await readFields(terminal, flags));
  return {
    method: 'POST',
    endpoint: 'graphql',
    path: '',
    query: new URLSearchParams(),
    headers: { ...JSON_TYPE, ...readHeaders(flags.header ?? []) },
    body: JSON.stringify({ query, variables }),
  };
};

/**
 * Builds the request of a path or of a GraphQL document. Fields become variables of the document, the JSON
 * body of POST, PUT and PATCH, or else query parameters.
 *
 * @param prefix the prefix of the API
 * @throws `cli/invalid-usage`
 */
export async function buildApiRequest(
  terminal: Terminal,
  path: string | undefined,
  flags: ApiFlags,
  prefix: string,
): Promise<ApiRequest> {
  if (flags.graphql !== undefined) {
    if (path === undefined) return buildGraphqlRequest(terminal, flags.graphql, flags);
    throw usageError('--graphql has its own endpoint.', `Omit the path ${path}.`);
  }
  if (path === undefined)
    throw createError('cli/missing-argument', { argument: '<path>', usage: 'cms api <path>' });
  const { input } = flags;
  const method = flags.method ?? (input === undefined ? 'GET' : 'POST');
  if (input !== undefined && !WITH_BODY.has(method))
    throw usageError(`A ${method} request has no body.`, 'Omit --input, or pass another --method.');
  const headers = readHeaders(flags.header ?? []);
  const fields = await readFields(terminal, flags);
  const request = { method, endpoint: 'rest' as const, ...splitPath(path, prefix) };
  if (input === undefined && fields.length > 0 && WITH_BODY.has(method))
    return { ...request, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(nestFields(fields)) };
  for (const [name, value] of fields) request.query.append(name, String(value));
  if (input === undefined) return { ...request, headers, body: undefined };
  return { ...request, headers: { ...JSON_TYPE, ...headers }, body: await readText(terminal, input) };
}

/** The response to a request with any status. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

type Send = (request: ApiRequest) => Promise<ApiResponse>;

const TEXT_TYPE = /^text\/|json|xml|yaml|javascript|x-www-form-urlencoded/;

const assertText = (contentType: string | undefined, path: string): void => {
  if (contentType === undefined || TEXT_TYPE.test(contentType)) return;
  throw createError('cli/invalid-usage', {
    reason: `${path} responds with ${contentType}, which is not text.`,
    remedy: 'Download files with another program, such as curl.',
  });
};

/** Returns the path of a request from the root of the server. */
const urlOf = ({ config }: ContentProject, { endpoint, path, query }: ApiRequest): string => {
  const search = query.size === 0 ? '' : `?${query.toString()}`;
  if (endpoint === 'rest') return `${config.api.rest.prefix}${path}${search}`;
  const graphql = graphqlOptionsOf(config);
  if (graphql !== null) return graphql.endpoint;
  throw createError('cli/invalid-usage', {
    reason: 'GraphQL is disabled in this project.',
    remedy: 'Use the REST API, or enable plugins.graphql in cms.config.ts.',
  });
};

const toText = (value: number | string | readonly string[] | undefined): string =>
  Array.isArray(value) ? value.join(', ') : String(value);

const sendInProcess = async <T>(
  project: ContentProject,
  { warn, caller }: { readonly warn: Warn; readonly caller: Impersonation },
  work: (send: Send) => Promise<T>,
): Promise<T> =>
  withApp(project, { warn, impersonates: caller, serves: true }, async ({ fastify }) => {
    await fastify.ready();
    return work(async (request) => {
      const { method, headers, body } = request;
      const url = urlOf(project, request);
      const response = await fastify.inject({
        method,
        url,
        headers,
        ...(body === undefined ? {} : { payload: body }),
      });
      const received = Object.entries(response.headers).map(([name, value]) => [name, toText(value)]);
      assertText(response.headers['content-type']?.toString(), url);
      return {
        status: response.statusCode,
        headers: Object.fromEntries(received) as ApiResponse['headers'],
        text: response.payload,
      };
    });
  });

/** Returns the function that sends requests to a remote server, whose API may have another prefix. */
const createRemoteSend =
  (project: ContentProject, access: NonNullable<ContentProject['remote']>['access']): Send =>
  async (request) => {
    const { prefix } = project.config.api.rest;
    const { method, headers, body } = request;
    const path = urlOf(project, request);
    const root = access.url.endsWith(prefix)
      ? access.url.slice(0, -prefix.length)
      : new URL(access.url).origin;
    const url = request.endpoint === 'rest' ? `${access.url}${path.slice(prefix.length)}` : `${root}${path}`;
    const response = await exchange(access, { method, url, headers, body });
    assertText(response.headers['content-type'], url);
    return response;
  };

/**
 * Runs work with the function that sends requests: to the remote server of the project, or to the project
 * itself, in this process, as the caller.
 *
 * @throws `access/unknown-role`, `access/unknown-user`, `access/unknown-token`, `remote/unreachable`,
 *   `project/pending-migrations`
 */
export async function withApi<T>(
  project: ContentProject,
  options: { readonly warn: Warn; readonly caller: Impersonation },
  work: (send: Send) => Promise<T>,
): Promise<T> {
  if (project.remote === undefined) return sendInProcess(project, options, work);
  return work(createRemoteSend(project, project.remote.access));
}

const FIRST_ERROR = 400;

/** True if the request has failed. */
export function isFailure({ status }: ApiResponse): boolean {
  return status >= FIRST_ERROR;
}

/** Sets the parameters of the page after a page with `count` items. False if it is the last one. */
const turnPage = (query: URLSearchParams, pagination: unknown, count: number): boolean => {
  if (!isRecord(pagination) || count === 0) return false;
  const { page, pageSize, pageCount, start, limit, total } = pagination;
  if (typeof page === 'number') {
    query.set('pagination[page]', String(page + 1));
    return typeof pageCount === 'number' ? page < pageCount : count === pageSize;
  }
  if (typeof start !== 'number') return false;
  query.set('pagination[start]', String(start + count));
  return typeof total === 'number' ? start + count < total : count === limit;
};

/**
 * Sends a request for each page of a list, and returns the last response with the items of all pages. The
 * response to a failed request, or without a list, is returned as it is.
 */
export async function sendForAllPages(send: Send, request: ApiRequest): Promise<ApiResponse> {
  const query = new URLSearchParams(request.query);
  const items: unknown[] = [];
  for (;;) {
    const response = await send({ ...request, query });
    const body = parseJson(response.text);
    const data: unknown = isRecord(body) ? body['data'] : undefined;
    if (isFailure(response) || !isRecord(body) || !Array.isArray(data)) return response;
    items.push(...(data as readonly unknown[]));
    const meta: unknown = body['meta'];
    const pagination: unknown = isRecord(meta) ? meta['pagination'] : undefined;
    if (turnPage(query, pagination, data.length)) continue;
    const all = { ...body, data: items, meta: { pagination: { total: items.length } } };
    return { ...response, text: JSON.stringify(all) };
  }
}
