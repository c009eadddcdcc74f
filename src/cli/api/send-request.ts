import type { Impersonation } from '../../access/impersonation.js';
import { graphqlOptionsOf } from '../../api/graphql/graphql-options.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { exchange, parseJson } from '../../transfer/remote/send.js';
import type { ContentProject } from '../project/command-target.js';
import { withApp } from '../project/with-app.js';
import type { Warn } from '../project/with-app.js';
import type { ApiRequest } from './build-request.js';

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
  withApp(project, { warn, impersonates: caller }, async ({ fastify }) => {
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
