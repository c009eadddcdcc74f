import { GraphQLError } from 'graphql';
import type { ErrorDetails, ErrorKind, GalleyError } from '../../errors/galley-error.js';
import { HTTP_ERRORS } from '../../errors/http-status.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { GraphqlParts } from '../graphql-parts.js';

/** One error as answers carry it: never a stack, never what the server keeps to itself. */
export interface PrintedError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly code: string;
    readonly error: { readonly name: string; readonly message: string; readonly details: ErrorDetails };
  };
}

const CODES: Readonly<Partial<Record<ErrorKind, string>>> = {
  validation: 'BAD_USER_INPUT',
  pagination: 'BAD_USER_INPUT',
  application: 'APPLICATION_ERROR',
  unauthorized: 'UNAUTHENTICATED',
  forbidden: 'FORBIDDEN',
  policy: 'FORBIDDEN',
  'not-found': 'NOT_FOUND',
  'method-not-allowed': 'METHOD_NOT_ALLOWED',
  conflict: 'CONFLICT',
  'payload-too-large': 'PAYLOAD_TOO_LARGE',
  'unsupported-media-type': 'UNSUPPORTED_MEDIA_TYPE',
  'rate-limited': 'RATE_LIMITED',
  unavailable: 'SERVICE_UNAVAILABLE',
};

const INTERNAL = 'INTERNAL_SERVER_ERROR';

const extensionsOf = (code: string, name: string, message: string, details: ErrorDetails): PrintedError['extensions'] => ({ code, error: { name, message, details } });

/** An error of the catalogue, without a place in the answer. */
export function printGalleyError(error: GalleyError): PrintedError {
  const known = HTTP_ERRORS[error.kind];
  if (known === null || known.status === 500) return { message: 'Internal Server Error', extensions: extensionsOf(INTERNAL, 'InternalServerError', 'Internal Server Error', {}) };
  return { message: error.message, extensions: extensionsOf(CODES[error.kind] ?? INTERNAL, known.name, error.message, error.details) };
}

/** What GraphQL itself says when a value does not fit its type; it names types only. */
const NULL_FAULT = /^Cannot return null for non-nullable field /;

const isOwnWord = ({ originalError, message }: GraphQLError): boolean =>
  originalError === undefined || originalError === null || originalError instanceof GraphQLError || NULL_FAULT.test(message);

const placeOf = ({ locations, path }: GraphQLError): Pick<PrintedError, 'locations' | 'path'> => ({
  ...(locations === undefined ? {} : { locations: locations.map(({ line, column }) => ({ line, column })) }),
  ...(path === undefined ? {} : { path }),
});

/**
 * An error of a document or of one of its fields. What nobody foresaw says nothing to the client; `onFault` is told of it.
 *
 * @param code of errors that GraphQL itself raises
 */
export function printGraphqlError(error: GraphQLError, code: string, { describe, onFault }: Pick<GraphqlParts, 'describe'> & { readonly onFault: (error: GalleyError) => void }): PrintedError {
  const { originalError } = error;
  if (!isGalleyError(originalError) && isOwnWord(error)) {
    // Errors of compiled documents have none.
    const extensions: GraphQLError['extensions'] | undefined = error.extensions;
    const given = extensions?.['code'];
    return { message: error.message, ...placeOf(error), extensions: extensionsOf(typeof given === 'string' ? given : code, 'ValidationError', error.message, {}) };
  }
  const galley = isGalleyError(originalError) ? originalError : describe(originalError);
  const printed = printGalleyError(galley);
  if (printed.extensions.code === INTERNAL) onFault(galley);
  return { message: printed.message, ...placeOf(error), extensions: printed.extensions };
}
