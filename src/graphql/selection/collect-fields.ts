import { getDirectiveValues, GraphQLIncludeDirective, GraphQLSkipDirective, isAbstractType, Kind } from 'graphql';
import type { FieldNode, GraphQLObjectType, GraphQLResolveInfo, SelectionNode } from 'graphql';

/** The selections of one document that matter while it is executed. */
export type Document = Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'>;

/** One key of an answer: the field that is asked for under it, by every selection that names it. */
export interface FieldRequest {
  readonly key: string;
  readonly name: string;
  readonly nodes: readonly FieldNode[];
}

/** Whether directives leave the selection in. */
export function isIncluded(node: SelectionNode, variables: Document['variableValues']): boolean {
  if (node.directives === undefined || node.directives.length === 0) return true;
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false;
}

const applies = (condition: string | undefined, type: GraphQLObjectType, { schema }: Document): boolean => {
  if (condition === undefined || condition === type.name) return true;
  const wanted = schema.getType(condition);
  return isAbstractType(wanted) && schema.isSubType(wanted, type);
};

/** What is asked for of a record of that type, fragments opened, what directives leave out left out; `__typename` is no field of it. */
export function collectFields(document: Document, type: GraphQLObjectType, parents: readonly FieldNode[]): readonly FieldRequest[] {
  const requests = new Map<string, { readonly name: string; readonly nodes: FieldNode[] }>();
  const visited = new Set<string>();
  const collect = (selections: readonly SelectionNode[]): void => {
    for (const selection of selections) {
      if (!isIncluded(selection, document.variableValues)) continue;
      if (selection.kind === Kind.FIELD) {
        const name = selection.name.value;
        if (name.startsWith('__')) continue;
        const key = selection.alias?.value ?? name;
        const request = requests.get(key) ?? { name, nodes: [] };
        request.nodes.push(selection);
        requests.set(key, request);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (applies(selection.typeCondition?.name.value, type, document)) collect(selection.selectionSet.selections);
      } else {
        const fragment = document.fragments[selection.name.value];
        if (fragment === undefined || visited.has(fragment.name.value)) continue;
        visited.add(fragment.name.value);
        if (applies(fragment.typeCondition.name.value, type, document)) collect(fragment.selectionSet.selections);
      }
    }
  };
  for (const parent of parents) collect(parent.selectionSet?.selections ?? []);
  return [...requests].map(([key, { name, nodes }]) => ({ key, name, nodes }));
}
