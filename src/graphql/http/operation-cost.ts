import { getNamedType, getOperationAST, isAbstractType, isCompositeType, isInterfaceType, isListType, isObjectType, Kind, getNullableType, valueFromASTUntyped } from 'graphql';
import type { DocumentNode, FieldNode, FragmentDefinitionNode, GraphQLCompositeType, GraphQLField, GraphQLSchema, OperationDefinitionNode, SelectionNode, SelectionSetNode } from 'graphql';
import { isRecord } from '../../lib/is-record.js';
import { isIncluded } from '../selection/collect-fields.js';

/** What one operation asks for. */
export interface OperationCost {
  /** Fields that are answered under a name of the client's. */
  readonly aliases: number;
  /** Most records that its answer can hold, lists taken to be as long as they may be. */
  readonly complexity: number;
  /** Names, brackets and values of the document. */
  readonly tokens: number;
}

export interface CostedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** How long lists are taken to be. */
export interface ListSizes {
  readonly defaultLimit: number;
  /** -1: none. */
  readonly maxLimit: number;
  /** No list that is longer is ever answered. */
  readonly amountLimit: number;
}

interface Costing {
  readonly schema: GraphQLSchema;
  readonly sizes: ListSizes;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly known: Map<string, Sum>;
}

interface Sum {
  aliases: number;
  records: number;
  /** Under the `nodes` of a connection, whose field says how many there are. */
  nodes: number;
}

const none = (): Sum => ({ aliases: 0, records: 0, nodes: 0 });

const add = (sum: Sum, { aliases, records, nodes }: Sum): void => {
  sum.aliases += aliases;
  sum.records += records;
  sum.nodes += nodes;
};

const isPaged = (field: GraphQLField<unknown, unknown>): boolean => field.args.some(({ name }) => name === 'pagination');

const wantedSize = (node: FieldNode, { variables, sizes }: Costing): number => {
  const given = node.arguments?.find(({ name }) => name.value === 'pagination');
  const pagination: unknown = given === undefined ? null : valueFromASTUntyped(given.value, variables);
  const { limit, pageSize } = isRecord(pagination) ? pagination : {};
  const wanted = limit ?? pageSize ?? sizes.defaultLimit;
  return typeof wanted === 'number' ? wanted : sizes.defaultLimit;
};

const listSize = (node: FieldNode, costing: Costing): number => {
  const { maxLimit, amountLimit } = costing.sizes;
  const most = maxLimit < 0 ? amountLimit : Math.min(maxLimit, amountLimit);
  const wanted = wantedSize(node, costing);
  return wanted === -1 ? most : Math.min(Math.max(wanted, 1), most);
};

const fieldCost = (costing: Costing, node: FieldNode, field: GraphQLField<unknown, unknown>): Sum => {
  const type = getNamedType(field.type);
  if (!isCompositeType(type) || node.selectionSet === undefined) return none();
  const { aliases, records, nodes } = selectionCost(costing, node.selectionSet, type);
  const isList = isListType(getNullableType(field.type));
  if (isList && !isPaged(field) && field.name === 'nodes') return { aliases, records: 0, nodes: 1 + records };
  const size = isList || isPaged(field) ? listSize(node, costing) : 1;
  return isList || !isPaged(field) ? { aliases, records: size * (1 + records + nodes), nodes: 0 } : { aliases, records: 1 + records + size * nodes, nodes: 0 };
};

const fragmentCost = (costing: Costing, name: string): Sum => {
  const before = costing.known.get(name);
  if (before !== undefined) return before;
  const fragment = costing.fragments.get(name);
  const type = fragment === undefined ? undefined : costing.schema.getType(fragment.typeCondition.name.value);
  const sum = fragment === undefined || !isCompositeType(type) ? none() : selectionCost(costing, fragment.selectionSet, type);
  costing.known.set(name, sum);
  return sum;
};

/** The type a selection applies to, where that is not the type around it. */
const conditionOf = (selection: SelectionNode, { fragments }: Costing): string | undefined => {
  if (selection.kind === Kind.INLINE_FRAGMENT) return selection.typeCondition?.name.value;
  return selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value)?.typeCondition.name.value : undefined;
};

const oneCost = (costing: Costing, selection: SelectionNode, type: GraphQLCompositeType): Sum => {
  if (selection.kind === Kind.FRAGMENT_SPREAD) return fragmentCost(costing, selection.name.value);
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    const wanted = selection.typeCondition === undefined ? type : costing.schema.getType(selection.typeCondition.name.value);
    return isCompositeType(wanted) ? selectionCost(costing, selection.selectionSet, wanted) : none();
  }
  const name = selection.name.value;
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
  const sum = field === undefined || name.startsWith('__') ? none() : fieldCost(costing, selection, field);
  return selection.alias === undefined ? sum : { ...sum, aliases: sum.aliases + 1 };
};

/** Of a record that is of one of several types, the dearest of them counts. */
const selectionCost = (costing: Costing, { selections }: SelectionSetNode, type: GraphQLCompositeType): Sum => {
  const sum = none();
  const alternatives = new Map<string, Sum>();
  for (const selection of selections) {
    if (!isIncluded(selection, costing.variables)) continue;
    const cost = oneCost(costing, selection, type);
    const condition = isAbstractType(type) ? conditionOf(selection, costing) : undefined;
    if (condition === undefined) {
      add(sum, cost);
      continue;
    }
    const alternative = alternatives.get(condition) ?? none();
    add(alternative, cost);
    alternatives.set(condition, alternative);
  }
  let dearest = 0;
  for (const { aliases, records, nodes } of alternatives.values()) {
    sum.aliases += aliases;
    dearest = Math.max(dearest, records + nodes);
  }
  sum.records += dearest;
  return sum;
};

const withDefaults = ({ variableDefinitions = [] }: OperationDefinitionNode, variables: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) => (defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)] as const]));
  return defaults.length === 0 ? variables : { ...Object.fromEntries(defaults), ...variables };
};

const cached = new WeakMap<OperationDefinitionNode, OperationCost>();

/** What a valid document's operation asks for; before anything of it runs. Null: the document has no such operation. */
export function operationCost({ schema, document, operationName, variables }: CostedOperation, sizes: ListSizes): OperationCost | null {
  const operation = getOperationAST(document, operationName);
  const root = operation === null || operation === undefined ? undefined : schema.getRootType(operation.operation);
  if (operation === null || operation === undefined || root === undefined || root === null) return null;
  const before = cached.get(operation);
  if (before !== undefined) return before;
  const fragments = new Map(document.definitions.flatMap((definition) => (definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [])));
  const { aliases, records, nodes } = selectionCost({ schema, sizes, fragments, variables: withDefaults(operation, variables), known: new Map() }, operation.selectionSet, root);
  const cost: OperationCost = { aliases, complexity: records + nodes, tokens: Reflect.get(document, 'tokenCount') as number };
  if ((operation.variableDefinitions ?? []).length === 0) cached.set(operation, cost);
  return cost;
}
