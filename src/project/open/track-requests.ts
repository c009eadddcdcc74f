import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { identityOf } from '../../access/access.js';
import type { Access } from '../../access/access.js';
import { graphqlOptionsOf } from '../../api/graphql/graphql-options.js';
import { decorateCaller, optionalCallerOf } from '../../api/http/request-lifecycle.js';
import type { Actor } from '../../documents/log/actors.js';
import type { WriteLog } from '../../documents/log/write-log.js';
import { urlPath } from '../../lib/http.js';
import { isRecord } from '../../lib/records.js';
import { processActor } from './open-log.js';
import type { Project } from './open-project.js';

/** The services that identify the actors of requests. */
interface TrackingDependencies {
  readonly project: Pick<Project, 'config' | 'command'>;
  readonly log: WriteLog;
  readonly access: Pick<Access, 'tokenOf'>;
  readonly onError: (error: unknown) => void;
}

const MCP_PATH = '/mcp';
const READ_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Creates the function that returns the actor of a request. */
const createActorOf = ({ project, access }: TrackingDependencies) => {
  const graphql = graphqlOptionsOf(project.config)?.endpoint;
  const viaOf = (path: string): Actor['via'] => {
    if (path === MCP_PATH) return 'mcp';
    return path === graphql ? 'graphql' : 'rest';
  };
  const shell = processActor(project);
  return (request: FastifyRequest): Actor => {
    const identity = identityOf(access, optionalCallerOf(request));
    if (shell.via === 'command')
      return identity.who === null
        ? shell
        : { ...shell, ...identity, source: `${shell.source} by ${shell.who}` };
    const via = viaOf(urlPath(request.url));
    const source = via === 'mcp' ? (request.headers['user-agent'] ?? null) : null;
    return { ...identity, via, source, address: request.ip };
  };
};

/** True if a GraphQL request contains queries only. */
const isGraphqlQuery = (body: unknown): boolean =>
  isRecord(body) && typeof body['query'] === 'string' && !body['query'].includes('mutation');

/** The property of requests with the function to call once the handler has ended. */
const HANDLED = 'logHandled';

/** True if a GraphQL response contains an error about missing permissions. Its status is 200. */
const isRejectedMutation = (payload: unknown): boolean =>
  typeof payload === 'string' && payload.includes('"code":"FORBIDDEN"');

/** Returns a function that is true if a request may write. Some sign-ins are GET requests. */
const createMayWrite = ({ project: { config } }: TrackingDependencies) => {
  const graphql = graphqlOptionsOf(config)?.endpoint;
  const signIns = ['auth', 'connect'].map((name) => `${config.api.rest.prefix}/${name}/`);
  return ({ method, url, body }: FastifyRequest): boolean => {
    if (READ_METHODS.has(method)) return signIns.some((start) => url.startsWith(start));
    return urlPath(url) !== graphql || !isGraphqlQuery(body);
  };
};

/**
 * Adds the hooks that know the actors of requests, and log requests to write that are rejected. Reads run
 * without a scope, which would make each of their promises cost more.
 */
export function trackRequests(fastify: FastifyInstance, dependencies: TrackingDependencies): void {
  const { log, onError } = dependencies;
  if (!log.isOn) return;
  decorateCaller(fastify);
  fastify.decorateRequest(HANDLED, null);
  const graphql = graphqlOptionsOf(dependencies.project.config)?.endpoint;
  const isMutation = ({ url, method, body }: FastifyRequest): boolean =>
    method === 'POST' && urlPath(url) === graphql && !isGraphqlQuery(body);
  const actorOf = createActorOf(dependencies);
  const mayWrite = createMayWrite(dependencies);
  fastify.addHook('preHandler', (request, reply, done) => {
    if (!mayWrite(request)) {
      done();
      return;
    }
    const scope = log.actors.open(() => actorOf(request));
    // Handlers of disconnected clients run on, and streams of handlers that have ended do, too.
    let isPending = true;
    const endSecond = (): void => {
      if (isPending) isPending = false;
      else scope.end();
    };
    request.setDecorator(HANDLED, endSecond);
    reply.raw.once('close', endSecond);
    scope.run(done);
  });
  const logRejection = async (
    request: FastifyRequest,
    { statusCode }: FastifyReply,
    send: () => void,
  ): Promise<void> => {
    const { method, routeOptions } = request;
    const details = { status: statusCode, request: `${method} ${routeOptions.url ?? ''}` };
    await log.reject({ action: 'rejected', details }, actorOf(request)).catch(onError);
    send();
  };
  fastify.addHook('onSend', (request, reply, payload, done) => {
    request.getDecorator<(() => void) | null>(HANDLED)?.();
    request.setDecorator(HANDLED, null);
    const { statusCode } = reply;
    const isRejected =
      statusCode === 401 || statusCode === 403 || (isMutation(request) && isRejectedMutation(payload));
    const send = (): void => done(null, payload);
    if (isRejected && mayWrite(request)) void logRejection(request, reply, send);
    else send();
  });
}
