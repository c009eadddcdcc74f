import { GraphQLError, Kind, getNamedType, getOperationAST, valueFromASTUntyped } from 'graphql';
import type {
  ASTVisitor,
  DocumentNode,
  FloatValueNode,
  FragmentDefinitionNode,
  IntValueNode,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
  ValidationContext,
} from 'graphql';
import { createError } from '../../../errors/catalogue.js';
import { defined } from '../../../lib/assert.js';
import { isExactNumber } from '../../../lib/json.js';
import type { GraphqlOptions } from '../graphql-options.js';
import { isIncluded } from '../selection/plan-selection.js';

/** Scalars that keep the digits of an integer as text. */
const TEXT_SCALARS: ReadonlySet<string> = new Set(['Long', 'ID']);

/** A validation rule that rejects numbers that would be rounded, as for numbers in variables. */
export function exactNumbersRule(context: ValidationContext): ASTVisitor {
  const check = (node: FloatValueNode | IntValueNode): void => {
    const name = getNamedType(context.getInputType())?.name ?? '';
    if (isExactNumber(node.value) || (node.kind === Kind.INT && TEXT_SCALARS.has(name))) return;
    const literal = node.value.slice(0, 60);
    const { message } = createError('request/inexact-number', {
      path: 'The operation',
      literal,
      value: Number(node.value),
    });
    context.reportError(new GraphQLError(message, { nodes: node }));
  };
  return { IntValue: check, FloatValue: check };
}

/**
 * Returns a validation rule that rejects operations whose selections are nested deeper than `limit`. Fields
 * without selections and introspection fields do not count. Each fragment is measured only once.
 */
export function depthRule(limit: number): (context: ValidationContext) => ASTVisitor {
  return (context) => {
    const depths = new Map<string, number>();
    const fragmentDepth = (name: string, visited: readonly string[]): number => {
      const cachedDepth = depths.get(name);
      if (cachedDepth !== undefined) return cachedDepth;
      const depth = visited.includes(name)
        ? 0
        : selectionDepth(context.getFragment(name)?.selectionSet, [...visited, name]);
      depths.set(name, depth);
      return depth;
    };
    const selectionDepth = (selections: SelectionSetNode | undefined, visited: readonly string[]): number => {
      let deepest = 0;
      for (const selection of selections?.selections ?? []) {
        if (selection.kind === Kind.FRAGMENT_SPREAD)
          deepest = Math.max(deepest, fragmentDepth(selection.name.value, visited));
        else if (selection.kind === Kind.INLINE_FRAGMENT)
          deepest = Math.max(deepest, selectionDepth(selection.selectionSet, visited));
        else if (selection.selectionSet !== undefined && !selection.name.value.startsWith('__'))
          deepest = Math.max(deepest, 1 + selectionDepth(selection.selectionSet, visited));
      }
      return deepest;
    };
    return {
      OperationDefinition: (operation) => {
        const depth = selectionDepth(operation.selectionSet, []);
        if (depth > limit)
          context.reportError(
            new GraphQLError(createError('graphql/too-deep', { depth, limit }).message, { nodes: operation }),
          );
      },
    };
  };
}

/** Cost of one operation, known before anything is read. Selections of a fragment count at every spread. */
interface OperationCost {
  /** Fields that have an alias. */
  readonly aliases: number;
  /** Fields that have selections. */
  readonly objects: number;
  /** Root fields. */
  readonly roots: number;
  /** Names, punctuators and values of the document. */
  readonly tokens: number;
}

interface CostedOperation {
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

interface CostContext {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly fragments: Fragments;
  readonly fragmentCosts: Map<string, SelectionCost>;
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

/** Returns the cost of an operation of a valid document. Null: the document has no such operation. */
function operationCost({ document, operationName, variables }: CostedOperation): OperationCost | null {
  const operation = getOperationAST(document, operationName);
  if (operation === null || operation === undefined) return null;
  const context: CostContext = {
    fragments: fragmentsOf(document),
    variables: withDefaults(operation, variables),
    fragmentCosts: new Map(),
  };
  const { aliases, objects, fields } = selectionsCost(context, operation.selectionSet);
  const tokens = defined(document.tokenCount, 'the number of tokens of a parsed document');
  return { aliases, objects, roots: fields, tokens };
}

/**
 * Maximum number of fields with selections in a request. Each adds a part of a statement, which must be
 * planned and compiled even if it finds nothing.
 */
const MAX_OBJECTS = 2000;

/** Limits that apply to all operations of one request combined. */
export interface OperationBudget {
  /** Throws `graphql/too-many-tokens`, `graphql/too-many-aliases` and `graphql/too-many-selections`. */
  readonly charge: (operation: CostedOperation) => void;
  /** Adds records of root lists. Throws `graphql/too-many-items`. */
  readonly chargeItems: (count: number) => void;
  /** Throws `graphql/too-many-items` if a nested list is longer than the limit for a single list. */
  readonly assertListSize: (count: number) => void;
  /** Returns the maximum of records that each charged root field may read, populated ones included. */
  readonly recordLimit: () => number;
}

/** Creates the budget of one request. */
export function createBudget({
  tokenLimit,
  aliasLimit,
  complexityLimit,
  amountLimit,
}: GraphqlOptions): OperationBudget {
  const charged = { tokens: 0, aliases: 0, objects: 0, roots: 0, items: 0 };
  return {
    charge: (operation) => {
      const cost = operationCost(operation);
      if (cost === null) return;
      charged.tokens += cost.tokens;
      charged.aliases += cost.aliases;
      charged.objects += cost.objects;
      charged.roots += cost.roots;
      if (charged.tokens > tokenLimit) throw createError('graphql/too-many-tokens', { limit: tokenLimit });
      if (charged.aliases > aliasLimit)
        throw createError('graphql/too-many-aliases', { aliases: charged.aliases, limit: aliasLimit });
      if (charged.objects > MAX_OBJECTS)
        throw createError('graphql/too-many-selections', { limit: MAX_OBJECTS });
    },
    chargeItems: (count) => {
      charged.items += count;
      if (charged.items > amountLimit) throw createError('graphql/too-many-items', { limit: amountLimit });
    },
    assertListSize: (count) => {
      if (count > amountLimit) throw createError('graphql/too-many-items', { limit: amountLimit });
    },
    recordLimit: () => Math.ceil(complexityLimit / Math.max(charged.roots, 1)),
  };
}
