import type { FormattedExecutionResult } from 'graphql';
import type { Answer } from '../../documents/answers/answer-memory.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { HTTP_ERRORS } from '../../errors/http-status.js';
import type { Uid } from '../../model/model.js';
import type { PreparedOperation } from '../printing/answer.js';
import { printGalleyError } from './print-errors.js';

/** The finished response to one operation: HTTP status and JSON body. */
export interface OperationResponse {
  readonly status: number;
  readonly body: FormattedExecutionResult;
}

/** A finished response whose body is JSON text already. */
export interface PrintedResponse {
  readonly status: 200 | 503;
  readonly text: string;
  /** The operation, where a request like it may be answered in the same way. */
  readonly prepared?: PreparedOperation;
}

/** Where an answer is remembered, and the types that it was asked of. */
interface RememberedPlace {
  readonly key: string;
  readonly types: readonly Uid[];
}

/** A finished response that is remembered. */
export interface RememberedResponse {
  readonly status: 200;
  readonly answer: Answer;
  /** Where it is remembered. Null: a request like it must go its whole way. */
  readonly place: RememberedPlace | null;
}

/** Prints the body of a response. */
export function printBody(response: OperationResponse | PrintedResponse | RememberedResponse): string {
  if ('answer' in response) return response.answer.body.toString();
  return 'text' in response ? response.text : JSON.stringify(response.body);
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
    };
  return {
    status: HTTP_ERRORS[error.kind]?.status ?? 500,
    body: { errors: [printGalleyError(error)] },
  };
}

/** Turns client errors thrown by `work` into a response. Internal errors are rethrown. */
export async function withErrorResponse<
  Response extends OperationResponse | PrintedResponse | RememberedResponse,
>(work: () => Promise<Response>): Promise<Response | OperationResponse> {
  try {
    return await work();
  } catch (error) {
    if (!isGalleyError(error) || error.kind === 'internal') throw error;
    return errorResponse(error);
  }
}
