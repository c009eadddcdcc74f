import type { FormattedExecutionResult } from 'graphql';
import { isGalleyError } from '../../../errors/galley-error.js';
import type { GalleyError } from '../../../errors/galley-error.js';
import { HTTP_ERRORS } from '../../../errors/http-status.js';
import type { ReadQuery } from '../../../query/query.js';
import { printGalleyError } from './print-errors.js';

/** The finished response to one operation: HTTP status and JSON body. */
export interface OperationResponse {
  readonly status: number;
  readonly body: FormattedExecutionResult;
  /** The reads from which alone the response follows. Null: it follows from other things, too. */
  readonly reads: readonly ReadQuery[] | null;
}

/**
 * Messages and codes of Apollo's persisted query protocol. Apollo's clients recognise them only in a response
 * with status 200; they then send the whole document.
 */
const APOLLO_ERRORS: Readonly<Record<string, { readonly message: string; readonly code: string }>> = {
  'graphql/persisted-query-not-found': {
    message: 'PersistedQueryNotFound',
    code: 'PERSISTED_QUERY_NOT_FOUND',
  },
  'graphql/persisted-query-not-supported': {
    message: 'PersistedQueryNotSupported',
    code: 'PERSISTED_QUERY_NOT_SUPPORTED',
  },
};

/** Returns the response to a request that was refused before anything ran. */
export function errorResponse(error: GalleyError): OperationResponse {
  const apolloError = APOLLO_ERRORS[error.code];
  if (apolloError !== undefined)
    return {
      status: 200,
      body: { errors: [{ message: apolloError.message, extensions: { code: apolloError.code } }] },
      reads: null,
    };
  return {
    status: HTTP_ERRORS[error.kind]?.status ?? 500,
    body: { errors: [printGalleyError(error)] },
    reads: null,
  };
}

/** Turns client errors thrown by `work` into a response. Internal errors are rethrown. */
export async function withErrorResponse(work: () => Promise<OperationResponse>): Promise<OperationResponse> {
  try {
    return await work();
  } catch (error) {
    if (!isGalleyError(error) || error.kind === 'internal') throw error;
    return errorResponse(error);
  }
}
