import { readFileSync } from 'node:fs';
import { buildSchema as parseSdl, isEnumType, isInputObjectType, isObjectType, isUnionType } from 'graphql';
import type {
  GraphQLArgument,
  GraphQLField,
  GraphQLInputField,
  GraphQLNamedType,
  GraphQLSchema,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildSchema, printSdl } from '../../../../../src/api/graphql/schema/build-schema.js';
import { loadFixtureModel } from '../../../../support/models.js';

/** Strapi's paid review workflows, which are not supported. */
const EXCLUDED = /reviewworkflows/i;

const strapiSchema = parseSdl(
  readFileSync(new URL('../../../../fixtures/conformance/graphql/magazine.graphql', import.meta.url), 'utf8'),
  { assumeValid: true },
);

/** What the schema has besides Strapi's. */
const ADDITIONS: ReadonlySet<string> = new Set([
  'ArticleFiltersInput.cover',
  'ArticleFiltersInput.gallery',
  'AuthorFiltersInput.avatar',
  'ComponentSharedSeoFiltersInput.image',
  'Pagination.endCursor',
  'Pagination.hasNextPage',
  'Pagination.hasPreviousPage',
  'Pagination.startCursor',
  'PaginationArg.after',
  'PaginationArg.before',
]);

/** Optional arguments that fields have besides Strapi's. */
const ADDED_ARGUMENTS: ReadonlySet<string> = new Set(['_q', 'ifMatch', 'release']);

interface Comparison {
  compared: number;
  readonly differences: string[];
}

const compareText = (comparison: Comparison, what: string, expected: unknown, actual: unknown): void => {
  comparison.compared += 1;
  if (String(expected) !== String(actual))
    comparison.differences.push(`${what}: expected ${String(expected)}, got ${String(actual)}`);
};

type Field = GraphQLField<unknown, unknown> | GraphQLInputField;

const argumentsOf = (field: Field): readonly GraphQLArgument[] => ('args' in field ? field.args : []);

const defaultOf = ({ defaultValue }: { readonly defaultValue?: unknown }): string =>
  JSON.stringify(defaultValue) ?? 'none';

/** Defaults of enumerations may differ, because internal values differ from names. */
const isSameDefault = (expected: string, actual: string): boolean =>
  expected.toLowerCase() === actual.toLowerCase();

const compareArguments = (comparison: Comparison, what: string, expected: Field, actual: Field): void => {
  for (const argument of argumentsOf(expected)) {
    const match = argumentsOf(actual).find(({ name }) => name === argument.name);
    compareText(comparison, `${what}(${argument.name}:)`, argument.type, match?.type ?? 'nothing');
    if (match !== undefined && !isSameDefault(defaultOf(argument), defaultOf(match)))
      comparison.differences.push(
        `${what}(${argument.name}:) has the default ${defaultOf(match)}, not ${defaultOf(argument)}`,
      );
  }
  const extra = argumentsOf(actual).filter(
    ({ name }) => !argumentsOf(expected).some((argument) => argument.name === name),
  );
  for (const { name } of extra.filter((argument) => !ADDED_ARGUMENTS.has(argument.name)))
    comparison.differences.push(`${what}(${name}:) is one too many`);
};

const compareFields = (
  comparison: Comparison,
  expected: GraphQLNamedType,
  actual: GraphQLNamedType,
): void => {
  if (
    !(isObjectType(expected) || isInputObjectType(expected)) ||
    !(isObjectType(actual) || isInputObjectType(actual))
  )
    return;
  const expectedFields = Object.values(expected.getFields()).filter(
    (field) => !EXCLUDED.test(field.name) && !EXCLUDED.test(String(field.type)),
  );
  for (const field of expectedFields) {
    const match = actual.getFields()[field.name];
    compareText(comparison, `${expected.name}.${field.name}`, field.type, match?.type ?? 'nothing');
    if (match !== undefined) compareArguments(comparison, `${expected.name}.${field.name}`, field, match);
  }
  const extra = Object.keys(actual.getFields()).filter(
    (name) => !expectedFields.some((field) => field.name === name),
  );
  for (const name of extra) {
    const field = `${expected.name}.${name}`;
    if (!ADDITIONS.has(field)) comparison.differences.push(`${field} is one too many`);
  }
};

const membersOf = (type: GraphQLNamedType): readonly string[] => {
  const names = isEnumType(type)
    ? type.getValues().map(({ name }) => name)
    : isUnionType(type)
      ? type.getTypes().map(({ name }) => name)
      : [];
  return names.filter((name) => !EXCLUDED.test(name)).toSorted();
};

const compare = (expected: GraphQLSchema, actual: GraphQLSchema): Comparison => {
  const comparison: Comparison = { compared: 0, differences: [] };
  const named = (schema: GraphQLSchema): readonly GraphQLNamedType[] =>
    Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__') && !EXCLUDED.test(name));
  for (const type of named(expected)) {
    const match = actual.getType(type.name);
    compareText(comparison, `type ${type.name}`, type.constructor.name, match?.constructor.name ?? 'nothing');
    if (match === undefined) continue;
    compareText(comparison, `members of ${type.name}`, membersOf(type), membersOf(match));
    compareFields(comparison, type, match);
  }
  const extra = named(actual).filter(({ name }) => expected.getType(name) === undefined);
  for (const { name } of extra) comparison.differences.push(`type ${name} is one too many`);
  return comparison;
};

describe("the schema of the magazine compared with Strapi's", () => {
  let galleySchema: GraphQLSchema;
  beforeAll(async () => {
    galleySchema = buildSchema(await loadFixtureModel('magazine'), {
      shadowCRUD: true,
      isLocale: () => true,
    });
  });

  it('has the same types, fields, arguments and defaults', () => {
    const { compared, differences } = compare(strapiSchema, parseSdl(printSdl(galleySchema)));
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(1000);
  });

  it('is reported as different if something is missing', () => {
    const { differences } = compare(
      strapiSchema,
      parseSdl(
        printSdl(galleySchema)
          .replace('  featured: Boolean\n', '')
          .replace('sort: [String] = []', 'sort: [String]'),
      ),
    );
    expect(differences.length).toBeGreaterThanOrEqual(2);
  });
});
