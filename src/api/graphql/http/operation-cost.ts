import { getOperationAST, Kind, valueFromASTUntyped } from 'graphql';
import type {
  DocumentNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import { defined } from '../../../lib/defined.js';
import { isIncluded } from '../selection/collect-fields.js';

/** Cost of one operation, known before anything is read. Selections of a fragment count at every spread. */
export interface OperationCost {
  /** Fields that have an alias. */
  readonly aliases: number;
  /** Fields that have selections. */
  readonly objects: number;
  /** Root fields. */
  readonly roots: number;
  /** Names, punctuators and values of the document. */
  readonly tokens: number;
}

export interface CostedOperation {
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

interface CostContext {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly fragments: Fragments;
  readonly fragmentCosts: Map<string, SelectionCost>;
  /** True if the cost depends on directives, and with them on variables. */
  isConditional: boolean;
}

interface SelectionCost {
  aliases: number;
  objects: number;
  /** Fields of the selection set itself. */
  fields: number;
}

const emptyCost = (): SelectionCost => ({ aliases: 0, objects: 0, fields: 0 });

const fragmentCost = (context: CostContext, name: string): SelectionCost => {
  const cachedCost = context.fragmentCosts.get(name);
  if (cachedCost !== undefined) return cachedCost;
  // Documents of a batch are not validated yet: a fragment may contain itself.
  context.fragmentCosts.set(name, emptyCost());
  const cost = selectionsCost(context, context.fragments.get(name)?.selectionSet);
  context.fragmentCosts.set(name, cost);
  return cost;
};

const selectionCost = (context: CostContext, selection: SelectionNode): SelectionCost => {
  if (selection.kind === Kind.FRAGMENT_SPREAD) return fragmentCost(context, selection.name.value);
  if (selection.kind === Kind.INLINE_FRAGMENT) return selectionsCost(context, selection.selectionSet);
  const aliases = selection.alias === undefined ? 0 : 1;
  // Introspection reads no documents.
  if (selection.name.value.startsWith('__')) return { aliases, objects: 0, fields: 0 };
  const inner = selectionsCost(context, selection.selectionSet);
  const isObject = selection.selectionSet !== undefined;
  return { aliases: aliases + inner.aliases, objects: inner.objects + (isObject ? 1 : 0), fields: 1 };
};

const selectionsCost = (context: CostContext, selectionSet: SelectionSetNode | undefined): SelectionCost => {
  const sum = emptyCost();
  for (const selection of selectionSet?.selections ?? []) {
    if (selection.directives !== undefined && selection.directives.length > 0) context.isConditional = true;
    if (!isIncluded(selection, context.variables)) continue;
    const { aliases, objects, fields } = selectionCost(context, selection);
    sum.aliases += aliases;
    sum.objects += objects;
    sum.fields += fields;
  }
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

const fragmentsOf = ({ definitions }: DocumentNode): Fragments =>
  new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );

const costCache = new WeakMap<OperationDefinitionNode, OperationCost>();

/** Returns the cost of an operation of a valid document. Null: the document has no such operation. */
export function operationCost({ document, operationName, variables }: CostedOperation): OperationCost | null {
  const operation = getOperationAST(document, operationName);
  if (operation === null || operation === undefined) return null;
  const cachedCost = costCache.get(operation);
  if (cachedCost !== undefined) return cachedCost;
  const context: CostContext = {
    fragments: fragmentsOf(document),
    variables: withDefaults(operation, variables),
    fragmentCosts: new Map(),
    isConditional: false,
  };
  const { aliases, objects, fields } = selectionsCost(context, operation.selectionSet);
  const tokens = defined(document.tokenCount, 'the number of tokens of a parsed document');
  const cost: OperationCost = { aliases, objects, roots: fields, tokens };
  if (!context.isConditional || (operation.variableDefinitions ?? []).length === 0)
    costCache.set(operation, cost);
  return cost;
}
