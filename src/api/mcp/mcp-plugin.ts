import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { createError } from '../../errors/catalogue.js';
import { labelRequest } from '../../lib/http.js';
import { isRecord } from '../../lib/records.js';
import { callerOf, clientSignalOf, decorateCaller, setCaller } from '../http/request-lifecycle.js';
import type { McpDependencies, McpRequests } from './handle-requests.js';

/** The path of the endpoint. */
const MCP_PATH = '/mcp';

/** Behind a proxy, a server does not know its address. Only the path is read. */
const BASE = 'http://localhost';

const toWebRequest = (request: FastifyRequest, reply: FastifyReply): Request => {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, String(value));
  return new Request(new URL(request.url, BASE), {
    method: request.method,
    headers,
    signal: clientSignalOf(reply)(),
    ...(request.method === 'POST' ? { body: JSON.stringify(request.body) } : {}),
  });
};

const sendWebResponse = (reply: FastifyReply, response: Response): FastifyReply => {
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  // Proxies must not collect the events of a stream.
  reply.header('cache-control', 'no-store, no-transform');
  const { body } = response;
  return reply.send(body === null ? undefined : Readable.fromWeb(body as ReadableStream<Uint8Array>));
};

/** Returns the method and the tool of a request, for the log. */
const labelOf = (body: unknown): string => {
  if (!isRecord(body)) return '';
  const { method, params } = body;
  const name = isRecord(params) ? params['name'] : undefined;
  return [method, name]
    .filter((part) => typeof part === 'string')
    .join(' ')
    .slice(0, 100);
};

/** Creates the plugin of the endpoint for the Model Context Protocol. It requires a token. */
export function createMcpPlugin(dependencies: McpDependencies): FastifyPluginAsync {
  const { access } = dependencies.services;
  let loading: Promise<McpRequests> | undefined;
  const load = (): Promise<McpRequests> =>
    (loading ??= import('./handle-requests.js').then(({ createMcpRequests }) =>
      createMcpRequests(dependencies),
    ));
  return async (fastify) => {
    decorateCaller(fastify);
    fastify.addHook('onClose', async () => (await loading)?.close());
    fastify.route({
      method: ['GET', 'POST', 'DELETE'],
      url: MCP_PATH,
      onRequest: async (request) => {
        (await load()).assertTrusted(request.headers);
        const caller = await access.authenticate(request.headers.authorization);
        if (caller.kind === 'anonymous') throw createError('request/unauthorized');
        setCaller(request, caller);
      },
      handler: async (request, reply) => {
        labelRequest(request, labelOf(request.body));
        const { handle } = await load();
        const response = await handle(toWebRequest(request, reply), request.body, callerOf(request));
        return sendWebResponse(reply, response);
      },
    });
  };
}
