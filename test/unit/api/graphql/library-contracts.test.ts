import Fastify from 'fastify';
import { buildSchema, GraphQLError, graphql, parse } from 'graphql';
import type { DocumentNode, GraphQLArgs, GraphQLSchema } from 'graphql';
import { validateSDL } from 'graphql/validation/validate.js';
import { mercurius } from 'mercurius';
import { core, extendInputType, extendType, inputObjectType, objectType } from 'nexus';
import { describe, expect, it } from 'vitest';
import {
  isNullViolation,
  isSyntaxError,
  isTooManyTokens,
  isUnknownOperation,
  isVariableValue,
} from '../../../../src/api/graphql/http/print-errors.js';
import { defined } from '../../../../src/lib/assert.js';

/**
 * What src/api/graphql relies on although the libraries do not document it. Each `describe` names the file to
 * look at if a test fails after an update.
 */

const parseError = (text: string, maxTokens?: number): GraphQLError => {
  try {
    parse(text, maxTokens === undefined ? {} : { maxTokens });
  } catch (error) {
    if (error instanceof GraphQLError) return error;
  }
  throw new Error('The document was parsed.');
};

/** A schema with a non-nullable field that resolves to null. */
const nullSchema = (): GraphQLSchema => buildSchema('type Query { name: String! }');

describe('graphql-js, as http/print-errors.ts reads it', () => {
  it('marks syntax errors by their message', () => {
    expect(isSyntaxError(parseError('{'))).toBe(true);
    expect(isTooManyTokens(parseError('{'))).toBe(false);
  });

  it('marks documents over the token limit by their message', () => {
    const error = parseError('{ a b c }', 3);
    expect([isSyntaxError(error), isTooManyTokens(error)]).toEqual([true, true]);
  });

  it('marks unknown operations and invalid values of variables by their messages', async () => {
    const schema = buildSchema('type Query { twice(of: Int!): Int }');
    const errorOf = async (source: string, options: Partial<GraphQLArgs> = {}): Promise<GraphQLError> =>
      defined((await graphql({ schema, source, ...options })).errors?.[0], 'an error');
    const [a, b] = ['query a { twice(of: 1) }', 'query b { twice(of: 2) }'];
    for (const error of [await errorOf(a, { operationName: 'c' }), await errorOf(`${a} ${b}`)])
      expect([isUnknownOperation(error), isVariableValue(error)]).toEqual([true, false]);
    const query = 'query ($of: Int!) { twice(of: $of) }';
    for (const variableValues of [{}, { of: null }, { of: 'x' }]) {
      const error = await errorOf(query, { variableValues });
      expect([isUnknownOperation(error), isVariableValue(error)]).toEqual([false, true]);
    }
    const invalid = await errorOf('query ($of: String) { twice(of: $of) }');
    expect([isUnknownOperation(invalid), isVariableValue(invalid)]).toEqual([false, false]);
  });

  it('marks a null in the place of a value by its message, interpreted and compiled', async () => {
    const interpreted = await graphql({ schema: nullSchema(), source: '{ name }' });
    expect(interpreted.errors?.map(isNullViolation)).toEqual([true]);
    const server = Fastify();
    await server.register(mercurius, { schema: nullSchema(), jit: 1, routes: false });
    await server.ready();
    for (let run = 0; run < 3; run += 1) {
      const { errors } = await server.graphql('{ name }');
      expect(errors?.map(isNullViolation)).toEqual([true]);
    }
    await server.close();
  });
});

describe('graphql-js, as http/operation-limits.ts reads it', () => {
  it('counts the tokens of a document it parses', () => {
    expect(parse('{ a b }').tokenCount).toBe(4);
  });
});

describe('graphql-js, as extension/apply-type-defs.ts reads it', () => {
  it('exports validateSDL, whose errors name the definition at fault', () => {
    const [error] = validateSDL(parse('extend type Missing { a: Int }'), nullSchema());
    expect(error).toBeInstanceOf(GraphQLError);
    expect(error?.nodes?.at(-1)?.loc?.source.name).toBe('GraphQL request');
  });
});

describe('mercurius and graphql-jit, as http/graphql-plugin.ts reads them', () => {
  const schema = `
    input Range { from: Int! = 1 }
    type Query { from(range: Range): Int }
  `;
  const resolvers = {
    Query: {
      from: (_parent: unknown, { range }: { readonly range: { readonly from: number } }) => range.from,
    },
  };
  const query = 'query From($range: Range) { from(range: $range) }';
  const run = async (shouldReplaceDocument: boolean): Promise<unknown> => {
    const server = Fastify();
    await server.register(mercurius, { schema, resolvers, jit: 1, routes: false });
    server.graphql.addHook('preExecution', async (_schema, document: DocumentNode) =>
      shouldReplaceDocument ? { document } : {},
    );
    await server.ready();
    const results: unknown[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { data, errors } = await server.graphql(query, {}, { range: {} });
      results.push(errors?.[0]?.message ?? data?.['from']);
    }
    await server.close();
    return results;
  };

  it('do not compile a document that a hook has replaced', async () => {
    expect(await run(true)).toEqual([1, 1, 1]);
  });

  it('ignore the default of a required input field once a document is compiled', async () => {
    const refused = expect.stringContaining('of required type Int! was not provided') as string;
    expect(await run(false)).toEqual([1, refused, refused]);
  });
});

describe('Nexus, as extension/apply-types.ts reads it', () => {
  const definition = (): void => undefined;

  it('distinguishes definitions that extend a type from those that define one', () => {
    expect(core.isNexusExtendTypeDef(extendType({ type: 'Query', definition }))).toBe(true);
    expect(core.isNexusExtendInputTypeDef(extendInputType({ type: 'ArticleInput', definition }))).toBe(true);
    expect(core.isNexusExtendTypeDef(objectType({ name: 'Weather', definition }))).toBe(false);
    expect(core.isNexusExtendInputTypeDef(inputObjectType({ name: 'WeatherInput', definition }))).toBe(false);
  });
});
