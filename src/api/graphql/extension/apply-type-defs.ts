import {
  GraphQLError,
  Kind,
  OperationTypeNode,
  Source,
  extendSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  parse,
  print,
  printType,
} from 'graphql';
import type {
  DefinitionNode,
  DocumentNode,
  FieldDefinitionNode,
  GraphQLField,
  GraphQLInputField,
  GraphQLNamedType,
  GraphQLSchema,
  InputValueDefinitionNode,
  NamedTypeNode,
} from 'graphql';
import { validateSDL } from 'graphql/validation/validate.js';
import { isRecord } from '../../../lib/records.js';
import { isGenerated } from '../schema/field-marks.js';
import { createExtensionError } from './evaluate-extensions.js';
import type { EvaluatedExtension } from './evaluate-extensions.js';

type FieldNode = FieldDefinitionNode | InputValueDefinitionNode;
type Field = GraphQLField<unknown, unknown> | GraphQLInputField;

/**
 * A generated field that a project defines again, with a type for which the generated resolver is still
 * valid.
 */
interface KeptField {
  readonly type: string;
  readonly name: string;
  readonly field: Field;
}

interface MergedDefinitions {
  readonly definitions: readonly DefinitionNode[];
  readonly kept: readonly KeptField[];
}

const typeFieldsOf = (type: GraphQLNamedType): Record<string, Field> =>
  isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? type.getFields() : {};

const fieldNodesOf = (type: GraphQLNamedType): ReadonlyMap<string, FieldNode> => {
  const [definition] = parse(printType(type)).definitions;
  const fields = definition !== undefined && 'fields' in definition ? (definition.fields ?? []) : [];
  return new Map(fields.map((node) => [node.name.value, node]));
};

const argumentsOf = (node: FieldNode): readonly InputValueDefinitionNode[] =>
  'arguments' in node ? (node.arguments ?? []) : [];

/** Returns the type of a field without nullability, since resolvers do not depend on it. */
const shapeOf = ({ type }: FieldNode): string => print(type).replaceAll('!', '');

const haveSameShape = (project: FieldNode, generated: FieldNode): boolean => {
  const shapes = new Map(argumentsOf(generated).map((node) => [node.name.value, shapeOf(node)]));
  return (
    shapeOf(project) === shapeOf(generated) &&
    argumentsOf(project).every((node) => (shapes.get(node.name.value) ?? shapeOf(node)) === shapeOf(node))
  );
};

/** Adds the description, arguments and default value that only the generated definition has. */
const mergeField = (project: FieldNode, generated: FieldNode): FieldNode => {
  const description = project.description ?? generated.description;
  const described = description === undefined ? project : { ...project, description };
  if (described.kind === Kind.INPUT_VALUE_DEFINITION) {
    const { defaultValue } = generated as InputValueDefinitionNode;
    return described.defaultValue === undefined && defaultValue !== undefined
      ? { ...described, defaultValue }
      : described;
  }
  const names = new Set(argumentsOf(project).map(({ name }) => name.value));
  const added = argumentsOf(generated).filter(({ name }) => !names.has(name.value));
  return { ...described, arguments: [...argumentsOf(project), ...added] };
};

interface MergeTools {
  readonly schema: GraphQLSchema;
  readonly kept: KeptField[];
  /** Reports a generated field that a definition of the project replaces. */
  readonly onReplaced: (definition: FieldNode, path: string, types: readonly [string, string]) => void;
}

/** Merges fields that the project defines again, and removes them from the type: the definitions add them. */
const mergeFields = (
  type: GraphQLNamedType,
  nodes: readonly FieldNode[],
  { kept, onReplaced }: MergeTools,
): readonly FieldNode[] => {
  const generatedNodes = fieldNodesOf(type);
  const fields = typeFieldsOf(type);
  return nodes.map((node) => {
    const name = node.name.value;
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const generated = generatedNodes.get(name);
    if (field === undefined || generated === undefined) return node;
    // A second definition by the project is a mistake, which validation reports.
    if (isObjectType(type) && !isGenerated(field as GraphQLField<unknown, unknown>)) return node;
    const isKept = haveSameShape(node, generated);
    if (isKept) kept.push({ type: type.name, name, field });
    if (!isKept || print(node.type) !== print(generated.type))
      onReplaced(node, `${type.name}.${name}`, [print(generated.type), print(node.type)]);
    Reflect.deleteProperty(fields, name);
    return mergeField(node, generated);
  });
};

const without = (
  nodes: readonly NamedTypeNode[] = [],
  present: readonly GraphQLNamedType[],
): readonly NamedTypeNode[] => nodes.filter(({ name }) => !present.some((type) => type.name === name.value));

const mergeDefinition = (definition: DefinitionNode, tools: MergeTools): DefinitionNode => {
  if (!('name' in definition) || definition.name === undefined) return definition;
  const type = tools.schema.getType(definition.name.value);
  if (definition.kind === Kind.ENUM_TYPE_EXTENSION && isEnumType(type)) {
    const values = definition.values?.filter(({ name }) => type.getValue(name.value) === undefined);
    return { ...definition, ...(values === undefined ? {} : { values }) };
  }
  if (definition.kind === Kind.UNION_TYPE_EXTENSION && isUnionType(type))
    return { ...definition, types: without(definition.types, type.getTypes()) };
  if (definition.kind === Kind.INPUT_OBJECT_TYPE_EXTENSION && isInputObjectType(type)) {
    const fields = mergeFields(type, definition.fields ?? [], tools) as readonly InputValueDefinitionNode[];
    return { ...definition, fields };
  }
  if (
    (definition.kind === Kind.OBJECT_TYPE_EXTENSION && isObjectType(type)) ||
    (definition.kind === Kind.INTERFACE_TYPE_EXTENSION && isInterfaceType(type))
  ) {
    const fields = mergeFields(type, definition.fields ?? [], tools) as readonly FieldDefinitionNode[];
    return { ...definition, fields, interfaces: without(definition.interfaces, type.getInterfaces()) };
  }
  return definition;
};

/**
 * Merges definitions with the types of the schema that they extend, as in Strapi. If both define a field, the
 * project's definition replaces the generated one. Generated fields that are defined again are removed from
 * the schema in place.
 */
function mergeDefinitions(
  schema: GraphQLSchema,
  definitions: readonly DefinitionNode[],
  onReplaced: MergeTools['onReplaced'],
): MergedDefinitions {
  const kept: KeptField[] = [];
  const tools = { schema, kept, onReplaced };
  return { definitions: definitions.map((definition) => mergeDefinition(definition, tools)), kept };
}

/** Copies resolvers and marks from generated fields to the merged ones. The schema is changed in place. */
function restoreFields(schema: GraphQLSchema, kept: MergedDefinitions['kept']): void {
  for (const { type: typeName, name, field } of kept) {
    const type = schema.getType(typeName);
    const merged = type === undefined ? undefined : typeFieldsOf(type)[name];
    if (merged === undefined) continue;
    merged.extensions = field.extensions;
    if ('resolve' in field) Object.assign(merged, { resolve: field.resolve, subscribe: field.subscribe });
  }
}

const KEY = 'typeDefs';

/** The kinds of extensions by the kinds of definitions that they extend. */
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
 * generated or defined by the project. Definitions of existing scalars are omitted.
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

/** Returns the name of the `use` that caused the error: that of its last node. */
const sourceOf = (error: GraphQLError, extensions: readonly EvaluatedExtension[]): string =>
  error.nodes?.findLast(({ loc }) => loc !== undefined)?.loc?.source.name ??
  extensions.map(({ source }) => source).join(', ');

/**
 * Returns the schema extended by the SDL of a project. SDL may refer to types made with Nexus and to
 * generated types, may extend them and may define their fields again.
 *
 * `validateSDL` is internal to graphql-js. `extendSchema` runs the same validation, but reports only the text
 * of all errors, without the nodes that identify the invalid `use`.
 *
 * @param warn called for each generated field that the SDL replaces
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
