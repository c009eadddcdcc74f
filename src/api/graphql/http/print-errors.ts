import { GraphQLError } from 'graphql';
import type { FormattedExecutionResult, GraphQLFormattedError } from 'graphql';
import { boundDetails, boundErrors, boundMessage } from '../../../errors/error-envelope.js';
import { createError } from '../../../errors/catalogue.js';
import { isGalleyError, HTTP_ERRORS } from '../../../errors/galley-error.js';
import type { ErrorKind, ErrorDetails, GalleyError } from '../../../errors/galley-error.js';
import type { TaggedRead } from '../../../documents/tags/response-tags.js';
import type { GraphqlDependencies } from '../graphql-context.js';

// Details of errors that graphql-js reports only in the message.
// test/unit/api/graphql/library-contracts.test.ts fails when the library changes one of these messages.

const SYNTAX_ERROR = /^Syntax Error/;
/** The library's message has a typing error, which later versions may correct. */
const TOO_MANY_TOKENS = /^Syntax Error: Document contains more tha[nt] \d+ tokens/;
const UNKNOWN_OPERATION = /^(?:Unknown operation named |Must provide (?:an )?operation)/;
const INVALID_VALUE = /^Variable "\$[^"]+" (?:got invalid value |of (?:required|non-null) type )/;
const TOO_MANY_INVALID_VALUES = /^Too many errors processing variables/;
const NULL_VIOLATION = /^Cannot return null for non-nullable field /;

/** True if the document could not be parsed; false if it was parsed but is invalid. */
export function isSyntaxError({ message }: GraphQLError): boolean {
  return SYNTAX_ERROR.test(message);
}

/** True if the parser stopped because the document has more tokens than `maxTokens`. */
export function isTooManyTokens({ message }: GraphQLError): boolean {
  return TOO_MANY_TOKENS.test(message);
}

/** True if a resolver returned null for a field that is never null. The message names only the field. */
export function isNullViolation({ message }: GraphQLError): boolean {
  return NULL_VIOLATION.test(message);
}

/**
 * True if the document lacks the operation that the request names, or the request does not name one of
 * several.
 */
export function isUnknownOperation({ message }: GraphQLError): boolean {
  return UNKNOWN_OPERATION.test(message);
}

/** True if a variable has a value that its type does not allow, or lacks one. */
export function isVariableValue({ message }: GraphQLError): boolean {
  return INVALID_VALUE.test(message) || TOO_MANY_INVALID_VALUES.test(message);
}

/** An error in a response, without a stack or internal messages. */
export interface PrintedError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly code: string;
    readonly error: { readonly name: string; readonly message: string; readonly details: ErrorDetails };
  };
}

/** The code of errors of kind `unavailable`. */
const UNAVAILABLE = 'STRAPI_SERVICE_UNAVAILABLE_ERROR';

const INTERNAL = 'INTERNAL_SERVER_ERROR';

/** Strapi's codes: some are GraphQL's, the others follow from the name of the error. */
const CODES: Readonly<Record<ErrorKind, string>> = {
  validation: 'BAD_USER_INPUT',
  pagination: 'STRAPI_PAGINATION_ERROR',
  application: 'STRAPI_APPLICATION_ERROR',
  unauthorized: 'FORBIDDEN',
  forbidden: 'FORBIDDEN',
  policy: 'FORBIDDEN',
  'not-found': 'STRAPI_NOT_FOUND_ERROR',
  'method-not-allowed': 'BAD_REQUEST',
  conflict: 'STRAPI_CONFLICT_ERROR',
  'precondition-failed': 'STRAPI_PRECONDITION_FAILED_ERROR',
  'payload-too-large': 'STRAPI_PAYLOAD_TOO_LARGE_ERROR',
  'path-too-long': 'BAD_REQUEST',
  'unsupported-media-type': 'UNSUPPORTED_MEDIA_TYPE',
  'headers-too-large': 'BAD_REQUEST',
  'rate-limited': 'STRAPI_RATE_LIMIT_ERROR',
  unavailable: UNAVAILABLE,
  'not-implemented': 'STRAPI_NOT_IMPLEMENTED_ERROR',
  internal: INTERNAL,
  usage: INTERNAL,
  failure: INTERNAL,
  'data-loss': INTERNAL,
  pending: INTERNAL,
};

/** The codes of errors in requests without a valid operation, as in Strapi. */
const REQUEST_CODES: Readonly<Record<string, string>> = {
  'graphql/invalid-request': 'BAD_REQUEST',
  'graphql/missing-csrf-header': 'BAD_REQUEST',
  'request/invalid-json': 'BAD_REQUEST',
  'request/malformed': 'BAD_REQUEST',
};

const extensionsOf = (
  code: string,
  name: string,
  message: string,
  details: ErrorDetails,
): PrintedError['extensions'] => ({ code, error: { name, message, details } });

/** Prints an error of the catalogue, without location and path. */
export function printGalleyError(error: GalleyError): PrintedError {
  const httpError = HTTP_ERRORS[error.kind];
  if (httpError === null || httpError.status === 500)
    return {
      message: 'Internal Server Error',
      extensions: extensionsOf(INTERNAL, 'InternalServerError', 'Internal Server Error', {}),
    };
  const message = boundMessage(error.message);
  return {
    message,
    extensions: extensionsOf(
      REQUEST_CODES[error.code] ?? CODES[error.kind],
      httpError.name,
      message,
      boundDetails(error.details),
    ),
  };
}

/** True if graphql-js raised the error itself, so that its message may be shown. */
const isRaisedByGraphql = (error: GraphQLError): boolean =>
  error.originalError === undefined ||
  error.originalError === null ||
  error.originalError instanceof GraphQLError ||
  isNullViolation(error);

const locationOf = ({ locations, path }: GraphQLError): Pick<PrintedError, 'locations' | 'path'> => ({
  ...(locations === undefined ? {} : { locations: locations.map(({ line, column }) => ({ line, column })) }),
  ...(path === undefined ? {} : { path }),
});

/**
 * Prints an error of a document or of one of its fields. Errors that are not of the catalogue are passed to
 * `onFailure` and printed without their message. Errors of kind `unavailable` are passed to it as well, but
 * printed with their message.
 *
 * @param code the code of errors that graphql-js raises itself
 */
export function printGraphqlError(
  error: GraphQLError,
  code: string,
  {
    toGalleyError,
    onFailure,
  }: Pick<GraphqlDependencies, 'toGalleyError'> & { readonly onFailure: (error: GalleyError) => void },
): PrintedError {
  const { originalError } = error;
  if (!isGalleyError(originalError) && isRaisedByGraphql(error)) {
    // Errors of compiled documents have no extensions.
    const extensions: GraphQLError['extensions'] | undefined = error.extensions;
    const extensionCode = extensions?.['code'];
    const message = boundMessage(error.message);
    return {
      message,
      ...locationOf(error),
      extensions: extensionsOf(
        typeof extensionCode === 'string' ? extensionCode : code,
        'ValidationError',
        message,
        {},
      ),
    };
  }
  const galleyError = isGalleyError(originalError) ? originalError : toGalleyError(originalError);
  const printed = printGalleyError(galleyError);
  if (printed.extensions.code === INTERNAL || galleyError.kind === 'unavailable') onFailure(galleyError);
  return { message: printed.message, ...locationOf(error), extensions: printed.extensions };
}

/** True if all fields failed because the database or a disk is unavailable. */
export function isOutage(errors: readonly GraphQLFormattedError[], values: readonly unknown[]): boolean {
  return (
    errors.length > 0 &&
    errors.every(({ extensions }) => extensions?.['code'] === UNAVAILABLE) &&
    values.every((value) => value === null)
  );
}

/** Prints the errors of a response. If there are too many, the last one counts the omitted ones. */
export function printErrors(
  errors: readonly GraphQLError[],
  print: (error: GraphQLError) => PrintedError,
): readonly PrintedError[] {
  const { listed, omitted } = boundErrors(errors);
  const printed = listed.map(print);
  return omitted === 0
    ? printed
    : [...printed, printGalleyError(createError('graphql/more-errors', { count: omitted }))];
}

/** The finished response to one operation: HTTP status and JSON body. */
export interface OperationResponse {
  readonly status: number;
  readonly body: FormattedExecutionResult;
  /** The reads that determine the response completely. Null: it depends on other values, too. */
  readonly reads: readonly TaggedRead[] | null;
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

/** Returns the response to a request that was rejected before an operation ran. */
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

/** Runs `work` and converts client errors into a response. Rethrows internal errors. */
export async function withErrorResponse(work: () => Promise<OperationResponse>): Promise<OperationResponse> {
  try {
    return await work();
  } catch (error) {
    if (!isGalleyError(error) || error.kind === 'internal') throw error;
    return errorResponse(error);
  }
}
