import { GraphQLError, Lexer, Source, TokenKind } from 'graphql';
import { createError } from '../../../errors/catalogue.js';

const MAX_NAME_LENGTH = 255;
const LONG_WORD = /\w{256}/;

const nameTooLong = (): Error =>
  createError('graphql/invalid-request', { reason: `A name is longer than ${MAX_NAME_LENGTH} characters.` });

const assertTokens = (query: string): void => {
  const lexer = new Lexer(new Source(query));
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance())
    if (token.kind === TokenKind.NAME && token.value.length > MAX_NAME_LENGTH) throw nameTooLong();
};

/**
 * Rejects documents with very long names, since computing suggestions for them would take long. Text that is
 * not a document is left to the parser.
 */
export function assertShortNames(query: string): void {
  if (!LONG_WORD.test(query)) return;
  try {
    assertTokens(query);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
  }
}
