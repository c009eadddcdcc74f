import {
  getNamedType,
  getOperationAST,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  getNullableType,
  valueFromASTUntyped,
} from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLCompositeType,
  GraphQLField,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import { defined } from '../../lib/defined.js';
import { isRecord } from '../../lib/is-record.js';
import { isIncluded } from '../selection/collect-fields.js';

/** What one operation costs. */
export interface OperationCost {
  /** Fields that have an alias. */
  readonly aliases: number;
  /** The most records that the response can contain, if all lists are as long as their limits allow. */
  readonly complexity: number;
  /** Names, punctuators and values of the document. */
  readonly tokens: number;
}

export interface CostedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The limits from which the length of a list is estimated. */
export interface ListSizes {
  readonly defaultLimit: number;
  /** -1: no limit. */
  readonly maxLimit: number;
  /** The longest list that a response may contain. */
  readonly amountLimit: number;
}

interface CostContext {
  readonly schema: GraphQLSchema;
  readonly sizes: ListSizes;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly fragmentCosts: Map<string, SelectionCost>;
}

/** The sum of the costs of some selections. */
interface SelectionCost {
  aliases: number;
  records: number;
  /** Records of one node of a connection, to be multiplied by the number of its nodes. */
  nodes: number;
}

const emptyCost = (): SelectionCost => ({ aliases: 0, records: 0, nodes: 0 });

const add = (sum: SelectionCost, { aliases, records, nodes }: SelectionCost): void => {
  sum.aliases += aliases;
  sum.records += records;
  sum.nodes += nodes;
};

const isPaged = (field: GraphQLField<unknown, unknown>): boolean =>
  field.args.some(({ name }) => name === 'pagination');

const requestedSize = (node: FieldNode, { variables, sizes }: CostContext): number => {
  const paginationArgument = node.arguments?.find(({ name }) => name.value === 'pagination');
  const pagination: unknown =
    paginationArgument === undefined ? null : valueFromASTUntyped(paginationArgument.value, variables);
  const { limit, pageSize } = isRecord(pagination) ? pagination : {};
  const limitArgument = limit ?? pageSize ?? sizes.defaultLimit;
  return typeof limitArgument === 'number' ? limitArgument : sizes.defaultLimit;
};

const listSize = (node: FieldNode, context: CostContext): number => {
  const { maxLimit, amountLimit } = context.sizes;
  const maxSize = maxLimit < 0 ? amountLimit : Math.min(maxLimit, amountLimit);
  const requested = requestedSize(node, context);
  return requested === -1 ? maxSize : Math.min(Math.max(requested, 1), maxSize);
};

/**
 * Returns the cost of one field with its selections. The items of a list count as often as its limit allows.
 * The length of a connection's `nodes` depends on the connection's own limit, so `nodes` reports the cost of
 * one node in {@link SelectionCost.nodes}, and the connection multiplies it.
 */
const fieldCost = (
  context: CostContext,
  node: FieldNode,
  field: GraphQLField<unknown, unknown>,
): SelectionCost => {
  const type = getNamedType(field.type);
  if (!isCompositeType(type) || node.selectionSet === undefined) return emptyCost();
  const { aliases, records, nodes } = selectionCost(context, node.selectionSet, type);
  const isList = isListType(getNullableType(field.type));
  if (isList && !isPaged(field) && field.name === 'nodes') return { aliases, records: 0, nodes: 1 + records };
  const size = isList || isPaged(field) ? listSize(node, context) : 1;
  return isList || !isPaged(field)
    ? { aliases, records: size * (1 + records + nodes), nodes: 0 }
    : { aliases, records: 1 + records + size * nodes, nodes: 0 };
};

const fragmentCost = (context: CostContext, name: string): SelectionCost => {
  const cachedCost = context.fragmentCosts.get(name);
  if (cachedCost !== undefined) return cachedCost;
  const fragment = context.fragments.get(name);
  const type = fragment === undefined ? undefined : context.schema.getType(fragment.typeCondition.name.value);
  const sum =
    fragment === undefined || !isCompositeType(type)
      ? emptyCost()
      : selectionCost(context, fragment.selectionSet, type);
  context.fragmentCosts.set(name, sum);
  return sum;
};

/** The name of the type that a selection is restricted to; undefined: it applies to the type around it. */
const typeConditionOf = (selection: SelectionNode, { fragments }: CostContext): string | undefined => {
  if (selection.kind === Kind.INLINE_FRAGMENT) return selection.typeCondition?.name.value;
  return selection.kind === Kind.FRAGMENT_SPREAD
    ? fragments.get(selection.name.value)?.typeCondition.name.value
    : undefined;
};

const singleSelectionCost = (
  context: CostContext,
  selection: SelectionNode,
  type: GraphQLCompositeType,
): SelectionCost => {
  if (selection.kind === Kind.FRAGMENT_SPREAD) return fragmentCost(context, selection.name.value);
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    const conditionType =
      selection.typeCondition === undefined
        ? type
        : context.schema.getType(selection.typeCondition.name.value);
    return isCompositeType(conditionType)
      ? selectionCost(context, selection.selectionSet, conditionType)
      : emptyCost();
  }
  const name = selection.name.value;
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
  const sum =
    field === undefined || name.startsWith('__') ? emptyCost() : fieldCost(context, selection, field);
  return selection.alias === undefined ? sum : { ...sum, aliases: sum.aliases + 1 };
};

/** The cost of a selection set. If a record can be of several types, the most expensive of them counts. */
const selectionCost = (
  context: CostContext,
  { selections }: SelectionSetNode,
  type: GraphQLCompositeType,
): SelectionCost => {
  const sum = emptyCost();
  const alternatives = new Map<string, SelectionCost>();
  for (const selection of selections) {
    if (!isIncluded(selection, context.variables)) continue;
    const cost = singleSelectionCost(context, selection, type);
    const condition = isAbstractType(type) ? typeConditionOf(selection, context) : undefined;
    if (condition === undefined) {
      add(sum, cost);
      continue;
    }
    const alternative = alternatives.get(condition) ?? emptyCost();
    add(alternative, cost);
    alternatives.set(condition, alternative);
  }
  let maxRecords = 0;
  for (const { aliases, records, nodes } of alternatives.values()) {
    sum.aliases += aliases;
    maxRecords = Math.max(maxRecords, records + nodes);
  }
  sum.records += maxRecords;
  return sum;
};

const withDefaults = (
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)] as const],
  );
  return defaults.length === 0 ? variables : { ...Object.fromEntries(defaults), ...variables };
};

const costCache = new WeakMap<OperationDefinitionNode, OperationCost>();

/** Returns the cost of an operation of a valid document. Null: the document has no such operation. */
export function operationCost(
  { schema, document, operationName, variables }: CostedOperation,
  sizes: ListSizes,
): OperationCost | null {
  const operation = getOperationAST(document, operationName);
  const root =
    operation === null || operation === undefined ? undefined : schema.getRootType(operation.operation);
  if (operation === null || operation === undefined || root === undefined || root === null) return null;
  const cachedCost = costCache.get(operation);
  if (cachedCost !== undefined) return cachedCost;
  const fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
  const { aliases, records, nodes } = selectionCost(
    { schema, sizes, fragments, variables: withDefaults(operation, variables), fragmentCosts: new Map() },
    operation.selectionSet,
    root,
  );
  const cost: OperationCost = {
    aliases,
    complexity: records + nodes,
    tokens: defined(document.tokenCount, 'the number of tokens of a parsed document'),
  };
  if ((operation.variableDefinitions ?? []).length === 0) costCache.set(operation, cost);
  return cost;
}
