import { GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped } from 'graphql';
import type { FieldType } from '../../../model/fields/field-type.js';

/** Creates a scalar whose values are strings that a field type accepts. Output is the stored string. */
export function textScalar(name: string, field: FieldType, description: string): GraphQLScalarType {
  const parse = (value: unknown): unknown => {
    const parsed = typeof value === 'string' ? field.parseFilter(value) : null;
    if (parsed?.ok === true) return value;
    const reason =
      parsed === null ? 'must be a string' : parsed.issues.map(({ message }) => message).join(', ');
    throw new GraphQLError(`A ${name} ${reason}.`);
  };
  return new GraphQLScalarType({
    name,
    description,
    serialize: (value) => value,
    parseValue: parse,
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : null),
  });
}

/** Any JSON value. */
export const jsonScalar = new GraphQLScalarType({
  name: 'JSON',
  description:
    'The `JSON` scalar type represents JSON values as specified by ' +
    '[ECMA-404](http://www.ecma-international.org/publications/files/ECMA-ST/ECMA-404.pdf).',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});

const DIGITS = /^[+-]?\d{1,32}$/;

/** A number if it is a safe integer, otherwise a string of digits. */
const serializeLong = (value: unknown): unknown => {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
};

const parseLong = (value: unknown): unknown => {
  if (typeof value === 'string' && DIGITS.test(value)) return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new GraphQLError(
    'A Long must be an integer. Beyond ±9007199254740991 it must be a string of digits.',
  );
};

export const longScalar = new GraphQLScalarType({
  name: 'Long',
  description: 'The `BigInt` scalar type represents non-fractional signed whole numeric values.',
  serialize: serializeLong,
  parseValue: parseLong,
  parseLiteral: (node) => parseLong(node.kind === Kind.INT || node.kind === Kind.STRING ? node.value : null),
});
