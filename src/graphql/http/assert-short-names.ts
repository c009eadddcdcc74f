import { GraphQLError, Lexer, Source, TokenKind } from 'graphql';
import { createError } from '../../errors/catalogue.js';

const MAX_NAME_LENGTH = 255;
/** Keys may also stand in values of json attributes, which have no other limit. */
const MAX_KEY_LENGTH = 4096;
const LONG_WORD = /\w{256}/;

const nameTooLong = (limit: number): Error =>
  createError('graphql/invalid-request', { reason: `A name is longer than ${limit} characters.` });

const assertTokens = (query: string): void => {
  const lexer = new Lexer(new Source(query));
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance())
    if (token.kind === TokenKind.NAME && token.value.length > MAX_NAME_LENGTH)
      throw nameTooLong(MAX_NAME_LENGTH);
};

/**
 * Refuses documents with very long names, whose suggestions of names like them would take long to compute.
 * What is no document at all is left to the parser.
 */
export function assertShortNames(query: string): void {
  if (!LONG_WORD.test(query)) return;
  try {
    assertTokens(query);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
  }
}

/** Refuses variables with very long keys, for the same reason. */
export function assertShortKeys(variables: Readonly<Record<string, unknown>>): void {
  const values: unknown[] = [variables];
  while (values.length > 0) {
    const value = values.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      if (key.length > MAX_KEY_LENGTH) throw nameTooLong(MAX_KEY_LENGTH);
      values.push(child);
    }
  }
}
