/**
 * Parses details of errors that graphql-js reports only in the message.
 * test/unit/api/graphql/library-contracts.test.ts fails when the library changes one of these messages.
 */
import type { GraphQLError } from 'graphql';

const SYNTAX_ERROR = /^Syntax Error/;
/** The library's message has a typing error, which later versions may correct. */
const TOO_MANY_TOKENS = /^Syntax Error: Document contains more tha[nt] \d+ tokens/;
const UNKNOWN_OPERATION = /^(?:Unknown operation named |Must provide (?:an )?operation)/;
const INVALID_VALUE = /^Variable "\$[^"]+" (?:got invalid value |of (?:required|non-null) type )/;
const TOO_MANY_INVALID_VALUES = /^Too many errors processing variables/;
const NULL_VIOLATION = /^Cannot return null for non-nullable field /;

/** True if the document could not be parsed; otherwise it was parsed, but is not valid. */
export function isSyntaxError({ message }: GraphQLError): boolean {
  return SYNTAX_ERROR.test(message);
}

/** True if the parser gave up because the document has more tokens than `maxTokens`. */
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
