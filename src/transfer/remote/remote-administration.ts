import { createAdministration } from '../../api/administration/administration.js';
import type { Administration } from '../../api/administration/administration.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { responseData } from './remote-documents.js';
import { sendRequest } from './send.js';
import type { RemoteAccess } from './send.js';

/** Returns the error of an operation with the remedy of the server. Returns any other error unchanged. */
const operationError = ({ name }: RemoteAccess, error: unknown): unknown => {
  if (!isGalleyError(error) || error.code !== 'remote/refused') return error;
  const { code, hint, ...details } = error.details;
  if (typeof code !== 'string' || typeof hint !== 'string') return error;
  const reason = error.message;
  return createError('remote/rejected', { name, reason, remedy: hint }, { details, cause: error });
};

/** Returns the operations on everything that a remote server stores apart from content. */
export function remoteAdministration(access: RemoteAccess): Administration {
  return createAdministration(async ({ path, action, timeoutMs }, input) => {
    const request = { method: 'POST', path, body: input, isRepeatable: action === 'read' } as const;
    try {
      return responseData(
        await sendRequest(access, { ...request, ...(timeoutMs === undefined ? {} : { timeoutMs }) }),
      );
    } catch (error) {
      throw operationError(access, error);
    }
  });
}
