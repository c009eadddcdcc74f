import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { RolePermissions } from '../../access/permissions/list-permissions.js';
import { sendJson } from '../../api/rest/envelope.js';
import { createOverview } from './overview.js';
import type { OverviewSources } from './overview.js';
import { CONTENT_SECURITY_POLICY, printPage } from './print-page.js';

export interface LandingDependencies extends OverviewSources {
  /** `/api` */
  readonly prefix: string;
  /** Returns the permissions of the moment, which commands change while the server runs. */
  readonly permissions: () => Promise<readonly RolePermissions[]>;
}

const acceptsHtml = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true;

/**
 * Creates the plugin that tells, in development, what the server offers and to whom: a page at `/` for
 * browsers, and JSON there and at the prefix of the API.
 */
export function createLandingPlugin(dependencies: LandingDependencies): FastifyPluginAsync {
  const overview = async () => createOverview(dependencies, await dependencies.permissions());
  const sendOverview = async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    sendJson(reply.header('cache-control', 'no-store'), 200, JSON.stringify({ data: await overview() }));
  const sendPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!acceptsHtml(request)) return sendOverview(request, reply);
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': CONTENT_SECURITY_POLICY,
      })
      .send(printPage(await overview(), `${request.protocol}://${request.host}`));
  };
  return async (fastify) => {
    // The project's own routes come first.
    if (!fastify.hasRoute({ method: 'GET', url: '/' })) fastify.get('/', sendPage);
    const { prefix } = dependencies;
    if (!fastify.hasRoute({ method: 'GET', url: prefix })) fastify.get(prefix, sendOverview);
  };
}
