import { readFileSync } from 'node:fs';
import { buildSchema as parseSdl, isEnumType, isInputObjectType, isObjectType, isUnionType } from 'graphql';
import type { GraphQLArgument, GraphQLField, GraphQLInputField, GraphQLNamedType, GraphQLSchema } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildSchema, printSdl } from '../../../src/graphql/schema/build-schema.js';
import { loadFixtureModel } from '../../support/models.js';

/** The peer's paid workflows, which are no part of the specification. */
const LEFT_OUT = /reviewworkflows/i;

const peer = parseSdl(readFileSync(new URL('../../fixtures/conformance/graphql/magazine.graphql', import.meta.url), 'utf8'), { assumeValid: true });

interface Found {
  compared: number;
  readonly differences: string[];
}

const compareText = (found: Found, what: string, expected: unknown, actual: unknown): void => {
  found.compared += 1;
  if (String(expected) !== String(actual)) found.differences.push(`${what}: expected ${String(expected)}, got ${String(actual)}`);
};

type Field = GraphQLField<unknown, unknown> | GraphQLInputField;

const argumentsOf = (field: Field): readonly GraphQLArgument[] => ('args' in field ? field.args : []);

const defaultOf = ({ defaultValue }: { readonly defaultValue?: unknown }): string => JSON.stringify(defaultValue) ?? 'none';

/** Enumerations are kept by other values than their names inside. */
const sameDefault = (expected: string, actual: string): boolean => expected.toLowerCase() === actual.toLowerCase();

const compareArguments = (found: Found, what: string, expected: Field, actual: Field): void => {
  for (const argument of argumentsOf(expected)) {
    const match = argumentsOf(actual).find(({ name }) => name === argument.name);
    compareText(found, `${what}(${argument.name}:)`, argument.type, match?.type ?? 'nothing');
    if (match !== undefined && !sameDefault(defaultOf(argument), defaultOf(match))) found.differences.push(`${what}(${argument.name}:) has the default ${defaultOf(match)}, not ${defaultOf(argument)}`);
  }
  const extra = argumentsOf(actual).filter(({ name }) => !argumentsOf(expected).some((argument) => argument.name === name));
  for (const { name } of extra) found.differences.push(`${what}(${name}:) is one too many`);
};

const compareFields = (found: Found, expected: GraphQLNamedType, actual: GraphQLNamedType): void => {
  if (!(isObjectType(expected) || isInputObjectType(expected)) || !(isObjectType(actual) || isInputObjectType(actual))) return;
  const theirs = Object.values(expected.getFields()).filter((field) => !LEFT_OUT.test(field.name) && !LEFT_OUT.test(String(field.type)));
  for (const field of theirs) {
    const match = actual.getFields()[field.name];
    compareText(found, `${expected.name}.${field.name}`, field.type, match?.type ?? 'nothing');
    if (match !== undefined) compareArguments(found, `${expected.name}.${field.name}`, field, match);
  }
  const extra = Object.keys(actual.getFields()).filter((name) => !theirs.some((field) => field.name === name));
  for (const name of extra) found.differences.push(`${expected.name}.${name} is one too many`);
};

const membersOf = (type: GraphQLNamedType): readonly string[] => {
  const names = isEnumType(type) ? type.getValues().map(({ name }) => name) : isUnionType(type) ? type.getTypes().map(({ name }) => name) : [];
  return names.filter((name) => !LEFT_OUT.test(name)).toSorted();
};

const compare = (expected: GraphQLSchema, actual: GraphQLSchema): Found => {
  const found: Found = { compared: 0, differences: [] };
  const named = (schema: GraphQLSchema): readonly GraphQLNamedType[] => Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__') && !LEFT_OUT.test(name));
  for (const type of named(expected)) {
    const match = actual.getType(type.name);
    compareText(found, `type ${type.name}`, type.constructor.name, match?.constructor.name ?? 'nothing');
    if (match === undefined) continue;
    compareText(found, `members of ${type.name}`, membersOf(type), membersOf(match));
    compareFields(found, type, match);
  }
  const extra = named(actual).filter(({ name }) => expected.getType(name) === undefined);
  for (const { name } of extra) found.differences.push(`type ${name} is one too many`);
  return found;
};

describe('the schema of the magazine beside the peer’s', () => {
  let own: GraphQLSchema;
  beforeAll(async () => {
    own = buildSchema(await loadFixtureModel('magazine'), { shadowCRUD: true, isLocale: () => true });
  });

  it('has the same types, fields, arguments and defaults, none missing and none more', () => {
    const { compared, differences } = compare(peer, parseSdl(printSdl(own)));
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(1000);
  });

  it('is told apart from one that lacks something', () => {
    const { differences } = compare(peer, parseSdl(printSdl(own).replace('  featured: Boolean\n', '').replace('sort: [String] = []', 'sort: [String]')));
    expect(differences.length).toBeGreaterThanOrEqual(2);
  });
});
