/**
 * What graphql-js says about an error only in its message. test/unit/graphql/library-contracts.test.ts fails
 * when the library changes one of these messages.
 */
import type { GraphQLError } from 'graphql';

const SYNTAX_ERROR = /^Syntax Error/;
/** The library's message has a typing error, which later versions may correct. */
const TOO_MANY_TOKENS = /^Syntax Error: Document contains more tha[nt] \d+ tokens/;
const NULL_VIOLATION = /^Cannot return null for non-nullable field /;

/** Whether the document could not be parsed; otherwise it was parsed, but is not valid. */
export function isSyntaxError({ message }: GraphQLError): boolean {
  return SYNTAX_ERROR.test(message);
}

/** Whether the parser gave up because the document has more tokens than `maxTokens`. */
export function isTooManyTokens({ message }: GraphQLError): boolean {
  return TOO_MANY_TOKENS.test(message);
}

/** Whether a resolver returned null for a field that is never null. The message names only the field. */
export function isNullViolation({ message }: GraphQLError): boolean {
  return NULL_VIOLATION.test(message);
}
