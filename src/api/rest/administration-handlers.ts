import { ADMINISTRATION_OPERATIONS, runOperation } from '../administration/administration.js';
import type { NamedOperation } from '../administration/administration.js';
import type { AdministrationContext } from '../administration/operation.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { sendJson } from './envelope.js';
import { callerOf } from './guard.js';
import type { Handler, RestDependencies } from './rest-dependencies.js';

/** Kinds of errors that have the same meaning in all requests. */
const KEPT_KINDS: ReadonlySet<string> = new Set([
  'unauthorized',
  'forbidden',
  'unavailable',
  'internal',
  'rate-limited',
]);

/**
 * Returns the error that a remote command reports as its own. A command that fails is not a server error, and
 * something missing in it is not a missing endpoint.
 */
const toPublished = (error: unknown): unknown => {
  if (!isGalleyError(error) || KEPT_KINDS.has(error.kind)) return error;
  const { code, hint = '', message, details } = error;
  const published = { ...details, code, hint };
  return createError('access/operation-rejected', { reason: message }, { details: published, cause: error });
};

/** Returns the handlers of the endpoints for remote commands that administer a server, by operation. */
export function administrationHandlers(
  { access }: Pick<RestDependencies, 'access'>,
  context: Omit<AdministrationContext, 'grants'>,
): Readonly<Record<string, Handler>> {
  const handlerOf =
    (operation: NamedOperation): Handler =>
    async (request, reply) => {
      const { grants } = callerOf(request);
      try {
        const data = (await runOperation(operation, { ...context, grants }, request.body ?? {})) ?? null;
        if (operation.action === 'write') await access.refresh();
        return await sendJson(reply.header('cache-control', 'no-store'), 200, JSON.stringify({ data }));
      } catch (error) {
        throw toPublished(error);
      }
    };
  return Object.fromEntries(
    ADMINISTRATION_OPERATIONS.map((operation) => [operation.id, handlerOf(operation)]),
  );
}
