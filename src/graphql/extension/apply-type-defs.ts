import { extendSchema, GraphQLError, Kind, OperationTypeNode, parse, print, Source } from 'graphql';
import type { DefinitionNode, DocumentNode, GraphQLSchema } from 'graphql';
import { validateSDL } from 'graphql/validation/validate.js';
import { isRecord } from '../../lib/is-record.js';
import { broken } from './read-uses.js';
import type { ReadUse } from './read-uses.js';

const KEY = 'typeDefs';

/** Definitions of what may be added to, and the form in which it is added. */
const EXTENSIONS: Readonly<Partial<Record<Kind, Kind>>> = {
  [Kind.OBJECT_TYPE_DEFINITION]: Kind.OBJECT_TYPE_EXTENSION,
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: Kind.INPUT_OBJECT_TYPE_EXTENSION,
  [Kind.ENUM_TYPE_DEFINITION]: Kind.ENUM_TYPE_EXTENSION,
  [Kind.UNION_TYPE_DEFINITION]: Kind.UNION_TYPE_EXTENSION,
  [Kind.INTERFACE_TYPE_DEFINITION]: Kind.INTERFACE_TYPE_EXTENSION,
};

const textsOf = (typeDefs: unknown): readonly string[] => {
  if (typeDefs === null) return [];
  if (typeof typeDefs === 'string') return typeDefs.trim() === '' ? [] : [typeDefs];
  if (Array.isArray(typeDefs)) return typeDefs.flatMap(textsOf);
  if (isRecord(typeDefs) && typeDefs['kind'] === Kind.DOCUMENT) return [print(typeDefs as unknown as DocumentNode)];
  throw new TypeError('it must be SDL, as text or as a parsed document, or a list of those.');
};

const describe = (error: GraphQLError): string => {
  const line = error.locations?.at(-1)?.line;
  return line === undefined ? error.message : `${error.message} (line ${line})`;
};

const definitionsOf = ({ place, typeDefs }: ReadUse): readonly DefinitionNode[] => {
  try {
    return textsOf(typeDefs).flatMap((text) => parse(new Source(text, place)).definitions);
  } catch (error) {
    throw broken(place, KEY, error instanceof GraphQLError ? new Error(describe(error), { cause: error }) : error);
  }
};

/** `type Query {…}` where there is one already adds to it, as does the second definition of a type of the project's own; a scalar there is stays. */
const asAdditions = (schema: GraphQLSchema, definitions: readonly DefinitionNode[]): readonly DefinitionNode[] => {
  const known = new Set(Object.keys(schema.getTypeMap()));
  return definitions.flatMap((definition) => {
    if (!('name' in definition) || definition.name === undefined || definition.kind === Kind.DIRECTIVE_DEFINITION) return [definition];
    const name = definition.name.value;
    if (!known.has(name)) {
      if (EXTENSIONS[definition.kind] !== undefined) known.add(name);
      return [definition];
    }
    if (definition.kind === Kind.SCALAR_TYPE_DEFINITION) return [];
    return [{ ...definition, kind: EXTENSIONS[definition.kind] ?? definition.kind } as DefinitionNode];
  });
};

/** A first `type Subscription` becomes the root of subscriptions. */
const withRoots = (schema: GraphQLSchema, definitions: readonly DefinitionNode[]): readonly DefinitionNode[] => {
  const isFirst = schema.getSubscriptionType() === undefined || schema.getSubscriptionType() === null;
  const own = definitions.find((definition) => definition.kind === Kind.OBJECT_TYPE_DEFINITION && definition.name.value === 'Subscription');
  if (!isFirst || own?.kind !== Kind.OBJECT_TYPE_DEFINITION) return definitions;
  const type = { kind: Kind.NAMED_TYPE, name: own.name } as const;
  const operation = { kind: Kind.OPERATION_TYPE_DEFINITION, operation: OperationTypeNode.SUBSCRIPTION, type } as const;
  return [...definitions, { kind: Kind.SCHEMA_EXTENSION, operationTypes: [operation] }];
};

/** The name of the source that the last of the error's nodes came from: the `use` at fault. */
const placeOf = (error: GraphQLError, uses: readonly ReadUse[]): string =>
  error.nodes?.findLast(({ loc }) => loc !== undefined)?.loc?.source.name ?? uses.map(({ place }) => place).join(', ');

/** The schema with what is written in SDL added to it. Types of Nexus and of the model may be named and added to. */
export function applyTypeDefs(schema: GraphQLSchema, uses: readonly ReadUse[]): GraphQLSchema {
  const own = uses.filter(({ typeDefs }) => typeDefs !== null);
  const definitions = own.flatMap(definitionsOf);
  if (definitions.length === 0) return schema;
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: withRoots(schema, asAdditions(schema, definitions)) };
  const [error] = validateSDL(document, schema);
  if (error !== undefined) throw broken(placeOf(error, own), KEY, new Error(describe(error), { cause: error }));
  return extendSchema(schema, document, { assumeValidSDL: true });
}
