import {
  getArgumentValues,
  getNamedType,
  isObjectType,
  isUnionType,
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isAbstractType,
  Kind,
  print,
} from 'graphql';
import type {
  FieldNode,
  GraphQLField,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLResolveInfo,
  SelectionNode,
} from 'graphql';
import { createError } from '../../../errors/catalogue.js';
import { isRecord } from '../../../lib/records.js';
import type { Attribute, ContentModel, ContentSchema } from '../../../model/model.js';
import { typeInScope } from '../../../query/access-scope.js';
import {
  isContentType,
  populatableNames,
  readableAttribute,
  RELATED,
  selectableFields,
} from '../../../query/schema-fields.js';
import { parseFields, parsePopulateEntry } from '../../../query/parse/parse-populate.js';
import { withListRange } from '../../../query/parse/parse-pagination.js';
import type { PopulateNode, Selection } from '../../../query/query.js';
import { descend, locate } from '../../../query/read-context.js';
import type { QueryLocation, ReadContext } from '../../../query/read-context.js';
import { recordArgumentError } from '../graphql-context.js';
import type { ArgumentErrors, PlanningContext } from '../graphql-context.js';
import { fieldSourcesOf, populateKeyOf } from '../field-names.js';
import type { FieldSource } from '../field-names.js';
import { isProjectField, needsRecord } from '../schema/field-marks.js';
import { contentSchemaOf } from '../schema/type-registry.js';
import { toFilters } from './decode-input.js';

/** The parts of the operation that field collection needs. */
type OperationDocument = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;

/** One response key with its field and all selections of it. */
export interface FieldRequest {
  readonly key: string;
  readonly name: string;
  readonly nodes: readonly FieldNode[];
}

/** True if `@skip` and `@include` include the selection. */
export function isIncluded(node: SelectionNode, variables: OperationDocument['variableValues']): boolean {
  if (node.directives === undefined || node.directives.length === 0) return true;
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false;
}

const appliesToType = (
  condition: string | undefined,
  type: GraphQLObjectType,
  { schema }: OperationDocument,
): boolean => {
  if (condition === undefined || condition === type.name) return true;
  const conditionType = schema.getType(condition);
  return isAbstractType(conditionType) && schema.isSubType(conditionType, type);
};

/**
 * Collects the fields that the selections of `parents` request of an object type. Resolves fragments and
 * applies directives.
 */
export function collectFields(
  document: OperationDocument,
  type: GraphQLObjectType,
  parents: readonly Pick<FieldNode, 'selectionSet'>[],
): readonly FieldRequest[] {
  const requests = new Map<string, FieldRequest & { readonly nodes: FieldNode[] }>();
  const visited = new Set<string>();
  const collect = (selections: readonly SelectionNode[]): void => {
    for (const selection of selections) {
      if (!isIncluded(selection, document.variableValues)) continue;
      if (selection.kind === Kind.FIELD) {
        const name = selection.name.value;
        const key = selection.alias?.value ?? name;
        // The parents may have different aliases, below which one key may name different fields.
        const id = `${key}:${name}`;
        const request = requests.get(id) ?? { key, name, nodes: [] };
        request.nodes.push(selection);
        requests.set(id, request);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (appliesToType(selection.typeCondition?.name.value, type, document))
          collect(selection.selectionSet.selections);
      } else {
        const fragment = document.fragments[selection.name.value];
        if (fragment === undefined || visited.has(fragment.name.value)) continue;
        visited.add(fragment.name.value);
        if (appliesToType(fragment.typeCondition.name.value, type, document))
          collect(fragment.selectionSet.selections);
      }
    }
  };
  for (const parent of parents) collect(parent.selectionSet?.selections ?? []);
  return [...requests.values()];
}

/** Context shared by all steps of planning one root field. */
interface PlanContext {
  readonly document: OperationDocument;
  readonly read: ReadContext;
  readonly context: PlanningContext;
  readonly argumentErrors: ArgumentErrors;
}

interface PopulatedField {
  readonly request: FieldRequest;
  readonly source: Extract<FieldSource, { readonly kind: 'populate' }>;
  readonly field: GraphQLField<unknown, unknown>;
  /** Replaces the document's arguments. */
  readonly args?: Args | undefined;
}

type Args = Readonly<Record<string, unknown>>;

const describeField = ({ name, arguments: args = [] }: FieldNode): string =>
  `${name.value}(${args.map(print).toSorted().join()})`;

/**
 * A record has one value for each key, also if several aliases of `nodes` select from it.
 *
 * @throws `graphql/ambiguous-alias` if one key names different fields or arguments
 */
const assertOneValuePerKey = (populatedFields: readonly PopulatedField[]): void => {
  const firstNodes = new Map<string, FieldNode>();
  for (const { request } of populatedFields)
    for (const node of request.nodes) {
      const first = firstNodes.get(request.key) ?? node;
      if (node !== first && describeField(node) !== describeField(first))
        throw createError('graphql/ambiguous-alias', { alias: request.key });
      firstNodes.set(request.key, first);
    }
};

/**
 * Plans the selection of a record: scalars become fields, all other attributes populate nodes, which the
 * query parser checks. Relations whose target the caller may not find are omitted; their resolver then
 * throws. Attributes outside the caller's permission are rejected like unknown ones.
 */
export function planSelection(
  planContext: PlanContext,
  location: QueryLocation,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): Selection {
  const sources = fieldSourcesOf(contentSchemaOf(type) ?? location.schema);
  const scalarNames: string[] = [];
  const populatedFields: PopulatedField[] = [];
  for (const request of collectFields(planContext.document, type, nodes)) {
    const source = sources.get(request.name);
    const field = type.getFields()[request.name];
    if (field !== undefined && needsRecord(field)) scalarNames.push(...selectableFields(location.schema));
    if (field !== undefined && isProjectField(field)) continue;
    if (source?.kind === 'scalar') scalarNames.push(source.attribute);
    else if (source?.kind === 'populate' && field !== undefined)
      populatedFields.push({ request, source, field });
  }
  assertOneValuePerKey(populatedFields);
  const fields = parseFields(locate(location, 'fields'), [...new Set(scalarNames)]);
  const populate = populatedFields.flatMap((entry) => planPopulate(planContext, location, entry) ?? []);
  return { fields, populate };
}

/**
 * Returns the populate node of a field, or null if the caller may not find its target or the arguments are
 * invalid.
 */
export function planPopulate(
  planContext: PlanContext,
  location: QueryLocation,
  { request, source, field, args: overriddenArgs }: PopulatedField,
): PopulateNode | null {
  const [firstNode] = request.nodes;
  if (firstNode === undefined) return null;
  const args =
    source.form === 'one'
      ? {}
      : (overriddenArgs ?? getArgumentValues(field, firstNode, planContext.document.variableValues));
  const parse = (): PopulateNode | null =>
    parsePopulatedField(planContext, location, { request, source, args });
  const isReadable = populatableNames(location.schema).includes(source.attribute);
  const node = isReadable ? recordArgumentError(planContext.argumentErrors, firstNode, parse) : parse();
  if (node === null) return null;
  const children =
    source.form === 'connection'
      ? connectionNodesOf(planContext.document, field.type, request.nodes)
      : request.nodes;
  return withSelection({ planContext, location, type: field.type, children }, node);
}

/** Parses the arguments of a field into a populate node without a selection. */
const parsePopulatedField = (
  planContext: PlanContext,
  location: QueryLocation,
  { request, source, args }: Pick<PopulatedField, 'request' | 'source'> & { readonly args: Args },
): PopulateNode | null => {
  const attribute = readableAttribute(location.schema, source.attribute);
  const rawOptions = populateOptionsOf(planContext, attribute, source, args);
  const node = parsePopulateEntry(planContext.read, location, {
    attribute: source.attribute,
    key: populateKeyOf(source.attribute, request.key),
    options: { rawOptions, nestedPaths: new Map() },
  });
  return node === null || source.form === 'one' ? node : withRange(planContext, location.schema, node, args);
};

/** Returns the schema of the items of a component or of `localizations`. Undefined for other attributes. */
const itemSchemaOf = (
  model: ContentModel,
  owner: ContentSchema,
  { kind, attribute: name }: PopulateNode,
): ContentSchema | undefined => {
  if (kind === 'localizations') return owner;
  const attribute = kind === 'component' ? owner.attributes[name] : undefined;
  return attribute?.family === 'component' ? model.componentsByUid[attribute.component] : undefined;
};

/**
 * Returns the requested range of a list of components. Undefined: the whole list, since the default limit
 * applies only to documents.
 */
const componentPagination = (pagination: unknown): unknown => {
  if (!isRecord(pagination)) return undefined;
  const given = Object.entries(pagination).filter(([, value]) => value !== null && value !== undefined);
  const names = given.map(([name]) => name);
  if (names.length === 0) return undefined;
  return {
    ...(names.includes('start') && !names.includes('limit') ? { limit: -1 } : {}),
    ...Object.fromEntries(given),
  };
};

/**
 * Returns the node of a component or of `localizations` with the range in the field's arguments. For
 * relations, the query parser adds the range.
 */
const withRange = (
  { read, context }: PlanContext,
  owner: ContentSchema,
  node: PopulateNode,
  { filters, sort, pagination }: Args,
): PopulateNode => {
  const { model } = context.dependencies;
  const schema = itemSchemaOf(model, owner, node);
  if (schema === undefined || (node.kind !== 'component' && node.kind !== 'localizations')) return node;
  const rawOptions = {
    filters: toFilters(model, schema, filters),
    sort,
    pagination: node.kind === 'component' ? componentPagination(pagination) : (pagination ?? {}),
  };
  return withListRange(read, node, { schema, rawOptions });
};

/** Returns the populate options for the query parser. The selection adds scalars later. */
const populateOptionsOf = (
  { context }: PlanContext,
  attribute: Attribute | null,
  { form, attribute: name }: PopulatedField['source'],
  args: Args,
): Args => {
  if (name === RELATED) return {};
  if (attribute?.family === 'dynamiczone' || (attribute?.family === 'relation' && attribute.target === null))
    return {};
  if (form === 'one' || (attribute?.family !== 'relation' && attribute?.family !== 'media'))
    return { fields: [] };
  const target =
    attribute.target === null ? undefined : context.dependencies.model.typesByUid[attribute.target];
  return {
    fields: [],
    sort: args['sort'],
    pagination: args['pagination'] ?? {},
    filters:
      target === undefined ? undefined : toFilters(context.dependencies.model, target, args['filters']),
  };
};

/** Returns the selections under `nodes` of a connection. */
const connectionNodesOf = (
  document: OperationDocument,
  type: GraphQLOutputType,
  parents: readonly FieldNode[],
): readonly FieldNode[] => {
  const connection = getNamedType(type);
  if (!isObjectType(connection)) return [];
  return collectFields(document, connection, parents)
    .filter(({ name }) => name === 'nodes')
    .flatMap(({ nodes }) => nodes);
};

interface NodeSelectionRequest {
  readonly planContext: PlanContext;
  readonly location: QueryLocation;
  readonly type: GraphQLOutputType;
  readonly children: readonly FieldNode[];
}

/** Returns the object types that a field may return. For a connection, those of its nodes. */
const objectTypesOf = (type: GraphQLOutputType): readonly GraphQLObjectType[] => {
  const named = getNamedType(type);
  if (isUnionType(named)) return named.getTypes();
  if (!isObjectType(named)) return [];
  const items = contentSchemaOf(named) === undefined ? named.getFields()['nodes'] : undefined;
  return items === undefined ? [named] : objectTypesOf(items.type);
};

const selectionOf = (
  selectionRequest: NodeSelectionRequest,
  attribute: string,
  object: GraphQLObjectType,
): Selection => {
  const { planContext, location } = selectionRequest;
  const declaredSchema = contentSchemaOf(object) ?? location.schema;
  const contentSchema = isContentType(declaredSchema)
    ? typeInScope(planContext.read, declaredSchema.uid)
    : declaredSchema;
  return planSelection(
    planContext,
    descend(location, attribute, { schema: contentSchema, limit: planContext.read.limits.populateDepth }),
    object,
    selectionRequest.children,
  );
};

/** Returns the node with the selection of its target, or of each of its targets. */
const withSelection = (selectionRequest: NodeSelectionRequest, node: PopulateNode): PopulateNode => {
  const objects = objectTypesOf(selectionRequest.type);
  if (node.kind === 'zone' || node.kind === 'morph' || node.kind === 'referrers') {
    const selections = objects.flatMap((object) => {
      const uid = contentSchemaOf(object)?.uid;
      return uid === undefined || !Object.hasOwn(node.on, uid)
        ? []
        : [[uid, selectionOf(selectionRequest, node.attribute, object)] as const];
    });
    return { ...node, on: Object.fromEntries(selections) };
  }
  const [object] = objects;
  return object === undefined
    ? node
    : { ...node, selection: selectionOf(selectionRequest, node.attribute, object) };
};
