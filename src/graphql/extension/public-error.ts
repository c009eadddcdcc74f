import { fail } from '../../errors/catalogue.js';
import type { ErrorCode } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/is-record.js';

/** Errors whose message project code means for the client, by the names that the peer gives them. */
const PUBLIC: Readonly<Record<string, ErrorCode>> = {
  ApplicationError: 'graphql/application-error',
  ValidationError: 'graphql/validation-error',
  UnauthorizedError: 'graphql/unauthorized-error',
  ForbiddenError: 'graphql/forbidden-error',
  PolicyError: 'graphql/policy-error',
  NotFoundError: 'graphql/not-found-error',
};

/** What project code throws: errors of those names say their message to the client, everything else stays as it is and is masked. */
export function asPublicError(error: unknown): unknown {
  if (isGalleyError(error) || !(error instanceof Error)) return error;
  const code = PUBLIC[error.name];
  if (code === undefined) return error;
  const details: unknown = Reflect.get(error, 'details');
  return fail(code, { message: error.message }, { cause: error, ...(isRecord(details) ? { details } : {}) });
}
