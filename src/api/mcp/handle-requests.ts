import {
  createMcpHandler,
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { Caller } from '../../access/access.js';
import { createError } from '../../errors/catalogue.js';
import { createMcpServer } from './create-mcp-server.js';
import type { McpServices, McpSession } from './mcp-services.js';

/** Names under which a server on this machine is reachable. */
interface McpHosts {
  /** Hosts that requests may address. Null: all, as behind a proxy. */
  readonly hosts: readonly string[] | null;
  /** Hosts of web pages that may call the endpoint, besides those of this machine. */
  readonly origins: readonly string[];
}

/** Dependencies of the endpoint. */
export interface McpDependencies extends McpHosts, Omit<McpSession, 'run'> {
  readonly services: McpServices;
}

/** The headers by which a request is trusted. */
interface TrustHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

/** Handles requests of clients. */
export interface McpRequests {
  /**
   * Rejects pages of other sites, and requests that reach a local server under another name, as the protocol
   * requires against DNS rebinding.
   *
   * @throws `mcp/host-rejected`, `mcp/origin-rejected`
   */
  readonly assertTrusted: (headers: TrustHeaders) => void;
  readonly handle: (request: Request, body: unknown, caller: Caller) => Promise<Response>;
  readonly close: () => Promise<void>;
}

const assertTrusted = ({ host, origin }: TrustHeaders, { hosts, origins }: McpHosts): void => {
  const local = localhostAllowedHostnames();
  if (hosts !== null && !validateHostHeader(host, [...local, ...hosts]).ok)
    throw createError('mcp/host-rejected', { host: String(host).slice(0, 100) });
  if (!validateOriginHeader(origin, [...local, ...origins]).ok)
    throw createError('mcp/origin-rejected', { origin: String(origin).slice(0, 100) });
};

const createHandler = ({ services, ...session }: McpDependencies): McpHttpHandler =>
  createMcpHandler(
    ({ authInfo }) => {
      const caller = authInfo?.extra?.['caller'] as Caller;
      return createMcpServer({
        ...session,
        run: (work) => work({ services, abilities: session.abilities, caller }),
      });
    },
    { onerror: session.onRejected },
  );

/**
 * Creates the handler of requests. Each request has its own server without state, so that every process
 * serves every client. This file loads the SDK, which takes long.
 */
export function createMcpRequests(dependencies: McpDependencies): McpRequests {
  const handler = createHandler(dependencies);
  return {
    assertTrusted: (headers) => assertTrusted(headers, dependencies),
    handle: (request, body, caller) =>
      handler.fetch(request, {
        parsedBody: body,
        authInfo: { token: '', clientId: caller.kind, scopes: [], extra: { caller } },
      }),
    close: handler.close,
  };
}
