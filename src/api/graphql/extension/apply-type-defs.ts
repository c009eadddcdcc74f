import { extendSchema, GraphQLError, Kind, OperationTypeNode, parse, print, Source } from 'graphql';
import type { DefinitionNode, DocumentNode, GraphQLSchema } from 'graphql';
import { validateSDL } from 'graphql/validation/validate.js';
import { isRecord } from '../../../lib/is-record.js';
import { createExtensionError } from './evaluate-extensions.js';
import type { EvaluatedExtension } from './evaluate-extensions.js';
import { mergeDefinitions, restoreFields } from './merge-definitions.js';

const KEY = 'typeDefs';

/** For each kind of definition that can be extended, the kind of its extension. */
const EXTENSION_KINDS: Readonly<Partial<Record<Kind, Kind>>> = {
  [Kind.OBJECT_TYPE_DEFINITION]: Kind.OBJECT_TYPE_EXTENSION,
  [Kind.INPUT_OBJECT_TYPE_DEFINITION]: Kind.INPUT_OBJECT_TYPE_EXTENSION,
  [Kind.ENUM_TYPE_DEFINITION]: Kind.ENUM_TYPE_EXTENSION,
  [Kind.UNION_TYPE_DEFINITION]: Kind.UNION_TYPE_EXTENSION,
  [Kind.INTERFACE_TYPE_DEFINITION]: Kind.INTERFACE_TYPE_EXTENSION,
};

const sdlTextsOf = (typeDefs: unknown): readonly string[] => {
  if (typeDefs === null) return [];
  if (typeof typeDefs === 'string') return typeDefs.trim() === '' ? [] : [typeDefs];
  if (Array.isArray(typeDefs)) return typeDefs.flatMap(sdlTextsOf);
  if (isRecord(typeDefs) && typeDefs['kind'] === Kind.DOCUMENT)
    return [print(typeDefs as unknown as DocumentNode)];
  throw new TypeError('it must be SDL: a string, a parsed document, or a list of those.');
};

const messageOf = (error: GraphQLError): string => {
  const line = error.locations?.at(-1)?.line;
  return line === undefined ? error.message : `${error.message} (line ${line})`;
};

const definitionsOf = ({ source, typeDefs }: EvaluatedExtension): readonly DefinitionNode[] => {
  try {
    return sdlTextsOf(typeDefs).flatMap((text) => parse(new Source(text, source)).definitions);
  } catch (error) {
    throw createExtensionError(
      source,
      KEY,
      error instanceof GraphQLError ? new Error(messageOf(error), { cause: error }) : error,
    );
  }
};

/**
 * Converts definitions of existing types, such as `type Query {…}`, to extensions of them. The types may be
 * generated or the project's own. Definitions of existing scalars are left out.
 */
const toExtensionNodes = (
  schema: GraphQLSchema,
  definitions: readonly DefinitionNode[],
): readonly DefinitionNode[] => {
  const existingNames = new Set(Object.keys(schema.getTypeMap()));
  return definitions.flatMap((definition) => {
    if (
      !('name' in definition) ||
      definition.name === undefined ||
      definition.kind === Kind.DIRECTIVE_DEFINITION
    )
      return [definition];
    const name = definition.name.value;
    if (!existingNames.has(name)) {
      if (EXTENSION_KINDS[definition.kind] !== undefined) existingNames.add(name);
      return [definition];
    }
    if (definition.kind === Kind.SCALAR_TYPE_DEFINITION) return [];
    return [{ ...definition, kind: EXTENSION_KINDS[definition.kind] ?? definition.kind } as DefinitionNode];
  });
};

/** Makes the first `type Subscription` the root type of subscriptions. */
const withSubscriptionRoot = (
  schema: GraphQLSchema,
  definitions: readonly DefinitionNode[],
): readonly DefinitionNode[] => {
  const isFirst = schema.getSubscriptionType() === undefined || schema.getSubscriptionType() === null;
  const subscriptionType = definitions.find(
    (definition) =>
      definition.kind === Kind.OBJECT_TYPE_DEFINITION && definition.name.value === 'Subscription',
  );
  if (!isFirst || subscriptionType?.kind !== Kind.OBJECT_TYPE_DEFINITION) return definitions;
  const type = { kind: Kind.NAMED_TYPE, name: subscriptionType.name } as const;
  const operation = {
    kind: Kind.OPERATION_TYPE_DEFINITION,
    operation: OperationTypeNode.SUBSCRIPTION,
    type,
  } as const;
  return [...definitions, { kind: Kind.SCHEMA_EXTENSION, operationTypes: [operation] }];
};

/** The name of the `use` at fault: that of the last node of the error. */
const sourceOf = (error: GraphQLError, extensions: readonly EvaluatedExtension[]): string =>
  error.nodes?.findLast(({ loc }) => loc !== undefined)?.loc?.source.name ??
  extensions.map(({ source }) => source).join(', ');

/**
 * Returns the schema extended by the SDL of a project. SDL may refer to types made with Nexus and to
 * generated types, may extend them and may define their fields again.
 *
 * @param warn is told of generated fields that the SDL replaces
 *
 *   validateSDL is internal to graphql-js. `extendSchema` does the same validation, but reports only the text
 *   of all errors together, without the nodes that identify the wrong `use`.
 * @throws `graphql/invalid-extension`
 */
export function applyTypeDefs(
  schema: GraphQLSchema,
  extensions: readonly EvaluatedExtension[],
  warn: (message: string) => void,
): GraphQLSchema {
  const withTypeDefs = extensions.filter(({ typeDefs }) => typeDefs !== null);
  const definitions = withTypeDefs.flatMap(definitionsOf);
  if (definitions.length === 0) return schema;
  const merged = mergeDefinitions(
    schema,
    toExtensionNodes(schema, definitions),
    ({ loc }, path, [generatedType, type]) =>
      warn(
        `GraphQL extension ${loc?.source.name ?? ''}, ${KEY}: ${path} replaces the generated field. ` +
          `Its type was ${generatedType} and is ${type}.`,
      ),
  );
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: withSubscriptionRoot(schema, merged.definitions),
  };
  const [error] = validateSDL(document, schema);
  if (error !== undefined)
    throw createExtensionError(
      sourceOf(error, withTypeDefs),
      KEY,
      new Error(messageOf(error), { cause: error }),
    );
  const extended = extendSchema(schema, document, { assumeValidSDL: true });
  restoreFields(extended, merged.kept);
  return extended;
}
