import { isInterfaceType, isObjectType, isScalarType, isUnionType } from 'graphql';
import type { GraphQLField, GraphQLNamedType, GraphQLScalarType, GraphQLSchema } from 'graphql';
import { isRecord } from '../../lib/is-record.js';
import { nearest } from '../../lib/nearest.js';
import { unmarkGenerated } from '../schema/field-marks.js';
import { broken } from './read-uses.js';
import type { ReadUse } from './read-uses.js';

type Field = GraphQLField<unknown, unknown>;
type AnyFunction = NonNullable<Field['resolve']>;

/** One resolver and where it is written. */
interface Entry {
  readonly place: string;
  readonly type: string;
  readonly field: string;
  readonly value: unknown;
}

const isFunction = (value: unknown): value is AnyFunction => typeof value === 'function';

const refuse = ({ place, type, field }: Entry, reason: string): Error => broken(place, `resolvers.${type}.${field}`, reason);

const suggest = (name: string, known: readonly string[]): string => {
  const meant = nearest(name, known);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
};

const applyField = (entry: Entry, fields: Readonly<Record<string, Field>>): void => {
  const field = fields[entry.field];
  if (field === undefined) throw refuse(entry, `the type ${entry.type} has no such field.${suggest(entry.field, Object.keys(fields))}`);
  if (isFunction(entry.value)) {
    field.resolve = entry.value;
    unmarkGenerated(field);
    return;
  }
  const { resolve, subscribe } = isRecord(entry.value) ? entry.value : {};
  if (!(isFunction(resolve) || resolve === undefined) || !(isFunction(subscribe) || subscribe === undefined) || (resolve ?? subscribe) === undefined) {
    throw refuse(entry, 'a resolver is a function, or an object with the functions resolve and subscribe.');
  }
  if (resolve !== undefined) field.resolve = resolve;
  if (subscribe !== undefined) field.subscribe = subscribe;
  unmarkGenerated(field);
};

/** `__resolveType` of unions and interfaces, `__isTypeOf` of objects. */
const applySpecial = (entry: Entry, type: GraphQLNamedType): boolean => {
  const key = entry.field === '__resolveType' && (isUnionType(type) || isInterfaceType(type)) ? 'resolveType' : entry.field === '__isTypeOf' && isObjectType(type) ? 'isTypeOf' : null;
  if (key === null) return false;
  if (!isFunction(entry.value)) throw refuse(entry, 'it must be a function.');
  Reflect.set(type, key, entry.value);
  return true;
};

const applyScalar = (place: string, type: GraphQLScalarType, value: object): void => {
  const given = { serialize: Reflect.get(value, 'serialize') as unknown, parseValue: Reflect.get(value, 'parseValue') as unknown, parseLiteral: Reflect.get(value, 'parseLiteral') as unknown };
  if (!Object.values(given).some(isFunction)) throw broken(place, `resolvers.${type.name}`, 'a scalar is resolved by a GraphQLScalarType.');
  for (const [key, own] of Object.entries(given)) if (isFunction(own)) Reflect.set(type, key, own);
};

const applyType = (schema: GraphQLSchema, place: string, [name, value]: readonly [string, unknown]): void => {
  const type = schema.getType(name);
  if (type === undefined) throw broken(place, `resolvers.${name}`, `the schema has no type ${name}.${suggest(name, Object.keys(schema.getTypeMap()))}`);
  if (typeof value !== 'object' || value === null) throw broken(place, `resolvers.${name}`, 'it must be an object of resolvers by field.');
  if (isScalarType(type)) {
    applyScalar(place, type, value);
    return;
  }
  for (const [field, own] of Object.entries(value)) {
    const entry = { place, type: name, field, value: own as unknown };
    if (applySpecial(entry, type)) continue;
    if (!isObjectType(type)) throw refuse(entry, `${name} is no type whose fields are resolved.`);
    applyField(entry, type.getFields());
  }
};

/** Puts a project's resolvers into the schema, later ones in the place of earlier ones. The schema must be this project's alone. */
export function applyResolvers(schema: GraphQLSchema, uses: readonly ReadUse[]): void {
  for (const { place, resolvers } of uses) for (const entry of Object.entries(resolvers)) applyType(schema, place, entry);
}
