import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isAbstractType,
  Kind,
} from 'graphql';
import type { FieldNode, GraphQLObjectType, GraphQLResolveInfo, SelectionNode } from 'graphql';

/** The parts of the operation that field collection needs. */
export type OperationDocument = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;

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
  const requests = new Map<string, { readonly name: string; readonly nodes: FieldNode[] }>();
  const visited = new Set<string>();
  const collect = (selections: readonly SelectionNode[]): void => {
    for (const selection of selections) {
      if (!isIncluded(selection, document.variableValues)) continue;
      if (selection.kind === Kind.FIELD) {
        const name = selection.name.value;
        const key = selection.alias?.value ?? name;
        const request = requests.get(key) ?? { name, nodes: [] };
        request.nodes.push(selection);
        requests.set(key, request);
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
  return [...requests].map(([key, { name, nodes }]) => ({ key, name, nodes }));
}
